#include "ready_check_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KEY(name) "ready." name, name
#define OFF_OR_ON \
	{ \
		"off", "on" \
	}
#define COUNTER_MAX 1000000000000
#define MEMORY_MAX  (UINT64_C(1) << 62)
#define SET_IN_BIOS "change it in the firmware setup of the host (BIOS)"
#define SOURCE_PCI  "PCI configuration space (`lspci -vvv -s ADDRESS`)"

/* clang-format off */
const struct ready_check ready_checks[READY_COUNT] = {
	[READY_LINK] = { KEY("link"),
		.words = { "down", "up" }, .default_value = "up",
		.doc = "Whether the port has a link. Without a policy it is only reported.",
		.reason = "A job that uses the port hangs, or runs without it.",
		.fix = "see the cause that ethtool prints beside \"Link detected\", then check "
		       "cable, module and the switch's port",
		.source = "rtnetlink IFLA_OPERSTATE, IFLA_CARRIER" },
	[READY_PCI_LINK] = { KEY("pci-link"),
		.relation = READY_AT_LEAST, .words = { "reduced", "slot", "full" },
		.default_value = "slot",
		.doc = "Speed and width of the adapter's PCI Express link: full if it has the "
		       "adapter's best, slot if it has the best that adapter and slot share, "
		       "else reduced.",
		.reason = "A link that trained lower limits the port, fills its receive "
		          "buffer and sends pause.",
		.fix = "reseat the adapter or its riser, then reboot",
		.source = "sysfs current_link_speed, current_link_width" },
	[READY_PCI_MAX_READ_REQUEST] = { KEY("pci-max-read-request"),
		.relation = READY_AT_LEAST, .max = 4096, .unit = "bytes",
		.doc = "The largest read that the adapter requests from the host's memory.",
		.reason = "Small reads leave bandwidth unused at 200 Gb/s and above; vendors "
		          "recommend 4096. It is lost at a reboot.",
		.fix = "run `setpci -s ADDRESS CAP_EXP+8.w=5000:7000`",
		.source = SOURCE_PCI },
	[READY_PCI_RELAXED_ORDERING] = { KEY("pci-relaxed-ordering"),
		.words = OFF_OR_ON,
		.doc = "Whether the adapter may use relaxed ordering.",
		.reason = "AMD hosts need it for full bandwidth; the kernel switches it off "
		          "for some root ports of Intel.",
		.fix = SET_IN_BIOS,
		.source = SOURCE_PCI },
	[READY_PCI_ACS] = { KEY("pci-acs"),
		.words = OFF_OR_ON,
		.doc = "Whether a bridge between the root and the port, or a GPU below the same "
		       "root port, redirects traffic between devices (Access Control Services).",
		.reason = "On bare metal it sends GPUDirect traffic through the root complex; "
		          "virtual machines need it for isolation.",
		.fix = SET_IN_BIOS,
		.source = SOURCE_PCI },
	[READY_PCI_ATS] = { KEY("pci-ats"),
		.words = OFF_OR_ON,
		.doc = "Whether the adapter translates addresses itself (Address Translation "
		       "Services).",
		.reason = "In a virtual machine GPUDirect needs it to pass a switch directly; "
		          "on bare metal without IOMMU it is of no use.",
		.fixes = { "set ATS_ENABLED=0 in the firmware of device ADDRESS with mstconfig, "
			   "then reboot",
			   "set ATS_ENABLED=1 in the firmware of device ADDRESS with mstconfig, "
			   "then reboot" },
		.source = SOURCE_PCI },
	[READY_IOMMU] = { KEY("iommu"),
		.words = { "off", "passthrough", "translated" },
		.doc = "How the IOMMU handles the port's memory accesses.",
		.reason = "Translation costs bandwidth on bare metal; virtual machines need it for "
		          "isolation.",
		.reasons = { "Passing the port to a virtual machine needs an IOMMU.",
			     "The port reaches all memory of the host by physical addresses." },
		.fixes = { "switch the IOMMU off in the firmware setup of the host (BIOS)",
			   "boot with iommu.passthrough=1 on the kernel's command line, on Intel "
			   "with intel_iommu=on as well, and with the IOMMU on in the BIOS",
			   "boot with iommu.passthrough=0 on the kernel's command line, on Intel "
			   "with intel_iommu=on as well, and with the IOMMU on in the BIOS" },
		.source = "sysfs iommu_group/type" },
	[READY_NUMA_NODE] = { KEY("numa-node"),
		.words = { "missing", "known" }, .default_value = "known",
		.doc = "Whether the kernel knows the port's NUMA node, on a host with "
		       "several.",
		.reason = "Without it NCCL, MPI and interrupts use memory and processors of "
		          "any node.",
		.fix = "update the firmware of the host (BIOS), which tells the kernel the "
		       "node",
		.source = "sysfs numa_node" },
	[READY_GPU_DISTANCE] = { KEY("gpu-distance"),
		.relation = READY_AT_LEAST, .words = { "other-node", "same-node", "same-root",
		"switch" },
		.doc = "The distance between the port and its nearest GPU: behind one PCI "
		       "switch, below one root, on one NUMA node, or on another.",
		.reason = "GPUDirect is fast behind one switch, and slow across NUMA nodes.",
		.fix = "move the adapter or the GPU to a slot below the same switch",
		.source = "sysfs PCI devices of class display" },
	[READY_RDMA_MTU] = { KEY("rdma-mtu"),
		.relation = READY_AT_LEAST, .max = 4096, .unit = "bytes",
		.doc = "The active MTU of RDMA, computed from the port's MTU as the kernel does: "
		       "no interface but libibverbs (ibv_devinfo) gives it.",
		.reason = "An MTU of 1500 leaves 1024 bytes a packet: four times as many "
		          "packets as with 4096.",
		.fix = "set \"mtu\": 9000 in the policy and run `losslessctl apply`",
		.source = "rtnetlink MTU" },
	[READY_RDMA_LAG] = { KEY("rdma-lag"),
		.relation = READY_AT_LEAST, .words = { "separate", "merged" },
		.default_value = "merged",
		.doc = "Whether the ports of a bond share one RDMA device (RoCE LAG).",
		.reason = "RoCE LAG exists within one adapter only. Without it each RDMA device "
		          "uses its own port, and its traffic ends with that port's link.",
		.fix = "bond the ports of one adapter only, in mode active-backup, balance-xor or "
		       "802.3ad",
		.source = "rtnetlink IFLA_MASTER; RDMA_NLDEV_CMD_PORT_GET" },
	[READY_FEC_ERRORS] = { KEY("fec-errors"),
		.relation = READY_AT_MOST, .max = COUNTER_MAX, .unit = "blocks",
		.doc = "Blocks that forward error correction could not correct since the "
		       "driver started.",
		.reason = "Each is a lost frame that a lossless class cannot prevent.",
		.fix = "clean or replace the cable or the module",
		.source = "ethtool -I --show-fec PORT" },
	[READY_SYMBOL_ERRORS] = { KEY("symbol-errors"),
		.relation = READY_AT_MOST, .max = COUNTER_MAX, .unit = "frames",
		.doc = "Frames that arrived with a wrong symbol since the driver started "
		       "(aSymbolErrorDuringCarrier of IEEE 802.3). Wrong symbols between "
		       "frames do not count.",
		.reason = "Each is a lost frame that a lossless class cannot prevent.",
		.fix = "clean or replace the cable or the module",
		.source = "ethtool -S PORT rx_symbol_err_phy" },
	[READY_LINK_DOWNS] = { KEY("link-downs"),
		.relation = READY_AT_MOST, .max = COUNTER_MAX, .unit = "times",
		.doc = "How often the link went down since the port appeared.",
		.reason = "Each takes down the job's connections; a change of PFC counts as "
		          "well.",
		.fix = "look for the cause with `losslessctl watch` and in the switch's log",
		.source = "sysfs carrier_down_count" },
	[READY_NVCONFIG] = { KEY("nvconfig"),
		.on_request = true, .words = { "pending", "in-effect" },
		.default_value = "in-effect",
		.doc = "Whether the parameters of the setting firmware.nvconfig have the values "
		       "of the next boot.",
		.reason = "The next reboot would change the adapter.",
		.fix = "reset the firmware of device ADDRESS with mstfwreset, which takes down all "
		       "its ports, or reboot",
		.source = "mstconfig -d ADDRESS -e q" },
	[READY_ROCE_ACCL] = { KEY("roce-accl"),
		.on_request = true, .words = { "off", "partly", "on" },
		.doc = "Whether the RoCE accelerations of the firmware are on: adaptive "
		       "retransmission, slow restart and others.",
		.reason = "They decide how fast a connection recovers from a loss, and must "
		          "be alike on all hosts of a job.",
		.fixes = { "set each field that is 1 to 0 in register ROCE_ACCL of device ADDRESS "
			   "with mstreg",
			   NULL,
			   "set each field that is 0 to 1 in register ROCE_ACCL of device ADDRESS "
			   "with mstreg" },
		.source = "mstreg -d ADDRESS --reg_name ROCE_ACCL --get" },
	[READY_PORTS] = { KEY("ports"),
		.of_host = true, .words = { "missing", "complete" }, .default_value = "complete",
		.doc = "Whether the rules of the policy find their ports: those with \"count\" "
		       "or \"required\": true. A host without any port is unknown.",
		.reason = "A job that needs a missing port hangs, or runs without it.",
		.fix = "run `losslessctl show` to list the ports, and check for a missing "
		       "adapter or driver",
		.source = "rtnetlink RTM_GETLINK; RDMA_NLDEV_CMD_PORT_GET" },
	[READY_GPU_MEMORY] = { KEY("gpu-memory"),
		.of_host = true, .relation = READY_AT_LEAST, .words = { "missing", "dmabuf",
		"peermem" }, .default_value = "dmabuf",
		.doc = "How the adapter reaches the memory of NVIDIA GPUs: by nvidia_peermem, "
		       "by dmabuf, or not at all.",
		.reason = "Without either NCCL copies through the host's memory.",
		.fixes = { NULL,
			   "install NVIDIA's open kernel modules, which export dmabuf (Linux 5.12 "
			   "or later); or MLNX_OFED or DOCA-OFED, and load nvidia_peermem",
			   "install MLNX_OFED or DOCA-OFED, whose ib_core knows peer memory, and "
			   "load nvidia_peermem" },
		.source = "sysfs nvidia_peermem, memory_peers; /proc/driver/nvidia/version" },
	[READY_RDMA_TOPO] = { KEY("rdma-topo"),
		.of_host = true, .words = { "failed", "passed" }, .default_value = "passed",
		.doc = "Whether NVIDIA's `rdma_topo check` passes. It judges ACS, ATS and IOMMU "
		       "groups of platforms that it knows, such as Direct NIC.",
		.reason = "These platforms need some bits of ACS on and others off for GPUDirect.",
		.fix = "let rdma_topo write the boot parameters of ACS (write-grub-acs), then "
		       "reboot",
		.source = "rdma_topo check" },
	[READY_MEMLOCK] = { KEY("memlock"),
		.of_host = true, .relation = READY_AT_LEAST, .max = MEMORY_MAX, .unit = "bytes",
		.may_be_unlimited = true, .default_value = "unlimited",
		.doc = "The memory that the caller may lock.",
		.reason = "RDMA locks the memory that it registers: a small limit makes "
		          "ibv_reg_mr() fail.",
		.fix = "add \"* - memlock unlimited\" to /etc/security/limits.conf, and log "
		       "in again",
		.source = "/proc/self/limits" },
	[READY_MEMLOCK_SERVICES] = { KEY("memlock-services"),
		.of_host = true, .relation = READY_AT_LEAST, .max = MEMORY_MAX, .unit = "bytes",
		.may_be_unlimited = true, .default_value = "unlimited",
		.doc = "The memory that the services which start jobs may lock: slurmd and others, "
		       "or those of containers, such as containerd, where none of these runs.",
		.reason = "Jobs inherit their limit. Slurm also hands on that of the login, unless "
		          "slurm.conf has PropagateResourceLimitsExcept=MEMLOCK.",
		.fix = "add LimitMEMLOCK=infinity below [Service] of UNIT, as systemctl edit does, "
		       "and restart it",
		.source = "/proc/PID/limits" },
	[READY_HUGEPAGES] = { KEY("hugepages"),
		.of_host = true, .relation = READY_AT_LEAST, .max = COUNTER_MAX, .unit =
		"pages",
		.doc = "The number of huge pages of all sizes.",
		.reason = "DPDK, DAQIRI and some libraries of MPI need them.",
		.fix = "run `sysctl -w vm.nr_hugepages=VALUE`, and write the same to a file in "
		       "/etc/sysctl.d",
		.source = "sysfs hugepages/*/nr_hugepages" },
	[READY_GID] = { KEY("gid"),
		.of_host = true, .words = { "missing", "differs", "uniform" }, .default_value =
		"uniform",
		.doc = "Whether all ports have their GID of RoCE v2 at the same index: the "
		       "first with an IPv4 address, or else one of IPv6 that can be routed. A PF "
		       "with VFs and the standby of a bond may lack it. Without a policy it is "
		       "only reported.",
		.reason = "One NCCL_IB_GID_INDEX has to fit all ports; without such a GID "
		          "RoCE cannot be routed.",
		.fix = "bring the ports up, and give each one, or its bond, one IPv4 address; if "
		       "the bond has one, change its active member",
		.source = "sysfs gids, gid_attrs/types" },
	[READY_SHARED_SUBNET] = { KEY("shared-subnet"),
		.of_host = true, .relation = READY_AT_LEAST, .words = { "unsafe", "safe",
		"routed" }, .default_value = "safe",
		.doc = "How ports share a subnet: safe if each answers ARP for its own addresses "
		       "only, which suffices for RDMA; routed if TCP, too, leaves by the port of "
		       "its address, by a rule and a table for each; else unsafe.",
		.reason = "Otherwise the traffic of one port arrives at another.",
		.fix = "run `sysctl -w net.ipv4.conf.all.arp_ignore=1 "
		       "net.ipv4.conf.all.arp_announce=2`, or give each port a subnet of its own",
		.source = "rtnetlink RTM_GETADDR, RTM_GETROUTE; /proc/sys/net/ipv4/conf" },
	[READY_RDMA_NETNS] = { KEY("rdma-netns"),
		.of_host = true, .words = { "exclusive", "shared" },
		.doc = "Whether network namespaces share the host's RDMA devices.",
		.reason = "Containers with a network namespace of their own need exclusive "
		          "for devices of their own; containers on the host's need shared.",
		.fix = "run `rdma system set netns VALUE`, which the kernel refuses while another "
		       "network namespace exists",
		.source = "rdma system show" },
	[READY_FIRMWARE] = { KEY("firmware"),
		.of_host = true, .words = { "differs", "uniform" }, .default_value = "uniform",
		.doc = "Whether adapters of one kind have the same firmware.",
		.reason = "Rails that differ are slow in ways that are hard to find.",
		.fix = "update the firmware of the adapters that differ (`mstflint`)",
		.source = "ethtool -i PORT" },
};
/* clang-format on */

