/* Tests of devlink's parameter that enables RoCE. */
#include <errno.h>
#include <string.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/rdma_kernel.h"
#include "tests/support/unit.h"

static const struct param_row {
	const char *sentence;
	bool has, on;
	int code;
	enum err_kind kind;
} param_rows[] = {
	{ "RoCE that is on reads so", true, true, 0, ERR_NONE },
	{ "RoCE that is off reads so", true, false, 0, ERR_NONE },
	{ "a driver may lack the parameter", false, false, 0, ERR_UNSUPPORTED },
	{ "to know no such parameter is to lack it", false, false, EINVAL, ERR_UNSUPPORTED },
	{ "to be denied is not to lack it", false, false, EPERM, ERR_DENIED },
};

static void roce_is_enabled_so(void **s)
{
	const struct param_row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	struct port p = port_on(7);
	struct config c = { 0 };
	struct err err = { 0 };

	k.has_param = row->has;
	k.param_is_on = row->on;
	k.devlink_code = row->code;
	assert_int_equal(feature_roce_enabled.read(&k.host, &p, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.has, row->kind == ERR_NONE ? SETTING(SETTING_ROCE_ENABLED) : 0);
	assert_int_equal(c.roce.enabled, row->on);
}

static const struct reload_row {
	const char *sentence;
	bool next, now; /* now: the protocol of the RDMA device, if there is one */
	enum { ALONE, WITHOUT_DEVICE, UPLINK, MEMBER_OF_LAG } port;
	enum err_kind kind;
} reload_rows[] = {
	{ "RoCE that is on and stays on reads so", true, true, ALONE, ERR_NONE },
	{ "RoCE that is off and stays off reads so", false, false, ALONE, ERR_NONE },
	{ "RoCE that is to go off is unknown", false, true, ALONE, ERR_UNKNOWN },
	{ "RoCE that is to come on is unknown", true, false, ALONE, ERR_UNKNOWN },
	{ "a port without an RDMA device has devlink's value", true, false, WITHOUT_DEVICE,
	  ERR_NONE },
	{ "so has the uplink of a switch", true, false, UPLINK, ERR_NONE },
	{ "and a member of a LAG", true, false, MEMBER_OF_LAG, ERR_NONE },
};

static void a_value_for_the_next_reload_is_not_in_force(void **s)
{
	const struct reload_row *row = *s;
	struct rdma_kernel k = rdma_kernel();
	struct port p = port_on(7);
	struct config c = { 0 };
	struct err err = { 0 };

	p.rdma_port = row->port != WITHOUT_DEVICE;
	p.eswitch_mode = row->port == UPLINK ? ESWITCH_SWITCHDEV : ESWITCH_LEGACY;
	p.in_lag = row->port == MEMBER_OF_LAG;
	p.rdma_is_roce = row->now;
	k.has_param = true;
	k.param_is_on = row->next;
	assert_int_equal(feature_roce_enabled.read(&k.host, &p, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	if (row->kind == ERR_UNKNOWN)
		assert_non_null(strstr(err.fix, "`devlink dev reload pci/0000:3b:00.0`"));
	else
		assert_int_equal(c.roce.enabled, row->next);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, param_rows, roce_is_enabled_so);
	SUITE_ADD_ROWS(&s, reload_rows, a_value_for_the_next_reload_is_not_in_force);
	return suite_run(&s, "devlink_roce");
}
