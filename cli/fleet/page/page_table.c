#include "page_section.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define LONG 40 /* bytes that do not fit into one line of a cell */

enum kind { KIND_TEXT, KIND_BADGE, KIND_CODE, KIND_HASH, KIND_TIME, KIND_SHARE, KIND_FLAG };

/* The columns that are not plain text or numbers. */
struct column {
	const char *name;
	const char *heading; /* NULL: the name */
	const char *subject; /* its values lead to all rows about this host, switch, …; NULL: they
				do not */
	enum kind kind;
	const char *null; /* the word for NULL */
};

static const struct column columns[] = {
	{ .name = "host", .subject = "host" },
	{ .name = "example_host", .subject = "host" },
	{ .name = "peer_host", .heading = "to", .subject = "host" },
	{ .name = "first_name", .subject = "host" },
	{ .name = "last_name", .subject = "host" },
	{ .name = "host_id", .subject = "host", .kind = KIND_HASH },
	{ .name = "switch_name", .heading = "switch", .subject = "switch", .null = "unknown" },
	{ .name = "switch_id", .heading = "chassis", .subject = "switch", .kind = KIND_CODE },
	{ .name = "state_hash",
	  .heading = "group",
	  .subject = "group",
	  .kind = KIND_HASH,
	  .null = "unknown" },
	{ .name = "policy_name", .heading = "policy", .subject = "policy" },
	{ .name = "policy_generation", .heading = "generation" },
	{ .name = "policy_sha256", .heading = "policy hash", .kind = KIND_HASH },
	{ .name = "losslessctl_version", .heading = "version" },
	{ .name = "likely_writer", .null = "unknown" },
	{ .name = "setting", .subject = "setting", .kind = KIND_CODE },
	{ .name = "symptom", .subject = "symptom", .kind = KIND_CODE },
	{ .name = "check_name", .heading = "check", .kind = KIND_CODE },
	{ .name = "verdict", .kind = KIND_BADGE },
	{ .name = "status", .kind = KIND_BADGE },
	{ .name = "severity", .kind = KIND_BADGE },
	{ .name = "peer_verdict", .heading = "peer", .kind = KIND_BADGE },
	{ .name = "ready_verdict", .heading = "ready", .kind = KIND_BADGE },
	{ .name = "value", .kind = KIND_CODE },
	{ .name = "majority_value", .heading = "majority", .kind = KIND_CODE },
	{ .name = "majority_percent", .heading = "of ports", .kind = KIND_SHARE },
	{ .name = "percent", .heading = "share", .kind = KIND_SHARE },
	{ .name = "desired", .kind = KIND_CODE },
	{ .name = "actual", .kind = KIND_CODE, .null = "unknown" },
	{ .name = "pfc", .heading = "host PFC", .kind = KIND_CODE, .null = "unknown" },
	{ .name = "switch_pfc", .heading = "switch PFC", .kind = KIND_CODE, .null = "unknown" },
	{ .name = "contested", .kind = KIND_FLAG },
	{ .name = "host_count", .heading = "hosts" },
	{ .name = "port_count", .heading = "ports" },
	{ .name = "link_count", .heading = "links" },
	{ .name = "name_count", .heading = "names" },
	{ .name = "run_count", .heading = "runs" },
	{ .name = "detected_count", .heading = "detected" },
	{ .name = "repaired_count", .heading = "repaired" },
	{ .name = "contested_count", .heading = "contested" },
	{ .name = "drifted_host_count", .heading = "in drift" },
	{ .name = "in_sync_host_count", .heading = "in sync" },
	{ .name = "drifted_port_count", .heading = "drifted ports" },
	{ .name = "unknown_port_count", .heading = "unknown ports" },
	{ .name = "agreeing_link_count", .heading = "agree" },
	{ .name = "differing_link_count", .heading = "differ" },
	{ .name = "unknown_link_count", .heading = "unknown" },
	{ .name = "observed_at", .kind = KIND_TIME },
	{ .name = "verified_at", .kind = KIND_TIME },
	{ .name = "newest_at", .heading = "newest", .kind = KIND_TIME },
	{ .name = "first_seen_at", .heading = "first seen", .kind = KIND_TIME },
	{ .name = "last_seen_at", .heading = "last seen", .kind = KIND_TIME, .null = "never" },
};

static const struct column *column_of(sqlite3_stmt *stmt, int i)
{
	static const struct column plain = { .name = "" };
	const char *name = sqlite3_column_name(stmt, i);

	for (size_t k = 0; name && k < sizeof(columns) / sizeof(columns[0]); k++)
		if (strcmp(columns[k].name, name) == 0)
			return &columns[k];
	return &plain;
}

static bool is_number(sqlite3_stmt *stmt, int i)
{
	const char *name = sqlite3_column_name(stmt, i);
	size_t length = name ? strlen(name) : 0;

	return column_of(stmt, i)->kind == KIND_SHARE ||
	       (length > 6 && strcmp(name + length - 6, "_count") == 0);
}