/* ---- the key ready of a policy ---- */

#define IGNORE	  "ignore"
#define UNLIMITED "unlimited"

static bool is_number(const struct ready_check *c)
{
	return !c->words[0];
}

static bool word_find(const struct ready_check *c, const char *word, uint64_t *ret)
{
	for (uint64_t i = 0; c->words[i]; i++)
		if (strcmp(c->words[i], word) == 0) {
			*ret = i;
			return true;
		}
	*ret = READY_UNLIMITED;
	return c->may_be_unlimited && strcmp(word, UNLIMITED) == 0;
}

struct ready_expectations ready_defaults(void)
{
	struct ready_expectations e = { 0 };

	for (size_t i = 0; i < READY_COUNT; i++) {
		const struct ready_check *c = &ready_checks[i];

		if (c->default_value && word_find(c, c->default_value, &e.value[i]))
			e.judged |= READY(i);
	}
	return e;
}

struct ready_expectations ready_without_policy(void)
{
	struct ready_expectations e = ready_defaults();

	e.judged &= ~(READY(READY_LINK) | READY(READY_GID));
	return e;
}

bool ready_meets(const struct ready_check *c, uint64_t expected, uint64_t actual)
{
	switch (c->relation) {
	case READY_IS:
		return actual == expected;
	case READY_AT_LEAST:
		return actual >= expected;
	case READY_AT_MOST:
		return actual <= expected;
	}
	return false;
}

