/* Tests of the DCBX mode: firmware, the host, or the switch through lldpad decides about DCB. */
#include <errno.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/lldpad_scene.h"
#include "tests/support/unit.h"

static const struct mode_row {
	const char *sentence;
	uint8_t dcbx; /* the kernel's DCBX flags */
	int no_dcb;
	bool runs, hangs;
	const char *willing;
	enum err_kind kind;
	enum dcbx_mode mode;
} modes[] = {
	{ "firmware decides, whatever lldpad would do", 0x0c, 0, true, false, "yes", ERR_NONE,
	  DCBX_FIRMWARE },
	{ "the switch decides through one that is willing", 0x09, 0, true, false, "yes", ERR_NONE,
	  DCBX_SWITCH },
	{ "the host decides where lldpad is not willing", 0x09, 0, true, false, "no", ERR_NONE,
	  DCBX_HOST },
	{ "the host decides without an lldpad", 0x09, 0, false, false, "", ERR_NONE, DCBX_HOST },
	{ "where lldpad hangs it is not known", 0x09, 0, true, true, "", ERR_UNKNOWN, 0 },
	{ "a driver without DCBX", 0, EOPNOTSUPP, true, false, "", ERR_UNSUPPORTED, 0 },
};

static void who_decides_is_read(void **state)
{
	const struct mode_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config c = { 0 };
	struct err err = { 0 };

	s.dcbx = row->dcbx;
	s.no_dcb = row->no_dcb;
	s.runs = row->runs;
	s.hangs = row->hangs;
	snprintf(s.willing, sizeof(s.willing), "%s", row->willing);
	assert_int_equal(feature_dcbx.read(&s.host, &lldpad_port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.dcbx.mode, row->mode);
	assert_true(c.has == (row->kind == ERR_NONE ? SETTING(SETTING_DCBX_MODE) : 0));
}

static const struct takeover_row {
	const char *sentence;
	enum dcbx_mode from, to;
	bool runs, keeps_dcbx;
	int no_dcb;
	const char *refuses;
	enum err_kind kind;
	const char *log, *fix;
	uint8_t dcbx; /* afterwards; 0x0c before */
} takeovers[] = {
	{ "from the switch to the host", DCBX_SWITCH, DCBX_HOST, true, false, 0, NULL, ERR_NONE,
	  "pfc:willing ets:willing ", NULL, 0x09 },
	{ "from firmware to the host, without lldpad", DCBX_FIRMWARE, DCBX_HOST, true, false, 0,
	  NULL, ERR_NONE, "", NULL, 0x09 },
	{ "from the switch, whose lldpad has ended", DCBX_SWITCH, DCBX_HOST, false, false, 0, NULL,
	  ERR_MISSING, "", NULL, 0x0c },
	{ "from the switch, which lldpad does not leave", DCBX_SWITCH, DCBX_HOST, true, false, 0,
	  TLV_PFC, ERR_SYSTEM, "", NULL, 0x0c },
	{ "to the host, where the driver refuses", DCBX_FIRMWARE, DCBX_HOST, true, true, 0, NULL,
	  ERR_SYSTEM, "", "or remove dcbx, pfc and ets from the policy", 0x0c },
	{ "to firmware, where the driver refuses", DCBX_HOST, DCBX_FIRMWARE, true, true, 0, NULL,
	  ERR_SYSTEM, "", NULL, 0x0c },
	{ "to the host, where that is not permitted", DCBX_FIRMWARE, DCBX_HOST, true, false, EPERM,
	  NULL, ERR_DENIED, "", NULL, 0x0c },
};

static void who_decides_is_written(void **state)
{
	const struct takeover_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config from = { .dcbx.mode = row->from }, to = { .dcbx.mode = row->to };
	struct err err = { 0 };

	s.dcbx = 0x0c;
	s.runs = row->runs;
	s.keeps_dcbx = row->keeps_dcbx;
	s.no_dcb = row->no_dcb;
	s.refuses = row->refuses;
	assert_int_equal(feature_dcbx.write(&s.host, &lldpad_port, &from, &to, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(s.log, row->log);
	assert_int_equal(s.dcbx, row->dcbx);
	assert_true(row->fix ? strstr(err.fix, row->fix) != NULL : !err.fix[0]);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, modes, who_decides_is_read);
	SUITE_ADD_ROWS(&s, takeovers, who_decides_is_written);
	return suite_run(&s, "dcbx");
}
