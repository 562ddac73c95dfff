/* A section of the page: a table, some below a picture. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SECTION_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SECTION_H

#include "page_query.h"

struct page_section {
	const char *chapter; /* the heading above it in the contents; NULL: as the one before */
	const char *id, *title, *lead;
	const char *empty; /* the sentence in place of an empty table */
	const char *view;  /* it has all rows, where the table is cut */
	const char *sql;   /* as scope_prepare() takes it; its columns are those of page_table.c */
	bool is_trouble;   /* each row is, whatever its verdict */
	bool is_folded;	   /* the table is in reserve: the picture says the same */
	bool (*draw)(const struct page *p, const struct page_section *s, struct err *err);
};

/* Counts of rows, for the contents. */
struct page_count {
	int64_t rows, trouble;
};

#endif
