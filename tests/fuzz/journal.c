/* Fuzz target: the journal's file, which is loaded, skipped, or reported as damaged. */
#include <string.h>

#include "../../agent/engine/journal/journal.h"
#include "../../policy/model/setting.h"
#include "fuzz.h"
#include "outside_files.h"

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct outside *o = (struct outside *)h;

	return outside_answer(strstr(path, "boot_id") ? "this-boot" : o->saved, buf, size, err);
}

static void is_same(const struct journal *a, const struct journal *b)
{
	MUST(a->count == b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct config *x = &a->entries[i].back, *y = &b->entries[i].back;

		MUST(strcmp(a->entries[i].name, b->entries[i].name) == 0);
		MUST(strcmp(a->entries[i].pci, b->entries[i].pci) == 0);
		MUST(x->has == y->has && config_diff(x, y) == 0);
	}
}

/* Save the journal, and check that it is loaded unchanged. */
static void write_again(struct outside *o, const struct journal *j)
{
	_journal_ struct journal again = { .entries = NULL };
	struct err err = { 0 };

	MUST(journal_save(&o->host, JOURNAL_PENDING, j, &err));
	if (!j->count)
		return;
	MUST(journal_load(&o->host, JOURNAL_PENDING, &again, &err));
	is_same(j, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_journal_ struct journal j = { .entries = NULL };
	struct outside o;
	struct err err = { 0 };

	outside_begin(&o, NULL, 0);
	o.host.read_file = read_file;
	o.saved = strndup((const char *)data, size);
	if (journal_load(&o.host, JOURNAL_PENDING, &j, &err)) {
		MUST(err.kind == ERR_NONE && j.count <= JOURNAL_MAX);
		write_again(&o, &j);
	} else {
		MUST(err.kind != ERR_NONE && err.text[0] && j.count == 0 && !j.entries);
	}
	outside_end(&o);
	return 0;
}
