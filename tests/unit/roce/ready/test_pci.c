/* Tests of the checks of a port's PCI Express function, by its registers and sysfs. */
#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define SPEEDS(now, most) \
	{ NIC "/current_link_speed", now }, \
	{ \
		NIC "/max_link_speed", most \
	}
#define WIDTHS(now, most) \
	{ NIC "/current_link_width", now }, \
	{ \
		NIC "/max_link_width", most \
	}
#define SLOT(speed, width) \
	{ BRIDGE "/max_link_speed", speed }, \
	{ \
		BRIDGE "/max_link_width", width \
	}
#define GEN4 "16.0 GT/s PCIe"
#define GEN3 "8.0 GT/s PCIe"

static const struct ready_row_test links[] = {
	{ "a link at the adapter's best is full",
	  &ready_pci_link,
	  { SPEEDS(GEN4, GEN4), WIDTHS("16", "16"), SLOT(GEN4, "16") },
	  READY_MET,
	  2,
	  "16.0 GT/s x16 of 16.0 GT/s x16" },
	{ "a link at the slot's best",
	  &ready_pci_link,
	  { SPEEDS(GEN3, GEN4), WIDTHS("8", "16"), SLOT(GEN3, "8") },
	  READY_MET,
	  1,
	  "the slot supports 8.0 GT/s x8" },
	{ "a link that is too narrow",
	  &ready_pci_link,
	  { SPEEDS(GEN4, GEN4), WIDTHS("8", "16"), SLOT(GEN4, "16") },
	  READY_MET,
	  0,
	  "16.0 GT/s x8 of 16.0 GT/s x16" },
	{ "a link that is too slow",
	  &ready_pci_link,
	  { SPEEDS(GEN3, GEN4), WIDTHS("16", "16"), SLOT(GEN4, "16") },
	  READY_MET,
	  0,
	  "8.0 GT/s x16 of 16.0 GT/s x16" },
	{ "a faster slot changes nothing",
	  &ready_pci_link,
	  { SPEEDS(GEN3, GEN3), WIDTHS("8", "8"), SLOT(GEN4, "16") },
	  READY_MET,
	  2,
	  NULL },
	{ "a port below no bridge is compared with its own best",
	  &ready_pci_link,
	  { SPEEDS(GEN3, GEN4), WIDTHS("16", "16") },
	  READY_MET,
	  0,
	  NULL },
	{ "a link of unknown speed",
	  &ready_pci_link,
	  { SPEEDS("Unknown", "Unknown"), WIDTHS("0", "255") },
	  READY_NOT_APPLICABLE,
	  0,
	  "no PCI Express link" },
	{ "a port that is no PCI function",
	  &ready_pci_link,
	  { { NULL, NULL } },
	  READY_NOT_APPLICABLE,
	  0,
	  NULL },
	{ "an IOMMU that passes through",
	  &ready_iommu,
	  { { NIC "/class", "0x020000" }, { NIC "/iommu_group/type", "identity" } },
	  READY_MET,
	  1,
	  NULL },
	{ "an IOMMU that translates",
	  &ready_iommu,
	  { { NIC "/class", "0x020000" }, { NIC "/iommu_group/type", "DMA-FQ" } },
	  READY_MET,
	  2,
	  NULL },
	{ "no IOMMU", &ready_iommu, { { NIC "/class", "0x020000" } }, READY_MET, 0, NULL },
	{ "an IOMMU that cannot be read",
	  &ready_iommu,
	  { { NIC "/class", "0x020000" }, { NIC "/iommu_group/type", DENIED } },
	  READY_UNKNOWN,
	  0,
	  "sudo" },
	{ "an IOMMU of no PCI function",
	  &ready_iommu,
	  { { NULL, NULL } },
	  READY_NOT_APPLICABLE,
	  0,
	  NULL },
};

/* ---- configuration space ---- */

#define EXPRESS 0x60

struct function {
	uint16_t control;      /* Device Control */
	bool has_acs, has_ats; /* extended capabilities, in this order */
	uint16_t acs, ats;     /* their Control registers */
	bool is_legacy;	       /* without capabilities */
};

static void put(uint8_t *bytes, unsigned at, uint16_t value)
{
	bytes[at] = (uint8_t)value;
	bytes[at + 1] = (uint8_t)(value >> 8);
}

static void build(const struct function *f, uint8_t bytes[4096])
{
	unsigned at = 0x100;

	memset(bytes, 0, 4096);
	if (f->is_legacy)
		return;
	put(bytes, PCI_STATUS, PCI_STATUS_CAP_LIST);
	bytes[PCI_CAPABILITY_LIST] = 0x40;
	put(bytes, 0x40, PCI_CAP_ID_PM | EXPRESS << 8);
	put(bytes, EXPRESS, PCI_CAP_ID_EXP);
	put(bytes, EXPRESS + PCI_EXP_DEVCTL, f->control);
	put(bytes, at, PCI_EXT_CAP_ID_ERR);
	put(bytes, at + 2, f->has_acs || f->has_ats ? 0x1481 : 1);
	if (f->has_acs) {
		at = 0x148;
		put(bytes, at, PCI_EXT_CAP_ID_ACS);
		put(bytes, at + 2, f->has_ats ? 0x1501 : 1);
		put(bytes, at + PCI_ACS_CTRL, f->acs);
	}
	if (f->has_ats) {
		at = f->has_acs ? 0x150 : 0x148;
		put(bytes, at, PCI_EXT_CAP_ID_ATS);
		put(bytes, at + 2, 1);
		put(bytes, at + PCI_ATS_CTRL, f->ats);
	}
}

