#include <errno.h>
#include <stdlib.h>

#include "../policy/model/setting.h"
#include "registry.h"

static bool read_sysctl(struct host *h, uint8_t *ret, struct err *err)
{
	char word[16], *end;
	unsigned long v;

	if (!host_read_file(h, word, sizeof(word), err, "/proc/sys/net/ipv4/tcp_ecn"))
		return false;
	v = strtoul(word, &end, 10);
	if (end == word || *end || v > UINT8_MAX)
		return err_set(err, ERR_UNKNOWN, EINVAL, "\"%s\" is not a number", word);
	*ret = (uint8_t)v;
	return true;
}

static bool tcp_ecn_read(struct host *h, const struct port *port, struct config *out,
			 struct err *err)
{
	(void)port;
	if (!run_fact_recall(&h->facts, FACT_TCP_ECN, &out->host.tcp_ecn, sizeof(uint8_t)) &&
	    !read_sysctl(h, &out->host.tcp_ecn, err))
		return false;
	run_fact_remember(&h->facts, FACT_TCP_ECN, &out->host.tcp_ecn, sizeof(uint8_t));
	out->has |= feature_tcp_ecn.owns;
	return true;
}

const struct feature feature_tcp_ecn = {
	.name = "host-tcp-ecn",
	.owns = SETTING(SETTING_HOST_TCP_ECN),
	.source = "sysctl net.ipv4.tcp_ecn",
	.read = tcp_ecn_read,
	.readonly_hint = "run `sysctl -w net.ipv4.tcp_ecn=VALUE` to set it for the whole host",
	.is_advice = true,
};