char *ready_value_text(const struct ready_check *c, uint64_t value, char buf[READY_VALUE_TEXT])
{
	if (!is_number(c))
		snprintf(buf, READY_VALUE_TEXT, "%s", c->words[value]);
	else if (value == READY_UNLIMITED)
		snprintf(buf, READY_VALUE_TEXT, UNLIMITED);
	else
		snprintf(buf, READY_VALUE_TEXT, "%" PRIu64 " %s", value, c->unit);
	return buf;
}

const char *ready_reason_of(const struct ready_check *c, uint64_t actual)
{
	return !is_number(c) && c->reasons[actual] ? c->reasons[actual] : c->reason;
}

const char *ready_fix_of(const struct ready_check *c, uint64_t expected)
{
	if (!is_number(c) && c->fixes[expected])
		return c->fixes[expected];
	return c->fix ? c->fix : "";
}

char *ready_fixes_text(const struct ready_check *c, char buf[READY_FIXES_TEXT])
{
	size_t used = (size_t)snprintf(buf, READY_FIXES_TEXT, "%s", c->fix ? c->fix : "");

	for (size_t i = 0; !c->fix && c->words[i]; i++)
		if (c->fixes[i])
			used += (size_t)snprintf(buf + used, READY_FIXES_TEXT - used,
						 "%sfor %s, %s", used ? "; " : "", c->words[i],
						 c->fixes[i]);
	return buf;
}

