#include "peer.h"

bool peers_look(struct host *h, const struct port *const *ports, size_t count, unsigned wait_ms,
		bool to_the_end, struct peer_seen *ret, struct err *err)
{
	(void)h;
	(void)ports;
	(void)wait_ms;
	(void)to_the_end;
	(void)err;
	for (size_t i = 0; i < count; i++)
		ret[i] = (struct peer_seen){ .source = "the wire" };
	return true;
}
