#include "doctor.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/util/fix_text.h"
#include "../output/fold.h"

static bool is_alike(const struct doctor_finding *a, const struct doctor_finding *b)
{
	struct own own_a[OWN_OF_PORT], own_b[OWN_OF_PORT];

	own_of_port(&a->port, own_a);
	own_of_port(&b->port, own_b);
	return a->level == b->level && a->ports_count && strcmp(a->subject, b->subject) == 0 &&
	       strcmp(a->fix, b->fix) == 0 &&
	       is_alike_but_own(a->text, own_a, b->text, own_b, OWN_OF_PORT);
}

void doctor_finding_add_port(struct doctor_finding *one, const char *port)
{
	size_t used = strlen(one->ports);

	one->ports_count++;
	snprintf(one->last_port, sizeof(one->last_port), "%s", port);
	if (used + strlen(port) + 3 < sizeof(one->ports))
		snprintf(one->ports + used, sizeof(one->ports) - used, "%s%s", used ? ", " : "",
			 port);
}

void doctor_findings_append(struct doctor_findings *all, const struct doctor_finding *one)
{
	all->totals[one->level]++;
	if (all->count < DOCTOR_FINDINGS_MAX)
		all->list[all->count++] = *one;
	else
		all->omitted++;
}

void doctor_findings_add(struct doctor_findings *all, const struct doctor_remark *r)
{
	struct doctor_finding one = { .level = r->level, .from = r->from };
	char name[SHELL_NAME_MAX];
	const struct fix_word port = { "PORT",
				       r->port ? shell_word(r->port->name, name, sizeof(name))
					       : NULL };

	if (r->port)
		one.port = *r->port;
	snprintf(one.subject, sizeof(one.subject), "%s", r->subject);
	snprintf(one.text, sizeof(one.text), "%s", r->text);
	fix_text(r->fix ? r->fix : "", &port, 1, one.fix, sizeof(one.fix));
	for (struct doctor_finding *c = all->list; r->port && c < all->list + all->count; c++)
		if (is_alike(c, &one)) {
			doctor_finding_add_port(c, r->port->name);
			return;
		}
	if (r->port)
		doctor_finding_add_port(&one, r->port->name);
	doctor_findings_append(all, &one);
}

static bool is_of_journal(const struct doctor_finding *one)
{
	return strcmp(one->from, "journal") == 0;
}

static bool comes_before(const struct doctor_finding *a, const struct doctor_finding *b)
{
	return is_of_journal(a) != is_of_journal(b) ? is_of_journal(a) : a->level < b->level;
}

/* An insertion sort: qsort() keeps no order. */
void doctor_findings_sort(struct doctor_findings *all)
{
	for (size_t i = 1; i < all->count; i++) {
		struct doctor_finding one = all->list[i];
		size_t k = i;

		for (; k > 0 && comes_before(&one, &all->list[k - 1]); k--)
			all->list[k] = all->list[k - 1];
		all->list[k] = one;
	}
}
