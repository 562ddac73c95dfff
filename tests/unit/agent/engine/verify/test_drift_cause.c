/* Tests of likely causes: the settings that each event explains. Others have an unknown cause. */
#include <string.h>

#include "agent/engine/verify/drift_cause.h"
#include "tests/support/unit.h"

#define ETHTOOL "a program on this host, through ethtool"
#define DCB	"a program on this host, through the kernel's DCB interface"
#define MTU	"a program on this host, which set the link's MTU"
#define DRIVER	"driver re-initialised"

static const struct row {
	const char *sentence;
	unsigned clues;
	enum setting_id setting;
	const char *writer; /* NULL: unknown */
} rows[] = {
	{ "no event explains nothing", 0, SETTING_MTU, NULL },
	{ "another MTU", CLUE_MTU, SETTING_MTU, MTU },
	{ "another MTU is not PFC's doing", CLUE_MTU, SETTING_PFC_PRIORITIES, NULL },
	{ "buffers follow the MTU", CLUE_MTU, SETTING_BUFFER_SIZE_BYTES, MTU },
	{ "DCB sets PFC", CLUE_DCB, SETTING_PFC_PRIORITIES, DCB },
	{ "DCB sets ETS", CLUE_DCB, SETTING_ETS_BANDWIDTH, DCB },
	{ "DCB sets the DSCP map", CLUE_DCB, SETTING_DSCP_PRIO, DCB },
	{ "DCB clears global pause with PFC", CLUE_DCB, SETTING_PAUSE_RX, DCB },
	{ "DCB does not set the MTU", CLUE_DCB, SETTING_MTU, NULL },
	{ "DCB does not write cc_params", CLUE_DCB, SETTING_DCQCN_RPG_AI_RATE, NULL },
	{ "DCB does not write configfs", CLUE_DCB, SETTING_ROCE_TOS, NULL },
	{ "the kernel announces no DCBX mode", CLUE_DCB, SETTING_DCBX_MODE, NULL },
	{ "ethtool sets global pause", CLUE_ETHTOOL, SETTING_PAUSE_RX, ETHTOOL },
	{ "ethtool sets it also beside DCB", CLUE_ETHTOOL | CLUE_DCB, SETTING_PAUSE_TX, ETHTOOL },
	{ "ethtool does not set PFC", CLUE_ETHTOOL, SETTING_PFC_PRIORITIES, NULL },
	{ "buffers follow global pause", CLUE_ETHTOOL, SETTING_BUFFER_PRIO_BUFFER, ETHTOOL },
	{ "a driver resets ETS", CLUE_DRIVER, SETTING_ETS_PRIO_TC, DRIVER },
	{ "a driver resets ETS whatever else is seen", CLUE_DRIVER | CLUE_DCB | CLUE_MTU,
	  SETTING_ETS_PRIO_TC, DRIVER },
	{ "a driver resets the MTU", CLUE_DRIVER | CLUE_MTU, SETTING_MTU, DRIVER },
	{ "a driver resets DCQCN", CLUE_DRIVER, SETTING_DCQCN_RPG_AI_RATE, DRIVER },
	{ "a driver does not set a sysctl", CLUE_DRIVER, SETTING_HOST_TCP_ECN, NULL },
};

static void it_is_explained_so(void **s)
{
	const struct row *row = *s;
	const char *writer = cause_by_clues(row->clues, row->setting);

	assert_string_equal(writer ? writer : "unknown", row->writer ? row->writer : "unknown");
}

/* A setting that a driver resets has one cause, with any other clues. */
static void one_cause_per_moment(void **s)
{
	(void)s;
	for (unsigned k = 0; k < SETTING_COUNT; k++)
		for (unsigned more = 0; more < CLUE_DRIVER; more++)
			if (cause_driver_resets() & SETTING(k))
				assert_string_equal(cause_by_clues(CLUE_DRIVER | more, k), DRIVER);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_explained_so);
	SUITE_ADD(&s, one_cause_per_moment);
	return suite_run(&s, "drift_cause");
}
