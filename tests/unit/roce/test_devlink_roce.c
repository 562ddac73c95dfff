/* Tests of devlink's parameter that enables RoCE. */
#include <errno.h>

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

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, param_rows, roce_is_enabled_so);
	return suite_run(&s, "devlink_roce");
}
