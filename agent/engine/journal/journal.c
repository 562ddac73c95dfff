#include "journal.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../policy/document/settings_json.h"
#include "../../../policy/model/dscp_map.h"
#include "../../../policy/model/setting_table.h"
#include "../../../policy/util/json_dump.h"
#include "../../../policy/util/json_util.h"
#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "../../host/host_facts.h"
#include "../../host/log.h"

#define SCHEMA	   "losslessctl/journal/1"
#define COPY_ENDED JOURNAL_COPY ".ended"
#define FILE_MAX   (8u << 20)

static const char *const folders[] = { "/var", "/var/lib", "/var/lib/losslessctl", JOURNAL_DIR };

#define FOLDERS_COUNT (sizeof(folders) / sizeof(folders[0]))

bool journal_is_trusted(const struct host *h, struct err *err)
{
	for (size_t i = 0; i < FOLDERS_COUNT; i++)
		if (!host_owns_dir(h, folders[i], err))
			return false;
	return host_owns_dir(h, JOURNAL_COPY_DIR, err);
}

bool journal_has_room(struct host *h, struct err *err)
{
	/* The journal, and the reserve for the way back, which stays from an earlier run. */
	bool reserved = host_has_file(h, JOURNAL_DIR "/reserve");

	return host_has_room(h, JOURNAL_DIR, reserved ? 0 : 2, err);
}

/* Makes the folders of the journal. A failure with the code `passes` is passed over. */
static bool make_folders(struct host *h, int passes, struct err *err)
{
	for (size_t i = 0; i < FOLDERS_COUNT; i++) {
		struct err why = { 0 };

		if (!host_make_dir(h, &why, "%s", folders[i]) && why.code != passes) {
			*err = why;
			return false;
		}
		if (!host_owns_dir(h, folders[i], err))
			return false;
	}
	return true;
}

bool journal_prepare(struct host *h, struct err *err)
{
	struct err why = { 0 };

	/* A run that changes nothing writes nothing here; else saving the journal fails. */
	if (make_folders(h, EROFS, &why))
		return true;
	/* A folder that others can change is worse than one that cannot be made. */
	if (journal_is_trusted(h, err))
		*err = why;
	return false;
}

static json_t *run_to_json(const struct journal_run *run)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o*}", "verb", run->verb, "user",
			 json_from_text(run->user), "started_at", json_from_text(run->time),
			 "policy_name", json_from_text(run->policy), "to_be_confirmed",
			 run->unconfirmed ? json_true() : NULL);
}

/* VLAN devices are found by their names, which devices of other VLANs may have by then. */
static json_t *vlan_ids_to_json(const struct config *back)
{
	json_t *ids = json_object();

	for (size_t i = 0; i < VLANS_MAX && back->vlan.egress[i].id; i++)
		json_object_set_new(ids, back->vlan.egress[i].name,
				    json_integer(back->vlan.egress[i].id));
	if ((back->has & SETTING(SETTING_VLAN_EGRESS)) && json_object_size(ids))
		return ids;
	json_decref(ids);
	return NULL;
}

static void vlan_ids_from_json(struct config *back, const json_t *ids)
{
	for (size_t i = 0; i < VLANS_MAX; i++) {
		struct vlan_egress *v = &back->vlan.egress[i];

		v->id = (uint16_t)json_integer_value(json_object_get(ids, v->name));
	}
}

/* A map that the policy names a part of is compared in that part alone. */
static json_t *applied_to_json(const struct config *applied)
{
	bool partly = memchr(applied->dscp.prio, (unsigned char)DSCP_KEEP, DSCPS) != NULL;
	struct config compact = dscp_compact(applied, partly ? REST_KEEP : REST_NONE);

	return applied->has ? config_to_json(&compact, EVERY_SETTING) : NULL;
}

/* Returns NULL if a text is not valid UTF-8. */
static json_t *entry_to_json(const struct journal_entry *e)
{
	/* Spell the DSCP map exactly: DSCPs without an entry must have none again. */
	struct config compact = dscp_compact(&e->back, REST_NONE);

	if (e->rolled_back)
		return json_pack("{s:s, s:s, s:b, s:s*}", "port", e->name, "pci", e->pci,
				 "rolled_back", 1, "reason", undone_name(e->undone));
	return json_pack("{s:s, s:s, s:o*, s:o*, s:o*, s:o, s:o*, s:o*}", "port", e->name, "pci",
			 e->pci, "before_apply",
			 e->before_apply ? json_integer(e->before_apply) : NULL,
			 "partly_rolled_back", e->partly ? json_true() : NULL, "left_by",
			 e->left_by.time[0] ? run_to_json(&e->left_by) : NULL, "config",
			 config_to_json(&compact, EVERY_SETTING), "vlan_ids",
			 vlan_ids_to_json(&e->back), "applied", applied_to_json(&e->applied));
}

