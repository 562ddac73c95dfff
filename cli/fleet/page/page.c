#include "page.h"

#include <stdlib.h>

#include "../../../agent/host/cleanup.h"
#include "../../../policy/util/oom.h"
#include "cli/fleet_sql.h"
#include "page_section.h"

#define COUNTS_MAX 32

/* The sections, written before what is above them: the contents have their counts. */
struct body {
	char *text;
	size_t size;
	struct page_count counts[COUNTS_MAX];
};

static void body_free(struct body *b)
{
	free(b->text);
}
#define _body_ __attribute__((cleanup(body_free)))

static bool write_sections(const struct page *p, struct body *b, struct err *err)
{
	if (!page_summary_write(p, err))
		return false;
	for (size_t i = 0; i < page_section_count; i++)
		if (!page_section_write(p, &page_sections[i], &b->counts[i], err))
			return false;
	return true;
}

static bool body_write(struct body *b, sqlite3 *db, const struct fleet_scope *scope,
		       struct err *err)
{
	struct page p = { .out = open_memstream(&b->text, &b->size), .db = db, .scope = scope };
	bool ok;

	if (!p.out)
		return err_no_memory(err);
	ok = write_sections(&p, b, err);
	return (fclose(p.out) == 0 || err_no_memory(err)) && ok;
}

/* Nothing is loaded, and no script or style runs but those of the page. */
static void write_head(FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
	      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
	      "base-uri 'none'; form-action 'none'; img-src data:; style-src ",
	      out);
	hash_source_write(out, PAGE_STYLE);
	fputs("; script-src ", out);
	hash_source_write(out, PAGE_SCRIPT);
	fputs("\">\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=color-scheme content=\"light dark\">\n<title>Fleet</title>\n"
	      "<link rel=icon href=\"data:,\">\n<style>" PAGE_STYLE "</style>\n</head>\n",
	      out);
}

static void write_times(FILE *out, const struct fleet_scope *scope)
{
	fputs("<p class=times>As of <time>", out);
	time_write(out, scope->now);
	fputs(" UTC</time>", out);
	if (scope->since) {
		fputs(", since <time>", out);
		time_write(out, scope->since);
		fputs(" UTC</time>", out);
	}
	fputs("</p>\n", out);
}

static void write_entry(FILE *out, const struct page_section *s, const struct page_count *count)
{
	bool is_trouble = count->trouble > 0;

	fprintf(out, "<li%s><a href=\"#%s\">%s <span>", is_trouble ? " class=trouble" : "", s->id,
		s->title);
	number_write(out, is_trouble ? count->trouble : count->rows);
	fputs("</span></a></li>\n", out);
}

static void write_contents(FILE *out, const struct body *b)
{
	fputs("<nav aria-label=Contents>\n", out);
	for (size_t i = 0; i < page_section_count; i++) {
		const struct page_section *s = &page_sections[i];

		if (s->chapter)
			fprintf(out, "%s<h2>%s</h2>\n<ul>\n", i ? "</ul>\n" : "", s->chapter);
		write_entry(out, s, &b->counts[i]);
	}
	fputs("</ul>\n</nav>\n", out);
}

bool fleet_page_write(FILE *out, sqlite3 *db, const struct fleet_scope *scope, struct err *err)
{
	_body_ struct body b = { 0 };

	if (!body_write(&b, db, scope, err))
		return false;
	write_head(out);
	fputs("<body>\n<a class=skip href=\"#main\">Skip to the "
	      "report</a>\n<header>\n<h1><a href=\"\">Fleet</a></h1>\n",
	      out);
	write_times(out, scope);
	fputs("<div id=tools></div>\n</header>\n", out);
	write_contents(out, &b);
	fputs("<main id=main>\n", out);
	fwrite(b.text, 1, b.size, out);
	fputs("</main>\n<script>" PAGE_SCRIPT "</script>\n</body>\n</html>\n", out);
	return true;
}
