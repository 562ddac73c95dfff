// Measure how long the page takes to answer in Chromium; print the median of some runs as JSON.
//   node fleet_page.js PAGE
// A run begins with the address, and ends when the first key has its effect on the screen. A new
// browser has other work, so the first run waits some seconds.
'use strict';

const path = require('node:path');
const { Browser } = require('../fleet/page/browser.js');

const RUNS = 5;
const fleet = path.parse(process.argv[2]);
const browser = new Browser(fleet.dir);

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

// Runs in the page: resolves to true once a frame with the focus on the search was drawn.
const drawn = () => new Promise((resolve) => {
	requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.activeElement.type === 'search')));
});

async function processorTime(talk) {
	const { metrics } = await talk.send('Performance.getMetrics');
	return metrics.find((metric) => metric.name === 'TaskDuration').value;
}

async function run(url) {
	const page = await (await browser.chromium.newContext({ viewport: { width: 1400, height: 1000 } })).newPage();
	const talk = await page.context().newCDPSession(page);
	await talk.send('Performance.enable', { timeDomain: 'threadTicks' });
	const begin = performance.now();
	await page.goto(url);
	await page.keyboard.press('/');
	if (!await page.evaluate(drawn))
		throw new Error('the page did not answer');
	const elapsed = (performance.now() - begin) / 1000;
	const cpu = await processorTime(talk);
	await page.context().close();
	return { elapsed, cpu };
}

async function main() {
	await browser.start();
	const first = await browser.open(fleet.name);
	const url = first.url();
	await first.waitForTimeout(5000);
	await first.context().close();
	const runs = [];
	for (let n = 0; n < RUNS; n++)
		runs.push(await run(url));
	await browser.stop();
	console.log(JSON.stringify({ seconds: median(runs.map((one) => one.elapsed)),
		cpu_seconds: median(runs.map((one) => one.cpu)) }));
}

main();
