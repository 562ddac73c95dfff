"""What the schemas say of JSON documents, one a line of a file: prints what is wrong with each.

judge.py SCHEMAS FILE: the folder of the schemas, and the documents
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
    """losslessctl/VERB/1 is #/$defs/VERB."""
    return document["schema"].split("/")[1]


def validators(report, policy):
    """By part; a schema of all would only say that none fits.

    urllib joins no fragment with a urn: what is within the report is found under no name.
    """
    resolver = jsonschema.RefResolver("", report, store={policy["$id"]: policy, "": report})
    return {
        part: jsonschema.Draft202012Validator({"$ref": "#/$defs/" + part}, resolver=resolver)
        for part in report["$defs"]
    }


def complaints(error):
    """The deepest ones, where they are."""
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
