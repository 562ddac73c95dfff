/* Values in files of the kernel and of the adapter, and from two ioctls. */
#include "oracle.h"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void slurp(const char *path, char text[TEXT])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, TEXT - 1);

	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (fd >= 0)
		close(fd);
}

/* The number in a file; null: none. The upper half of 32 bits may read as negative. */
json_t *oracle_number_in(const char *path)
{
	char text[TEXT], *end;
	long long v;

	slurp(path, text);
	v = strtoll(text, &end, 10);
	return end == text || *end ? json_null() : json_integer(v < 0 ? v & 0xffffffff : v);
}

static bool ask(const struct port *p, void *request)
{
	struct ifreq ifr = { .ifr_data = request };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool ok;

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", p->name);
	ok = ioctl(fd, SIOCETHTOOL, &ifr) == 0;
	close(fd);
	return ok;
}

json_t *oracle_mtu(const struct port *p, json_t *desired)
{
	char path[TEXT];

	(void)desired;
	snprintf(path, sizeof(path), "/sys/class/net/%s/mtu", p->name);
	return oracle_number_in(path);
}

json_t *oracle_pause_rx(const struct port *p, json_t *desired)
{
	struct ethtool_pauseparam k = { .cmd = ETHTOOL_GPAUSEPARAM };

	(void)desired;
	return ask(p, &k) ? json_boolean(k.rx_pause) : json_null();
}

json_t *oracle_pause_tx(const struct port *p, json_t *desired)
{
	struct ethtool_pauseparam k = { .cmd = ETHTOOL_GPAUSEPARAM };

	(void)desired;
	return ask(p, &k) ? json_boolean(k.tx_pause) : json_null();
}

json_t *oracle_storm(const struct port *p, json_t *desired)
{
	/* The value follows the head. */
	union {
		struct ethtool_tunable head;
		uint16_t words[sizeof(struct ethtool_tunable) / 2 + 1];
	} k = { .head = { .cmd = ETHTOOL_GTUNABLE,
			  .id = ETHTOOL_PFC_PREVENTION_TOUT,
			  .type_id = ETHTOOL_TUNABLE_U16,
			  .len = sizeof(uint16_t) } };

	(void)desired;
	return ask(p, &k) ? json_integer(k.words[sizeof(k.head) / 2]) : json_null();
}

json_t *oracle_storm_becomes(json_t *desired)
{
	return json_is_string(desired) ? json_integer(100) : json_incref(desired);
}

/* Parses "EGRESS priority mappings: 3:3 6:7", where 0 is optional. */
static json_t *egress_of(const char *device)
{
	static const char heading[] = "EGRESS priority mappings:";
	char path[TEXT], line[TEXT] = "", *at, *save = NULL;
	json_t *map = json_object();
	FILE *f;

	snprintf(path, sizeof(path), "/proc/net/vlan/%s", device);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f) && !strstr(line, heading))
		;
	if (f)
		fclose(f);
	at = strstr(line, heading);
	for (char *w = at ? strtok_r(at + sizeof(heading) - 1, " \n", &save) : NULL; w;
	     w = strtok_r(NULL, " \n", &save)) {
		char *pcp = strchr(w, ':');

		*pcp++ = '\0';
		if (strcmp(pcp, "0") != 0)
			json_object_set_new(map, w, json_integer(strtol(pcp, NULL, 10)));
	}
	return map;
}

json_t *oracle_egress(const struct port *p, json_t *desired)
{
	json_t *out = json_object(), *map;
	const char *device;

	(void)p;
	json_object_foreach (desired, device, map)
		json_object_set_new(out, device, egress_of(device));
	return out;
}

json_t *oracle_egress_becomes(json_t *desired)
{
	json_t *out = json_deep_copy(desired), *map, *pcp;
	const char *device, *prio;
	void *next;

	json_object_foreach (out, device, map)
		json_object_foreach_safe(map, next, prio, pcp) if (json_integer_value(pcp) == 0)
			json_object_del(map, prio);
	return out;
}

static bool is_on(const struct port *p, const char *point, int prio)
{
	char path[TEXT], text[TEXT];

	snprintf(path, sizeof(path), "/sys/class/net/%s/ecn/%s/enable/%d", p->name, point, prio);
	slurp(path, text);
	return text[0] == '1';
}

json_t *oracle_notifies(const struct port *p, json_t *desired)
{
	(void)desired;
	return json_boolean(is_on(p, "roce_np", 5));
}

json_t *oracle_reacts(const struct port *p, json_t *desired)
{
	json_t *list = json_array();

	(void)desired;
	for (int prio = 0; prio < PRIOS; prio++)
		if (is_on(p, "roce_rp", prio))
			json_array_append_new(list, json_integer(prio));
	return list;
}

json_t *oracle_rtt_resp_dscp(const struct port *p, json_t *desired)
{
	char path[TEXT];
	json_t *valid;
	bool set;

	(void)desired;
	snprintf(path, sizeof(path), "/sys/kernel/debug/mlx5/%s/cc_params/rtt_resp_dscp_valid",
		 p->pci);
	valid = oracle_number_in(path);
	set = json_integer_value(valid) == 1;
	json_decref(valid);
	path[strlen(path) - strlen("_valid")] = '\0';
	return set ? oracle_number_in(path) : json_string("unset");
}

json_t *oracle_roce_mode(const struct port *p, json_t *desired)
{
	char path[TEXT], text[TEXT];

	(void)desired;
	snprintf(path, sizeof(path), "/sys/kernel/config/rdma_cm/%s/ports/1/default_roce_mode",
		 p->rdma);
	slurp(path, text);
	return json_string(strcmp(text, "RoCE v2") == 0 ? "v2" : "v1");
}

json_t *oracle_tos(const struct port *p, json_t *desired)
{
	char path[TEXT];

	(void)desired;
	snprintf(path, sizeof(path), "/sys/kernel/config/rdma_cm/%s/ports/1/default_roce_tos",
		 p->rdma);
	return oracle_number_in(path);
}

json_t *oracle_traffic_class(const struct port *p, json_t *desired)
{
	char path[TEXT], text[TEXT];

	(void)desired;
	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/tc/1/traffic_class", p->rdma);
	slurp(path, text);
	return text[0] ? json_integer(strtol(text + strcspn(text, "=") + 1, NULL, 10))
		       : json_string("unset");
}
