// A browser that records complaints: console messages, errors, dialogs, and requests.
'use strict';

const { chromium } = require('playwright-core');
const { pathToFileURL } = require('node:url');
const path = require('node:path');

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
	'--disable-background-networking', '--disable-component-update', '--disable-sync'];

class Browser {
	complaints = [];

	constructor(folder) {
		this.folder = folder;
	}

	async start() {
		this.chromium = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
	}

	stop() {
		return this.chromium?.close();
	}

	watch(page, url) {
		page.setDefaultTimeout(60000);
		page.on('console', (message) => this.complaints.push(message.text()));
		page.on('pageerror', (error) => this.complaints.push(error.stack));
		page.on('dialog', (dialog) => this.complaints.push(dialog.message()));
		page.on('request', (request) => {
			if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
				this.complaints.push(`request of ${request.url()}`);
		});
	}

	// Open a fleet's page; `options` are those of a context, `at` is a fragment of the URL.
	async open(fleet, options = {}, at = '') {
		const context = await this.chromium.newContext({ viewport: { width: 1400, height: 1000 },
			...options });
		const page = await context.newPage();
		const url = pathToFileURL(path.resolve(this.folder, `${fleet}.html`)).href;
		this.watch(page, url);
		await page.goto(url + at);
		return page;
	}

	picture(page, name) {
		return page.screenshot({ path: path.join(this.folder, `${name}.png`), timeout: 120000 });
	}
}

module.exports = { Browser };
