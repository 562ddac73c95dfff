/* Tests of ETS: the shares of classes. */
#include <string.h>

#include "dcb/registry.h"
#include "tests/support/recorder.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

/* The kernel decides which number it reports for a class without a share. */
static void only_classes_that_share_have_a_share(void **s)
{
	struct recorder d = recorder_with_pfc(0, 0);
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	for (int tc = 0; tc < 8; tc++) {
		d.ets.tc_tsa[tc] = tc < 2 ? IEEE_8021QAZ_TSA_ETS : IEEE_8021QAZ_TSA_STRICT;
		d.ets.tc_tx_bw[tc] = tc < 2 ? 50 : 100;
	}
	assert_true(feature_ets.read(&d.host, &port, &c, &err));
	for (int tc = 0; tc < 8; tc++)
		assert_int_equal(c.ets.bandwidth[tc], tc < 2 ? 50 : 0);
}

static const struct port mlx5 = { .id = { .name = "ens1f0np0", .driver = "mlx5_core" } };

/* The reports are those of mlx5_core for shares that it was given. */
static const struct share_row {
	const char *sentence;
	const struct port *port;
	uint8_t ets; /* a bit for each ETS class */
	uint8_t reported[8], read[8];
	enum err_kind kind;
} share_rows[] = {
	{ "mlx5 shows 100 % among the classes without a share, if one has all",
	  &mlx5,
	  0xff,
	  { 100, 14, 14, 14, 14, 14, 14, 16 },
	  { 100 },
	  ERR_NONE },
	{ "so it does for two of them",
	  &mlx5,
	  0x89,
	  { 50, 100, 100, 50, 100, 100, 100, 100 },
	  { 0, 0, 0, 0, 0, 0, 0, 100 },
	  ERR_NONE },
	{ "other drivers' shares are as they say",
	  &port,
	  0x07,
	  { 100, 50, 50 },
	  { 100, 50, 50 },
	  ERR_NONE },
	{ "shares of 100 % together are as they are", &mlx5, 0x03, { 100 }, { 100 }, ERR_NONE },
	{ "shares of 200 % of which none is all are as they are",
	  &mlx5,
	  0x07,
	  { 80, 80, 40 },
	  { 80, 80, 40 },
	  ERR_NONE },
	{ "of two classes with all of it either may be the one without",
	  &mlx5,
	  0x03,
	  { 100, 100 },
	  { 0 },
	  ERR_UNKNOWN },
};

static void shares_read_so(void **s)
{
	const struct share_row *row = *s;
	struct recorder d = recorder_with_pfc(0, 0);
	struct config c = { 0 };
	struct err err = { 0 };

	for (int tc = 0; tc < 8; tc++)
		d.ets.tc_tsa[tc] =
			row->ets & (1 << tc) ? IEEE_8021QAZ_TSA_ETS : IEEE_8021QAZ_TSA_STRICT;
	memcpy(d.ets.tc_tx_bw, row->reported, sizeof(row->reported));
	assert_int_equal(feature_ets.read(&d.host, row->port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_memory_equal(c.ets.bandwidth, row->read, sizeof(row->read));
	assert_int_equal(c.has, row->kind == ERR_NONE ? feature_ets.owns : 0);
}

/* The first classes are ETS, the others strict. */
static const struct accept_row {
	const char *sentence;
	const struct port *port;
	unsigned ets;
	uint8_t share[8];
	bool accepted;
} accept_rows[] = {
	{ "one class with all and one without cannot be verified", &mlx5, 2, { 100 }, false },
	{ "in either order", &mlx5, 2, { 0, 100 }, false },
	{ "of other drivers they can", &port, 2, { 100 }, true },
	{ "with another class without a share they can", &mlx5, 3, { 100 }, true },
	{ "with no other class they can", &mlx5, 1, { 100 }, true },
	{ "where none has all they can", &mlx5, 3, { 50, 50 }, true },
};

static void shares_are_accepted_so(void **s)
{
	const struct accept_row *row = *s;
	struct capabilities unknown = { .max_mtu = 0 };
	struct config from = { 0 }, to = { 0 };
	struct err err = { 0 };

	for (unsigned tc = 0; tc < row->ets; tc++)
		to.ets.tsa[tc] = TSA_ETS;
	memcpy(to.ets.bandwidth, row->share, sizeof(row->share));
	assert_int_equal(feature_ets.accepts(row->port, &unknown, &from, &to, &err), row->accepted);
	assert_int_equal(err.kind, row->accepted ? ERR_NONE : ERR_REFUSED);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, share_rows, shares_read_so);
	SUITE_ADD_ROWS(&s, accept_rows, shares_are_accepted_so);
	SUITE_ADD(&s, only_classes_that_share_have_a_share);

	return suite_run(&s, "ets");
}
