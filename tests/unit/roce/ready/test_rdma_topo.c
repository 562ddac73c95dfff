/* Tests of the check by rdma_topo: parsing any output of the tool, and when to run it. */
#include <errno.h>
#include <string.h>

#include "roce/ready/rdma_topo.h"
#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define GOOD "OK\tAll ConnectX DMA functions have correct PCI topology\n"
#define ACS  "ACS for cx_switch 0006:02:00.0 has "

static const struct output_row {
	const char *sentence, *text;
	bool failed; /* the tool exited with an error */
	enum ready_status status;
	bool passed, judges_acs;
	const char *says;
} outputs[] = {
	{ "all checks pass", GOOD "OK\t" ACS "correct values 0011001 = xx110x1\n", false, READY_MET,
	  true, true, "" },
	{ "a platform whose bridges are not judged", GOOD, false, READY_MET, true, false, "" },
	{ "a wrong bit of ACS", GOOD "FAIL\t" ACS "incorrect values 0 != xx110x1\n", true,
	  READY_MET, false, true, ACS "incorrect values 0 != xx110x1" },
	{ "the last line may have no end", GOOD "FAIL\tKernel iommu_group are not equal 1 != 2",
	  true, READY_MET, false, false, "Kernel iommu_group are not equal 1 != 2" },
	{ "several failures", "FAIL\tfirst\nOK\tsecond\nFAIL\tthird\nFAIL\tfourth\n", true,
	  READY_MET, false, false, "first (and 2 more)" },
	{ "a failure before an error", "FAIL\tfirst\nE: No supported topology detected\n", true,
	  READY_MET, false, false, "first" },
	{ "a failure of a tool that exits 0", "FAIL\tfirst\n", false, READY_MET, false, false,
	  "first" },
	{ "a platform that version 61 does not know",
	  "E: No ConnectX DMA Direct functions detected\n", true, READY_NOT_APPLICABLE, false,
	  false, "No ConnectX DMA Direct functions detected" },
	{ "a platform that later versions do not know",
	  "E: No supported topology detected: GPU 01:00.0 has an unrecognized upstream path\n",
	  true, READY_NOT_APPLICABLE, false, false, "No supported topology detected: GPU" },
	{ "another error", GOOD "E: Could not read it\n", true, READY_UNKNOWN, false, false,
	  "Could not read it" },
	{ "an error that exits 0", GOOD "E: Could not read it\n", false, READY_UNKNOWN, false,
	  false, "Could not read it" },
	{ "an exception of Python", "Traceback:\n  main()\nValueError: no nearby GPU\n\n", true,
	  READY_UNKNOWN, false, false, "ValueError: no nearby GPU" },
	{ "good lines of a tool that was ended", GOOD, true, READY_UNKNOWN, false, false,
	  "All ConnectX DMA functions" },
	{ "nothing", "", false, READY_UNKNOWN, false, false, "it gave no reason" },
	{ "empty lines", "\n\n\n", false, READY_UNKNOWN, false, false, "it gave no reason" },
	{ "words that only look like its lines", " OK\tyes\nok\tyes\nOK yes\nnot FAIL\tno\n", false,
	  READY_UNKNOWN, false, false, "not FAIL?no" },
	{ "control characters", "FAIL\t\033[2J\007ens1\r\xff\n", true, READY_MET, false, false,
	  "?[2J?ens1??" },
	{ "a failure without words", "FAIL\t\n", true, READY_MET, false, false,
	  "it gave no reason" },
};

static struct tool_output output;

static void is_judged_so(void **s)
{
	const struct output_row *r = *s;
	struct rdma_topo t;

	snprintf(output.text, sizeof(output.text), "%s", r->text);
	output.failed = r->failed;
	t = rdma_topo_from_text(&output);
	assert_int_equal(t.status, r->status);
	assert_int_equal(t.passed, r->passed);
	assert_int_equal(t.judges_acs, r->judges_acs);
	if (r->passed)
		assert_string_equal(t.text, "");
	else
		assert_non_null(strstr(t.text, r->says));
}

static void a_line_of_any_length_is_cut(void **s)
{
	struct rdma_topo t;

	(void)s;
	memset(output.text, 'x', sizeof(output.text) - 1);
	memcpy(output.text, "FAIL\t", 5);
	output.text[4000] = '\n';
	memcpy(output.text + 4001, "FAIL\t", 5);
	t = rdma_topo_from_text(&output);
	assert_int_equal(strlen(t.text), READY_TEXT_MAX - 17 + strlen(" (and 1 more)"));
	assert_non_null(strstr(t.text, "xx (and 1 more)"));
}

/* ---- when the tool runs ---- */

