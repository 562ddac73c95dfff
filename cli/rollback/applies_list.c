#include "applies_list.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/journal/applies.h"
#include "../../agent/engine/journal/unfinished.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../../policy/util/sanitize.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"

#define PORTS_SHOWN	 4
#define PORTS_COLUMN_MAX 76 /* a list of ports behind it goes to the next line */
#define PORTS_INDENT	 30
#define STATE_MAX	 48
#define PARTLY		 "partly_rolled_back"

/* One line: a completed apply, or a run that has not ended, which has no number. */
struct line {
	unsigned number;
	const char *state;
	const struct journal *journal;
	enum undone undone; /* why all its ports were rolled back */
};

static const struct table_column columns[] = {
	{ "number", .is_right = true }, { "started", .width = 20 }, { .head = "state" },
	{ .head = "policy" },		{ .head = "user" },	    { .head = "ports" },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct listing {
	struct applies applies;
	struct journal *runs; /* those that have not ended */
	struct line *lines;
	size_t runs_count, count;
	bool is_open; /* `rollback` can roll back one of the runs */
	struct table table;
};

static const char *state_of(const struct applied *a)
{
	size_t back = 0;
	bool partly = false;

	for (size_t i = 0; i < a->journal.count; i++) {
		back += a->journal.entries[i].rolled_back;
		partly = partly || a->journal.entries[i].partly;
	}
	if (a->damage.kind)
		return a->damage.code == ENOTSUP ? "later_version" : "damaged";
	if (back == a->journal.count)
		return "rolled_back";
	if (a->journal.of_other_boot)
		return "earlier_boot";
	return back || partly ? PARTLY : "applied";
}

/*
 * Returns the reason that all ports share, else UNDONE_BY_ROLLBACK: then each port shows its own.
 */
static enum undone undone_of(const struct journal *j)
{
	for (size_t i = 0; i < j->count; i++)
		if (!j->entries[i].rolled_back || j->entries[i].undone != j->entries[0].undone)
			return UNDONE_BY_ROLLBACK;
	return j->count ? j->entries[0].undone : UNDONE_BY_ROLLBACK;
}

static void state_text(const struct line *line, char ret[STATE_MAX])
{
	const char *reason = undone_name(line->undone), *verb;

	assert(line->state && line->journal);
	verb = line->journal->run.verb;
	/* A repair counts as an apply if it completed an incomplete one. */
	if (!reason && strcmp(verb, "repair") == 0)
		reason = verb;
	snprintf(ret, STATE_MAX, "%s%s%s%s", line->state, reason ? " (" : "", reason ? reason : "",
		 reason ? ")" : "");
	if (strcmp(line->state, run_state_name(RUN_INCOMPLETE)) == 0 && strcmp(verb, "apply") != 0)
		snprintf(ret, STATE_MAX, "%s %s", line->state, verb);
	for (char *s = ret; *s; s++)
		if (*s == '_')
			*s = ' ';
}

static void add(struct listing *l, unsigned number, const char *state, const struct journal *j)
{
	char text[STATE_MAX], digits[16] = "-";

	l->lines[l->count] = (struct line){ number, state, j, undone_of(j) };
	state_text(&l->lines[l->count++], text);
	if (number)
		snprintf(digits, sizeof(digits), "%u", number);
	table_add(&l->table, "", digits);
	table_add(&l->table, "", j->run.time);
	table_add(&l->table, "", text);
	table_add(&l->table, "", j->run.policy);
	table_add(&l->table, "", j->run.user);
}

/* Adds the pending runs, newest first, each with all its ports, whichever journal holds them. */
static bool add_runs(struct host *h, struct listing *l, struct unfinished *u, struct err *err)
{
	struct journal *pending = &u->pending;

	while (pending->count) {
		const struct journal_entry *last = &pending->entries[pending->count - 1];
		const struct journal_run *run = journal_run_of(pending, last);
		enum run_state state = unfinished_state(h, u, run);
		struct journal *j = &l->runs[l->runs_count++];

		if (!journal_extract_run(pending, run, j, err))
			return false;
		add(l, 0, run_state_name(state), j);
		l->is_open =
			l->is_open || state == RUN_INCOMPLETE || state == RUN_AWAITS_CONFIRMATION;
	}
	return true;
}

static bool load_all(struct cli *c, struct listing *l, struct err *err)
{
	_unfinished_ struct unfinished u;

	unfinished_find(c->h, &u);
	if (!u.readable) {
		*err = u.why;
		return false;
	}
	if (!applies_load(c->h, &l->applies, err))
		return false;
	l->runs = calloc(u.pending.count + 1, sizeof(*l->runs));
	l->lines = calloc(u.pending.count + l->applies.count + 1, sizeof(*l->lines));
	if (!l->runs || !l->lines)
		return err_no_memory(err);
	if (!add_runs(c->h, l, &u, err))
		return false;
	for (size_t i = 0; i < l->applies.count; i++) {
		const struct applied *a = &l->applies.list[i];

		if (a->damage.kind == ERR_DENIED) {
			*err = a->damage;
			return false;
		}
		add(l, a->number, state_of(a), &a->journal);
	}
	return true;
}

static bool load(struct cli *c, struct listing *l, struct err *err)
{
	if (load_all(c, l, err))
		return true;
	if (err->kind == ERR_DENIED)
		err_fix(err, "only root may read the journal: run `sudo losslessctl %s`",
			c->opt.list ? "rollback --list" : c->opt.verb->name);
	return false;
}

static const char *state_of_port(const struct line *l, const struct journal_entry *e)
{
	if (e->rolled_back)
		return "rolled_back";
	return strcmp(l->state, PARTLY) == 0 ? "applied" : l->state;
}

static json_t *line_to_json(const struct line *l)
{
	json_t *ports = json_array();

	assert(l->journal);
	for (size_t i = 0; i < l->journal->count; i++) {
		const struct journal_entry *e = &l->journal->entries[i];

		json_array_append_new(ports, json_pack("{s:s, s:s, s:s, s:s*}", "port", e->name,
						       "pci", e->pci, "state", state_of_port(l, e),
						       "reason", undone_name(e->undone)));
	}
	return json_pack("{s:o, s:s, s:s*, s:s, s:o, s:o, s:s, s:o}", "number",
			 l->number ? json_integer(l->number) : json_null(), "state", l->state,
			 "reason", undone_name(l->undone), "verb", l->journal->run.verb, "user",
			 json_from_text(l->journal->run.user), "policy_name",
			 json_from_text(l->journal->run.policy), "started_at", l->journal->run.time,
			 "ports", ports);
}

static json_t *listing_to_json(const struct cli *c, const struct listing *l)
{
	json_t *doc = report_of_host(c, "rollback-list"), *list = json_array();

	for (size_t i = 0; i < l->count; i++)
		json_array_append_new(list, line_to_json(&l->lines[i]));
	json_object_set_new(doc, "applies", list);
	return doc;
}

static const char *port_note(const struct journal_entry *e)
{
	static const char *const notes[] = { [UNDONE_BY_ROLLBACK] = " (rolled back)",
					     [UNDONE_FAILED] = " (failed, rolled back)",
					     [UNDONE_NOT_CONFIRMED] = " (not confirmed)" };

	return e->rolled_back ? notes[e->undone] : "";
}

static void print_line(const struct table *t, size_t at, const struct line *line)
{
	const struct journal *j = line->journal;
	bool part = strcmp(line->state, PARTLY) == 0;
	struct report_row row = table_print_row(t, at);
	char text[LINK_NAME_MAX * SANITIZED_CHAR_MAX + 32];

	if (row.column + row.gap > PORTS_COLUMN_MAX)
		row.indent = PORTS_INDENT;
	for (size_t i = 0; i < j->count && i < PORTS_SHOWN; i++) {
		snprintf(text, sizeof(text), "%s%s%s", j->entries[i].name,
			 part ? port_note(&j->entries[i]) : "",
			 i + 1 < j->count && i + 1 < PORTS_SHOWN ? "," : "");
		report_row_add(&row, i ? 1 : 0, "", text, "");
	}
	snprintf(text, sizeof(text), "and %zu more", j->count - PORTS_SHOWN);
	if (j->count > PORTS_SHOWN)
		report_row_add(&row, 1, "", text, "");
	putchar('\n');
}

/* True if `rollback --to` has something to roll back. */
static bool can_go_back(const struct listing *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->lines[i].number && strcmp(l->lines[i].state, "rolled_back") != 0 &&
		    strcmp(l->lines[i].state, "earlier_boot") != 0)
			return true;
	return false;
}

