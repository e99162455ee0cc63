# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds documents to a schema, and shows that it can fail. docs/answers.schema.json has one for each kind of answer."""
import copy
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
Validator = jsonschema.validators.validator_for(schema)
Validator.check_schema(schema)
kinds = schema["$defs"] if "oneOf" in schema else None
status = 0
for path in sys.argv[2:]:
    document = json.load(open(path))
    forms = {"points": "_several", "elsewhere": "_elsewhere", "over": "_over"}
    form = next((forms[key] for key in forms if key in document), "")
    rule = {**kinds[document["document"] + form], "$defs": kinds} if kinds else schema
    validator = Validator(rule)
    for fault in list(validator.iter_errors(document))[:5]:
        print(f"{path}: {list(fault.absolute_path)}: {fault.message[:200]}")
        status = 1
    if not Validator(schema).is_valid(document):
        print(f"{path} fits no kind of document")
        status = 1
    for change in ({"surprise": 1}, {"schema_version": 0}) if kinds else ():
        if validator.is_valid({**copy.deepcopy(document), **change}):
            print(f"{path}: {change} is not noticed")
            status = 1
sys.exit(status)