static const struct config_row {
	const char *sentence;
	const struct ready_reader *probe;
	struct function own, bridge;
	size_t bridges, size; /* size 0: all */
	enum ready_status status;
	uint64_t value;
	const char *says;
	bool is_vf;
} configs[] = {
	{ "reads of 512 bytes",
	  &ready_pci_max_read_request,
	  { .control = 0x2936 },
	  .size = 0,
	  .status = READY_MET,
	  .value = 512 },
	{ "reads of 4096 bytes",
	  &ready_pci_max_read_request,
	  { .control = 0x5936 },
	  .status = READY_MET,
	  .value = 4096 },
	{ "reads for a user",
	  &ready_pci_max_read_request,
	  { .control = 0x5936 },
	  .size = 64,
	  .status = READY_UNKNOWN,
	  .says = "run `sudo losslessctl ready`" },
	{ "reads of a function without PCI Express",
	  &ready_pci_max_read_request,
	  { .is_legacy = true },
	  .status = READY_NOT_APPLICABLE },
	{ "reads of a VF",
	  &ready_pci_max_read_request,
	  { .control = 0 },
	  .is_vf = true,
	  .status = READY_NOT_APPLICABLE,
	  .says = "the PF" },
	{ "relaxed ordering that is on",
	  &ready_pci_relaxed_ordering,
	  { .control = 0x5936 },
	  .status = READY_MET,
	  .value = 1,
	  .says = "CAP_EXP+8.w=0000:0010" },
	{ "relaxed ordering that is off",
	  &ready_pci_relaxed_ordering,
	  { .control = 0x5926 },
	  .status = READY_MET,
	  .value = 0,
	  .says = "CAP_EXP+8.w=0010:0010" },
	{ "relaxed ordering for a user",
	  &ready_pci_relaxed_ordering,
	  { .control = 0x5936 },
	  .size = 64,
	  .status = READY_UNKNOWN,
	  .says = "only root" },
	{ "ATS that is on",
	  &ready_pci_ats,
	  { .has_ats = true, .ats = PCI_ATS_CTRL_ENABLE },
	  .status = READY_MET,
	  .value = 1 },
	{ "ATS that is off",
	  &ready_pci_ats,
	  { .has_ats = true, .ats = 0x1f },
	  .status = READY_MET,
	  .value = 0 },
	{ "ATS behind another capability",
	  &ready_pci_ats,
	  { .has_acs = true, .has_ats = true, .ats = PCI_ATS_CTRL_ENABLE },
	  .status = READY_MET,
	  .value = 1 },
	{ "no ATS",
	  &ready_pci_ats,
	  { .has_acs = true, .acs = 0xffff },
	  .status = READY_MET,
	  .value = 0,
	  .says = "has no ATS" },
	{ "ATS for a user",
	  &ready_pci_ats,
	  { .has_ats = true, .ats = PCI_ATS_CTRL_ENABLE },
	  .size = 64,
	  .status = READY_UNKNOWN,
	  .says = "only root" },
	{ "ACS of a bridge that redirects",
	  &ready_pci_acs,
	  { .has_acs = false },
	  { .has_acs = true, .acs = PCI_ACS_SV | PCI_ACS_RR | PCI_ACS_CR },
	  .bridges = 2,
	  .status = READY_MET,
	  .value = 1,
	  .says = "setpci -s 0000:3a:00.0 ECAP_ACS+6.w" },
	{ "ACS of a bridge that only checks the source",
	  &ready_pci_acs,
	  { .has_acs = false },
	  { .has_acs = true, .acs = PCI_ACS_SV },
	  .bridges = 2,
	  .status = READY_MET,
	  .value = 0 },
	{ "bridges without ACS",
	  &ready_pci_acs,
	  { .has_acs = true, .acs = 0xffff },
	  { .has_acs = false },
	  .bridges = 2,
	  .status = READY_MET,
	  .value = 0 },
	{ "ACS for a user",
	  &ready_pci_acs,
	  { .has_acs = false },
	  { .has_acs = true, .acs = PCI_ACS_RR },
	  .bridges = 2,
	  .size = 64,
	  .status = READY_UNKNOWN,
	  .says = "only root" },
	{ "ACS where no bridge is",
	  &ready_pci_acs,
	  { .has_acs = true, .acs = 0xffff },
	  .status = READY_NOT_APPLICABLE },
};

