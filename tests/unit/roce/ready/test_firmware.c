/* Tests of the check that adapters of one kind have the same firmware. */
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define SYS "/sys/bus/pci/devices/"

static const struct versions_row {
	const char *sentence, *versions[2], *devices[2];
	enum ready_status status;
	uint64_t value;
} versions[] = {
	{ "one version on two adapters",
	  { "28.41.1000 (A)", "28.41.1000 (B)" },
	  { "0x1021", "0x1021" },
	  READY_MET,
	  1 },
	{ "two versions",
	  { "28.41.1000 (A)", "28.41.1002 (A)" },
	  { "0x1021", "0x1021" },
	  READY_MET,
	  0 },
	{ "a version that begins like the other",
	  { "28.41.1000", "28.41.10001" },
	  { "0x1021", "0x1021" },
	  READY_MET,
	  0 },
	{ "two versions on adapters of two kinds",
	  { "28.41.1000", "22.41.1000" },
	  { "0x1021", "0x101d" },
	  READY_NOT_APPLICABLE,
	  0 },
	{ "a version that is unknown",
	  { "28.41.1000", "" },
	  { "0x1021", "0x1021" },
	  READY_NOT_APPLICABLE,
	  0 },
};

static void firmware_is_compared(void **s)
{
	const struct versions_row *row = *s;
	const struct ready_file files[] = { { NIC "/vendor", "0x15b3" },
					    { NIC "/device", row->devices[0] },
					    { SYS "0000:3b:00.1/vendor", "0x15b3" },
					    { SYS "0000:3b:00.1/device", row->devices[1] },
					    { NULL, NULL } };
	struct port two[2] = { ready_port, ready_port };
	struct ready_reading r;

	for (int i = 0; i < 2; i++)
		snprintf(two[i].firmware, sizeof(two[i].firmware), "%s", row->versions[i]);
	r = of_two(&ready_firmware, files, two);
	assert_int_equal(r.status, row->status);
	assert_true(r.status != READY_MET || r.value == row->value);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, versions, firmware_is_compared);
	return suite_run(&s, "firmware");
}
