# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the facts of objects, a line each, without what every function has: print.py FACTS [FUNCTION...]"""
import json
import sys


def show(kind, fact):
    flags = [key for key in sorted(fact) if fact[key] is True]
    parts = {
        "calls": lambda f: [f.get("callee") or "through " + f.get("through", "?"), f"({', '.join(f.get('arguments', []))})",
                            "last " + ",".join(map(str, f["last"])) if "last" in f else "", f.get("result", "")],
        "waits": lambda f: [f"call {f['call']}", "rereads " + " ".join(f.get("rereads", []))],
        "counters": lambda f: [f["place"], f"of {f['base']}", f"{f['step']:+d}", "times " + f["amount"] if "amount" in f else "",
                               f"net {f.get('net', '?')}"],
        "links": lambda f: [f["kind"], f["head"], "through " + f.get("link", f.get("count", "?")), "unit " + f["unit"],
                            f"of {f['base']}"],
        "stores": lambda f: [f["place"], f"of {f['base']}", "= " + f["value"]],
        "arguments": lambda f: [f["name"], f["type"] + "*" * f.get("pointers", 0)],
    }[kind](fact)
    return f"{kind[:-1]} {fact.get('line', '')}: ".replace(" : ", ": ") + " ".join(p for p in parts + flags if p)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        units = [json.loads(text) for text in file.read().replace("\0", "").splitlines()]
    only = sys.argv[2:]
    for unit in units:
        for t in unit["types"] if not only else ():
            fields = [f["name"] + ":" + f["type"] + "*" * f.get("pointers", 0) for f in t.get("fields", [])]
            print("type", t["kind"], t["name"], "alias " + ",".join(t["aliases"]) if "aliases" in t else "", *fields)
        for g in unit["globals"] if not only else ():
            print("global", g["name"], g["type"] + "*" * g.get("pointers", 0), "static" if g.get("static") else "")
        for f in unit["functions"]:
            if only and f["name"] not in only and f.get("shown") not in only:
                continue
            flags = [key for key in sorted(f) if f[key] is True]
            print("function", f.get("shown", f["name"]), *flags)
            for kind in ("arguments", "calls", "waits", "counters", "links", "stores"):
                for fact in f.get(kind, []):
                    print("  " + show(kind, fact))
            if "returns" in f:
                print("  returns", *f["returns"])


main()
