#include "recovery.h"

#include <errno.h>

#include "../../../policy/model/setting.h"
#include "../plan.h"

static bool restore_files_of(struct host *h, struct features all, const struct journal_entry *e)
{
	bool ok = true;

	for (size_t i = 0; i < all.count; i++) {
		const struct feature *f = all.list[i];
		struct err err = { 0 };

		if (!f->restore_files || !(f->owns & e->back.has) ||
		    f->restore_files(h, e->name, &e->back, &err))
			continue;
		ok = false;
		host_report(h, PROGRESS_WAIT, e->name, "not restored after a boot: %s: %s", f->name,
			    err.text);
	}
	return ok;
}

/* Restores files that a run before the last boot wrote. False: one is not restored. */
static bool restore_files_in(struct host *h, struct features all, const char *path)
{
	_journal_ struct journal gone = { .entries = NULL };
	bool ok = true;

	if (!journal_load_gone(h, path, &gone))
		return true;
	for (size_t i = 0; i < gone.count; i++)
		ok = restore_files_of(h, all, &gone.entries[i]) && ok;
	return ok;
}

/*
 * The kernel settings of such a run are gone. Its journal stays until the files are restored:
 * beside the next one, which would take its place. False: it could not be moved.
 */
static bool restore_files_of_all(struct host *h, struct features all)
{
	struct err quiet = { 0 };

	if (host_has_file(h, JOURNAL_OF_FILES) && restore_files_in(h, all, JOURNAL_OF_FILES))
		(void)!host_move_file(h, JOURNAL_OF_FILES, NULL, &quiet);
	return restore_files_in(h, all, JOURNAL_PENDING) ||
	       (!host_has_file(h, JOURNAL_OF_FILES) &&
		host_move_file(h, JOURNAL_PENDING, JOURNAL_OF_FILES, &quiet));
}

bool recovery_load(struct host *h, struct features all, bool rolling_back, struct journal *ret,
		   struct err *ret_set_aside, struct err *err)
{
	bool (*load)(struct host * h, const char *path, struct journal *ret, struct err *err) =
		restore_files_of_all(h, all) ? journal_load : journal_peek;

	if (load(h, JOURNAL_PENDING, ret, ret_set_aside))
		return true;
	if (ret_set_aside->code == EINVAL && !rolling_back)
		return journal_set_aside(h, err);
	*err = *ret_set_aside;
	if (rolling_back && (err->code == EINVAL || err->code == ENOTSUP))
		err->kind = ERR_ROLLBACK_FAILED;
	return false;
}

struct config recovery_state(bool rolling_back, const struct config *desired,
			     const struct config *back)
{
	return rolling_back ? *desired : *back;
}

struct config recovery_back(const struct journal_entry *left, const struct observation *seen)
{
	struct config back = left->back;
	char gone[VLANS_MAX][VLAN_NAME_MAX];

	vlan_egress_follow(&back, &seen->actual, gone);
	return back;
}

setting_set recovery_left_out(const struct config *back, const struct config *desired,
			      const struct observation *seen)
{
	return back->has & ~desired->has & (seen->unsupported | seen->unknown);
}

struct config recovery_goal(const struct port *port, const struct config *desired,
			    const struct config *back, const struct observation *seen)
{
	struct config was = config_overlay(&seen->actual, back), goal;
	struct plan p;

	plan_make(&p, observation_features(seen), port, desired, &was);
	goal = *plan_end(&p);
	goal.has &= back->has | desired->has;
	goal.has &= desired->has | ~plan_unreachable(observation_features(seen), &seen->actual,
						     &goal, desired->has);
	return goal;
}
