/* Tests of firmware settings as features: read on request, verified and never written. */
#include <errno.h>

#include "agent/engine/target/preflight.h"
#include "policy/model/firmware_parameter.h"
#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/unit.h"

#define HEADER \
	"Configurations:                              Default         Current         Next Boot\n"

/* A host whose tool prints a text, or fails. */
struct tool {
	struct host host; /* first */
	const char *text;
	enum err_kind fails;
	bool is_locked_down;
	enum helper_task asked;
	char pci[16];
	int asked_count;
};

static bool query(struct host *h, enum helper_task what, const char *pci, struct tool_output *ret,
		  struct err *err)
{
	struct tool *t = (struct tool *)h;

	t->asked = what;
	t->asked_count++;
	snprintf(t->pci, sizeof(t->pci), "%s", pci);
	if (t->fails)
		return err_set(err, t->fails, EIO, "the tool failed");
	snprintf(ret->text, sizeof(ret->text), "%s", t->text);
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	if (!((struct tool *)h)->is_locked_down || !strstr(path, "lockdown"))
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "none [integrity] confidentiality");
	return true;
}

static void report(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	(void)port;
	(void)what;
}

static struct tool tool_that_prints(const char *text)
{
	return (struct tool){
		.host = { .root = -1, .run_tool = query, .read_file = read_file, .report = report },
		.text = text
	};
}

static struct port port_at(const char *pci, const char *driver)
{
	struct port p = { .id.name = "ens1f0np0" };

	snprintf(p.id.pci, sizeof(p.id.pci), "%s", pci);
	snprintf(p.id.driver, sizeof(p.id.driver), "%s", driver);
	return p;
}

static const struct port_row {
	const char *sentence, *pci, *text;
} ports[] = {
	{ "function 0 is port 1", "0000:3b:00.0", "CNP_DSCP 41" },
	{ "function 1 is port 2", "0000:3b:00.1", "CNP_DSCP 42" },
};

static void each_port_reads_its_own(void **s)
{
	const struct port_row *row = *s;
	struct tool t = tool_that_prints(HEADER " CNP_DSCP_P1 48 41 41\n CNP_DSCP_P2 48 42 42\n");
	struct port p = port_at(row->pci, "mlx5_core");
	struct config c = { 0 };
	struct err err = { 0 };
	char text[SETTING_TEXT_MAX];

	assert_true(feature_nvconfig.read(&t.host, &p, &c, &err));
	assert_true(c.has == feature_nvconfig.owns);
	assert_int_equal(t.asked, TASK_NVCONFIG);
	assert_string_equal(t.pci, row->pci);
	assert_string_equal(setting_text(&settings[SETTING_FIRMWARE_NVCONFIG], &c, text),
			    row->text);
}

static const struct failure_row {
	const char *sentence;
	enum err_kind fails;
	bool is_locked_down;
	const char *prints;
	enum err_kind kind;
	const char *text;
} failures[] = {
	{ "a tool that is missing is unsupported", ERR_UNSUPPORTED, false, "", ERR_UNSUPPORTED,
	  "the tool failed" },
	{ "a tool that fails is unknown", ERR_UNKNOWN, false, "", ERR_UNKNOWN, "the tool failed" },
	{ "lockdown is why a tool fails", ERR_UNKNOWN, true, "", ERR_UNSUPPORTED,
	  "kernel lockdown denies access to PCI (the tool failed)" },
	{ "a user who is not root is denied", ERR_DENIED, true, "", ERR_DENIED, "the tool failed" },
	{ "lockdown is why a tool prints an error", ERR_NONE, true, "-E- Failed to open\n",
	  ERR_UNSUPPORTED, "kernel lockdown denies access to PCI (mstconfig: Failed to open)" },
	{ "output without a table is unknown", ERR_NONE, false, "mstconfig, version 5\n",
	  ERR_UNKNOWN, "mstconfig printed no table" },
};

