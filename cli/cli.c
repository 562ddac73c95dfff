#include "cli.h"

bool cli_open_host(struct cli *c, bool may_write, struct err *err)
{
	return c->platform->open_host(c, may_write, err);
}
