/* Rows of a statement as a table. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_TABLE_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_TABLE_H

#include "page_section.h"

/* More take a browser longer to lay out than people wait. */
#define PAGE_ROWS_MOST 250

/* Writes the table of a section, up to that many rows; where there is none, s->empty. */
bool page_table_write(const struct page *p, const struct page_section *s, struct page_count *ret,
		      struct err *err) must_check;

#endif
