/* Tests of parsing the output of mstconfig and mstreg, as of mstflint 4.21 and of 2025. */
#include "roce/firmware/firmware.h"

#include "agent/host/host.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define HEADER \
	"Configurations:                              Default         Current         Next Boot\n"
#define NEWER \
	"Configurations:                                         Default              Current   " \
	"           Next Boot\n"
#define TRUST(value) "         QOS_TRUST_STATE_P1                  " value "\n"
#define TEN	     "too long, "
#define FIELDS	     "Sending access register...\n\nField Name | Data\n======\n"

static struct tool_output output;

static const struct tool_output *printed(const char *text, bool failed)
{
	snprintf(output.text, sizeof(output.text), "%s", text);
	output.failed = failed;
	return &output;
}

static const struct row {
	const char *sentence, *text;
	unsigned port;
	bool failed;
	const char *says; /* the setting as text, or the error */
} rows[] = {
	{ "a value is read with its number",
	  HEADER TRUST("TRUST_PCP(5)    TRUST_DSCP(6)   TRUST_DSCP(6)"), 1, false,
	  "QOS_TRUST_STATE TRUST_DSCP" },
	{ "a value that waits for the next boot is reported",
	  HEADER "*        QOS_TRUST_STATE_P1    TRUST_PCP(5)    TRUST_PCP(5)    TRUST_DSCP(6)\n",
	  1, false, "QOS_TRUST_STATE TRUST_PCP (next boot TRUST_DSCP)" },
	{ "a number has no word", HEADER "         CNP_DSCP_P1   48   46   46\n", 1, false,
	  "CNP_DSCP 46" },
	{ "a name without a port is every port's",
	  HEADER "  INTERNAL_CPU_OFFLOAD_ENGINE  ENABLED(0) DISABLED(1) DISABLED(1)\n", 2, false,
	  "INTERNAL_CPU_OFFLOAD_ENGINE DISABLED" },
	{ "the second port reads its own names",
	  HEADER "  CNP_DSCP_P1  48 48 48\n  CNP_DSCP_P2  48 46 46\n", 2, false, "CNP_DSCP 46" },
	{ "the second function of an adapter with one port reads the first's",
	  HEADER "  CNP_DSCP_P1  48 46 46\n", 2, false, "CNP_DSCP 46" },
	{ "the second port does not read the first's",
	  HEADER "  CNP_DSCP_P1  48 46 46\n  CNP_802P_PRIO_P2  6 6 6\n", 2, false,
	  "CNP_802P_PRIO 6" },
	{ "the marks of newer tools are no names",
	  NEWER "*RO     CNP_DSCP_P1  48 46 46\n RO     CNP_802P_PRIO_P1  6 5 5\n"
		"*       LLDP_NB_DCBX_P1  False(0) True(1) True(1)\n",
	  1, false, "LLDP_NB_DCBX True, CNP_DSCP 46, CNP_802P_PRIO 5" },
	{ "a table without defaults has its other columns",
	  "Configurations:                              Current         Next Boot\n"
	  "         CNP_DSCP_P1         46         48\n",
	  1, false, "CNP_DSCP 46 (next boot 48)" },
	{ "no value is unknown", HEADER "  CNP_DSCP_P1  48 N/A 48\n", 1, false,
	  "CNP_DSCP unknown" },
	{ "values that run into each other are unknown",
	  HEADER "  QOS_TRUST_STATE_P1  DEVICE_DEFAULT(0)DEVICE_DEFAULT(0)TRUST_DSCP(6)\n", 1,
	  false, "QOS_TRUST_STATE unknown" },
	{ "a value out of range is unknown", HEADER "  CNP_DSCP_P1  48 64 64\n", 1, false,
	  "CNP_DSCP unknown" },
	{ "a value of many digits is unknown", HEADER "  CNP_DSCP_P1  48 4294967344 48\n", 1, false,
	  "CNP_DSCP unknown" },
	{ "a row with a word too many is unknown", HEADER "  CNP_DSCP_P1  48 48 48 48\n", 1, false,
	  "CNP_DSCP unknown" },
	{ "an array is unknown", HEADER "  CNP_DSCP_P1  Array[0..7] Array[0..7] Array[0..7]\n", 1,
	  false, "CNP_DSCP unknown" },
	{ "a name that only begins alike is another",
	  HEADER "  CNP_DSCP_P1_X 1 1 1\n  CNP_DSCPS_P1 1 1 1\n  CNP_DSCP_P0 1 1 1\n", 1, false,
	  "none" },
	{ "what a failed tool left out may exist", HEADER "  CNP_DSCP_P1  48 46 46\n", 1, true,
	  "LLDP_NB_DCBX unknown, LLDP_NB_RX_MODE unknown, LLDP_NB_TX_MODE unknown, QOS_TRUST_STATE "
	  "unknown, ROCE_CC_PRIO_MASK unknown, CNP_DSCP 46, CNP_802P_PRIO unknown, "
	  "KEEP_ETH_LINK_UP unknown, INTERNAL_CPU_OFFLOAD_ENGINE unknown" },
	{ "the tool's own error is the reason", "\nDevice #1:\n\n-E- Failed to open the device\n",
	  1, true, "mstconfig: Failed to open the device" },
	{ "a tool that prints no table is a reason", "hello\n", 1, false,
	  "mstconfig printed no table" },
	{ "a tool that prints nothing is a reason", "", 1, false, "mstconfig printed no table" },
	{ "a header alone is no table", HEADER, 1, false, "mstconfig printed no table" },
	{ "a header of more columns is another table's",
	  "Configurations:   Minimum   Default   Current   Next Boot\n  CNP_DSCP_P1 0 48 46 46\n",
	  1, false, "mstconfig printed no table" },
	{ "a header that ends otherwise is another table's",
	  "Configurations:   Default   Current   Next Time\n  CNP_DSCP_P1 48 46 46\n", 1, false,
	  "mstconfig printed no table" },
	{ "a name of any port has no port's value",
	  HEADER "  INTERNAL_CPU_OFFLOAD_ENGINE_P1  ENABLED(0) DISABLED(1) DISABLED(1)\n", 1, false,
	  "none" },
	{ "a port's number is a digit", HEADER "  CNP_DSCP_P: 1 1 1\n  CNP_DSCP_Q1 1 1 1\n", 1,
	  false, "none" },
	{ "a long error is cut", "-E- " TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "more\n", 1,
	  true, "mstconfig: " TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN },
	{ "firmware without current values is a reason",
	  "Configurations:                                Next Boot\n  CNP_DSCP_P1  48\n", 1, false,
	  "the firmware does not report current values, only the next boot's" },
};

