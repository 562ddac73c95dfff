#include "doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/util/fix_text.h"
#include "../../policy/util/shell_word.h"

#define PORT_NAMES 3

static bool skip_name(const char **text, const char *name)
{
	size_t length = strlen(name);

	if (!length || strncmp(*text, name, length) != 0)
		return false;
	*text += length;
	return true;
}

/* Skips the same name of a port where it stands in both texts. */
static bool skip_names(const char **a, const struct identity *p, const char **b,
		       const struct identity *q)
{
	const char *const names[][2] = { { p->name, q->name },
					 { p->pci, q->pci },
					 { p->rdma, q->rdma } };

	for (size_t i = 0; i < PORT_NAMES; i++) {
		const char *at = *a;

		if (!skip_name(&at, names[i][0]) || !skip_name(b, names[i][1]))
			continue;
		*a = at;
		return true;
	}
	return false;
}

static bool has_same_words(const char *a, const struct identity *p, const char *b,
			   const struct identity *q)
{
	while (*a && *b) {
		if (skip_names(&a, p, &b, q))
			continue;
		if (*a++ != *b++)
			return false;
	}
	return *a == *b;
}

static bool is_alike(const struct doctor_finding *a, const struct doctor_finding *b)
{
	return a->level == b->level && a->ports_count && strcmp(a->subject, b->subject) == 0 &&
	       strcmp(a->fix, b->fix) == 0 && has_same_words(a->text, &a->port, b->text, &b->port);
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
