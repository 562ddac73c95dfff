// Read rows of CSV (RFC 4180), and rows of the database in the same shape.
'use strict';

const { execFileSync } = require('node:child_process');

function parse(text) {
	const rows = [[]];
	for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
		rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end !== ',')
			rows.push([]);
	}
	rows.pop();
	return rows;
}

function query(database, sql) {
	const text = execFileSync('sqlite3', ['-json', database, sql], { maxBuffer: 1 << 28 }).toString();
	return text === '' ? [] : JSON.parse(text);
}

// Return the text of each value, in the order of the columns.
const asText = (rows) => rows.map((row) => Object.values(row).map((value) => String(value ?? '')));

module.exports = { parse, query, asText };