static void write_headings(FILE *out, sqlite3_stmt *stmt)
{
	fputs("<thead><tr>", out);
	for (int i = 0; i < sqlite3_column_count(stmt); i++) {
		const struct column *c = column_of(stmt, i);
		const char *name = sqlite3_column_name(stmt, i);

		fprintf(out, "<th scope=col data-column=%s", name);
		if (c->subject)
			fprintf(out, " data-subject=%s", c->subject);
		fputs(is_number(stmt, i) ? " class=number>" : ">", out);
		words_write(out, c->heading ? c->heading : name);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

/* A cell whose text is not its value has that in data-value. */
static void open_with_value(FILE *out, const char *class, const char *value)
{
	fprintf(out, "<td class=%s data-value=\"", class);
	text_write(out, value);
	fputs("\">", out);
}

static void write_badge(FILE *out, const char *word)
{
	open_with_value(out, level_names[level_of(word)], word);
	words_write(out, word);
}

static void write_time(FILE *out, const char *text)
{
	open_with_value(out, "time", text);
	time_write(out, text);
}

static void write_hash(FILE *out, const char *text)
{
	open_with_value(out, "code", text);
	text_write_cut(out, text, strlen(text) > 16 ? 10 : TEXT_MAX);
}

/* A share that is rounded to 0 is not nothing. */
static void write_share(FILE *out, int64_t percent)
{
	fprintf(out,
		"<td class=number data-value=%" PRId64 "><svg class=share viewBox=\"0 0 100 8\" "
		"preserveAspectRatio=none aria-hidden=true><rect width=100 height=8 /><rect "
		"class=part width=%" PRId64 " height=8 /></svg>",
		percent, percent ? percent : 1);
	if (percent)
		fprintf(out, "%" PRId64 " %%", percent);
	else
		fputs("&lt;1 %", out);
}

static void write_number(FILE *out, int64_t n)
{
	fputs(n ? "<td class=number" : "<td class=\"number zero\"", out);
	if (n > 999)
		fprintf(out, " data-value=%" PRId64, n);
	putc('>', out);
	number_write(out, n);
}

static void write_plain(FILE *out, const struct column *c, const char *text)
{
	fprintf(out, "<td class=\"%s%s\"", c->kind == KIND_CODE ? "code" : "plain",
		strlen(text) > LONG ? " long" : "");
	fputs(text[0] ? ">" : " data-value=\"\">none", out);
	text_write(out, text);
}

static void write_value(FILE *out, sqlite3_stmt *stmt, int i)
{
	const struct column *c = column_of(stmt, i);
	const char *text = page_column(stmt, i);

	if (sqlite3_column_type(stmt, i) == SQLITE_NULL)
		fprintf(out, "<td class=null>%s", c->null ? c->null : "–");
	else if (c->kind == KIND_FLAG)
		fputs(text[0] == '1' ? "<td class=bad data-value=1>yes"
				     : "<td class=null data-value=0>–",
		      out);
	else if (c->kind == KIND_SHARE)
		write_share(out, sqlite3_column_int64(stmt, i));
	else if (is_number(stmt, i))
		write_number(out, sqlite3_column_int64(stmt, i));
	else if (c->kind == KIND_BADGE)
		write_badge(out, text);
	else if (c->kind == KIND_TIME)
		write_time(out, text);
	else if (c->kind == KIND_HASH)
		write_hash(out, text);
	else
		write_plain(out, c, text);
	fputs("</td>", out);
}

static void write_row(FILE *out, sqlite3_stmt *stmt)
{
	fputs("<tr>", out);
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		write_value(out, stmt, i);
	fputs("</tr>\n", out);
}

/* A row of which a verdict is a warning or worse. */
static bool row_is_trouble(sqlite3_stmt *stmt)
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		if (column_of(stmt, i)->kind == KIND_BADGE &&
		    sqlite3_column_type(stmt, i) != SQLITE_NULL &&
		    level_of(page_column(stmt, i)) >= LEVEL_WARNING)
			return true;
	return false;
}

/* The table that is being written. */
struct cursor {
	const struct page_section *section;
	struct page_count *count;
};

static void open_table(FILE *out, const struct page_section *s, sqlite3_stmt *stmt)
{
	fprintf(out,
		"<div class=table role=region tabindex=0 aria-label=\"%s\"><table data-view=%s>\n"
		"<caption class=hidden>%s</caption>\n",
		s->title, s->view, s->title);
	write_headings(out, stmt);
}

static void take_row(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	const struct cursor *c = arg;

	if (c->count->rows == 0)
		open_table(out, c->section, stmt);
	c->count->trouble += c->section->is_trouble || row_is_trouble(stmt);
	if (c->count->rows++ < PAGE_ROWS_MOST)
		write_row(out, stmt);
}

/* Writes a text of this program as a paragraph; what is in backquotes is code. */
static void write_missing(FILE *out, const char *text)
{
	bool is_code = false;

	fprintf(out, "<p class=\"plain empty\">%c", toupper((unsigned char)text[0]));
	for (text++; *text; text++)
		if (*text == '`')
			fputs((is_code = !is_code) ? "<code>" : "</code>", out);
		else
			putc(*text, out);
	fputs(".</p>\n", out);
}

bool page_table_write(const struct page *p, const struct page_section *s, struct page_count *ret,
		      struct err *err)
{
	struct cursor c = { s, ret };
	char missing[BASIS_TEXT_MAX];

	if (!page_each(p, s->sql, take_row, &c, err) ||
	    !basis_missing(s->basis, p->db, p->scope, missing, err))
		return false;
	if (ret->rows)
		fputs("</tbody></table></div>\n", p->out);
	if (missing[0])
		write_missing(p->out, missing);
	else if (!ret->rows)
		fprintf(p->out, "<p class=empty>%s</p>\n", s->empty);
	return true;
}
