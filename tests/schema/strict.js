// Validate by ajv in strict mode: node strict.js SCHEMAS DOCUMENTS POLICIES..., all directories.
"use strict";
const fs = require("fs");
const path = require("path");
const Ajv = require("ajv/dist/2020");

const [schemas, documents, ...policies] = process.argv.slice(2);
const ajv = new Ajv({ strict: true, allErrors: true });
const read = (folder, name) => fs.readFileSync(path.join(folder, name), "utf8");

const check = (validate, text, of) => {
	if (!validate(JSON.parse(text)))
		console.log(`${of}: ${ajv.errorsText(validate.errors)}`);
};

const policy = ajv.compile(JSON.parse(read(schemas, "policy.json")));
const report = JSON.parse(read(schemas, "report.json"));
ajv.compile(report);
for (const folder of policies)
	for (const name of fs.readdirSync(folder))
		check(policy, read(folder, name), name);
for (const group of fs.readdirSync(documents))
	for (const line of read(documents, group).trim().split("\n")) {
		const part = JSON.parse(line).schema.split("/")[1];

		check(ajv.getSchema(`${report.$id}#/$defs/${part}`), line, `${group}: ${part}`);
	}
