/* Tests of the report of `ready`: the test's readings, against the expected values. */
#include <string.h>

#include "agent/engine/ready/ready.h"
#include "tests/support/unit.h"

/* Readings of the probes: the port's link, reads and firmware, and the host's memory. */
static struct ready_reading pci_link, reads, nvconfig, memlock;

#define PROBE(name, of) \
	static void read_##name(const struct ready_scene *s, const struct port *port, \
				struct ready_reading *ret) \
	{ \
		(void)s; \
		(void)port; \
		*ret = name; \
	} \
	static const struct ready_reader probe_##name = { .id = of, .read = read_##name }
PROBE(pci_link, READY_PCI_LINK);
PROBE(reads, READY_PCI_MAX_READ_REQUEST);
PROBE(nvconfig, READY_NVCONFIG);
PROBE(memlock, READY_MEMLOCK);

static const struct ready_reader *const probes[] = { &probe_pci_link, &probe_reads, &probe_nvconfig,
						     &probe_memlock };

static uint64_t now_ms(struct host *h)
{
	(void)h;
	return 1;
}

static struct ready_report report_of(const struct ready_expectations *expected, bool firmware)
{
	const struct backends backends = { .ready_readers = { probes, COUNT(probes) } };
	struct host h = { .root = -1, .now_ms = now_ms };
	const struct engine e = { .h = &h, .backends = &backends, .query_firmware = firmware };
	static const struct port ports[] = { { .id = { .name = "a", .pci = "0000:3b:00.0" } },
					     { .id = { .name = "b", .pci = "0000:3b:00.1" } } };
	struct ready_report r;
	struct err err = { 0 };

	assert_true(ready_check(&e, expected, (struct ready_scene){ .ports = ports, .count = 2 },
				&r, &err));
	return r;
}

static int setup(void **s)
{
	(void)s;
	pci_link = (struct ready_reading){ .status = READY_MET, .value = 2 };
	reads = (struct ready_reading){ .status = READY_MET, .value = 512 };
	nvconfig = (struct ready_reading){ .status = READY_MET, .value = 1 };
	memlock = (struct ready_reading){ .status = READY_MET, .value = READY_UNLIMITED };
	return 0;
}

static void a_host_in_order_is_ready(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r = report_of(&e, false);

	(void)s;
	assert_int_equal(r.worst, READY_MET);
	assert_int_equal(r.totals[READY_MET], 3);
	assert_int_equal(r.count, 5);
	ready_report_free(&r);
}

static void the_worst_comes_first_and_has_a_fix(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r;

	(void)s;
	pci_link.value = 0;
	memlock = (struct ready_reading){ .status = READY_UNKNOWN, .reason = "no file" };
	r = report_of(&e, false);
	assert_int_equal(r.worst, READY_NOT_MET);
	assert_int_equal(r.totals[READY_NOT_MET], 2);
	assert_int_equal(r.totals[READY_UNKNOWN], 1);
	assert_string_equal(r.rows[0].port->id.name, "a");
	assert_string_equal(r.rows[1].port->id.name, "b");
	assert_string_equal(r.rows[0].actual, "reduced");
	assert_string_equal(r.rows[0].reason, ready_checks[READY_PCI_LINK].reason);
	assert_string_equal(r.rows[0].fix, ready_checks[READY_PCI_LINK].fix);
	assert_ptr_equal(r.rows[2].check, &ready_checks[READY_MEMLOCK]);
	ready_report_free(&r);
}

static void unknown_is_the_verdict_if_nothing_is_worse(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r;

	(void)s;
	memlock = (struct ready_reading){ .status = READY_UNKNOWN };
	r = report_of(&e, false);
	assert_int_equal(r.worst, READY_UNKNOWN);
	ready_report_free(&r);
}

static void a_check_without_an_expectation_never_counts(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r = report_of(&e, false);

	(void)s;
	assert_int_equal(r.rows[0].status, READY_INFO);
	assert_string_equal(r.rows[0].actual, "512 bytes");
	assert_string_equal(r.rows[0].fix, "");
	ready_report_free(&r);
	reads.status = READY_UNKNOWN;
	r = report_of(&e, false);
	assert_int_equal(r.rows[0].status, READY_UNKNOWN);
	assert_int_equal(r.worst, READY_MET);
	assert_int_equal(r.totals[READY_UNKNOWN], 0);
	ready_report_free(&r);
}

static void the_fix_names_the_port(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r;

	(void)s;
	e.judged |= READY(READY_PCI_MAX_READ_REQUEST);
	e.value[READY_PCI_MAX_READ_REQUEST] = 4096;
	r = report_of(&e, false);
	assert_int_equal(r.worst, READY_NOT_MET);
	assert_string_equal(r.rows[1].fix, "run `setpci -s 0000:3b:00.1 CAP_EXP+8.w=5000:7000`");
	ready_report_free(&r);
}

/* The row of a check that finds `actual` where `expected` is expected. */
static struct ready_row row_of(enum ready_id id, uint64_t expected, uint64_t actual)
{
	const struct ready_reader probe = { .id = id, .read = read_reads }, *const list[] = {
		&probe
	};
	const struct backends backends = { .ready_readers = { list, 1 } };
	struct host h = { .root = -1, .now_ms = now_ms };
	const struct engine e = { .h = &h, .backends = &backends, .query_firmware = true };
	static const struct port port = { .id = { .name = "ens1", .pci = "0000:3b:00.0" } };
	struct ready_expectations all = { .judged = READY(id), .value = { [0] = 0 } };
	struct ready_row rows[READY_COUNT];