static void table_reads_so(void **s)
{
	const struct row *row = *s;
	struct config c = { 0 };
	struct err err = { 0 };
	char text[SETTING_TEXT_MAX];

	if (!nvconfig_from_text(printed(row->text, row->failed), row->port, &c, &err)) {
		assert_int_equal(err.kind, ERR_UNKNOWN);
		assert_string_equal(err.text, row->says);
		return;
	}
	assert_string_equal(setting_text(&settings[SETTING_FIRMWARE_NVCONFIG], &c, text),
			    row->says);
}

static const struct row fields[] = {
	{ "a field that is selected has its value",
	  FIELDS "roce_adp_retrans_field_select | 0x00000001\nroce_adp_retrans_en | 0x00000001\n",
	  1, false, "roce_adp_retrans_en True" },
	{ "a field that is off is false",
	  FIELDS "roce_tx_window_field_select | 0x00000001\nroce_tx_window_en | 0x00000000\n", 1,
	  false, "roce_tx_window_en False" },
	{ "a field that is not selected does not exist",
	  FIELDS "roce_tx_window_field_select | 0x00000000\nroce_tx_window_en | 0x00000001\n", 1,
	  false, "none" },
	{ "a field without its value is unknown",
	  FIELDS "roce_tx_window_field_select | 0x00000001\n", 1, false,
	  "roce_tx_window_en unknown" },
	{ "a field of two bits is unknown",
	  FIELDS "roce_tx_window_field_select | 0x00000001\nroce_tx_window_en | 0x00000002\n", 1,
	  false, "roce_tx_window_en unknown" },
	{ "a value that is no number is unknown",
	  FIELDS "roce_tx_window_field_select | 0x00000001\nroce_tx_window_en | 0x1z\n", 1, false,
	  "roce_tx_window_en unknown" },
	{ "a field without a bar has no value",
	  FIELDS "roce_tx_window_field_select | 0x00000001\nroce_tx_window_en : 0x00000001\n", 1,
	  false, "roce_tx_window_en unknown" },
	{ "a value that is not hexadecimal is unknown",
	  FIELDS "roce_tx_window_field_select | 0x00000001\nroce_tx_window_en | 001\n", 1, false,
	  "roce_tx_window_en unknown" },
	{ "a value of one digit is unknown",
	  FIELDS "roce_tx_window_field_select | 0x00000001\nroce_tx_window_en | 1\n", 1, false,
	  "roce_tx_window_en unknown" },
	{ "a header of other words is no header",
	  "Fields Name | Data\nField Names | Data\nField Name : Data\nField Name | Date\n", 1,
	  false, "mstreg printed no table" },
	{ "the tool's own error is the reason", "-E- Device is not supported\n", 1, true,
	  "mstreg: Device is not supported" },
	{ "a tool that prints no fields is a reason", "usage\n", 1, false,
	  "mstreg printed no table" },
};

static void fields_read_so(void **s)
{
	const struct row *row = *s;
	struct config c = { 0 };
	struct err err = { 0 };
	char text[SETTING_TEXT_MAX];

	if (!roce_accl_from_text(printed(row->text, row->failed), &c, &err)) {
		assert_int_equal(err.kind, ERR_UNKNOWN);
		assert_string_equal(err.text, row->says);
		return;
	}
	assert_string_equal(setting_text(&settings[SETTING_FIRMWARE_ROCE_ACCL], &c, text),
			    row->says);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, table_reads_so);
	SUITE_ADD_ROWS(&s, fields, fields_read_so);
	return suite_run(&s, "firmware_text");
}
