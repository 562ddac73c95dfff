#include "page_section.h"

#include <inttypes.h>

#define VERDICTS \
	"SELECT COALESCE(verdict, 'never_verified') AS word, COUNT(*) AS host_count, " \
	"COALESCE(SUM(port_count), 0) FROM hosts GROUP BY word ORDER BY word = 'in_sync' DESC, " \
	"severity_of(word) DESC, word DESC"

struct totals {
	int64_t hosts, in_sync, ports;
};

static bool count(const struct page *p, struct totals *ret, struct err *err)
{
	return page_number(p, "SELECT COUNT(*) FROM hosts", &ret->hosts, err) &&
	       page_number(p, "SELECT COUNT(*) FROM hosts WHERE verdict = 'in_sync'", &ret->in_sync,
			   err) &&
	       page_number(p, "SELECT COALESCE(SUM(port_count), 0) FROM hosts", &ret->ports, err);
}

/* Rounds down: a fleet with one host that is not in sync is not at 100 %. */
static void write_share(FILE *out, const struct totals *t)
{
	int64_t share = 10000 * t->in_sync / t->hosts;

	if (t->in_sync == t->hosts)
		fputs(" <span>100 %</span>", out);
	else
		fprintf(out, " <span>%" PRId64 ".%02" PRId64 " %%</span>", share / 100,
			share % 100);
}

static void write_sentence(FILE *out, const struct totals *t)
{
	fputs("<p class=headline><b>", out);
	number_write(out, t->in_sync);
	fputs("</b> of <b>", out);
	number_write(out, t->hosts);
	fputs(t->hosts == 1 ? "</b> host is in sync" : "</b> hosts are in sync", out);
	if (t->hosts)
		write_share(out, t);
	fputs("</p>\n", out);
}

/* A part that is there has at least so many units of 1000, so that one sees it. */
#define PART_LEAST 4.0

static double part_width(int64_t hosts, const struct totals *t)
{
	double width = 1000.0 * (double)hosts / (double)t->hosts;

	return width < PART_LEAST ? PART_LEAST : width;
}

/* The bar, from its right end. */
struct bar {
	const struct totals *totals;
	double at;
};

static void write_part(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	struct bar *bar = arg;
	double width = part_width(sqlite3_column_int64(stmt, 1), bar->totals);

	bar->at -= width;
	fprintf(out, "<rect class=%s x=%.1f width=%.1f height=16 />",
		level_names[level_of(page_column(stmt, 0))], bar->at, width);
}

static bool write_bar(const struct page *p, const struct totals *t, struct err *err)
{
	struct bar bar = { t, 1000 };

	fputs("<svg class=verdicts viewBox=\"0 0 1000 16\" preserveAspectRatio=none "
	      "aria-hidden=true><rect class=good width=1000 height=16 />",
	      p->out);
	if (!page_each(p, "SELECT * FROM (" VERDICTS ") WHERE word <> 'in_sync'", write_part, &bar,
		       err))
		return false;
	fputs("</svg>\n", p->out);
	return true;
}

static void write_figure(FILE *out, const char *class, const char *word, int64_t n)
{
	fprintf(out, "<div class=%s><dt>", class);
	words_write(out, word);
	fputs("</dt><dd>", out);
	number_write(out, n);
	fputs("</dd></div>\n", out);
}

static void write_verdict(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	const char *word = page_column(stmt, 0);

	(void)arg;
	write_figure(out, level_names[level_of(word)], word, sqlite3_column_int64(stmt, 1));
}

bool page_summary_write(const struct page *p, struct err *err)
{
	int64_t silent;
	struct totals t;

	if (!count(p, &t, err) ||
	    !page_number(p, "SELECT COUNT(*) FROM (" SILENT_HOSTS ")", &silent, err))
		return false;
	fputs("<section id=summary aria-label=Summary>\n", p->out);
	write_sentence(p->out, &t);
	if (t.hosts && !write_bar(p, &t, err))
		return false;
	fputs("<dl class=figures>\n", p->out);
	if (!page_each(p, VERDICTS, write_verdict, NULL, err))
		return false;
	write_figure(p->out, silent ? "bad" : "none", "silent", silent);
	write_figure(p->out, "none", "ports", t.ports);
	fputs("</dl>\n</section>\n", p->out);
	return true;
}
