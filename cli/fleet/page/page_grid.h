/* Two things against each other: a small grid above a section's table. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_GRID_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_GRID_H

#include "page_section.h"

/* Lossless priorities of hosts against those of switches: how many links have each pair. */
bool page_grid_pfc(const struct page *p, const struct page_section *s, struct err *err) must_check;

/* Hosts against hosts: the worst verdict of the newest probe. */
bool page_grid_probes(const struct page *p, const struct page_section *s,
		      struct err *err) must_check;

#endif