static bool is_pending(const char *path)
{
	return strcmp(path, JOURNAL_PENDING) == 0;
}

bool journal_set_aside(struct host *h, struct err *err)
{
	return host_move_file(h, JOURNAL_PENDING, JOURNAL_DAMAGED, err);
}

static bool discard(struct host *h, const char *path, struct err *err)
{
	struct err why = { 0 };

	if (host_release_file(h, path, &why) || why.code == ENOENT)
		return true;
	if (why.code == EROFS && !host_has_file(h, "%s", path))
		return true;
	*err = why;
	return false;
}

bool journal_end(struct host *h, const char *to, struct err *err)
{
	struct err why = { 0 }, quiet = { 0 };
	bool copied = host_move_file(h, JOURNAL_COPY, COPY_ENDED, &why), ok;

	if (!copied && why.kind != ERR_UNSUPPORTED && host_has_file(h, JOURNAL_COPY)) {
		*err = why; /* the next run would find it, and take this one for interrupted */
		return false;
	}
	ok = to ? host_move_file(h, JOURNAL_PENDING, to, err) : discard(h, JOURNAL_PENDING, err);
	if (copied && !ok)
		(void)!host_move_file(h, COPY_ENDED, JOURNAL_COPY, &quiet);
	return ok;
}

/* Fail unless every entry can be written: names may be invalid UTF-8. */
static bool put_entries(json_t *ports, const struct journal *j, struct err *err)
{
	for (size_t i = 0; i < j->count; i++)
		if (json_array_append_new(ports, entry_to_json(&j->entries[i])) != 0)
			return oom_happened() ? err_no_memory(err)
					      : err_set(err, ERR_SYSTEM, EILSEQ,
							"the name of a port is not valid UTF-8");
	return true;
}

/* Returns the text of the file, which the caller owns. NULL, with *err: it cannot be written. */
static char *to_text(struct host *h, const struct journal *j, struct err *err)
{
	json_auto_t *ports = json_array(), *run = run_to_json(&j->run), *doc = NULL;
	char boot[BOOT_ID_MAX], *text = NULL;

	if (!put_entries(ports, j, err) || !host_boot_id(h, boot, err))
		return NULL;
	doc = json_pack("{s:s, s:s}", "schema", SCHEMA, "boot_id", boot);
	if (json_object_update(doc, run) == 0 && json_object_set(doc, "ports", ports) == 0)
		text = json_dump_sanitized(doc, JSON_INDENT(2));
	if (!text)
		err_record_no_memory(err);
	return text;
}

bool journal_save(struct host *h, const char *path, const struct journal *j, struct err *err)
{
	_free_ char *text = NULL;
	struct err quiet = { 0 }, why = { 0 };

	if (j->count == 0)
		return is_pending(path) ? journal_end(h, NULL, err) : discard(h, path, err);
	text = to_text(h, j, err);
	if (text && is_pending(path) && !host_save_file(h, JOURNAL_COPY, text, &quiet))
		(void)!host_move_file(h, JOURNAL_COPY, NULL, &quiet); /* it is an older one */
	if (text && host_save_file(h, path, text, err))
		return true;
	if (text && err->code == ENOENT && !make_folders(h, 0, &why))
		*err = why; /* the cause: there is no folder */
	if (is_pending(path) && !host_has_file(h, "%s", path))
		(void)!host_move_file(h, JOURNAL_COPY, NULL, &quiet); /* nothing was changed */
	return false;
}

size_t journal_size(struct host *h, const struct journal *j, struct err *err)
{
	_free_ char *text = to_text(h, j, err);

	return text ? strlen(text) : 0;
}

static void text_from_json(const json_t *doc, const char *key, char *out, size_t size)
{
	const char *text = json_string_value(json_object_get(doc, key));

	snprintf(out, size, "%s", text ? text : "");
}

static void run_from_json(struct journal_run *ret, const json_t *j)
{
	text_from_json(j, "policy_name", ret->policy, sizeof(ret->policy));
	text_from_json(j, "started_at", ret->time, sizeof(ret->time));
	text_from_json(j, "verb", ret->verb, sizeof(ret->verb));
	text_from_json(j, "user", ret->user, sizeof(ret->user));
	ret->unconfirmed = json_is_true(json_object_get(j, "to_be_confirmed"));
}

