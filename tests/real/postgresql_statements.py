#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""postgresql_statements.py DIRECTORY COUNT: scripts for pgbench, 25 statements each, sent together: the server need
not wait for its clients. No two statements are alike to pg_stat_statements, which ignores constants and names, but not
operators."""
import os
import sys

OPERATORS = ("+", "-", "*", "|", "&")
OPERANDS = ("balance", "branch", "id", "7", "3")
EACH = 25


def statement(number):
    expression = "id"
    for operand in OPERANDS:
        number, choice = divmod(number, len(OPERATORS))
        expression = f"({expression} {OPERATORS[choice]} {operand})"
    return f"SELECT {expression} FROM accounts WHERE id = 5"


def main():
    directory, count = sys.argv[1], int(sys.argv[2])
    assert count <= len(OPERATORS) ** len(OPERANDS)
    os.makedirs(directory)
    for first in range(0, count, EACH):
        with open(os.path.join(directory, f"{first:05}.sql"), "w", encoding="ascii") as script:
            script.write(" \\;\n".join(statement(number) for number in range(first, first + EACH)) + ";\n")


if __name__ == "__main__":
    main()
