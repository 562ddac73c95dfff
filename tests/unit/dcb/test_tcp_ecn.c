/* Tests of TCP's ECN, a sysctl file. */
#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

static const struct ecn_row {
	const char *sentence, *word;
	enum err_kind kind;
	uint8_t value;
} ecns[] = {
	{ "tcp_ecn is a number", "2", ERR_NONE, 2 },
	{ "tcp_ecn may be the greatest", "255", ERR_NONE, 255 },
	{ "tcp_ecn is not greater", "256", ERR_UNKNOWN, 0 },
	{ "tcp_ecn is no word", "on", ERR_UNKNOWN, 0 },
	{ "tcp_ecn has nothing behind it", "1 2", ERR_UNKNOWN, 0 },
	{ "tcp_ecn may be missing", NULL, ERR_UNSUPPORTED, 0 },
};

static void tcp_ecn_is_read(void **s)
{
	const struct ecn_row *row = *s;
	struct dcb_kernel k = dcb_kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	k.tcp_ecn = row->word;
	assert_int_equal(feature_tcp_ecn.read(&k.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.host.tcp_ecn, row->value);
	assert_true(c.has == (row->kind ? 0 : SETTING(SETTING_HOST_TCP_ECN)));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, ecns, tcp_ecn_is_read);
	return suite_run(&s, "tcp_ecn");
}
