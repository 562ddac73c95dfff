/* Plans on the fake kernel. */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_PLANS_H
#define LOSSLESSCTL_TESTS_INTEGRATION_PLANS_H

#include "agent/engine/plan.h"
#include "tests/integration/fake.h"

/* A port with RDMA and the driver's defaults. */
struct fake fresh_port(void);

/* A port of mlx5. */
extern const struct port any_port;

/* The plan from the port's actual settings to the desired ones. */
struct plan plan_for(struct fake *f, const struct config *desired);

#endif
