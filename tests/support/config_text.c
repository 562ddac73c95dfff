#include <libconfig.h>

#include "dcb/lldpad/config_text.h"
#include "policy/model/setting.h"
#include "tests/support/config_text.h"

#define ETS_SETTINGS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))

const char conf_written[] =
	"lldp : \n{\n"
	"  common : \n  {\n    tlvid00000005 : \n    {\n      enableTx = true;\n    };\n  };\n"
	"  eth0 : \n  {\n    adminStatus = 2;\n  };\n"
	"  " PORT " : \n  {\n"
	"    tlvid00000001 : \n    {\n      info = \"04B8CEF6510000\";\n    };\n"
	"    tlvid0080c20b : \n    {\n      delay = 7;\n      enabled = 1;\n    };\n"
	"    tlvid0080c20c : \n    {\n      APP0 = \"3,5,   26\";\n    };\n"
	"    adminStatus = 3;\n"
	"  };\n"
	"  eth1 : \n  {\n    adminStatus = 1;\n  };\n"
	"};\n"
	"dcbx : \n{\n  version = \"1.0\";\n  dcbx_version = 2;\n};\n"
	"list = ( 1, 0x10, 5000000000L, 1.5, \"a\\\"b\\n\", [ true, false ], \n  {\n    x = 1;\n  "
	"} );\n";

struct config conf_setup(void)
{
	struct config c = {
		.has = SETTING(SETTING_PFC_PRIORITIES) | ETS_SETTINGS,
		.dcbx.advertise = true,
		.pfc.priorities = 1u << 3,
		.ets = { .prio_tc = { 0, 0, 0, 3, 0, 0, 6, 0 },
			 .tsa = { TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_STRICT,
				  TSA_ETS },
			 .bandwidth = { 50, 0, 0, 50, 0, 0, 0, 0 } },
	};

	return c;
}

char *conf_amended(const char *conf, const struct config *says)
{
	struct err err = { 0 };
	char *text = NULL;

	if (!lldpad_conf_amend(conf, PORT, says, &text, &err))
		fail_msg("%s: %s", err.where, err.text);
	return text;
}

const char *conf_stored(const char *conf, const char *path)
{
	static char buf[256];
	const char *text;
	config_t c;
	int n;

	buf[0] = '\0';
	config_init(&c);
	assert_true(config_read_string(&c, conf));
	if (config_lookup_string(&c, path, &text))
		snprintf(buf, sizeof(buf), "%s", text);
	else if (config_lookup_bool(&c, path, &n))
		snprintf(buf, sizeof(buf), "%s", n ? "true" : "false");
	else if (config_lookup_int(&c, path, &n))
		snprintf(buf, sizeof(buf), "%d", n);
	config_destroy(&c);
	return buf;
}
