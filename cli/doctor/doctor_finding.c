#include "doctor_finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_alike(const struct doctor_finding *c, const struct doctor_remark *r)
{
	return c->level == r->level && c->ports_count && strcmp(c->subject, r->subject) == 0 &&
	       strncmp(c->text, r->text, sizeof(c->text) - 1) == 0 &&
	       strncmp(c->fix, r->fix ? r->fix : "", sizeof(c->fix) - 1) == 0;
}

static void add_port(struct doctor_finding *c, const char *port)
{
	size_t used = strlen(c->ports);

	c->ports_count++;
	if (used + strlen(port) + 3 < sizeof(c->ports))
		snprintf(c->ports + used, sizeof(c->ports) - used, "%s%s", used ? ", " : "", port);
}

void doctor_findings_add(struct doctor_findings *all, const struct doctor_remark *r)
{
	struct doctor_finding *c = all->list;

	for (; r->port && c < all->list + all->count; c++)
		if (is_alike(c, r)) {
			add_port(c, r->port);
			return;
		}
	all->totals[r->level]++;
	if (all->count == DOCTOR_FINDINGS_MAX) {
		all->omitted++;
		return;
	}
	c = &all->list[all->count++];
	*c = (struct doctor_finding){ .level = r->level, .from = r->from };
	snprintf(c->subject, sizeof(c->subject), "%s", r->subject);
	snprintf(c->text, sizeof(c->text), "%s", r->text);
	snprintf(c->fix, sizeof(c->fix), "%s", r->fix ? r->fix : "");
	if (r->port)
		add_port(c, r->port);
}

/* An insertion sort: qsort() keeps no order. */
void doctor_findings_sort(struct doctor_findings *all)
{
	for (size_t i = 1; i < all->count; i++) {
		struct doctor_finding one = all->list[i];
		size_t k = i;

		for (; k > 0 && all->list[k - 1].level > one.level; k--)
			all->list[k] = all->list[k - 1];
		all->list[k] = one;
	}
}