static void a_failure_is_reported_so(void **s)
{
	const struct failure_row *row = *s;
	struct tool t = tool_that_prints(row->prints);
	struct port p = port_at("0000:3b:00.0", "mlx5_core");
	struct config c = { 0 };
	struct err err = { 0 };

	t.fails = row->fails;
	t.is_locked_down = row->is_locked_down;
	assert_false(feature_nvconfig.read(&t.host, &p, &c, &err));
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(err.text, row->text);
	assert_true(c.has == 0);
}

static void adapters_of_other_vendors_and_vfs_are_not_asked(void **s)
{
	struct tool t = tool_that_prints("");
	struct port other = port_at("0000:3b:00.0", "ice"),
		    vf = port_at("0000:3b:00.2", "mlx5_core");
	struct config c = { 0 };
	struct err err = { 0 }, of_vf = { 0 };

	(void)s;
	vf.is_vf = true;
	assert_false(feature_nvconfig.read(&t.host, &other, &c, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_false(feature_roce_accl.read(&t.host, &vf, &c, &of_vf));
	assert_int_equal(of_vf.kind, ERR_UNSUPPORTED);
	assert_int_equal(t.asked_count, 0);
}

static void roce_accl_is_asked_of_mstreg(void **s)
{
	struct tool t = tool_that_prints("Field Name | Data\n"
					 "roce_tx_window_field_select | 0x00000001\n"
					 "roce_tx_window_en | 0x00000001\n");
	struct port p = port_at("0000:3b:00.0", "mlx5_core");
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_roce_accl.read(&t.host, &p, &c, &err));
	assert_int_equal(t.asked, TASK_ROCE_ACCL);
	assert_true(c.has == feature_roce_accl.owns);
}

static void fix_for(const char *row, char buf[READONLY_FIX_MAX])
{
	char printed[512] = "";
	struct tool t = tool_that_prints(printed);
	struct port p = port_at("0000:3b:00.1", "mlx5_core");
	struct config actual = { 0 }, desired;
	struct err err = { 0 };

	snprintf(printed, sizeof(printed), "%s%s", HEADER, row);
	assert_true(feature_nvconfig.read(&t.host, &p, &actual, &err));
	desired = actual;
	for (size_t i = 0; i < NVCONFIG_COUNT; i++)
		desired.firmware.nvconfig[i].current = desired.firmware.nvconfig[i].next_boot = 48;
	readonly_fix(&feature_nvconfig, &p,
		     &(struct difference){ SETTING_FIRMWARE_NVCONFIG, &desired, &actual }, buf);
}

static void the_fix_has_the_value_of_this_port(void **s)
{
	char fix[READONLY_FIX_MAX];

	(void)s;
	fix_for(" CNP_DSCP_P2 48 46 46\n", fix);
	assert_string_equal(fix, "set CNP_DSCP_P2=48 in the firmware of device 0000:3b:00.1 with "
				 "mstconfig; then reset it with mstfwreset, which takes down all "
				 "its ports, or reboot");
}

static void a_value_of_the_next_boot_needs_a_reset_only(void **s)
{
	char fix[READONLY_FIX_MAX];

	(void)s;
	fix_for(" CNP_DSCP_P2 48 46 48\n", fix);
	assert_string_equal(fix, "the next boot has the desired values: reset the firmware of "
				 "device 0000:3b:00.1 with mstfwreset, which takes down all its "
				 "ports, or reboot");
}

static void no_run_writes_them(void **s)
{
	(void)s;
	assert_null(feature_nvconfig.write);
	assert_null(feature_roce_accl.write);
	assert_true(feature_nvconfig.on_request && feature_roce_accl.on_request);
	assert_true((feature_nvconfig.owns | feature_roce_accl.owns) == FIRMWARE_SETTINGS);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, ports, each_port_reads_its_own);
	SUITE_ADD_ROWS(&s, failures, a_failure_is_reported_so);
	SUITE_ADD(&s, adapters_of_other_vendors_and_vfs_are_not_asked);
	SUITE_ADD(&s, roce_accl_is_asked_of_mstreg);
	SUITE_ADD(&s, the_fix_has_the_value_of_this_port);
	SUITE_ADD(&s, a_value_of_the_next_boot_needs_a_reset_only);
	SUITE_ADD(&s, no_run_writes_them);
	return suite_run(&s, "firmware");
}
