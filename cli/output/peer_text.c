#include "peer_text.h"

#include <string.h>

#include "../../policy/util/json_util.h"
#include "print.h"

static json_t *text_or_null(const char *text)
{
	return text[0] ? json_from_text(text) : json_null();
}

json_t *peer_info_to_json(const struct peer_info *s)
{
	if (!s->heard)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:i, s:i}", "chassis_id",
			 text_or_null(s->peer.chassis), "port_id", text_or_null(s->peer.port),
			 "system_name", text_or_null(s->peer.system), "port_description",
			 text_or_null(s->peer.port_description), "ttl_s", (int)s->peer.ttl_s,
			 "sender_count", (int)s->senders);
}

static void print_bold(const struct cli *c, const char *text)
{
	fputs(c->out.bold, stdout);
	print_clean(stdout, text);
	fputs(c->out.reset, stdout);
}

/* Prefers the system name to the chassis id; the names of switch and port are in bold. */
void print_peer_info(const struct cli *c, const struct peer_info *s)
{
	if (!s->heard)
		return;
	print_bold(c, s->peer.system[0] ? s->peer.system : s->peer.chassis);
	if (s->peer.system[0])
		print_outside(stdout, " (%s)", s->peer.chassis);
	fputs(", port ", stdout);
	print_bold(c, s->peer.port);
	if (s->peer.port_description[0])
		print_outside(stdout, " (%s)", s->peer.port_description);
	printf("%s, LLDP from %s%s", c->out.dim,
	       strcmp(s->source, "raw_socket") == 0 ? "the wire" : "lldpad", c->out.reset);
}