static enum undone undone_from_json(const json_t *reason)
{
	const char *text = json_string_value(reason);

	for (enum undone u = UNDONE_FAILED; text && u <= UNDONE_NOT_CONFIRMED; u++) {
		const char *name = undone_name(u);

		if (name && strcmp(text, name) == 0)
			return u;
	}
	return UNDONE_BY_ROLLBACK;
}

static bool settings_from_json(struct config *c, const json_t *j, struct err *err)
{
	return config_amend_observed(c, j, NULL, err) && dscp_complete(c, err);
}

static bool entry_from_json(struct journal_entry *e, const json_t *j, struct err *err)
{
	const char *name = json_string_value(json_object_get(j, "port"));
	const char *pci = json_string_value(json_object_get(j, "pci"));
	const json_t *applied = json_object_get(j, "applied");

	*e = (struct journal_entry){ .back.has = 0 };
	if (!name || !pci || strchr(name, '/'))
		return err_set(err, ERR_POLICY, EINVAL, "a port has no name");
	/* Reject long names: a truncated one could be another port's or invalid UTF-8. */
	if (strlen(name) >= sizeof(e->name) || strlen(pci) >= sizeof(e->pci))
		return err_set(err, ERR_POLICY, EINVAL, "the name of a port is too long");
	snprintf(e->name, sizeof(e->name), "%.15s", name);
	snprintf(e->pci, sizeof(e->pci), "%.63s", pci);
	e->before_apply = (unsigned)json_integer_value(json_object_get(j, "before_apply"));
	e->rolled_back = json_is_true(json_object_get(j, "rolled_back"));
	e->partly = json_is_true(json_object_get(j, "partly_rolled_back"));
	e->undone = undone_from_json(json_object_get(j, "reason"));
	run_from_json(&e->left_by, json_object_get(j, "left_by"));
	if (e->rolled_back)
		return true;
	if (!settings_from_json(&e->back, json_object_get(j, "config"), err) ||
	    (applied && !settings_from_json(&e->applied, applied, err)))
		return false;
	vlan_ids_from_json(&e->back, json_object_get(j, "vlan_ids"));
	e->back.exact = e->back.has;
	return true;
}

static bool journal_from_json(struct journal *ret, const json_t *doc, struct err *err)
{
	size_t i;
	json_t *port;

	run_from_json(&ret->run, doc);
	json_array_foreach (json_object_get(doc, "ports"), i, port) {
		struct journal_entry e;

		if (!entry_from_json(&e, port, err) || !journal_add(ret, &e, err))
			return false;
	}
	return true;
}

static void drop_archived(const char *name, void *arg)
{
	char path[PATH_TEXT_MAX];
	struct err quiet = { 0 };

	if (strncmp(name, "pending.json.", sizeof("pending.json.") - 1) != 0 ||
	    strcmp(name, strrchr(JOURNAL_DAMAGED, '/') + 1) == 0)
		return;
	snprintf(path, sizeof(path), JOURNAL_DIR "/%.128s", name);
	(void)!host_move_file(arg, path, NULL, &quiet);
}

/*
 * Keeps only the latest archive, for an administrator who asks what a crash interrupted. No run
 * needs it: ignores a failure.
 */
static void archive(struct host *h, const char *path, const char *boot)
{
	char to[PATH_TEXT_MAX];
	struct err quiet = { 0 };

	if (!h->may_write)
		return;
	(void)!host_list_dir(h, JOURNAL_DIR, drop_archived, h, &quiet);
	snprintf(to, sizeof(to), "%s.%.40s", path, boot);
	(void)!host_move_file(h, path, to, &quiet);
}

/* Why a journal cannot be used, and what to do: if it is the pending one, and otherwise. */
struct flaw {
	int code; /* EINVAL: every run but a rollback goes on without it */
	const char *what, *pending_fix, *fix;
};

static const struct flaw damage = {
	EINVAL,
	"this journal is damaged",
	"the values from before that run are lost: run `losslessctl apply`, which keeps the file "
	"for you, to bring the ports to the policy",
	"the values from before that apply are lost: move the file elsewhere, and a rollback takes "
	"the apply before it",
};

static const struct flaw of_later_version = {
	ENOTSUP,
	"a later version of losslessctl wrote this journal",
	"install that version again and run `losslessctl rollback`, or move the file elsewhere and "
	"run `losslessctl apply`, which brings the ports to the policy",
	"install that version again and run `losslessctl rollback`",
};

