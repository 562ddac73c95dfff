// Judge objects as the API server would, by the schemas of Kubernetes: strict.js <DOCUMENTS
"use strict";
const { readFileSync } = require("fs");
const { join } = require("path");
const { loadAll } = require("js-yaml");

// Read the schemas directly: the package exports only classes, which accept unknown keys.
const folder = join(__dirname, "node_modules/kubernetes-models/_schemas");
const schemas = {
	"apps/v1 DaemonSet": "AppsV1DaemonSet",
	"v1 ConfigMap": "CoreV1ConfigMap",
	"v1 Namespace": "CoreV1Namespace",
	"v1 ServiceAccount": "CoreV1ServiceAccount",
};

// A validator reads each key that its schema has, so the schema lacks any key that was not read.
function watched(value, path, unasked) {
	if (value === null || typeof value !== "object")
		return value;
	const inner = Array.isArray(value) ? [] : {};
	for (const key of Object.keys(value)) {
		inner[key] = watched(value[key], path + "/" + key, unasked);
		if (!Array.isArray(value))
			unasked.add(path + "/" + key);
	}
	return new Proxy(inner, {
		get(object, key) {
			unasked.delete(path + "/" + String(key));
			return object[key];
		},
	});
}

function judge(object) {
	const kind = object.apiVersion + " " + object.kind;
	if (!schemas[kind])
		return [`${kind}: no schema`];
	const { validate } = require(join(folder, `IoK8sApi${schemas[kind]}.js`));
	const unasked = new Set();
	const valid = validate(watched(object, "", unasked));
	const wrong = valid ? [] : validate.errors.map((e) => `${kind}${e.instancePath} ${e.message || e.keyword}`);
	return wrong.concat([...unasked].map((path) => `${kind}${path} is not known`));
}

const objects = loadAll(readFileSync(0, "utf8")).filter(Boolean);
for (const line of objects.flatMap(judge).concat(objects.length ? [] : ["no objects"]))
	console.log(line);
