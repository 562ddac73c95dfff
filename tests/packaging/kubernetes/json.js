// Print the documents of a YAML stream as a list in JSON.
"use strict";
const { readFileSync } = require("fs");
const { loadAll } = require("js-yaml");

console.log(JSON.stringify(loadAll(readFileSync(0, "utf8")).filter(Boolean)));
