/* mlx5's settings outside DCB: congestion control files, the storm timeout, and VLAN devices. */
#include <errno.h>
#include <linux/ethtool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/model/setting.h"
#include "policy/util/oom.h"
#include "fake_files.h"
#include "fake_requests.h"

#define CC_PARAMS "/sys/kernel/debug/mlx5/0000:01:00.0/cc_params/"

static const struct {
	const char *name;
	uint32_t comes_as;
	const char *setting;
} params[CC_COUNT] = {
#define PARAM(id, name, width, initial, ofed, setting) { name, initial, setting },
#include "params.def"
#undef PARAM
	{ "rtt_resp_dscp_valid", 0, "cnp.rtt_resp_dscp" },
	{ "rtt_resp_dscp", 0, "cnp.rtt_resp_dscp" },
};

void fake_params_power_on(struct hardware *hw)
{
	for (size_t i = 0; i < CC_COUNT; i++)
		hw->cc[i] = params[i].comes_as;
	hw->storm_ms = 8000;
	fake_lay_buffers(hw);
	hw->egress[0] = 3; /* ToS 0, the default, is lossless */
}

unsigned fake_param_setting(size_t i)
{
	return (unsigned)(setting_find(params[i].setting) - settings);
}

uint32_t *fake_param(struct fake *f, const char *path)
{
	for (size_t i = 0; i < CC_COUNT; i++)
		if (strncmp(path, CC_PARAMS, sizeof(CC_PARAMS) - 1) == 0 &&
		    strcmp(path + sizeof(CC_PARAMS) - 1, params[i].name) == 0)
			return &f->hw.cc[i];
	return NULL;
}

void fake_param_write(struct fake *f, uint32_t *param, const char *value)
{
	*param = (uint32_t)strtoul(value, NULL, 0);
	if (param == &f->hw.cc[CC_NP_CNP_PRIO])
		f->hw.cc[CC_NP_CNP_PRIO_MODE] = 0;
	if (param == &f->hw.cc[CC_NP_CNP_PRIO_MODE])
		f->hw.cc[CC_NP_CNP_PRIO] = 0;
	if (param == &f->hw.cc[CC_RTT_DSCP])
		f->hw.cc[CC_RTT_VALID] = 1;
	if (param == &f->hw.cc[CC_RTT_VALID])
		f->hw.cc[CC_RTT_DSCP] = 0;
}

static bool refused(struct fake *f, struct err *err)
{
	return err_set(err, host_err_kind(f->code), f->code, "%s", strerror(f->code));
}

bool fake_ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	struct fake *f = fake_of(h);
	struct ethtool_tunable header;
	char *value = (char *)command + sizeof(header);
	uint16_t ms;
	bool fails;

	(void)port;
	memcpy(&header, command, sizeof(header));
	fake_requested_ioctl(command, sizeof(header) + sizeof(f->hw.storm_ms));
	fails = fake_fails(f, header.cmd == ETHTOOL_STUNABLE);
	if (header.cmd == ETHTOOL_GTUNABLE) {
		memcpy(value, &f->hw.storm_ms, sizeof(f->hw.storm_ms));
		return !fails || f->fault == FAULT_DEAF || refused(f, err);
	}
	memcpy(&ms, value, sizeof(ms));
	if (ms != 0 && ms != PFC_STORM_PREVENTION_AUTO && (ms < 80 || ms > 8000))
		return err_set(err, ERR_SYSTEM, EINVAL, "Invalid argument");
	if (!fails || f->fault == FAULT_LOST)
		f->hw.storm_ms = ms == PFC_STORM_PREVENTION_AUTO ? 100 : ms;
	return !fails || f->fault == FAULT_DEAF || refused(f, err);
}

struct link fake_vlan(const struct fake *f, unsigned lower)
{
	struct link l = { .ifindex = 3,
			  .lower = lower,
			  .is_vlan = true,
			  .vlan_id = f->vlan_id,
			  .name = FAKE_VLAN };

	memcpy(l.pcp, f->hw.egress, sizeof(l.pcp));
	return l;
}

/* Lists the port and a VLAN device on it. */
bool fake_links(struct host *h, struct link_list *ret, struct err *err)
{
	struct fake *f = fake_of(h);

	*ret = (struct link_list){ .links = calloc(2, sizeof(*ret->links)), .count = 2 };
	if (!ret->links)
		return err_no_memory(err);
	ret->links[0] = (struct link){ .ifindex = f->port.ifindex };
	snprintf(ret->links[0].name, LINK_NAME_MAX, "%.15s", f->port.id.name);
	ret->links[1] = fake_vlan(f, f->port.ifindex);
	if (!fake_fails(f, false) || f->fault == FAULT_DEAF)
		return true;
	link_list_free(ret);
	return refused(f, err);
}

bool fake_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp, struct err *err)
{
	struct fake *f = fake_of(h);
	bool fails = fake_fails(f, true);

	fake_requested("egress %u %u", prio, pcp);
	if (vlan != 3)
		return err_set(err, ERR_GONE, ENODEV, "no such device");
	if (!fails || f->fault == FAULT_LOST)
		f->hw.egress[prio] = pcp;
	return !fails || f->fault == FAULT_DEAF || refused(f, err);
}
