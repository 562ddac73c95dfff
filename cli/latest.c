#include "latest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "print.h"

#define PATH	   "/run/losslessctl/latest"
#define TAKEN_BACK "taken back"
#define TEXT_MAX   128

void latest_note(struct cli *c, const struct policy *p)
{
	char text[TEXT_MAX];
	struct err err = { 0 };

	snprintf(text, sizeof(text), "%s\n", p ? p->sha256 : TAKEN_BACK);
	if (!host_publish_file(c->h, PATH, text, &err))
		print_warning(c, "an agent in mode enforce may undo this: %s", err.text);
}

bool latest_is(struct host *h, const struct policy *p, struct err *err)
{
	char text[TEXT_MAX];
	struct err why = { 0 };

	if (!host_read_file(h, text, sizeof(text), &why, PATH)) {
		if (why.kind == ERR_UNSUPPORTED)
			return true;
		*err = why;
		return false;
	}
	if (strcmp(text, p->sha256) == 0)
		return true;
	return err_set(err, ERR_REFUSED, EBUSY,
		       "%s since this one was loaded: nothing is repaired until a policy is loaded "
		       "anew (systemctl reload losslessctl)",
		       strcmp(text, TAKEN_BACK) == 0 ? "an apply was taken back"
						     : "another policy was applied");
}

void latest_forget(struct host *h)
{
	struct err quiet = { 0 };

	(void)!host_move_file(h, PATH, NULL, &quiet);
}
