/* Tests of what reports rest on: nothing found is good news only where something was reported. */
#include "cli/fleet/basis.h"
#include "tests/support/fleet_base.h"
#include "tests/support/unit.h"

#define REPORT(id, kind, aspect, verdict, hash) \
	"INSERT INTO reports VALUES (" id ", 'h" id "', '" kind \
	"', '2026-11-24T10:00:00Z', '" aspect "', 'h" id "', NULL, '1', 'p', NULL, NULL, " verdict \
	", " hash ", 1, 0, 0);" \
	"INSERT INTO latest_reports VALUES ('h" id "', '" aspect "', " id \
	", '2026-11-24T10:00:00Z');"
#define VERIFY(id, verdict, hash) REPORT(id, "verify", "state", verdict, hash)
#define VALUE(hash)		  "INSERT INTO state_values VALUES (" hash ", 'mtu', '9000', 1);"
#define LINK(pfc, switch_pfc) \
	"INSERT INTO links VALUES (1, 'h', 'p', 's', 's', 'p', 'agrees', " pfc ", " switch_pfc ")" \
	";"

static const struct row {
	const char *sentence, *sql;
	const struct basis *basis;
	const char *missing;
} rows[] = {
	{ "a section may rest on nothing", "", NULL, "" },
	{ "a setup is no verdict", REPORT("1", "show", "setup", "NULL", "'a'"), &basis_verdicts,
	  "no host has reported `verify` or its status" },
	{ "one verdict is known", VERIFY("1", "'drift'", "'a'"), &basis_verdicts, "" },
	{ "drift without a setting has another reason",
	  VERIFY("1", "'drift'", "'a'") VERIFY("2", "'in_sync'", "'a'"), &basis_settings,
	  "hosts that are not in sync for another reason: 1" },
	{ "drift with a setting has none",
	  VERIFY("1", "'drift'", "'a'")
		  VERIFY("2", "'symptom'", "'a'") "INSERT INTO setting_reports VALUES (1, 'p', "
						  "'mtu', 'drift', 0, NULL, NULL)",
	  &basis_settings, "" },
	{ "values of another hash are of no host", VERIFY("1", "'in_sync'", "'a'") VALUE("'b'"),
	  &basis_values,
	  "no host has reported `show` or `verify --all` of the ports of its policy" },
	{ "hosts without values are counted beside others",
	  VERIFY("1", "'in_sync'", "'a'") VERIFY("2", "'in_sync'", "'b'")
		  VERIFY("3", "'in_sync'", "NULL") VALUE("'a'"),
	  &basis_values, "hosts without `show` or `verify --all` of the ports of their policy: 2" },
	{ "values of all hosts are known", VERIFY("1", "'in_sync'", "'a'") VALUE("'a'"),
	  &basis_values, "" },
	{ "a switch that sends no PFC agrees with nobody", LINK("'3'", "NULL"), &basis_pfc,
	  "no host has reported `peer` with the PFC of its switch" },
	{ "a switch may have no lossless priority", LINK("'3'", "''"), &basis_pfc, "" },
	{ "verify says nothing of readiness", VERIFY("1", "'in_sync'", "'a'"), &basis_ready,
	  "no host has reported `ready`" },
	{ "ready does", REPORT("1", "ready", "ready", "'ready'", "NULL"), &basis_ready, "" },
	{ "nor of what changed", VERIFY("1", "'in_sync'", "'a'"), &basis_history,
	  "no host has reported `history`" },
	{ "without hosts no verdict is new", "", &basis_new_verdicts,
	  "no host was verified in time" },
	{ "a verdict of today is", VERIFY("1", "'in_sync'", "'a'"), &basis_new_verdicts, "" },
};

static void says_what_is_missing(void **state)
{
	const struct fleet_scope scope = { .silent_before = "2026-11-24T09:00:00Z" };
	const struct row *row = *state;
	sqlite3 *db = fleet_base(row->sql);
	char missing[BASIS_TEXT_MAX];
	struct err err = { 0 };

	if (!basis_missing(row->basis, db, &scope, missing, &err))
		fail_msg("%s", err.text);
	assert_string_equal(missing, row->missing);
	database_close(&db);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, says_what_is_missing);
	return suite_run(&s, "basis");
}
