/* Bars by day, as an SVG within the page: readable without script, and sharp on paper. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_CHART_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_CHART_H

#include "page_section.h"

/* Hosts on which each setting drifted. */
bool page_chart_drift(const struct page *p, const struct page_section *s,
		      struct err *err) must_check;

/* Hosts that showed each symptom. */
bool page_chart_symptoms(const struct page *p, const struct page_section *s,
			 struct err *err) must_check;

#endif
