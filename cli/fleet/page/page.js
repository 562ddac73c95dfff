"use strict";

// Sorts, searches and follows the tables that are there: the page has no other data. Text goes from
// node to node as text, so that no name becomes markup.

const root = document.documentElement;
const tables = [...document.querySelectorAll("table[data-view]")];
const collator = new Intl.Collator("en", { numeric: true });

function make(name, attributes, ...children) {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		element.setAttribute(key, value);
	element.append(...children);
	return element;
}

function makeButton(text, action, attributes = {}) {
	const button = make("button", { type: "button", ...attributes }, text);
	button.addEventListener("click", action);
	return button;
}

const headingsOf = table => [...table.tHead.rows[0].cells];
const rowsOf = table => [...table.tBodies[0].rows];
const titleOf = table => table.caption.textContent;

// The value of a cell, as the view has it.
function valueOf(cell) {
	if (cell.dataset.value !== undefined)
		return cell.dataset.value;
	return cell.classList.contains("null") ? "" : cell.textContent;
}

// ---- sort ----

function sort(table, column) {
	const heading = headingsOf(table)[column];
	const down = heading.ariaSort !== "descending" &&
		(heading.ariaSort === "ascending" || heading.classList.contains("number"));
	const keyed = rowsOf(table).map(row => [valueOf(row.cells[column]), row]);
	keyed.sort((a, b) => (down ? -1 : 1) * collator.compare(a[0], b[0]));
	for (const other of headingsOf(table))
		other.removeAttribute("aria-sort");
	heading.ariaSort = down ? "descending" : "ascending";
	table.tBodies[0].append(...keyed.map(pair => pair[1]));
}

function makeSortable(table) {
	headingsOf(table).forEach((heading, column) => {
		const button = makeButton("", () => sort(table, column));
		button.append(...heading.childNodes);
		heading.append(button);
	});
}

// ---- CSV ----

