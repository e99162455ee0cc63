# SPDX-License-Identifier: GPL-3.0-or-later
"""Small mutations of C sources and of the rows of a tuning.def."""
import collections
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
    unseen: str = ""  # why no unit test can tell it from the original, whatever it does: it is not judged

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
# Rules for what no unit test can tell from the original: a pattern, the mutations. Meant is what its
# groups without a name find, or all of it.
LACKS = r"\bif \((?:!\*?[\w.>\[\]-]+(?: \|\| )?)+\)\s*\{?\s*(?:(?:gsl_\w+_)?free\(\w+\);\s*)*" \
        r"(?:goto out|(?:return |err = )(?:sc_err_set\()?SC_E_NOMEM)|\b(?:err =|return) [^;]*\? 0 : SC_E_NOMEM;|" \
        r"\bsc_buf_finish\(\w+\) == 0|\bsc_buf_finish\([^;()]*\);\s*if \(err == 0\)|\breturn sc_err_set\(SC_E_NOMEM[^;]*;"
ROOM = r"\bchar \w+\[[^;]*;|\b(?:double|size_t|bool|u?int\d+_t|unsigned) \w+\[[^\];=][^;=]*;|\b_Static_assert[^;]*;"
UNSEEN = [
    ("how much memory is allocated: of more no test knows, of less sanitizers", r"\b(?:sc_mem_\w+|SC_NEW|sc_index_reserve)\([^;]*;|" + ROOM, None),
    ("where memory is lacking: tests/faults", LACKS, None),
    ("a floor against a division by 0, far below anything measured", r"\b(\d+e-[1-9]\d\d)\b", None),
    ("what an assertion says, as callers see to it", r"\bassert\([^;]*;", None),
    ("what is freed: sanitizers", r"^\s*(?:\(void\)|free\(|\w+_(?:free|clear|close|finalize)\(|err = SC_E_NOMEM;)[^\n]*", ["deleted"]),
    ("the number of a comparison: a sort looks at its sign", r"\breturn [^;?]*\? -?(1) : -?(1)\b", ["1 becomes 2"]),
    ("the order of two that differ, as the line before says",
     r"\bif \((?P<left>[^;(){}]+) != (?P<right>[^;(){}]+)\)\s*\{?\s*return (?P=left) ([<>]) (?P=right) \?", ["< becomes <=", "> becomes >="]),
    ("the order of two that are the same, which nobody asks for",
     r"\breturn (?P<one>[^;?]+) ([<>]) (?P<two>[^;?:]+) \? -1 : (?P=one) ([<>]) (?P=two);|"
     r"\breturn \((?P<a>[^()]+) ([<>]) (?P<b>[^()]+)\) - \((?P=a) ([<>]) (?P=b)\);",
     ["< becomes <=", "> becomes >="]),
    ("the larger or smaller of two that are equal",
     r"(?:(?<=[=,] )|(?<=\()|(?<=return ))(?P<p>[^;(){}?&|,=<>]+?) ([<>]=?) (?P<q>[^;(){}?&|,=<>]+?) \? (?:(?P=p) : (?P=q)|(?P=q) : (?P=p))(?=[;,)])|"
     r"\bif \((?P<r>[^;(){}?&|,=<>]+?) ([<>]=?) (?P<s>[^;(){}?&|,=<>]+?)\)\n\s*(?:(?P=r) = (?P=s)|(?P=s) = (?P=r));",
     ["< becomes <=", "> becomes >=", "<= becomes <", ">= becomes >"]),
    ("a hash: any other finds the same", r"(?:\(uint32_t\))?\bsc_hash_mix\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\bhash\w* \^?= [^;]*;", None),
    ("a text up to its end, which any number below 0 says", r"sqlite3_bind_text\([^;]*, -(1), SQLITE_\w+\)", ["1 becomes 2"]),
    ("the most steps of a search, which ends before, where it has found enough",
     r"for \(int \w+ = (0); (?:\w+ < 0 && )?\w+ (<) (?:(\d{2,})|[A-Z]{4,}) && (?:\w+ - \w+ (>) (?:(\d+e-\d+) )?)?", None),
    ("a search that halves less evenly: it ends at the same place",
     r"\b(?P<l>\w+) \+ \(\w+ - (?P=l)\) / (2);", ["2 becomes 3"])]
SUCCESS = "any number from 0 on is success, where callers are SC_TRY and SC_GOTO or ask for less"


def unseen_in(code, handed_on):
    """(start, end, what they are called or None for all, reason) of each place of a rule."""
    found = []
    for reason, pattern, names in UNSEEN:
        for one in re.finditer(pattern, code, flags=re.M):
            named = one.re.groupindex.values()
            spans = [one.span(i) for i in range(1, one.re.groups + 1) if i not in named and one.group(i) is not None]
            found += [(*span, names, reason) for span in spans or [one.span()]]
    for function in DEFINITION.finditer(code):
        if function[1] in handed_on:
            found += [(function.start(2) + one.start(1), function.start(2) + one.end(1), ["0 becomes 1"], SUCCESS)
                      for one in re.finditer(r"\breturn (0);", function[2])]
    return found


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


def behind_brackets(code, start):
    """The place behind the brackets that open at `start`."""
    end, depth = start, 0
    while depth or end == start:
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        end += 1
    return end


def handed_back(body):
    """Functions called as `return f(...);`, how often."""
    return collections.Counter(found[1] for found in re.finditer(r"\breturn (\w+)(?=\()", body)
                               if body[behind_brackets(body, found.end())] == ";")


