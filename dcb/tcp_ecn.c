#include <errno.h>
#include <stdlib.h>

#include "../policy/model/setting.h"
#include "registry.h"

static bool tcp_ecn_read(struct host *h, const struct port *port, struct config *out,
			 struct err *err)
{
	char word[16], *end;
	unsigned long v;

	(void)port;
	if (!host_read_file(h, word, sizeof(word), err, "/proc/sys/net/ipv4/tcp_ecn"))
		return false;
	v = strtoul(word, &end, 10);
	if (end == word || *end || v > UINT8_MAX)
		return err_set(err, ERR_UNKNOWN, EINVAL, "\"%s\" is not a number", word);

	out->host.tcp_ecn = (uint8_t)v;
	out->has |= feature_tcp_ecn.owns;
	return true;
}

const struct feature feature_tcp_ecn = {
	.name = "host-tcp-ecn",
	.phase = PHASE_STEER,
	.owns = SETTING(SETTING_HOST_TCP_ECN),
	.source = "sysctl net.ipv4.tcp_ecn",
	.read = tcp_ecn_read,
	.readonly_hint = "run `sysctl -w net.ipv4.tcp_ecn=VALUE` to set it for the whole host",
	.is_advice = true,
};
