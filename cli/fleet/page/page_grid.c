#include "page_section.h"

/* A grid of text: its rows have the same columns in the same order. */
struct grid {
	const char *class, *corner;
	const char *headings; /* SQL: the heading of each column */
	const char *cells; /* SQL: row, column, verdict or NULL, text; ordered by row and column */
};

#define GRID_MOST "32" /* rows and columns: more are in the table alone */

static const struct grid pfc = {
	.class = "pfc",
	.corner = "host ↓ switch →",
	.headings = "SELECT DISTINCT COALESCE(switch_pfc, 'unknown') FROM links "
		    "WHERE switch_id IS NOT NULL ORDER BY 1 LIMIT " GRID_MOST,
	.cells = "WITH pair AS (SELECT COALESCE(pfc, 'unknown') AS host, "
		 "COALESCE(switch_pfc, 'unknown') AS switch, COUNT(*) AS links FROM links "
		 "WHERE switch_id IS NOT NULL GROUP BY 1, 2), "
		 "a AS (SELECT DISTINCT host FROM pair ORDER BY 1 LIMIT " GRID_MOST "), "
		 "b AS (SELECT DISTINCT switch FROM pair ORDER BY 1 LIMIT " GRID_MOST ") "
		 "SELECT a.host, b.switch, CASE WHEN links IS NULL THEN NULL "
		 "WHEN 'unknown' IN (a.host, b.switch) THEN 'unknown' "
		 "WHEN a.host = b.switch THEN 'agrees' ELSE 'differs' END, links "
		 "FROM a CROSS JOIN b LEFT JOIN pair ON pair.host = a.host AND pair.switch = "
		 "b.switch ORDER BY 1, 2",
};

static const struct grid probes = {
	.class = "probes",
	.corner = "from ↓ to →",
	.headings = "SELECT DISTINCT peer_host FROM probe_matrix ORDER BY 1 LIMIT " GRID_MOST,
	/* A fault is worse than what was not measured, whatever their names. */
	.cells = "WITH pair AS (SELECT host, peer_host, SUBSTR(MIN((3 - severity_of(verdict)) || "
		 "verdict), 2) AS verdict "
		 "FROM probe_matrix GROUP BY 1, 2), "
		 "a AS (SELECT DISTINCT host FROM pair ORDER BY 1 LIMIT " GRID_MOST "), "
		 "b AS (SELECT DISTINCT peer_host FROM pair ORDER BY 1 LIMIT " GRID_MOST ") "
		 "SELECT a.host, b.peer_host, verdict, NULL FROM a CROSS JOIN b LEFT JOIN pair "
		 "ON pair.host = a.host AND pair.peer_host = b.peer_host ORDER BY 1, 2",
};

static void name_write(FILE *out, const char *name)
{
	text_write_cut(out, name[0] ? name : "none", 40);
}

/* The grid that is being written. */
struct cursor {
	const struct grid *grid;
	size_t columns, cells; /* so far */
};

static void write_heading(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	struct cursor *c = arg;

	if (c->columns++ == 0)
		fprintf(out,
			"<div class=\"table grid\" role=region tabindex=0 aria-label=\"%s\"><table "
			"class=%s><thead><tr><th scope=col>%s</th>",
			c->grid->corner, c->grid->class, c->grid->corner);
	fputs("<th scope=col><span>", out);
	name_write(out, page_column(stmt, 0));
	fputs("</span></th>", out);
}

static void write_verdict(FILE *out, sqlite3_stmt *stmt)
{
	const char *verdict = page_column(stmt, 2);

	if (!verdict[0]) {
		fputs("<td></td>", out);
		return;
	}
	fprintf(out, "<td class=%s title=\"", level_names[level_of(verdict)]);
	name_write(out, page_column(stmt, 0));
	fputs(" → ", out);
	name_write(out, page_column(stmt, 1));
	fputs(": ", out);
	words_write(out, verdict);
	fputs("\">", out);
	if (sqlite3_column_type(stmt, 3) == SQLITE_INTEGER)
		number_write(out, sqlite3_column_int64(stmt, 3));
	fputs("<span class=hidden> ", out);
	words_write(out, verdict);
	fputs("</span></td>", out);
}

static void write_cell(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	struct cursor *c = arg;

	if (c->cells++ % c->columns == 0) {
		fputs(c->cells > 1 ? "</tr>\n<tr><th scope=row>" : "<tr><th scope=row>", out);
		name_write(out, page_column(stmt, 0));
		fputs("</th>", out);
	}
	write_verdict(out, stmt);
}

static bool grid_write(const struct page *p, const struct grid *g, struct err *err)
{
	struct cursor c = { .grid = g };

	if (!page_each(p, g->headings, write_heading, &c, err))
		return false;
	if (c.columns == 0)
		return true;
	fputs("</tr></thead>\n<tbody>", p->out);
	if (!page_each(p, g->cells, write_cell, &c, err))
		return false;
	fputs("</tr></tbody></table></div>\n", p->out);
	return true;
}

bool page_grid_pfc(const struct page *p, const struct page_section *s, struct err *err)
{
	(void)s;
	return grid_write(p, &pfc, err);
}

bool page_grid_probes(const struct page *p, const struct page_section *s, struct err *err)
{
	(void)s;
	return grid_write(p, &probes, err);
}
