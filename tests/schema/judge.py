"""Validate JSON documents, one a line of a file, by the schemas; print the errors of each.

judge.py SCHEMAS FILE: the directory of the schemas, and the documents
"""

import json
import pathlib
import sys

import jsonschema

SCHEMAS = pathlib.Path(sys.argv[1])


def load(name):
    schema = json.loads((SCHEMAS / name).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def part_of(document):
    """Return VERB of losslessctl/VERB/1, whose schema is #/$defs/VERB."""
    return document["schema"].split("/")[1]


def validators(report, policy):
    """Return a validator for each part, as one of all parts would only report that none fits.

    urllib joins no fragment with a urn, so references within the report use an empty name.
    """
    resolver = jsonschema.RefResolver("", report, store={policy["$id"]: policy, "": report})
    return {
        part: jsonschema.Draft202012Validator({"$ref": "#/$defs/" + part}, resolver=resolver)
        for part in report["$defs"]
    }


def complaints(error):
    """Report the deepest errors with their places."""
    for one in error.context or [error]:
        where = "/".join(str(key) for key in one.absolute_path)
        yield f"/{where}: {one.message[:200]}"


def main():
    judges = validators(load("report.json"), load("policy.json"))
    for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
        document = json.loads(line)
        part = part_of(document)
        for error in judges[part].iter_errors(document):
            for text in complaints(error):
                print(part, text)


main()
