/* The sections of the page, in its order. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SECTIONS_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SECTIONS_H

#include "page_section.h"

extern const struct page_section page_sections[];
extern const size_t page_section_count;

/* Writes a section. */
bool page_section_write(const struct page *p, const struct page_section *s, struct page_count *ret,
			struct err *err) must_check;

#endif
