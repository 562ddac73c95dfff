// Validate values by a chart's schema, as Helm does: values.js SCHEMA <VALUES
"use strict";
const { readFileSync } = require("fs");
const Ajv = require("ajv");

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false });
const validate = ajv.compile(JSON.parse(readFileSync(process.argv[2], "utf8")));
if (!validate(JSON.parse(readFileSync(0, "utf8")))) {
	console.log(ajv.errorsText(validate.errors));
	process.exitCode = 1;
}