	reads.value = actual;
	all.value[id] = expected;
	assert_int_equal(ready_check_one(&e, &all, &(struct ready_scene){ .ports = NULL },
					 ready_checks[id].of_host ? NULL : &port, rows),
			 1);
	return rows[0];
}

/* Users run a fix exactly as it is printed. */
static void fix_is_complete(enum ready_id id, uint64_t expected, uint64_t actual)
{
	static const char *const open[] = { "PORT", "ADDRESS", "VALUE", "(or" };
	struct ready_row row = row_of(id, expected, actual);

	for (size_t i = 0; i < COUNT(open); i++)
		if (strstr(row.fix, open[i]))
			fail_msg("%s: \"%s\"", row.check->name, row.fix);
	if (row.status == READY_NOT_MET && !row.fix[0])
		assert_int_equal(id, READY_ROCE_ACCL); /* "partly" is never expected */
}

static void every_fix_is_one_command_for_the_expected_value(void **s)
{
	(void)s;
	for (enum ready_id id = 0; id < READY_COUNT; id++) {
		const char *const *words = ready_checks[id].words;

		if (!words[0])
			fix_is_complete(id, 4, ready_checks[id].relation == READY_AT_MOST ? 9 : 1);
		for (uint64_t i = 0; words[i]; i++)
			for (uint64_t k = 0; words[k]; k++)
				fix_is_complete(id, i, k);
	}
	assert_string_equal(
		row_of(READY_RDMA_NETNS, 0, 1).fix,
		"run `rdma system set netns exclusive`, which the kernel refuses while another "
		"network namespace exists");
	assert_string_equal(row_of(READY_HUGEPAGES, 64, 1).fix,
			    "run `sysctl -w vm.nr_hugepages=64`, and write the same to a file in "
			    "/etc/sysctl.d");
	assert_string_equal(
		row_of(READY_PCI_ATS, 1, 0).fix,
		"set ATS_ENABLED=1 in the firmware of device 0000:3b:00.0 with mstconfig, "
		"then reboot");
}

/* A host without an IOMMU translates nothing. */
static void a_reason_is_of_the_value_that_was_found(void **s)
{
	(void)s;
	assert_string_equal(row_of(READY_IOMMU, 1, 0).reason,
			    "Passing the port to a virtual machine needs an IOMMU.");
	assert_non_null(strstr(row_of(READY_IOMMU, 1, 2).reason, "Translation costs bandwidth"));
	assert_string_equal(row_of(READY_IOMMU, 0, 0).reason, "");
}

static void what_a_policy_ignores_is_left_out(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r;

	(void)s;
	pci_link.value = 0;
	e.ignored = READY(READY_PCI_LINK);
	r = report_of(&e, false);
	assert_int_equal(r.worst, READY_MET);
	assert_int_equal(r.count, 3);
	ready_report_free(&r);
}

static void the_firmware_is_asked_only_on_request(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r;

	(void)s;
	nvconfig.value = 0;
	r = report_of(&e, false);
	assert_int_equal(r.worst, READY_MET);
	ready_report_free(&r);
	r = report_of(&e, true);
	assert_int_equal(r.worst, READY_NOT_MET);
	assert_int_equal(r.count, 7);
	ready_report_free(&r);
}

static void what_a_policy_asks_of_the_firmware_is_never_left_out(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r;

	(void)s;
	e.stated = READY(READY_NVCONFIG);
	r = report_of(&e, false);
	assert_int_equal(r.worst, READY_UNKNOWN);
	assert_int_equal(r.totals[READY_UNKNOWN], 2);
	assert_string_equal(r.rows[0].fix, "run `sudo losslessctl ready --firmware`");
	ready_report_free(&r);
	nvconfig = (struct ready_reading){ .status = READY_NOT_APPLICABLE, .reason = "no tool" };
	r = report_of(&e, true);
	assert_int_equal(r.worst, READY_UNKNOWN);
	assert_string_equal(r.rows[0].reason, "no tool");
	ready_report_free(&r);
}

static void what_does_not_apply_is_not_counted(void **s)
{
	struct ready_expectations e = ready_defaults();
	struct ready_report r;

	(void)s;
	pci_link = (struct ready_reading){ .status = READY_NOT_APPLICABLE, .reason = "a VF" };
	r = report_of(&e, false);
	assert_int_equal(r.worst, READY_MET);
	assert_int_equal(r.totals[READY_MET], 1);
	ready_report_free(&r);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_host_in_order_is_ready);
	SUITE_ADD(&s, the_worst_comes_first_and_has_a_fix);
	SUITE_ADD(&s, unknown_is_the_verdict_if_nothing_is_worse);
	SUITE_ADD(&s, a_check_without_an_expectation_never_counts);
	SUITE_ADD(&s, the_fix_names_the_port);
	SUITE_ADD(&s, every_fix_is_one_command_for_the_expected_value);
	SUITE_ADD(&s, a_reason_is_of_the_value_that_was_found);
	SUITE_ADD(&s, what_a_policy_ignores_is_left_out);
	SUITE_ADD(&s, the_firmware_is_asked_only_on_request);
	SUITE_ADD(&s, what_a_policy_asks_of_the_firmware_is_never_left_out);
	SUITE_ADD(&s, what_does_not_apply_is_not_counted);
	for (size_t i = 0; i < s.count; i++)
		s.tests[i].setup_func = setup;
	return suite_run(&s, "ready");
}
