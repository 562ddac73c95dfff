/* The basis of a section of a report: "nothing found" is not "nothing reported". */
#ifndef LOSSLESSCTL_CLI_FLEET_BASIS_H
#define LOSSLESSCTL_CLI_FLEET_BASIS_H

#include "database.h"

/* Queries are what stands behind FROM, as scope_prepare() takes it. */
struct basis {
	const char *known;   /* rows without which nothing is known */
	const char *nothing; /* says so */
	const char *missing; /* hosts of which nothing is known beside others; NULL: not counted */
	const char *hosts;   /* says which these are, before their number */
};

extern const struct basis basis_verdicts, basis_settings, basis_values, basis_pfc, basis_ready,
	basis_history, basis_new_verdicts;

#define BASIS_TEXT_MAX 256

/* Says what is not known; "" where all is, or without a basis. Text in backquotes is code. */
bool basis_missing(const struct basis *b, sqlite3 *db, const struct fleet_scope *scope,
		   char ret[BASIS_TEXT_MAX], struct err *err) must_check;

#endif
