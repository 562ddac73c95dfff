/* Fuzz target: lldpad's configuration file with any content. */
#include <string.h>

#include "../../dcb/lldpad/config_text.h"
#include "../../policy/model/setting.h"
#include "fuzz.h"

/* libconfig 1.5 leaks a text or an include that ends in an error. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:strbuf_append\nleak:libconfig_yylex\n";
}

static const char port[] = "ens1f0np0";

static struct config setup(void)
{
	struct config c = {
		.has = SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) |
		       SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH) |
		       SETTING(SETTING_DCBX_ADVERTISE),
		.dcbx.advertise = true,
		.pfc.priorities = 1u << 3,
		.ets = { .prio_tc = { 0, 0, 0, 3, 0, 0, 6, 0 },
			 .tsa = { TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_STRICT,
				  TSA_ETS },
			 .bandwidth = { 50, 0, 0, 50, 0, 0, 0, 0 } },
	};

	return c;
}

static char *section_of(const char *conf)
{
	struct err err = { 0 };
	char *section = NULL;

	MUST(lldpad_conf_section(conf, port, &section, &err));
	return section;
}

/* Restore the section, and check that it equals the original. */
static void put_back(const char *amended, const char *section)
{
	struct err err = { 0 };
	char *restored = NULL, *again;

	MUST(lldpad_conf_restore(amended, port, section, &restored, &err));
	again = section_of(restored);
	MUST(!section == !again && (!section || strcmp(section, again) == 0));
	free(again);
	free(restored);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config says = setup();
	char *conf = strndup((const char *)data, size), *section = NULL, *amended = NULL;
	struct err err = { 0 };

	if (!lldpad_conf_section(conf, port, &section, &err)) {
		MUST(err.kind != ERR_NONE && err.text[0]);
	} else if (lldpad_conf_amend(conf, port, &says, &amended, &err)) {
		put_back(amended, section);
	} else {
		MUST(err.kind != ERR_NONE && err.text[0]);
	}
	free(amended);
	free(section);
	free(conf);
	return 0;
}