def only_handed_on(texts):
    """Functions that are called as SC_TRY(f(...)), SC_GOTO(f(...)) or f(...) < 0 alone, or as `return f(...);` of such a
    function, and named nowhere else."""
    used, handed, back = collections.Counter(), collections.Counter(), collections.defaultdict(collections.Counter)
    for text in texts:
        code = blank(text)
        for found in DEFINITION.finditer(code):
            back[found[1]].update(handed_back(found[2]))
        used.update(re.findall(r"(?<![\w.>])(\w+)\b", code))
        handed.update(re.findall(r"\bSC_(?:TRY|GOTO)\((\w+)\(", code))
        handed.update(found[1] for found in re.finditer(r"(?<!TRY\()(?<!GOTO\()\b(\w+)(?=\()", code)
                      if re.match(r" (?:<|>=) 0\b", code[behind_brackets(code, found.end()):][:6]))
        used.subtract(re.findall(r"^(?:[\w*]+ )+\**(\w+)\([^;{}]*\)(?: SC_CHECK)?(?=;|\s*\{)", code, flags=re.M))
    kept, before = {name for name in back if used[name]}, None
    while kept != before:
        before = kept
        by_kept = sum((back[name] for name in kept), collections.Counter())
        kept = {name for name in kept if used[name] == handed[name] + by_kept[name]}
    return kept


OWN_ERROR = re.compile(r"\bSC_E_(?!NOMEM)|->\w+\(|\(\*\w+\)\(")


class Failures:
    """What can fail but for a lack of memory: it names another error, calls what can, or a function that it was given."""

    def __init__(self, texts):
        bodies = {found[1]: found[2] for text in texts for found in DEFINITION.finditer(blank(text))}
        self.known, self.failing, more = set(bodies), set(), {name for name, body in bodies.items() if OWN_ERROR.search(body)}
        while more:
            self.failing |= more
            more = {name for name, body in bodies.items() if name not in self.failing and called(body) & self.failing}

    def only_memory_in(self, code, handed):
        """The places of `return err;` in functions where nothing else fails; with `handed` none but what the function itself
        says, as callers have seen to it that what it calls does not fail."""
        return [(function.start(2) + one.start(1), function.start(2) + one.end(1))
                for function in DEFINITION.finditer(code)
                if (not OWN_ERROR.search(function[2]) if handed else function[1] not in self.failing)
                for one in re.finditer(r"\breturn (err);", function[2])]

    def only_memory(self, code, start):
        """Whether that is so for the call in the brackets that open at `start`."""
        names = called(code[start:behind_brackets(code, start)])
        return names <= self.known and not names & self.failing


def of_source(path, text, failures, handed_on):
    code = blank(text)
    line_of = lambda at: text.count("\n", 0, at) + 1
    places = unseen_in(code, handed_on)
    places += [(*span, ["returns 0"], "where memory is lacking: tests/faults") for span in failures.only_memory_in(code, not path.startswith("profiles"))]

    def mutation(start, end, other, what):
        unseen = next((reason for first, behind, names, reason in places
                       if first <= start < behind and (not names or any(name in what for name in names))), "")
        return Mutation(path, start, end, other, line_of(start), what, unseen=unseen)

    for pattern, others in OPERATORS:
        for found in re.finditer(pattern, code):
            for other in others.get(found[1], []):
                yield mutation(found.start(1), found.end(1), other, f"{found[1]} becomes {other}")
    for found in NUMBER.finditer(code):
        if code[found.start() - 1] == "{" and code[found.end()] == "}":
            continue
        for other in numbers(found[0]):
            yield mutation(found.start(), found.end(), other, f"{found[0]} becomes {other}")
    for found in re.finditer(r"\breturn ([^;{}]+);", code):
        value = text[found.start(1):found.end(1)]
        if value not in ("0", "NULL", "SC_E_NOMEM"):
            other = "true" if value == "false" else "0"
            yield mutation(found.start(1), found.end(1), other, f"returns {other}")
    # In the other folders calls fail for want of memory alone.
    for found in re.finditer(r"\bSC_(TRY|GOTO)(?=\((?!SC_NEW|sc_mem))", code if path.startswith("profiles") else ""):
        if failures.only_memory(code, found.end()):
            continue
        yield mutation(found.start(), found.end(), "(void)", "an error is dropped")
    start, before = 0, ";"
    for line in code.splitlines(keepends=True):
        stripped = line.strip()
        if (before.endswith((";", "{", "}", ")", "else", ":")) and STATEMENT.match(line) and
                line.count("(") == line.count(")") and not DECLARATION.match(line) and
                not stripped.startswith(("return", "goto", "for", "while", "else", "if", "switch", "SC_TRY", "SC_GOTO"))):
            at = start + line.index(stripped)
            yield mutation(at, at + len(stripped), ";", "the statement is deleted")
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
    texts, others = {}, []
    for folder in (*folders, "runner", "instrument"):  # whose callers count, too
        for place, _, names in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(names):
                if name.endswith((".c", ".h")) or name == "tuning.def":
                    path = os.path.join(place, name)
                    with open(path) as file:
                        text = file.read()
                    if folder in folders:
                        texts[os.path.relpath(path, root)] = text
                    else:
                        others.append(text)
    sources = [text for path, text in texts.items() if not path.endswith(".def")]
    failures, handed_on = Failures(sources), only_handed_on([*sources, *others])
    for path, text in texts.items():
        if path.endswith(".c"):
            yield from of_source(path, text, failures, handed_on)
        elif path.endswith(".def"):
            yield from of_table(path, text)
