// Run SQL files in DuckDB, in memory, and print each view with tabs between the columns: a line
// "== VIEW", the names of the columns, the rows.
//   node duckdb.js VIEW… -- FILE…
'use strict';

const { readFileSync } = require('node:fs');
const { DuckDBInstance } = require('@duckdb/node-api');

async function print(connection, view) {
	const result = await connection.runAndReadAll(`SELECT * FROM ${view}`);
	console.log(`== ${view}`);
	console.log(result.columnNames().join('\t'));
	for (const row of result.getRows())
		console.log(row.map((value) => value ?? 'NULL').join('\t'));
}

async function main(words) {
	const files = words.splice(words.indexOf('--')).slice(1);
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	for (const file of files)
		await connection.run(readFileSync(file, 'utf8'));
	for (const view of words)
		await print(connection, view);
}

main(process.argv.slice(2));
