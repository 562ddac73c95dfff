#include "captured_open.h"

#include "../../policy/util/oom.h"
#include "../backends.h"
#include "captured_host.h"
#include "captured_peers.h"
#include "captured_ready.h"

bool captured_host_open(struct cli *c, struct err *err)
{
	c->captured = oom_calloc(1, sizeof(*c->captured));
	if (!c->captured)
		return err_no_memory(err);
	if (!captured_host_read(c->state_fd, c->captured, err))
		return err_in(err, "%s", c->opt.state);
	c->captured->view.read_peers = captured_peers_read;
	c->captured->view.read_ready = captured_ready_read;
	c->captured->view.document = c->captured;
	c->engine = cli_engine(c);
	c->engine.captured = &c->captured->view;
	return true;
}