json_t *ready_value_to_json(const struct ready_check *c, uint64_t value)
{
	if (!is_number(c))
		return json_string(c->words[value]);
	return value == READY_UNLIMITED ? json_string(UNLIMITED) : json_integer((json_int_t)value);
}

bool ready_value_from_json(const struct ready_check *c, const json_t *value, uint64_t *ret)
{
	const char *word = json_string_value(value);

	if (word)
		return word_find(c, word, ret);
	*ret = (uint64_t)json_integer_value(value);
	return is_number(c) && json_is_integer(value) && json_integer_value(value) >= 0;
}

/* As in "\"slot\", \"full\" or \"ignore\"". */
char *ready_range_text(const struct ready_check *c, char buf[READY_RANGE_TEXT])
{
	size_t used = 0;

	for (size_t i = 0; c->words[i]; i++)
		used += (size_t)snprintf(buf + used, READY_RANGE_TEXT - used, "%s\"%s\"",
					 i ? ", " : "", c->words[i]);
	if (is_number(c))
		used = (size_t)snprintf(buf, READY_RANGE_TEXT,
					"a whole number, 0 to %" PRIu64 " %s%s", c->max, c->unit,
					c->may_be_unlimited ? ", \"" UNLIMITED "\"" : "");
	snprintf(buf + used, READY_RANGE_TEXT - used, " or \"" IGNORE "\"");
	return buf;
}

