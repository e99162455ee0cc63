# SPDX-License-Identifier: GPL-3.0-or-later
"""session.py SCALE-RUN: sessions with the server in a folder that holds src/pairs.c and its study scale.db."""
import json, os, shutil, subprocess, sys, time
from client import Client

run, root = sys.argv[1], os.getcwd()
source = root + "/src/pairs.c"
lines = open(source).read().split("\n")
line_of = lambda text: next(i for i, line in enumerate(lines) if text in line)
units = lambda text: len(text.encode("utf-16-le")) // 2
outer, inner, function = line_of("long i = 0"), line_of("long k = 0"), line_of("static long pairs")
titles = lambda lenses: {lens["range"]["start"]["line"]: lens["command"]["title"] for lens in lenses}


def loop_found(diagnostics):
    """The finding at the inner loop."""
    found = [d for d in diagnostics if d["range"]["start"]["line"] == inner]
    assert len(found) == 1 and found[0]["code"] == "superlinear-loop" and found[0]["source"] == "scale-run", diagnostics
    return found[0]


def wait_for_lens(client, uri, line, start, seconds=60):
    """Asks for the lens of a line until its title starts so: the server rests between two looks at the study."""
    until = time.monotonic() + seconds
    while not (title := titles(client.lenses(uri)).get(line, "")).startswith(start):
        assert time.monotonic() < until, title
        time.sleep(0.05)


def whole_session():
    client = Client(run, "lsp", cwd="/")
    result = client.start(root, textDocument={"publishDiagnostics": {"relatedInformation": True}},
                          workspace={"codeLens": {"refreshSupport": True}, "didChangeWatchedFiles": {"dynamicRegistration": True}})
    assert result["serverInfo"]["name"] == "scale-run" and result["capabilities"]["hoverProvider"], result
    uri = client.open(source)
    published = client.wait_for("textDocument/publishDiagnostics")
    assert published["uri"] == uri
    found = loop_found(published["diagnostics"])
    start, end = found["range"]["start"], found["range"]["end"]
    assert end["line"] == inner and lines[inner][start["character"]:end["character"]] == "for", found
    assert "quadratic" in found["message"] and found["severity"] in (1, 2), found
    steps = {step["message"]: step["location"] for step in found["relatedInformation"]}
    assert all(step["uri"] == uri for step in steps.values()) and len(steps) >= 3, steps
    assert any(request["method"] == "client/registerCapability" for request in client.requests), client.requests

    lenses = client.lenses(uri)
    shown = titles(lenses)
    assert shown[inner].startswith("iterations ∝ n^2 · 1 T at n=1e6"), shown
    assert shown[outer].startswith("iterations ∝ n · 1 M at n=1e6"), shown
    assert shown[function].startswith("calls constant · 1"), shown
    assert set(shown) == {outer, inner, function, line_of("static void once"), line_of("int main"), }, shown
    place = next(lens["range"] for lens in lenses if lens["range"]["start"]["line"] == outer)
    before = lines[outer].index("for")
    assert place["start"]["character"] == units(lines[outer][:before]) == before + 1, place  # the face has two units
    assert place["end"]["character"] == before + 4, place

    hover = client.hover(uri, inner, 5)["contents"]
    assert hover["kind"] == "markdown" and "`iterations = n^2`, exactly" in hover["value"], hover
    assert "| **1,000,000** | **1.00 trillion** | exactly |" in hover["value"] and "| 200 | 40,000 | measured |" in hover["value"], hover
    assert "main > pairs > loop pairs.c" in hover["value"], hover
    assert "explains " in hover["value"] and "% of the " in hover["value"], hover  # what was found on the line, of all
    assert "explains " not in client.hover(uri, function, 5)["contents"]["value"]
    summary = client.wait_for("window/logMessage")
    assert summary["type"] == 3 and "scale.db: Superlinear growth" in summary["message"], summary
    assert " explains " in summary["message"] or " explain " in summary["message"], summary
    assert "```text\n" in hover["value"] and "● measured" in hover["value"], hover
    call = line_of("sink += pairs")
    assert "**pairs (pairs.c" in client.hover(uri, call, lines[call].index("pairs") + 2)["contents"]["value"]
    assert client.hover(uri, call, 0) is None
    for line, character in (10**9, 0), (-1, -1), (0, 10**12), (2.5, 0.5):
        client.hover(uri, line, character)

    # The text moves while it is edited; nothing is shown of what is not measured.
    edited = "\n\n" + "\n".join(lines)
    client.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": edited}])
    moved = titles(client.lenses(uri))
    assert moved[inner + 2] == shown[inner] and "being changed" in moved[0], moved
    client.notify("textDocument/didChange", textDocument={"uri": uri, "version": 3}, contentChanges=[{"text": "\n".join(lines)}])
    assert titles(client.lenses(uri)) == shown

    # Another study in the place of this one is noticed by itself, and told; --at was 1e6 there.
    client.notifications.clear()
    client.requests.clear()
    shutil.copy("counts.db", "new.db")
    os.rename("new.db", "scale.db")
    found = loop_found(client.wait_for("textDocument/publishDiagnostics")["diagnostics"])
    assert "50,000" in found["message"], found
    assert "iterations ∝ n^2 · 2.5 G at n=5e4" in titles(client.lenses(uri))[inner] or \
           "iterations ∝ n^2 · 2.5 G at n=50,000" in titles(client.lenses(uri))[inner], titles(client.lenses(uri))
    assert any(request["method"] == "workspace/codeLens/refresh" for request in client.requests), client.requests
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    assert client.wait_for("textDocument/publishDiagnostics")["diagnostics"] == []
    assert client.lenses(uri) is None
    client.close()


