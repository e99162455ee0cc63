#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that speaks chat completions, on a port of this machine, and behaves as the path of a request says.

usage: llm_server.py LOG SAYS.json    prints its port; each request's body becomes a line of LOG, its key one of LOG.keys

SAYS.json: {"types": {name: verdict}, "functions": {name: event}}; of what is missing there it says "none".
"""
import http.server
import json
import sys
import time

log, says = open(sys.argv[1], "ab", buffering=0), json.load(open(sys.argv[2]))
keys = open(sys.argv[1] + ".keys", "a", buffering=1)
counts = {}


def verdicts(asked, kind):
    if kind == "types":
        return [{"type": one["type"], "resource": says["types"].get(one["type"], "none"), "reason": "by its fields"}
                for one in asked["types"]]
    return [{"function": one["function"], "event": says["functions"].get(one["function"], "none"),
             "reason": "by what it does"} for one in asked["functions"]]


def lies(kind, rows):
    """What is not so or was not asked for, before and behind one good row."""
    key, word = ("type", "resource") if kind == "types" else ("function", "event")
    return [{key: "no_such_thing", word: rows[0][word], "reason": "?"}, {key: rows[0][key], word: "steals", "reason": "?"},
            {key: 7, word: [], "reason": None}, "prose", {key: rows[0][key]}] + rows + [
                {key: rows[0][key], word: "none" if rows[0][word] != "none" else "shared" if kind == "types" else "wait",
                 "reason": "I have changed my mind"}]


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def give(self, text, status=200, headers=()):
        body = text.encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def say(self, content, end="stop", tokens=1000):
        self.give(json.dumps({"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": end}],
                              "usage": {"total_tokens": tokens}}))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        log.write(body + b"\n")
        print(self.headers.get("Authorization", "none"), file=keys)
        mode = self.path.split("/")[1]
        counts[mode] = counts.get(mode, 0) + 1
        asked = json.loads(json.loads(body)["messages"][-1]["content"])
        kind = "functions" if "functions" in asked else "types"
        rows = verdicts(asked, kind)
        good = json.dumps({kind: rows})
        if not self.path.endswith("/chat/completions"):
            self.give("not found", 404)
        elif mode == "prose":
            self.say("Certainly! These are all resources, I am sure of that.")
        elif mode == "page":
            self.give("<html><body>Welcome</body></html>")
        elif mode == "fenced":
            self.say("```json\n" + good + "\n```\n")
        elif mode == "behind":
            self.say(good + " I hope this helps.")
        elif mode == "liar":
            self.say(json.dumps({kind: lies(kind, rows)}))
        elif mode == "loud":
            for row in rows:
                row["reason"] = "\x1b[31m\u202egood\u0007 " + "very " * 500
            self.say(json.dumps({kind: rows}))
        elif mode == "truncated":
            self.say(good[:len(good) // 2])
        elif mode == "cut":
            self.say(good, "length")
        elif mode == "half":
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b'{"choices":[')
            self.close_connection = True
        elif mode == "huge":
            self.give(json.dumps({"choices": [{"message": {"content": good}}], "more": "x" * (3 << 20)}))
        elif mode == "deep":
            self.give("[" * 200000)
        elif mode == "slow":
            time.sleep(3)
            self.say(good)
        elif mode == "stalls":  # behind its first answer
            time.sleep(60 if counts[mode] > 1 else 0)
            self.say(good)
        elif mode == "elsewhere":
            self.give("", 307, [("Location", "/good/chat/completions")])
        elif mode == "refuses" or (mode == "later" and counts[mode] > 1):
            self.give('{"error":{"message":"no"}}', 429)
        elif mode == "greedy":
            self.say(good, tokens=10**9)
        else:
            self.say(good)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print(server.server_address[1], flush=True)
server.serve_forever()
