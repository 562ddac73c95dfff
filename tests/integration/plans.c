#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "agent/engine/observe.h"
#include "tests/integration/plans.h"
#include "tests/integration/port_state.h"

struct fake fresh_port(void)
{
	struct fake f;

	fake_init(&f);
	f.has_rdma_cm = true;
	return f;
}

const struct port any_port = { .id.driver = "mlx5_core" };

struct plan plan_for(struct fake *f, const struct config *desired)
{
	struct observation seen;
	struct plan p;
	struct err err = { 0 };

	assert_true(observe(&f->host, fake_features, &f->port, &seen, &err));
	plan_make(&p, observation_features(&seen), &f->port, desired, &seen.actual);
	return p;
}
