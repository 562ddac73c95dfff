/* The first thing that one sees: how many hosts are in sync, and how the others are. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SUMMARY_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_SUMMARY_H

#include "page_section.h"

/* Writes the sentence, a bar with a part for each verdict, and its figures. */
bool page_summary_write(const struct page *p, struct err *err) must_check;

#endif