def built_elsewhere():
    """A checkout at another place, with the study named on the command line."""
    os.makedirs("elsewhere/src")
    shutil.copy2(source, "elsewhere/src/pairs.c")
    open("elsewhere/src/other.c", "w").write("int x;\n")
    client = Client(run, "lsp", root + "/scale.db", "--at", "n=1e4")
    client.start(root + "/elsewhere")
    uri = client.open(root + "/elsewhere/src/pairs.c")
    assert "100 M at n=" in titles(client.lenses(uri))[inner], titles(client.lenses(uri))
    other = client.open(root + "/elsewhere/src/other.c")
    assert client.lenses(other) == [] and client.hover(other, 0, 4) is None
    loose = client.open("", text="\n".join(lines), uri="untitled:pairs.c")
    assert client.lenses(loose) == []
    client.close()


def changed_since():
    later = time.time() + 60
    os.utime(source, (later, later))
    client = Client(run, "lsp")
    client.start(root)
    uri = client.open(source)
    assert "changed after it was measured" in titles(client.lenses(uri))[0]
    assert "changed after it was measured" in client.hover(uri, inner, 5)["contents"]["value"]
    assert "changed after it was measured" in loop_found(client.wait_for("textDocument/publishDiagnostics")["diagnostics"])["message"]
    client.close()


def other_models():
    client = Client(run, "lsp", "--models", "delta-infer")
    client.start(root)
    assert titles(client.lenses(client.open(source)))[inner].startswith("iterations ∝ n^2 · ")
    client.close()


def no_study():
    client = Client(run, "lsp", "nosuch.db")
    client.start(root)
    uri = client.open(source)
    assert "there is no study" in client.wait_for("window/logMessage")["message"]
    assert client.lenses(uri) == [] and client.hover(uri, inner, 5) is None
    shutil.copy("scale.db", "nosuch.db")  # and then there is
    wait_for_lens(client, uri, inner, "iterations ∝ n^2")
    open("nosuch.db", "w").write("no study")  # what was there stays
    assert titles(client.lenses(uri))[inner].startswith("iterations ∝ n^2")
    assert "nosuch.db" in client.wait_for("window/logMessage")["message"]
    client.close()


def mistakes():
    client = Client(run, "lsp")
    def refused(message, code):
        client.send(message)
        while "method" in (answer := client.receive()):  # what the server says by itself
            pass
        assert answer["error"]["code"] == code, answer
    refused(b"{", -32700)
    refused(b"\xff\xfe", -32700)
    refused(b"[" * 100000, -32700)
    refused(b"7", -32600)
    refused({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}, -32002)
    client.start(root)
    refused({"jsonrpc": "2.0", "id": 1, "method": "nosuch/method"}, -32601)
    refused({"jsonrpc": "2.0", "id": 1, "method": "textDocument/codeLens", "params": {"textDocument": 5}}, -32602)
    client.close()
    client = Client(run, "lsp")
    client.start(root)
    client.close(status=1)  # exit without shutdown
    client = Client(run, "lsp")
    client.raw(b"Content-Length: x\r\n\r\n")
    assert client.receive()["error"]["code"] == -32700 and client.receive() is None
    assert client.server.wait(60) == 2 and b"error: " in client.server.stderr.read()
    client = Client(run, "lsp")
    client.server.stdin.close()  # an editor that died
    assert client.receive() is None and client.server.wait(60) == 1


for session in whole_session, built_elsewhere, other_models, no_study, mistakes, changed_since:
    try:
        session()
    except BaseException:
        print("in", session.__name__, file=sys.stderr)
        raise