#define GPU "/sys/bus/pci/devices/0000:05:00.0"
#define INSTALLED \
	{ \
		RDMA_TOPO_PATH, "" \
	}
#define GPU_OF(vendor) \
	{ GPU "/class", "0x030200" }, \
	{ \
		GPU "/vendor", vendor \
	}

static const struct host_row {
	const char *sentence;
	struct ready_file files[READY_FILES_MAX];
	const char *prints; /* NULL: the tool fails */
	enum err_kind fails;
	enum ready_status status;
	uint64_t value;
	const char *says;
	int asked;
} hosts[] = {
	{ "a host without it",
	  { GPU_OF("0x10de") },
	  .status = READY_NOT_APPLICABLE,
	  .says = "not installed" },
	{ "a host without a GPU of NVIDIA",
	  { INSTALLED, GPU_OF("0x1002") },
	  .status = READY_NOT_APPLICABLE,
	  .says = "no GPU of NVIDIA" },
	{ "a user",
	  { INSTALLED, GPU_OF("0x10de") },
	  .fails = ERR_DENIED,
	  .status = READY_UNKNOWN,
	  .says = "sudo losslessctl ready",
	  .asked = 1 },
	{ "a tool that hangs",
	  { INSTALLED, GPU_OF("0x10de") },
	  .fails = ERR_UNKNOWN,
	  .status = READY_UNKNOWN,
	  .says = "it failed",
	  .asked = 1 },
	{ "a host that passes",
	  { { RDMA_TOPO_PATH_2, "" }, GPU_OF("0x10de") },
	  .prints = GOOD,
	  .status = READY_MET,
	  .value = 1,
	  .asked = 1 },
	{ "a host that fails",
	  { INSTALLED, GPU_OF("0x10de") },
	  .prints = "FAIL\t" ACS "1\n",
	  .status = READY_MET,
	  .value = 0,
	  .says = ACS "1",
	  .asked = 1 },
	{ "a host whose ATS is wrong",
	  { INSTALLED, GPU_OF("0x10de") },
	  .prints = "FAIL\tATS capability for cx_nic 0000:04:00.0 is available\n",
	  .status = READY_MET,
	  .value = 0,
	  .says = "set ATS_ENABLED",
	  .asked = 1 },
	{ "a platform that it does not know",
	  { INSTALLED, GPU_OF("0x10de") },
	  .prints = "E: No supported topology detected\n",
	  .status = READY_NOT_APPLICABLE,
	  .says = "No supported topology",
	  .asked = 1 },
};

static const struct host_row *now;
static int asked;

static bool query(struct host *h, enum helper_task what, const char *pci, struct tool_output *ret,
		  struct err *err)
{
	(void)h;
	asked++;
	assert_int_equal(what, TASK_RDMA_TOPO);
	assert_string_equal(pci, "");
	if (!now->prints)
		return err_set(err, now->fails, EIO, "it failed");
	snprintf(ret->text, sizeof(ret->text), "%s", now->prints);
	return true;
}

static struct ready_host host_of(const struct host_row *r)
{
	struct ready_host h = ready_host(r->files);

	now = r;
	asked = 0;
	h.host.run_tool = query;
	h.host.facts.is_kept = true;
	return h;
}

static void is_read_so(void **s)
{
	const struct host_row *r = *s;
	struct ready_host h = host_of(r);
	struct ready_reading a = ready_reading_of(&ready_rdma_topo, &h, &ready_port, 1);

	assert_int_equal(a.status, r->status);
	assert_int_equal(a.value, r->value);
	assert_int_equal(asked, r->asked);
	if (r->says)
		assert_true(strstr(a.reason, r->says) || strstr(a.fix, r->says));
	ready_reading_of(&ready_rdma_topo, &h, &ready_port, 1);
	assert_int_equal(asked, r->asked); /* the tool runs only once */
}

static void where_it_judges_acs_nobody_else_does(void **s)
{
	static const struct host_row judged = {
		.files = { INSTALLED, GPU_OF("0x10de"), { BRIDGE "/uevent", "PCI_SLOT_NAME=a\n" } },
		.prints = "OK\t" ACS "correct values\n",
	};
	struct ready_host h = host_of(&judged);
	struct ready_reading a = ready_reading_of(&ready_pci_acs, &h, &ready_port, 1);

	(void)s;
	assert_int_equal(a.status, READY_NOT_APPLICABLE);
	assert_non_null(strstr(a.reason, "rdma_topo judges ACS here"));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, outputs, is_judged_so);
	SUITE_ADD(&s, a_line_of_any_length_is_cut);
	SUITE_ADD_ROWS(&s, hosts, is_read_so);
	SUITE_ADD(&s, where_it_judges_acs_nobody_else_does);
	return suite_run(&s, "rdma_topo");
}
