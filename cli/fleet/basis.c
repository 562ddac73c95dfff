#include "basis.h"

#include <inttypes.h>
#include <stdio.h>

#define VERDICTS   "hosts WHERE verdict IS NOT NULL"
#define NO_VERDICT "no host has reported `verify` or its status"

const struct basis basis_verdicts = { .known = VERDICTS, .nothing = NO_VERDICT };

const struct basis basis_settings = {
	.known = VERDICTS,
	.nothing = NO_VERDICT,
	.missing = "hosts WHERE verdict NOT IN ('in_sync', 'symptom') AND host_id NOT IN (SELECT "
		   "host_id FROM current_drift)",
	.hosts = "hosts that are not in sync for another reason",
};

/* show covers every port and verify those of the policy: their state_hash may differ. */
const struct basis basis_values = {
	.known = "hosts WHERE state_hash IN (SELECT state_hash FROM state_values)",
	.nothing = "no host has reported `show` or `verify --all` of the ports of its policy",
	.missing = "hosts WHERE state_hash IS NULL OR state_hash NOT IN (SELECT state_hash FROM "
		   "state_values)",
	.hosts = "hosts without `show` or `verify --all` of the ports of their policy",
};

const struct basis basis_pfc = {
	.known = "links WHERE pfc IS NOT NULL AND switch_pfc IS NOT NULL",
	.nothing = "no host has reported `peer` with the PFC of its switch",
};

const struct basis basis_ready = {
	.known = "latest_reports WHERE aspect = 'ready'",
	.nothing = "no host has reported `ready`",
};

const struct basis basis_history = {
	.known = "latest_reports WHERE aspect = 'history'",
	.nothing = "no host has reported `history`",
};

const struct basis basis_new_verdicts = {
	.known = "hosts WHERE verified_at >= ?1",
	.nothing = "no host was verified in time",
};

static bool count(const char *from, sqlite3 *db, const struct fleet_scope *scope, int64_t *ret,
		  struct err *err)
{
	_statement_ sqlite3_stmt *stmt = NULL;
	char sql[BASIS_TEXT_MAX];
	bool row;

	snprintf(sql, sizeof(sql), "SELECT COUNT(*) FROM %s", from);
	if (!scope_prepare(scope, db, sql, &stmt, err) || !database_step(stmt, &row, err))
		return false;
	*ret = sqlite3_column_int64(stmt, 0);
	return true;
}

bool basis_missing(const struct basis *b, sqlite3 *db, const struct fleet_scope *scope,
		   char ret[BASIS_TEXT_MAX], struct err *err)
{
	int64_t known, missing = 0;

	ret[0] = '\0';
	if (!b)
		return true;
	if (!count(b->known, db, scope, &known, err) ||
	    (b->missing && !count(b->missing, db, scope, &missing, err)))
		return false;
	if (known == 0)
		snprintf(ret, BASIS_TEXT_MAX, "%s", b->nothing);
	else if (missing)
		snprintf(ret, BASIS_TEXT_MAX, "%s: %" PRId64, b->hosts, missing);
	return true;
}
