/* Journal entries in memory: the port and the run that each belongs to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../policy/util/oom.h"
#include "journal.h"

void journal_free(struct journal *j)
{
	free(j->entries);
	*j = (struct journal){ .entries = NULL };
}

struct journal_entry *journal_find(const struct journal *j, const struct port *port)
{
	for (size_t i = 0; i < j->count; i++)
		if (port->id.pci[0] ? strcmp(j->entries[i].pci, port->id.pci) == 0
				    : strcmp(j->entries[i].name, port->id.name) == 0)
			return &j->entries[i];
	return NULL;
}

bool journal_add(struct journal *j, const struct journal_entry *entry, struct err *err)
{
	struct journal_entry *entries;

	for (size_t i = 0; i < j->count; i++)
		if (strcmp(j->entries[i].pci, entry->pci) == 0 &&
		    (entry->pci[0] || strcmp(j->entries[i].name, entry->name) == 0)) {
			j->entries[i] = *entry;
			return true;
		}
	if (j->count == JOURNAL_MAX)
		return err_set(err, ERR_SYSTEM, E2BIG, "more than %d ports", JOURNAL_MAX);
	entries = realloc(j->entries, (j->count + 1) * sizeof(*entries));
	if (!entries)
		return err_no_memory(err);
	j->entries = entries;
	j->entries[j->count++] = *entry;
	return true;
}

void journal_drop(struct journal *j, struct journal_entry *entry)
{
	size_t at = (size_t)(entry - j->entries);

	memmove(entry, entry + 1, (--j->count - at) * sizeof(*entry));
}

const char *undone_name(enum undone u)
{
	static const char *const names[] = {
		[UNDONE_FAILED] = "failed", [UNDONE_NOT_CONFIRMED] = "not_confirmed"
	};

	return u == UNDONE_BY_ROLLBACK ? NULL : names[u];
}

const struct journal_run *journal_run_of(const struct journal *j, const struct journal_entry *e)
{
	return e->left_by.time[0] ? &e->left_by : &j->run;
}

size_t journal_own_count(const struct journal *j)
{
	size_t own = 0;

	for (size_t i = 0; i < j->count; i++)
		own += !j->entries[i].left_by.time[0];
	return own;
}

static bool same_run(const struct journal_run *a, const struct journal_run *b)
{
	return strcmp(a->time, b->time) == 0 && strcmp(a->verb, b->verb) == 0 &&
	       strcmp(a->user, b->user) == 0 && strcmp(a->policy, b->policy) == 0;
}

static bool is_first_of_run(const struct journal *j, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_run(journal_run_of(j, &j->entries[i]), journal_run_of(j, &j->entries[at])))
			return false;
	return true;
}

const struct journal_run *journal_next_run(const struct journal *j, size_t *at)
{
	while (*at < j->count) {
		size_t i = (*at)++;

		if (is_first_of_run(j, i))
			return journal_run_of(j, &j->entries[i]);
	}
	return NULL;
}

bool journal_extract_run(struct journal *j, const struct journal_run *run, struct journal *ret,
			 struct err *err)
{
	*ret = (struct journal){ .run = *run };
	for (size_t i = 0; i < j->count;) {
		struct journal_entry e = j->entries[i];

		if (!same_run(journal_run_of(j, &e), &ret->run)) {
			i++;
			continue;
		}
		e.left_by = (struct journal_run){ .time = "" };
		if (!journal_add(ret, &e, err))
			return false;
		journal_drop(j, &j->entries[i]);
	}
	return true;
}
