# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds documents to docs/answers.schema.json, and shows that it can fail."""
import copy
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
status = 0
for path in sys.argv[2:]:
    document = json.load(open(path))
    forms = {"points": "_several", "elsewhere": "_elsewhere", "over": "_over"}
    form = next((forms[key] for key in forms if key in document), "")
    rule = {**schema["$defs"][document["document"] + form], "$defs": schema["$defs"]}
    validator = jsonschema.Draft202012Validator(rule)
    for fault in list(validator.iter_errors(document))[:5]:
        print(f"{path}: {list(fault.absolute_path)}: {fault.message[:200]}")
        status = 1
    if not jsonschema.Draft202012Validator(schema).is_valid(document):
        print(f"{path} is no answer")
        status = 1
    for change in ({"surprise": 1}, {"schema_version": 0}):
        if validator.is_valid({**copy.deepcopy(document), **change}):
            print(f"{path}: {change} is not noticed")
            status = 1
sys.exit(status)
