// Tests of the fleet's pages, which Chromium reads as a user does.
//   node page.js DIRECTORY FLEET…
'use strict';

const assert = require('node:assert/strict');
const { readFileSync, statSync } = require('node:fs');
const path = require('node:path');
const { Browser } = require('./browser.js');
const csv = require('./csv.js');

const [folder, ...fleets] = process.argv.slice(2);
const browser = new Browser(folder);
const ask = (sql, fleet = 'fleet') => csv.query(path.join(folder, `${fleet}.db`), sql);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

async function downloaded(page, section) {
	const button = page.locator(`#${section} > header button`);
	await button.scrollIntoViewIfNeeded();
	const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
	return csv.parse(readFileSync(await download.path(), 'utf8'));
}

// Return the visible rows of a section, each as the text of its cells.
const shown = (page, selector) => page.locator(`${selector} table:not(.pfc):not(.probes) > tbody > tr`)
	.evaluateAll((rows) => rows.filter((row) => row.checkVisibility())
		.map((row) => [...row.cells].map((cell) => cell.textContent)));

// A table has links only once it is near the view.
async function follow(page, section, text) {
	await page.locator(`#${section}`).scrollIntoViewIfNeeded();
	await page.locator(`#${section} td a`, { hasText: text }).first().click();
	await page.locator('dialog[open]').waitFor();
}

// The query of each section, whose columns the page shows, in any order of rows.
const sections = {
	drift: `SELECT host, port, policy_name, setting, status, contested, desired, actual, observed_at
		FROM current_drift`,
	groups: `SELECT g.policy_name, g.state_hash, g.host_count, 100 * g.host_count / (SELECT SUM(host_count)
		FROM state_groups AS a WHERE a.policy_name = g.policy_name) AS percent, g.drifted_host_count,
		g.example_host, g.newest_at FROM state_groups AS g`,
	'drift-by-day': 'SELECT day, policy_name, setting, host_count, port_count FROM drift_timeline',
	changes: `SELECT setting, likely_writer, COUNT(DISTINCT host_id) AS host_count,
		SUM(event = 'detected') AS detected_count, SUM(event = 'repaired') AS repaired_count,
		SUM(event = 'contested') AS contested_count, MAX(recorded_at) AS newest_at
		FROM drift_records GROUP BY 1, 2`,
	'symptoms-by-day': 'SELECT day, symptom, severity, host_count, port_count FROM symptom_timeline',
	symptoms: `SELECT switch_name, switch_id, symptom, severity, host_count, port_count, example_host
		FROM switch_symptoms`,
	deadlocks: `SELECT switch_name, switch_id, host_count, port_count, first_seen_at, last_seen_at
		FROM deadlock_suspects`,
	probes: `SELECT host, peer_host, path, direction, verdict, run_count, observed_at FROM probe_matrix`,
	readiness: 'SELECT check_name, status, host_count, example_host FROM readiness',
	silent: 'SELECT host, last_seen_at FROM silent_hosts WHERE last_seen_at IS NULL',
	rejected: 'SELECT source, reason FROM rejected_documents',
};

