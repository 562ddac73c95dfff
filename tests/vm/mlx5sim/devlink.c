// SPDX-License-Identifier: GPL-2.0
/*
 * devlink of a PCI function: the parameter enable_roce, and the reload that applies it. A
 * reload removes netdev and RDMA device and creates new ones.
 */
#include <linux/version.h>
#include <net/devlink.h>

#include "mlx5sim.h"

/* Since 6.3 callers hold the devlink lock for the parameters. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define devl_params_register devlink_params_register
#define devl_params_unregister devlink_params_unregister
#define devl_param_driverinit_value_get devlink_param_driverinit_value_get
#define devl_param_driverinit_value_set devlink_param_driverinit_value_set
#define params_lock(devlink)
#define params_unlock(devlink)
#define allow_reload(devlink) devlink_set_features(devlink, DEVLINK_F_RELOAD)
#else
#define params_lock(devlink) devl_lock(devlink)
#define params_unlock(devlink) devl_unlock(devlink)
#define allow_reload(devlink)
#endif

static struct sim_function *to_function(struct devlink *devlink)
{
	return *(struct sim_function **)devlink_priv(devlink);
}

static int may_reload(struct sim_function *fn, struct netlink_ext_ack *extack)
{
	int err;

	fn->up_error = 0;
	if (!fn->port)
		return 0;
	if (sim_function_bonded(fn)) {
		NL_SET_ERR_MSG(extack, "reload is unsupported in Lag mode");
		return -EOPNOTSUPP;
	}
	err = sim_verdict(sim_enter(fn->port, SIM_OP_RELOAD));
	if (!err)
		fn->up_error = sim_verdict(sim_enter(fn->port, SIM_OP_RELOADUP));
	return err;
}

/* reload_up unlocks. Never wait for the lock: its holder may wait for a reload's end. */
static int reload_down(struct devlink *devlink, bool netns_change,
		       enum devlink_reload_action action, enum devlink_reload_limit limit,
		       struct netlink_ext_ack *extack)
{
	struct sim_function *fn = to_function(devlink);
	int err;

	if (netns_change)
		return -EOPNOTSUPP;
	if (!mutex_trylock(&sim_ports_lock))
		return -EBUSY;
	err = may_reload(fn, extack);
	if (err) {
		mutex_unlock(&sim_ports_lock);
		return err;
	}
	sim_function_unload(fn);
	return 0;
}

static int reload_up(struct devlink *devlink, enum devlink_reload_action action,
		     enum devlink_reload_limit limit, u32 *actions_performed,
		     struct netlink_ext_ack *extack)
{
	struct sim_function *fn = to_function(devlink);
	union devlink_param_value value;
	int err;

	*actions_performed = BIT(action) | BIT(DEVLINK_RELOAD_ACTION_DRIVER_REINIT);
	if (action == DEVLINK_RELOAD_ACTION_FW_ACTIVATE || fn->slot->hw.forgetful)
		fw_power_on(&fn->slot->hw);
	if (fn->has_param && !devl_param_driverinit_value_get(
			devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, &value))
		fn->roce = value.vbool;
	err = fn->up_error ?: sim_function_load(fn);
	mutex_unlock(&sim_ports_lock);
	return err;
}

static int info_get(struct devlink *devlink, struct devlink_info_req *req,
		    struct netlink_ext_ack *extack)
{
	int err = 0;

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	err = devlink_info_driver_name_put(req, "mlx5_core");
#endif
	err = err ?: devlink_info_version_fixed_put(req, "fw.psid", "MT_0000000008");
	return err ?: devlink_info_version_running_put(req, "fw.version", "16.35.2000");
}

/* As mlx5_eswitch_check(): only the manager of the eswitch has a mode. */
static int eswitch_mode_get(struct devlink *devlink, u16 *mode)
{
	const struct sim_hw *hw = &to_function(devlink)->slot->hw;

	if (hw->dpu_host || hw->vf || hw->vm || hw->ib)
		return -EOPNOTSUPP;
	*mode = hw->switchdev ? DEVLINK_ESWITCH_MODE_SWITCHDEV : DEVLINK_ESWITCH_MODE_LEGACY;
	return 0;
}

static const struct devlink_ops devlink_ops = {
	.eswitch_mode_get = eswitch_mode_get,
	.reload_actions = BIT(DEVLINK_RELOAD_ACTION_DRIVER_REINIT) |
			  BIT(DEVLINK_RELOAD_ACTION_FW_ACTIVATE),
	.reload_down = reload_down,
	.reload_up = reload_up,
	.info_get = info_get,
};

static int may_change_roce(struct sim_function *fn, struct netlink_ext_ack *extack)
{
	if (!fn->port)
		return 0;
	if (sim_function_bonded(fn)) {
		NL_SET_ERR_MSG(extack, "Multi port slave/Lag device can't configure RoCE");
		return -EOPNOTSUPP;
	}
	return sim_verdict(sim_enter(fn->port, SIM_OP_ROCESET));
}

static int validate_roce(struct devlink *devlink, u32 id, union devlink_param_value value,
			 struct netlink_ext_ack *extack)
{
	int err;

	if (!mutex_trylock(&sim_ports_lock))
		return -EBUSY;
	err = may_change_roce(to_function(devlink), extack);
	mutex_unlock(&sim_ports_lock);
	return err;
}

static const struct devlink_param params[] = {
	DEVLINK_PARAM_GENERIC(ENABLE_ROCE, BIT(DEVLINK_PARAM_CMODE_DRIVERINIT), NULL, NULL,
			      validate_roce),
};

static int add_params(struct sim_function *fn)
{
	union devlink_param_value value = { .vbool = fn->roce };
	int err;

	params_lock(fn->devlink);
	err = devl_params_register(fn->devlink, params, ARRAY_SIZE(params));
	if (!err)
		devl_param_driverinit_value_set(fn->devlink,
						DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, value);
	params_unlock(fn->devlink);
	return err;
}

static bool wants_param(const struct sim_function *fn)
{
	const struct sim_hw *hw = &fn->slot->hw;

	return (hw->caps & BIT(SIM_CAP_ROCE_PARAM)) && hw->kind == SIM_KIND_MLX5;
}

int sim_devlink_add(struct sim_function *fn)
{
	int err = 0;

	fn->devlink = devlink_alloc(&devlink_ops, sizeof(fn), &fn->pdev->dev);
	if (!fn->devlink)
		return -ENOMEM;
	*(struct sim_function **)devlink_priv(fn->devlink) = fn;
	fn->has_param = wants_param(fn);
	if (fn->has_param)
		err = add_params(fn);
	if (err) {
		devlink_free(fn->devlink);
		fn->devlink = NULL;
		return err;
	}
	allow_reload(fn->devlink);
	devlink_register(fn->devlink);
	return 0;
}

void sim_devlink_remove(struct sim_function *fn)
{
	if (!fn->devlink)
		return;
	devlink_unregister(fn->devlink);
	if (fn->has_param) {
		params_lock(fn->devlink);
		devl_params_unregister(fn->devlink, params, ARRAY_SIZE(params));
		params_unlock(fn->devlink);
	}
	devlink_free(fn->devlink);
	fn->devlink = NULL;
}

/* 6.1 cannot add or remove parameters of a registered instance: make a new one. */
int sim_devlink_update(struct sim_function *fn)
{
	if (!fn->devlink || fn->has_param == wants_param(fn))
		return 0;
	sim_devlink_remove(fn);
	return sim_devlink_add(fn);
}
