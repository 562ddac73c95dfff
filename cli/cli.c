#include "cli.h"

#include <string.h>

#include "../agent/host/namespace.h"

bool cli_open_host(struct cli *c, bool may_write, struct err *err)
{
	return c->platform->open_host(c, may_write, err);
}

/* Only plan minds the session and does not write. apply works on this host alone. */
bool cli_foresees_apply(const struct cli *c)
{
	const struct verb *v = c->opt.verb;

	return (v->takes & GUARDS_SSH) && !v->writes && !c->opt.state &&
	       strcmp(c->opt.root, "/") == 0;
}

bool cli_check_netns(const struct cli *c, struct err *err)
{
	return c->opt.allow_other_netns || namespace_is_hosts(c->h, err);
}