static bool check_from_json(const struct key *k, void *field, json_t *value,
			    const struct json_path *at, struct err *err)
{
	struct ready_expectations *e = field;
	size_t i = k->index;
	const struct ready_check *c = &ready_checks[i];
	const char *word = json_string_value(value);
	char valid[READY_RANGE_TEXT];

	if (word && strcmp(word, IGNORE) == 0) {
		e->ignored |= READY(i);
		return true;
	}
	e->judged |= READY(i);
	e->stated |= READY(i);
	if (ready_value_from_json(c, value, &e->value[i]) && (word || e->value[i] <= c->max))
		return true;
	return err_expected(err, at, value, "%s", ready_range_text(c, valid));
}

static json_t *check_schema(const struct key *k)
{
	const struct ready_check *c = &ready_checks[k->index];
	json_t *words = json_array(), *schema = json_object();

	for (size_t i = 0; c->words[i]; i++)
		json_array_append_new(words, json_string(c->words[i]));
	if (c->may_be_unlimited)
		json_array_append_new(words, json_string(UNLIMITED));
	json_array_append_new(words, json_string(IGNORE));
	if (!is_number(c))
		json_object_set_new(schema, "enum", words);
	else
		json_object_set_new(schema, "anyOf",
				    json_pack("[{s:s, s:i, s:I}, {s:o}]", "type", "integer",
					      "minimum", 0, "maximum", (json_int_t)c->max, "enum",
					      words));
	if (c->default_value)
		json_object_set_new(schema, "default", json_string(c->default_value));
	return schema;
}

static bool check_row(size_t i, struct key *ret)
{
	const struct ready_check *c = &ready_checks[i];

	if (i >= READY_COUNT)
		return false;
	*ret = (struct key){ c->name,
			     c->path,
			     KEY_OTHER,
			     .index = i,
			     .from_json = check_from_json,
			     .schema = check_schema,
			     .doc = c->doc };
	return true;
}

const struct key_object ready_object = {
	.row = check_row,
	.expected = "an object of checks, such as {\"pci-acs\": \"off\"}",
};