static void registers_are_read_so(void **s)
{
	const struct config_row *row = *s;
	static const struct ready_file names[] = {
		{ BRIDGE "/uevent", "DRIVER=pcieport\nPCI_SLOT_NAME=0000:3a:00.0\nX=1" },
		{ ROOT "/uevent", "PCI_SLOT_NAME=0000:00:01.0" },
		{ NULL, NULL }
	};
	static uint8_t own[4096], bridge[4096];
	struct ready_host h = ready_host(row->bridges ? names : NULL);
	struct port port = ready_port;
	struct ready_reading r;

	build(&row->own, own);
	build(&row->bridge, bridge);
	h.config[0] = own;
	h.config[1] = h.config[2] = bridge;
	h.config_size = row->size ? row->size : sizeof(own);
	port.is_vf = row->is_vf;
	r = ready_reading_of(row->probe, &h, &port, 1);
	if (r.status != row->status || (r.status == READY_MET && r.value != row->value))
		fail_msg("status %d, value %llu", r.status, (unsigned long long)r.value);
	if (row->says && !strstr(r.actual, row->says) && !strstr(r.reason, row->says) &&
	    !strstr(r.fix, row->says))
		fail_msg("says \"%s\", \"%s\", \"%s\"", r.actual, r.reason, r.fix);
}

#define GPU "/sys/bus/pci/devices/0000:3c:00.0"

/* Completions of the GPU pass its own port of the switch. */
static void acs_above_a_gpu_counts_below_the_same_root_port(void **s)
{
	struct ready_file files[] = {
		{ BRIDGE "/uevent", "PCI_SLOT_NAME=0000:3a:00.0" },
		{ ROOT "/uevent", "PCI_SLOT_NAME=0000:00:01.0" },
		{ GPU "/class", "0x030200" },
		{ GPU "/vendor", "0x10de" },
		{ GPU "/../uevent", "PCI_SLOT_NAME=0000:3a:01.0" },
		{ GPU "/../../uevent", "PCI_SLOT_NAME=0000:00:01.0" },
		{ NULL, NULL },
	};
	static uint8_t plain[4096], redirects[4096];
	struct ready_host h = ready_host(files);
	struct ready_reading r;

	(void)s;
	build(&(struct function){ .has_acs = true, .acs = PCI_ACS_SV }, plain);
	build(&(struct function){ .has_acs = true, .acs = PCI_ACS_CR }, redirects);
	h.config[1] = h.config[2] = h.other_config[2] = plain;
	h.other_config[1] = redirects;
	h.config_size = sizeof(plain);
	r = ready_reading_of(&ready_pci_acs, &h, &ready_port, 1);
	assert_int_equal(r.status, READY_MET);
	assert_int_equal(r.value, 1);
	assert_string_equal(r.actual, "on in 0000:3a:01.0");
	assert_non_null(strstr(r.fix, "setpci -s 0000:3a:01.0 ECAP_ACS+6.w"));
	files[5].text = "PCI_SLOT_NAME=0000:00:02.0";
	r = ready_reading_of(&ready_pci_acs, &h, &ready_port, 1);
	assert_int_equal(r.status, READY_MET);
	assert_int_equal(r.value, 0);
}

static bool list_nothing(struct host *h, const char *path,
			 void (*each)(const char *name, void *arg), void *arg, struct err *err)
{
	(void)h;
	(void)each;
	(void)arg;
	return err_set(err, ERR_SYSTEM, EIO, "list %s", path);
}

static void acs_where_the_gpus_cannot_be_listed_is_unknown(void **s)
{
	static const struct ready_file files[] = {
		{ BRIDGE "/uevent", "PCI_SLOT_NAME=0000:3a:00.0" }, { NULL, NULL }
	};
	struct ready_host h = ready_host(files);

	(void)s;
	h.host.list_dir = list_nothing;
	assert_int_equal(ready_reading_of(&ready_pci_acs, &h, &ready_port, 1).status,
			 READY_UNKNOWN);
}

/* A circular list of capabilities ends every search. */
static void a_list_that_is_a_circle_ends(void **s)
{
	static uint8_t own[4096];
	struct ready_host h = ready_host(NULL);

	(void)s;
	build(&(struct function){ .control = 0 }, own);
	put(own, 0x40, PCI_CAP_ID_PM | 0x40 << 8);
	put(own, 0x102, 0x1001);
	h.config[0] = own;
	h.config_size = sizeof(own);
	assert_int_equal(ready_reading_of(&ready_pci_max_read_request, &h, &ready_port, 1).status,
			 READY_NOT_APPLICABLE);
	assert_int_equal(ready_reading_of(&ready_pci_ats, &h, &ready_port, 1).status, READY_MET);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, links, ready_reads_so);
	SUITE_ADD_ROWS(&s, configs, registers_are_read_so);
	SUITE_ADD(&s, acs_above_a_gpu_counts_below_the_same_root_port);
	SUITE_ADD(&s, acs_where_the_gpus_cannot_be_listed_is_unknown);
	SUITE_ADD(&s, a_list_that_is_a_circle_ends);
	return suite_run(&s, "pci");
}