const tests = {
	async 'each table is what the views say, as CSV of the page'() {
		const page = await browser.open('fleet');
		for (const [id, sql] of Object.entries(sections)) {
			const [headings, ...rows] = await downloaded(page, id);
			const expected = ask(sql);
			assert.ok(expected.length > 0, id);
			assert.deepEqual(headings, Object.keys(expected[0]), id);
			assert.deepEqual(rows.sort(), csv.asText(expected).sort(), id);
		}
	},

	async 'the outliers are those of the view'() {
		const page = await browser.open('fleet');
		const [, ...rows] = await downloaded(page, 'outliers');
		const found = rows.map((row) => [row[0], row[1], row[2], row[4], row[5]].join(' ')).sort();
		const expected = ask(`SELECT policy_name || ' ' || setting || ' ' || majority_value || ' ' || value
			|| ' ' || COUNT(DISTINCT host_id) AS row FROM outliers
			GROUP BY policy_name, setting, majority_value, value`).map((row) => row.row).sort();
		assert.deepEqual(found, expected);
	},

	async 'the summary counts hosts by verdict'() {
		const page = await browser.open('fleet');
		const [expected] = ask(`SELECT SUM(verdict = 'in_sync') AS good, COUNT(*) AS n FROM hosts`);
		const headline = await page.locator('.headline').textContent();
		assert.equal(headline.replaceAll(',', '').split(' 9')[0],
			`${expected.good} of ${expected.n} hosts are in sync`);
		for (const row of ask('SELECT verdict, COUNT(*) AS n FROM hosts GROUP BY 1'))
			assert.equal((await page.locator('.figures div', { hasText: row.verdict.replace('_', ' ') })
				.locator('dd').textContent()).replaceAll(',', ''), String(row.n));
	},

	async 'a cut table says how many rows are missing'() {
		const page = await browser.open('fleet');
		const [{ n }] = ask('SELECT COUNT(*) AS n FROM cable_map');
		const more = await page.locator('#cables .more').textContent();
		assert.equal(more.replaceAll(',', '').match(/and (\d+) more/)[1], String(n - 250));
		assert.ok(more.includes('losslessctl-fleet report --csv cable_map'));
		assert.equal((await downloaded(page, 'cables')).length, 251);
	},

	async 'clicks lead from an outlier to its group, its host and its setting'() {
		const page = await browser.open('fleet');
		await page.locator('nav a', { hasText: 'Majority and outliers' }).click();
		const row = page.locator('#outliers tbody tr', { hasText: 'roce.traffic_class' });
		await row.locator('td').last().locator('a').click();
		const hosts = ask(`SELECT DISTINCT host FROM outliers WHERE setting = 'roce.traffic_class'`);
		const table = page.locator('dialog .table', { hasText: 'verified at' });
		assert.deepEqual((await table.locator('tbody tr td:first-child').allTextContents()).sort(),
			hosts.map((host) => host.host).sort());
		await table.locator('a', { hasText: hosts[0].host }).click();
		await page.locator('dialog h2', { hasText: hosts[0].host }).waitFor();
		const drift = await shown(page, 'dialog .table[aria-label^=Settings]');
		assert.deepEqual(drift[0].slice(3, 8), ['roce.traffic_class', 'drift', '–', '106', '0']);
		await browser.picture(page, 'drill-down');
		await page.goBack();
		await page.locator('dialog h2', { hasText: 'group' }).waitFor();
		await page.keyboard.press('Escape');
		assert.equal(await page.locator('dialog[open]').count(), 0);
	},

	async 'a switch leads to its cables, its PFC and its symptoms'() {
		const page = await browser.open('fleet');
		await follow(page, 'deadlocks', 'leaf-0003-r5');
		const titles = await page.locator('dialog h3').allTextContents();
		assert.deepEqual(titles, ['Symptoms by switch', 'Symptoms by host', 'Suspected PFC deadlocks',
			'PFC of hosts and switches', 'Cables by switch', 'Cables'].filter((t) => titles.includes(t)));
		assert.ok(titles.includes('Symptoms by host') && titles.includes('Suspected PFC deadlocks'));
	},

	async 'the query about a host or a switch finds rows, by its name or its id'() {
		const [cable] = ask('SELECT host, host_id, switch_name, switch_id FROM cable_map WHERE switch_id IS NOT NULL');
		for (const [subject, value] of [['host', cable.host], ['host', cable.host_id],
			['switch', cable.switch_name], ['switch', cable.switch_id]]) {
			const page = await browser.open('fleet', {}, `#${subject}=${value}`);
			const command = await page.locator('dialog code').textContent();
			assert.ok(ask(command.match(/sql "(.*)"$/)[1]).length > 0, command);
		}
	},

	async 'an address leads to a host'() {
		const page = await browser.open('fleet', {}, '#host=gpu-00005');
		assert.equal(await page.locator('dialog h2').textContent(), 'host gpu-00005');
		await page.getByRole('button', { name: 'Close' }).click();
		assert.equal(new URL(page.url()).hash, '');
	},

	async 'a search is in all tables, and its result is announced'() {
		const page = await browser.open('fleet');
		await page.keyboard.press('/');
		await page.keyboard.type('storage-00199 ets');
		const rows = await shown(page, 'main');
		assert.ok(rows.length > 0);
		for (const row of rows)
			assert.ok(row.join(' ').includes('storage-00199') && row.join(' ').includes('ets'), row);
		assert.equal(await page.locator('output').textContent(), `${rows.length} rows`);
		await page.getByRole('searchbox').fill('');
		assert.ok((await shown(page, 'main')).length > 1000);
	},

	async 'a heading sorts by number, and by name'() {
		const page = await browser.open('fleet');
		const column = async (n) => (await shown(page, '#groups')).map((row) => row[n].replace(',', ''));
		await page.locator('#groups').getByRole('button', { name: 'hosts', exact: true }).click();
		assert.deepEqual(await column(2), (await column(2)).toSorted((a, b) => b - a));
		await page.locator('#groups').getByRole('button', { name: 'example host' }).click();
		assert.deepEqual(await column(5), (await column(5)).toSorted());
		assert.equal(await page.locator('#groups th[aria-sort]').getAttribute('aria-sort'), 'ascending');
		await page.locator('#groups').getByRole('button', { name: 'example host' }).click();
		assert.deepEqual(await column(5), (await column(5)).toSorted().reverse());
	},

	async 'keys alone suffice'() {
		const page = await browser.open('fleet');
		await page.keyboard.press('Tab');
		assert.equal(await page.locator(':focus').textContent(), 'Skip to the report');
		await page.locator('#hosts th button').first().focus();
		await page.keyboard.press('Enter');
		assert.equal(await page.locator('#hosts th').first().getAttribute('aria-sort'), 'ascending');
		await page.locator('#hosts td a').first().focus();
		await page.keyboard.press('Enter');
		await page.locator('dialog[open]').waitFor();
		await page.keyboard.press('Escape');
		assert.equal(await page.locator('dialog[open]').count(), 0);
	},

	async 'light and dark follow the system, and the button'() {
		const back = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
		const page = await browser.open('fleet', { colorScheme: 'dark' });
		const dark = await back(page);
		await browser.picture(page, 'dark');
		await page.getByRole('button', { name: 'Light or dark' }).click();
		const light = await back(page);
		assert.notEqual(light, dark);
		await page.reload();
		assert.equal(await back(page), light);
		await browser.picture(page, 'light');
	},

	async 'axe finds no violation, light or dark, with rows about a host or without'() {
		for (const colorScheme of ['light', 'dark'])
			for (const at of ['', '#host=gpu-00005']) {
				const page = await browser.open('small', { colorScheme, bypassCSP: true }, at);
				await page.addStyleTag({ content: 'section { content-visibility: visible !important }' });
				await page.evaluate(axe);
				const { violations } = await page.evaluate(() => window.axe.run());
				assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html}`), []);
			}
	},

	async 'without script all tables are there'() {
		const page = await browser.open('fleet', { javaScriptEnabled: false });
		assert.equal(await page.locator('main table tbody tr', { hasText: 'pfc.priorities' }).first()
			.isVisible(), true);
		assert.equal(await page.locator('button').count(), 0);
		await browser.picture(page, 'without-script');
	},

	async 'it fits a narrow window, and prints all of its rows'() {
		const page = await browser.open('fleet', { viewport: { width: 420, height: 900 } });
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
		await browser.picture(page, 'narrow');
		await page.emulateMedia({ media: 'print' });
		const hidden = await page.locator('main tbody tr').evaluateAll((rows) =>
			rows.filter((row) => !row.checkVisibility()).length);
		assert.equal(hidden, 0);
		assert.equal(await page.locator('nav').isVisible(), false);
		await page.pdf({ path: path.join(folder, 'print.pdf'), format: 'A4', landscape: true });
	},

	async 'hostile names do nothing, and are shown'() {
		const page = await browser.open('hostile');
		await page.waitForTimeout(300);
		assert.equal(await page.evaluate(() => window.harmed), undefined);
		assert.deepEqual(await page.evaluate(() => ['script', 'img', 'b', 'i', 'u', 's'].map((name) =>
			document.querySelectorAll(`${name}:not(.headline b):not(.more b)`).length)), [1, 0, 0, 0, 0, 0]);
		assert.equal(await page.locator('main > section').count(), await (await browser.open('fleet'))
			.locator('main > section').count());
		const text = await page.locator('main').textContent();
		assert.ok(!/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/.test(text));
		for (const name of ['<script>window.harmed = 1</script>', '"><img src=x onerror=window.harmed=1>',
			'&lt;script&gt;', 'a\\xe2\\x80\\xaetxt.exe', 'xxxxxxxxxx…'])
			assert.ok(text.includes(name), name);
		await browser.picture(page, 'hostile');
		await follow(page, 'cables', 'window.harmed = 1</script>');
		assert.match(await page.locator('dialog h2').textContent(), /<script>window.harmed = 1<\/script>/);
		assert.equal(await page.locator('dialog code:has-text("losslessctl-fleet")').count(), 0);
		assert.equal(await page.evaluate(() => window.harmed), undefined);
		await browser.picture(page, 'hostile-drill-down');
	},

	async 'CSV has no formula'() {
		const page = await browser.open('hostile');
		const cells = (await downloaded(page, 'cables')).flat();
		assert.ok(cells.includes(`'=HYPERLINK("x")`));
		assert.ok(!cells.some((cell) => /^[=@+-]/.test(cell)));
	},

	async 'a fleet without hosts has a page'() {
		const page = await browser.open('nothing');
		assert.match(await page.locator('.headline').textContent(), /0 of 0 hosts/);
		assert.equal(await page.locator('#cables .empty').isVisible(), true);
	},

	async 'no script runs but the one of the page'() {
		const page = await browser.open('small');
		const blocked = await page.evaluate(() => new Promise((resolve) => {
			addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
			document.body.append(Object.assign(document.createElement('script'), { textContent: 'harmed = 1' }));
		}));
		assert.equal(blocked, 'script-src-elem');
		assert.equal(await page.evaluate(() => window.harmed), undefined);
		browser.complaints = browser.complaints.filter((text) => !/Content Security Policy/.test(text));
	},

	async 'pages have at most 5 MB, and take at most 2 s of a processor'() {
		for (const fleet of fleets) {
			const page = await browser.open('nothing');
			const talk = await page.context().newCDPSession(page);
			await talk.send('Performance.enable', { timeDomain: 'threadTicks' });
			await page.goto(page.url().replace('nothing', fleet));
			const { metrics } = await talk.send('Performance.getMetrics');
			const { value } = metrics.find((metric) => metric.name === 'TaskDuration');
			const { size } = statSync(path.join(folder, `${fleet}.html`));
			console.log(`# ${fleet}: ${(size / 1e6).toFixed(2)} MB, ${value.toFixed(2)} s`);
			assert.ok(size <= 5e6 && value <= 2, `${fleet}: ${size} bytes, ${value} s`);
		}
		browser.complaints = browser.complaints.filter((text) => !/^request of file:/.test(text));
	},

	async 'no page complained, or asked for anything'() {
		assert.deepEqual(browser.complaints, []);
	},
};

async function run(number, name, test) {
	try {
		await test();
		console.log(`ok ${number} - ${name}`);
	} catch (error) {
		console.log(`not ok ${number} - ${name}`);
		console.log(String(error.stack).replace(/^/gm, '# '));
		process.exitCode = 1;
	}
	for (const context of browser.chromium.contexts())
		await context.close();
}

async function main() {
	await browser.start();
	let number = 0;
	for (const [name, test] of Object.entries(tests))
		await run(++number, name, test);
	console.log(`1..${number}`);
	await browser.stop();
}

main();
