#include "cli.h"

#include "../agent/host/namespace.h"

bool cli_open_host(struct cli *c, bool may_write, struct err *err)
{
	return c->platform->open_host(c, may_write, err);
}

bool cli_check_netns(const struct cli *c, struct err *err)
{
	return c->opt.allow_other_netns || namespace_is_hosts(c->h, err);
}
