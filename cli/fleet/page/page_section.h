/* The parts of the page share text, queries and sections: tables, some below a picture. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SECTION_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SECTION_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../basis.h"
#include "../database.h"

/* ---- text ---- */

/* Text from outside in HTML. */

/*
 * Writes text that neither ends an element or a quoted attribute nor changes the writing direction:
 * harmful characters become \xNN. It is cut, with an ellipsis, after TEXT_MAX bytes.
 */
void text_write(FILE *out, const char *text);

#define TEXT_MAX 240

/* The same, cut after another number of bytes. */
void text_write_cut(FILE *out, const char *text, size_t most);

/* Writes a number with a comma between each three digits. */
void number_write(FILE *out, int64_t n);

/* Writes an identifier as words: blanks for underscores. */
void words_write(FILE *out, const char *identifier);

/* Writes a time of RFC 3339 in UTC to the minute, with a blank for the T. */
void time_write(FILE *out, const char *text);

/* Writes a source of a Content-Security-Policy: the hash of an element's text. */
void hash_source_write(FILE *out, const char *text);

/* ---- queries ---- */

/* Questions of the page to the database. */

/* The page that is being written; all is borrowed. */
struct page {
	FILE *out;
	sqlite3 *db;
	const struct fleet_scope *scope;
};

/* Takes the row that a statement is at. */
typedef void page_row(FILE *out, sqlite3_stmt *stmt, void *arg);

/* Calls `take` for each row of a statement, as scope_prepare() takes it. */
bool page_each(const struct page *p, const char *sql, page_row *take, void *arg,
	       struct err *err) must_check;

/* The number that a statement returns, which is 0 where it returns no row. */
bool page_number(const struct page *p, const char *sql, int64_t *ret, struct err *err) must_check;

/* The text of a column of the current row, "" for NULL. It is valid until the next step. */
const char *page_column(sqlite3_stmt *stmt, int column);

/* ---- sections: a table, some below a picture ---- */

struct page_section {
	const char *chapter; /* the heading above it in the contents; NULL: as the one before */
	const char *id, *title, *lead;
	const char *empty; /* the sentence in place of an empty table */
	const struct basis *basis;
	const char *view; /* it has all rows, where the table is cut */
	const char *sql;  /* as scope_prepare() takes it; its columns are those of page_table.c */
	bool is_trouble;  /* each row is, whatever its verdict */
	bool is_folded;	  /* the table is in reserve: the picture says the same */
	bool (*draw)(const struct page *p, const struct page_section *s, struct err *err);
};

/* Counts of rows, for the contents. */
struct page_count {
	int64_t rows, trouble;
};

/* ---- levels ---- */

/* How good a verdict is: its colour, its mark and whether its row counts as trouble. */

enum level { LEVEL_NONE, LEVEL_GOOD, LEVEL_UNKNOWN, LEVEL_WARNING, LEVEL_BAD, LEVELS };

/* The class of style sheet. */
extern const char *const level_names[LEVELS];

/* The level of a verdict, status or severity. A word of a later version is unknown. */
enum level level_of(const char *word);

/* ---- charts ---- */

/* Bars by day, as an SVG within the page: readable without script, and sharp on paper. */

/* Hosts on which each setting drifted. */
bool page_chart_drift(const struct page *p, const struct page_section *s,
		      struct err *err) must_check;

/* Hosts that showed each symptom. */
bool page_chart_symptoms(const struct page *p, const struct page_section *s,
			 struct err *err) must_check;

/* ---- grids ---- */

/* Two things against each other: a small grid above a section's table. */

/* Lossless priorities of hosts against those of switches: how many links have each pair. */
bool page_grid_pfc(const struct page *p, const struct page_section *s, struct err *err) must_check;

/* Hosts against hosts: the worst verdict of the newest probe. */
bool page_grid_probes(const struct page *p, const struct page_section *s,
		      struct err *err) must_check;

/* ---- tables ---- */

/* Rows of a statement as a table. */

/* More take a browser longer to lay out than people wait. */
#define PAGE_ROWS_MOST 250

/*
 * Writes the table of a section, up to that many rows, and what is not known; where there is no row
 * and all is known, s->empty.
 */
bool page_table_write(const struct page *p, const struct page_section *s, struct page_count *ret,
		      struct err *err) must_check;

/* ---- the summary ---- */

/* The first thing that one sees: how many hosts are in sync, and how the others are. */

/* Writes the sentence, a bar with a part for each verdict, and its figures. */
bool page_summary_write(const struct page *p, struct err *err) must_check;

/* ---- all of them ---- */

/* The sections of the page, in its order. */

extern const struct page_section page_sections[];
extern const size_t page_section_count;

/* Writes a section. */
bool page_section_write(const struct page *p, const struct page_section *s, struct page_count *ret,
			struct err *err) must_check;

#endif