static bool unusable(const char *path, const struct flaw *flaw, const char *how, struct err *err)
{
	err_record(err, ERR_SYSTEM, flaw->code, "%s: %s", flaw->what, how);
	err_fix(err, "%s", strcmp(path, JOURNAL_PENDING) == 0 ? flaw->pending_fix : flaw->fix);
	return err_in(err, "%s", path);
}

/*
 * Opens a journal. *ret is NULL if there is none; *ret_ours: it is of this boot. The caller frees
 * *ret.
 */
static bool open_journal(struct host *h, const char *path, json_t **ret, bool *ret_ours,
			 struct err *err)
{
	_free_ char *text = NULL;
	char boot[BOOT_ID_MAX];
	struct err why = { 0 };
	const char *of;

	*ret = NULL;
	if (!host_has_file(h, "%s", path))
		return true;
	if (!host_read_large_file(h, FILE_MAX, &text, &why, "%s", path)) {
		if (host_is_foreign_file(&why))
			return unusable(path, &damage, why.text, err);
		*err = why;
		if (why.code == EACCES && geteuid() == 0) /* without CAP_DAC_OVERRIDE */
			err_add_fix(err, "run `chown -R root " STATE_DIR "`");
		return false;
	}
	*ret = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	if (oom_happened())
		return err_no_memory(err);
	of = json_string_value(json_object_get(*ret, "boot_id"));
	if (!of || !host_boot_id(h, boot, err))
		return unusable(path, &damage, "losslessctl did not write it", err);
	*ret_ours = strcmp(of, boot) == 0;
	return true;
}

static bool load_document(struct journal *ret, const json_t *doc, const char *path, struct err *err)
{
	const char *schema = json_string_value(json_object_get(doc, "schema"));
	struct err why = { 0 };

	if (schema && strcmp(schema, SCHEMA) != 0)
		return unusable(path, &of_later_version, schema, err);
	if (journal_from_json(ret, doc, &why))
		return true;
	journal_free(ret);
	return unusable(path, why.code == ENOKEY ? &of_later_version : &damage, why.text, err);
}

static bool load_file(struct host *h, const char *path, struct journal *ret, char **ret_gone,
		      struct err *err)
{
	json_auto_t *doc = NULL;
	bool ours = false;

	*ret = (struct journal){ .entries = NULL };
	*ret_gone = NULL;
	if (!open_journal(h, path, &doc, &ours, err))
		return false;
	if (!doc)
		return true;
	if (!ours) {
		*ret_gone = strdup(json_string_value(json_object_get(doc, "boot_id")));
		return *ret_gone || err_no_memory(err);
	}
	return load_document(ret, doc, path, err);
}

bool journal_load_copy(struct host *h, struct journal *ret)
{
	_free_ char *gone = NULL;
	struct err quiet = { 0 };

	/* The copy decides what root writes: another user must not have made it. */
	ret->of_copy = host_owns_dir(h, JOURNAL_COPY_DIR, &quiet) &&
		       load_file(h, JOURNAL_COPY, ret, &gone, &quiet) && ret->count;
	return ret->of_copy;
}

/*
 * Loads a journal of this boot. *ret_gone is the boot id of one of another boot; the caller frees
 * it. If the pending one is gone, cannot be used or is of another boot, its copy is.
 */
static bool load_ours(struct host *h, const char *path, struct journal *ret, char **ret_gone,
		      struct err *err)
{
	bool ok = load_file(h, path, ret, ret_gone, err);

	if (!is_pending(path) || ret->count || err->code == ENOMEM || !journal_load_copy(h, ret))
		return ok;
	*err = (struct err){ 0 };
	return true;
}

bool journal_load(struct host *h, const char *path, struct journal *ret, struct err *err)
{
	_free_ char *gone = NULL;

	if (!load_ours(h, path, ret, &gone, err))
		return false;
	if (gone)
		archive(h, path, gone);
	return true;
}

bool journal_peek(struct host *h, const char *path, struct journal *ret, struct err *err)
{
	_free_ char *gone = NULL;

	return load_ours(h, path, ret, &gone, err);
}

bool journal_read(struct host *h, const char *path, struct journal *ret, struct err *err)
{
	json_auto_t *doc = NULL;
	bool ours = false;

	*ret = (struct journal){ .entries = NULL };
	if (!open_journal(h, path, &doc, &ours, err))
		return false;
	ret->of_other_boot = doc && !ours;
	return !doc || load_document(ret, doc, path, err);
}

bool journal_load_gone(struct host *h, const char *path, struct journal *ret)
{
	struct err quiet = { 0 };

	if (journal_read(h, path, ret, &quiet) && ret->of_other_boot)
		return true;
	journal_free(ret);
	return false;
}

/* ---- entries and runs ---- */

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