// Quoted where RFC 4180 asks for it. A spreadsheet must not take a name for a formula.
function csvField(text) {
	const safe = /^[=+@\t-]/.test(text) && isNaN(text) ? "'" + text : text;
	return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvOf(table) {
	const lines = [headingsOf(table).map(heading => heading.dataset.column)];
	for (const row of rowsOf(table))
		if (!row.hidden)
			lines.push([...row.cells].map(cell => csvField(valueOf(cell))));
	return lines.map(line => line.join(",") + "\r\n").join("");
}

function save(name, text) {
	const link = make("a", { download: name });
	link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function addDownload(table) {
	const section = table.closest("section");
	section.querySelector("header").append(makeButton("CSV",
		() => save(section.id + ".csv", csvOf(table)), { "aria-label": "CSV of " + titleOf(table) }));
}

// ---- search ----

const texts = new Map(); // of rows, once they were searched

function textOf(row) {
	if (!texts.has(row))
		texts.set(row, [...row.cells].map(cell => valueOf(cell) + " " + cell.textContent)
			.join(" ").toLowerCase());
	return texts.get(row);
}

function searchTable(table, words) {
	let found = 0;
	for (const row of rowsOf(table)) {
		row.hidden = !words.every(word => textOf(row).includes(word));
		found += !row.hidden;
	}
	return found;
}

function search(query) {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	let found = 0;
	for (const section of document.querySelectorAll("main > section")) {
		const table = section.querySelector("table[data-view]");
		const count = table ? searchTable(table, words) : 0;
		found += count;
		section.hidden = words.length > 0 && count === 0;
		const folded = section.querySelector("details");
		if (folded)
			folded.open = words.length > 0;
	}
	document.querySelector("output").value = words.length === 0 ? "" :
		found === 1 ? "1 row" : found.toLocaleString("en") + " rows";
}

// ---- all rows about a host, a switch, … ----

const subjects = ["host", "switch", "group", "policy", "setting", "symptom"];
const pathOf = (subject, value) => `#${subject}=${encodeURIComponent(value)}`;

// Names become links to what is known of them.
function addLinks(table) {
	const columns = headingsOf(table).map(heading => heading.dataset.subject);
	for (const row of rowsOf(table))
		columns.forEach((subject, column) => {
			const cell = row.cells[column];
			const value = subject ? valueOf(cell) : "";
			if (value !== "")
				cell.replaceChildren(make("a", { href: pathOf(subject, value) }, cell.textContent));
		});
}

function rowsAbout(table, subject, value) {
	const columns = headingsOf(table).flatMap((heading, column) =>
		heading.dataset.subject === subject ? [column] : []);
	return columns.length === 0 ? [] :
		rowsOf(table).filter(row => columns.some(column => valueOf(row.cells[column]) === value));
}

function tableAbout(table, rows, value) {
	const copy = make("table", {}, make("caption", { class: "hidden" }, titleOf(table)),
		make("thead", {}, make("tr", {}, ...headingsOf(table).map(heading => {
			const plain = heading.cloneNode();
			plain.textContent = heading.textContent;
			return plain;
		}))),
		make("tbody", {}, ...rows.map(row => row.cloneNode(true))));
	for (const row of rowsOf(copy))
		row.hidden = false;
	addLinks(copy);
	return make("div", { class: "table", role: "region", tabindex: "0",
		"aria-label": `${titleOf(table)}: ${value}` }, copy);
}

// A name is offered for a shell only if it means nothing to one.
function queryAbout(subject, value) {
	const views = { host: ["cable_map", "host, host_id"], switch: ["cable_map", "switch_name, switch_id"],
		group: ["hosts", "state_hash"], policy: ["hosts", "policy_name"],
		setting: ["current_drift", "setting"], symptom: ["current_symptoms", "symptom"] };
	const [view, columns] = views[subject];
	if (!/^[\w.:-]+$/.test(value))
		return [];
	return [make("p", { class: "more" }, "The page has a part of large tables. ",
		make("code", {}, `losslessctl-fleet sql "SELECT * FROM ${view} WHERE '${value}' IN (${columns})"`),
		" lists all.")];
}

const dialog = make("dialog", { "aria-labelledby": "about" });

function show(subject, value) {
	const parts = tables.flatMap(table => {
		const rows = rowsAbout(table, subject, value);
		return rows.length === 0 ? [] : [make("h3", {}, titleOf(table)), tableAbout(table, rows, value)];
	});
	dialog.replaceChildren(make("header", {},
		make("h2", { id: "about" }, make("small", {}, subject + " "), value),
		makeButton("Close", () => dialog.close())),
	...parts.length === 0 ? [make("p", { class: "plain empty" }, "The page has no row about it.")] : parts,
	...queryAbout(subject, value));
	if (!dialog.open)
		dialog.showModal();
	dialog.scrollTop = 0;
}

// The address says what is shown, so that it can be sent to somebody, and "back" goes back.
function follow() {
	const [, subject, value] = location.hash.match(/^#(\w+)=(.*)$/s) ?? [];
	if (!subjects.includes(subject)) {
		dialog.close();
		return;
	}
	try {
		show(subject, decodeURIComponent(value));
	} catch (error) {
		if (!(error instanceof URIError))
			throw error;
	}
}

// ---- light and dark ----

// Pages in a file may have no storage.
function stored(value) {
	try {
		if (value !== undefined)
			localStorage.setItem("theme", value);
		return localStorage.getItem("theme");
	} catch {
		return null;
	}
}

function toggleTheme() {
	const dark = root.dataset.theme ? root.dataset.theme === "dark" :
		matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset.theme = dark ? "light" : "dark";
	stored(root.dataset.theme);
}

function addTools() {
	const input = make("input", { type: "search", placeholder: "Search all tables  /", "aria-label": "Search all tables" });
	input.addEventListener("input", () => search(input.value));
	document.addEventListener("keydown", event => {
		if (event.key === "/" && !event.target.matches("input") && !dialog.open) {
			event.preventDefault();
			input.focus();
		}
	});
	document.querySelector("#tools").append(make("output", { "aria-live": "polite" }), input,
		makeButton("◐", toggleTheme, { "aria-label": "Light or dark", title: "Light or dark" }));
}

root.dataset.theme = stored() ?? "";
addTools();
// Thousands of links take a while: tables get them as they come near.
const near = new IntersectionObserver(entries => {
	for (const entry of entries.filter(entry => entry.isIntersecting)) {
		near.unobserve(entry.target);
		addLinks(entry.target);
	}
}, { rootMargin: "400px" });
for (const table of tables) {
	near.observe(table);
	makeSortable(table);
	addDownload(table);
}
document.body.append(dialog);
dialog.addEventListener("close", () => {
	if (/^#\w+=/.test(location.hash))
		history.replaceState(null, "", location.pathname + location.search);
});
dialog.addEventListener("click", event => {
	if (event.target === dialog)
		dialog.close();
});
addEventListener("hashchange", follow);
follow();