static void print_lines(const struct listing *l)
{
	if (!l->count) {
		puts("no apply is recorded");
		return;
	}
	table_print_head(&l->table);
	for (size_t i = 0; i < l->count; i++)
		print_line(&l->table, i, &l->lines[i]);
	if (l->is_open)
		puts("run `losslessctl rollback` to roll back a run without a number (-)");
	if (can_go_back(l))
		puts("run `losslessctl rollback --to NUMBER` to roll back that apply and all later "
		     "ones");
}

static void listing_free(struct listing *l)
{
	applies_free(&l->applies);
	for (size_t i = 0; i < l->runs_count; i++)
		journal_free(&l->runs[i]);
	free(l->runs);
	free(l->lines);
	table_free(&l->table);
}

#define _listing_ __attribute__((cleanup(listing_free)))

static struct listing listing_of(const struct cli *c)
{
	return (struct listing){ .table = { .c = c,
					    .columns = columns,
					    .columns_count = COLUMNS,
					    .gap = 2,
					    .has_rest = true } };
}

bool applies_document(struct cli *c, json_t **ret, struct err *err)
{
	_listing_ struct listing l = listing_of(c);

	if (!load(c, &l, err))
		return false;
	*ret = listing_to_json(c, &l);
	return true;
}

bool applies_list_print(struct cli *c, struct err *err)
{
	_listing_ struct listing l = listing_of(c);

	if (!load(c, &l, err))
		return false;
	if (c->opt.json)
		print_json(c, listing_to_json(c, &l));
	else if (!c->opt.quiet)
		print_lines(&l);
	return true;
}
