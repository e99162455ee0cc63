# SPDX-License-Identifier: GPL-3.0-or-later
"""Small mutations of C sources and of the rows of a tuning.def."""
import dataclasses
import os
import re


@dataclasses.dataclass(frozen=True)
class Mutation:
    path: str  # below the root
    start: int  # of the text that is replaced
    end: int
    text: str
    line: int
    what: str
    row: str = ""  # the constant of a tuning.def

    def source(self, root):
        with open(os.path.join(root, self.path)) as file:
            return file.read().splitlines()[self.line - 1].strip()


def blank(text):
    """The same text without what comments, strings, characters and directives say, at the same places."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*'
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S | re.M)


# What is replaced, by what, and what that is called. Binary operators have blanks around them (clang-format).
OPERATORS = [(r" (<=?|>=?|==|!=) ", {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="]}),
             (r" (\+|-|\*|/|\+=|-=) ", {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "+=": ["-="], "-=": ["+="]}),
             (r" (&&|\|\|)\s", {"&&": ["||"], "||": ["&&"]})]
NUMBER = re.compile(r"(?<![\w.])(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:e[+-]?\d+)?)(?![\w.])")
DECLARATION = re.compile(r"\s*(?:[A-Za-z_]\w*\s+)+\**[A-Za-z_]\w*\s*(?:=|;|\[|,)")
STATEMENT = re.compile(r"\s*(?:\(?\*|[A-Za-z_]\w*|\+\+|--)[^{}]*;\s*$")
# Seen by sanitizers, if at all, or where memory is lacking.
FREES = re.compile(r"\s*(?:\(void\)|free\(|\w+_(?:free|clear|close)\(|assert\(|err = SC_E_NOMEM;)")


LACKS = r"\bif \((?:!\*?[\w.>\[\]-]+(?: \|\| )?)+\)\s*\{?\s*(?:free\(\w+\);\s*)*" \
        r"(?:goto out|(?:return |err = )(?:sc_err_set\()?SC_E_NOMEM)|\berr = [^;]*\? 0 : SC_E_NOMEM;"
ROOM = r"\bchar \w+\[[^;]*;|\b(?:double|size_t|bool|u?int\d+_t|unsigned) \w+\[[^;=]*;|"
MEMORY = r"\bsc_mem_\w+\([^;]*;|\bSC_NEW\([^;]*;|" + ROOM + r"\b_Static_assert[^;]*;|" + LACKS
# Of more room no test knows, of less sanitizers, of none tests/faults; and a compiler asserts what is static.


def numbers(literal):
    """The literal, somewhat smaller and somewhat larger: by one, or by a fifth and a quarter."""
    if re.fullmatch(r"\d+", literal):
        value = int(literal)
        step = max(1, value // 5) if value >= 20 else 1
        return [str(value + step)] + ([str(value - step)] if value else [])
    if "x" in literal.lower():
        return []
    value = float(literal)
    return [f"{value * 1.25:.9g}", f"{value / 1.25:.9g}"] if value else []


DEFINITION = re.compile(r"^(?:[\w*]+ )+\**(\w+)(\([^;{}]*\)\s*\{(?:[^\n]*\}$|.*?^\}))", re.S | re.M)


def called(text):
    return set(re.findall(r"\b(\w+)\(", text))


class Failures:
    """What can fail but for a lack of memory: it names another error, calls what can, or a function that it was given."""

    def __init__(self, texts):
        bodies = {found[1]: found[2] for text in texts for found in DEFINITION.finditer(blank(text))}
        own = re.compile(r"\bSC_E_(?!NOMEM)|->\w+\(|\(\*\w+\)\(")
        self.known, self.failing, more = set(bodies), set(), {name for name, body in bodies.items() if own.search(body)}
        while more:
            self.failing |= more
            more = {name for name, body in bodies.items() if name not in self.failing and called(body) & self.failing}

    def only_memory(self, code, start):
        """Whether that is so for the call in the brackets that open at `start`."""
        end, depth = start, 0
        while depth or end == start:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        names = called(code[start:end])
        return names <= self.known and not names & self.failing


def of_source(path, text, failures):
    code = blank(text)
    line_of = lambda at: text.count("\n", 0, at) + 1
    memory = [found.span() for found in re.finditer(MEMORY, code)]
    room = lambda at: any(start <= at < end for start, end in memory)
    for pattern, others in OPERATORS:
        for found in re.finditer(pattern, code):
            if room(found.start(1)):
                continue
            for other in others.get(found[1], []):
                yield Mutation(path, found.start(1), found.end(1), other, line_of(found.start(1)),
                               f"{found[1]} becomes {other}")
    for found in NUMBER.finditer(code):
        if room(found.start()) or (code[found.start() - 1] == "{" and code[found.end()] == "}"):
            continue
        for other in numbers(found[0]):
            yield Mutation(path, found.start(), found.end(), other, line_of(found.start()), f"{found[0]} becomes {other}")
    for found in re.finditer(r"\breturn ([^;{}]+);", code):
        value = text[found.start(1):found.end(1)]
        if value not in ("0", "NULL", "SC_E_NOMEM"):
            other = "true" if value == "false" else "0"
            yield Mutation(path, found.start(1), found.end(1), other, line_of(found.start()), f"returns {other}")
    # In the other folders calls fail for want of memory alone.
    for found in re.finditer(r"\bSC_(TRY|GOTO)(?=\((?!SC_NEW|sc_mem))", code if path.startswith("profiles") else ""):
        if failures.only_memory(code, found.end()):
            continue
        yield Mutation(path, found.start(), found.end(), "(void)", line_of(found.start()), "an error is dropped")
    start, before = 0, ";"
    for line in code.splitlines(keepends=True):
        stripped = line.strip()
        if (before.endswith((";", "{", "}", ")", "else", ":")) and STATEMENT.match(line) and
                line.count("(") == line.count(")") and not DECLARATION.match(line) and not FREES.match(line) and
                not stripped.startswith(("return", "goto", "for", "while", "else", "if", "switch", "SC_TRY", "SC_GOTO"))):
            at = start + line.index(stripped)
            yield Mutation(path, at, at + len(stripped), ";", line_of(at), "the statement is deleted")
        start, before = start + len(line), stripped or before


def of_table(path, text):
    pattern = r"^SC_TUNING(_WHOLE)?\(\s*(SC_\w+),\s*([^,]+),"
    for found in re.finditer(pattern, text, flags=re.M):
        value = found[3].strip()
        literal = re.fullmatch(r"[\d.]+(?:e[+-]?\d+)?", value)
        if literal:
            others = numbers(value if found[1] or "." in value or "e" in value else value + ".0")
        else:
            others = [f"({value}) * 1.25", f"({value}) / 1.25"]
        for other in others:
            yield Mutation(path, found.start(3), found.end(3), other, text.count("\n", 0, found.start(3)) + 1,
                           f"{found[2]} becomes {other}", found[2])


def of_tree(root, folders):
    texts = {}
    for folder in folders:
        for place, _, names in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(names):
                if name.endswith((".c", ".h")) or name == "tuning.def":
                    path = os.path.join(place, name)
                    with open(path) as file:
                        texts[os.path.relpath(path, root)] = file.read()
    failures = Failures(text for path, text in texts.items() if not path.endswith(".def"))
    for path, text in texts.items():
        if path.endswith(".c"):
            yield from of_source(path, text, failures)
        elif path.endswith(".def"):
            yield from of_table(path, text)
