// SPDX-License-Identifier: GPL-2.0
/* The link: its states, its speed, its FEC, and the registers that ask for them. */
#include "connectx.h"

enum link_change { UPDATE, TRAIN_AGAIN, CHANGE_SILENTLY };

#define ROW(mbps_, lanes_, ext_, legacy_, oper_, fec_) \
	{ .mbps = mbps_, .lanes = lanes_, .ext = ext_, .legacy = legacy_, .legacy_oper = oper_, \
	  .fec = FW_FEC_##fec_ }

/*
 * By speed, those of many lanes first. Extended modes have numbers where the names of the kernels
 * differ, or only the younger one has them.
 */
static const struct fw_link_mode modes[] = {
	ROW(1000, 1, MLX5E_1000BASE_X_SGMII,
	    BIT(MLX5E_1000BASE_KX), BIT(MLX5E_1000BASE_KX), 10G_40G),
	ROW(10000, 1, MLX5E_10GBASE_XFI_XAUI_1,
	    BIT(MLX5E_10GBASE_KR) | BIT(MLX5E_10GBASE_CR) | BIT(MLX5E_10GBASE_SR),
	    BIT(MLX5E_10GBASE_CR), 10G_40G),
	ROW(25000, 1, MLX5E_25GAUI_1_25GBASE_CR_KR,
	    BIT(MLX5E_25GBASE_CR) | BIT(MLX5E_25GBASE_KR) | BIT(MLX5E_25GBASE_SR),
	    BIT(MLX5E_25GBASE_CR), 25G),
	ROW(40000, 4, MLX5E_40GBASE_XLAUI_4_XLPPI_4,
	    BIT(MLX5E_40GBASE_CR4) | BIT(MLX5E_40GBASE_KR4) | BIT(MLX5E_40GBASE_SR4),
	    BIT(MLX5E_40GBASE_CR4), 10G_40G),
	ROW(50000, 2, MLX5E_50GAUI_2_LAUI_2_50GBASE_CR2_KR2,
	    BIT(MLX5E_50GBASE_SR2) | BIT(MLX5E_50GBASE_CR2) | BIT(MLX5E_50GBASE_KR2),
	    BIT(MLX5E_50GBASE_CR2), 50G),
	ROW(50000, 1, MLX5E_50GAUI_1_LAUI_1_50GBASE_CR_KR, 0, 0, 50G_1X),
	ROW(100000, 4, MLX5E_CAUI_4_100GBASE_CR4_KR4,
	    BIT(MLX5E_100GBASE_CR4) | BIT(MLX5E_100GBASE_SR4) | BIT(MLX5E_100GBASE_KR4) |
	    BIT(MLX5E_100GBASE_LR4), BIT(MLX5E_100GBASE_CR4), 100G),
	ROW(100000, 2, MLX5E_100GAUI_2_100GBASE_CR2_KR2, 0, 0, 100G_2X),
	ROW(100000, 1, MLX5E_100GAUI_1_100GBASE_CR_KR, 0, 0, 100G_1X),
	ROW(200000, 4, MLX5E_200GAUI_4_200GBASE_CR4_KR4, 0, 0, 200G_4X),
	ROW(200000, 2, MLX5E_200GAUI_2_200GBASE_CR2_KR2, 0, 0, 200G_2X),
	ROW(400000, 8, 15, 0, 0, 400G_8X),
	ROW(400000, 4, 16, 0, 0, 400G_4X),
	ROW(800000, 8, 19, 0, 0, 800G_8X),
};

static struct fw_function *peer_of(struct fw_function *fn)
{
	return fn->peer ?: fn;
}

static bool supported(const struct fw_port *port, const struct fw_link_mode *mode)
{
	return mode->mbps <= port->best_mbps && mode->mbps / mode->lanes <= port->lane_mbps;
}

/* The host allows either extended modes or others. */
static bool allowed(const struct fw_port *port, const struct fw_link_mode *mode)
{
	return supported(port, mode) &&
		(port->ext_admin & BIT(mode->ext) || port->legacy_admin & mode->legacy);
}

/* Choose of what both ends allow: the speed that the wire prefers, else the highest. */
static const struct fw_link_mode *agree(struct fw_function *fn)
{
	const struct fw_link_mode *mode, *best = NULL;

	for (mode = modes; mode < modes + ARRAY_SIZE(modes); mode++) {
		if (!allowed(&fn->port, mode) || !allowed(&peer_of(fn)->port, mode))
			continue;
		if (!best || mode->mbps > best->mbps)
			best = mode;
		if (mode->mbps == fn->port.wire_mbps)
			break;
	}
	return best;
}

static void set_mode(struct fw_port *port, const struct fw_link_mode *mode)
{
	port->mode = mode;
	port->speed_mbps = mode ? mode->mbps : 0;
}

static void set_oper(struct fw_function *fn, bool up)
{
	if (fn->port.oper_up == up)
		return;
	fn->port.oper_up = up;
	if (!up)
		fn->port.count.link_down_events++;
	fw_port_event(fn, up);
}

static void go_down(struct fw_function *fn)
{
	fn->link_pending = peer_of(fn)->link_pending = false;
	set_oper(fn, false);
	set_oper(peer_of(fn), false);
}

static int training_ms(const struct fw_port *port)
{
	return port->carrier_ms < 0 ? carrier_ms : port->carrier_ms;
}

/* The driver leaves this state of a port of InfiniBand alone. */
static bool is_admin_up(const struct fw_function *fn)
{
	return fn->port.admin_up || fn->infiniband;
}

/* Both ends have to be up and to agree; then the link trains for a while. */
static void settle(struct fw_function *fn)
{
	struct fw_port *own = &fn->port, *other = &peer_of(fn)->port;

	if (!is_admin_up(fn) || !is_admin_up(peer_of(fn)) || !own->cable || !other->cable ||
	    fn->infiniband != peer_of(fn)->infiniband || !agree(fn)) {
		go_down(fn);
		return;
	}
	if (own->oper_up)
		return;
	fn->link_pending = !own->stuck && !other->stuck;
	fn->link_up_at = ktime_add_ms(ktime_get(), max(training_ms(own), training_ms(other)));
}

static void come_up(struct fw_function *fn)
{
	const struct fw_link_mode *mode = agree(fn);

	fn->link_pending = peer_of(fn)->link_pending = false;
	set_mode(&fn->port, mode);
	set_mode(&peer_of(fn)->port, mode);
	set_oper(fn, true);
	set_oper(peer_of(fn), true);
}

static void request(struct fw_function *fn, enum link_change what)
{
	set_bit(what, &fn->link_requests);
	fw_wake();
}

void fw_link_update(struct fw_function *fn)
{
	request(fn, UPDATE);
}

/* The mode of this speed with the slowest lanes is the first one. */
static const struct fw_link_mode *mode_of_speed(u32 mbps)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (modes[i].mbps == mbps)
			return &modes[i];
	}
	return NULL;
}

static void prefer(struct fw_port *port, const struct fw_link_mode *mode)
{
	port->wire_mbps = mode->mbps;
	port->best_mbps = max(port->best_mbps, mode->mbps);
	port->lane_mbps = max(port->lane_mbps, mode->mbps / mode->lanes);
}

int fw_link_set_speed(struct fw_function *fn, u32 mbps, bool silent)
{
	const struct fw_link_mode *mode = mode_of_speed(mbps);

	if (!mode)
		return -EINVAL;
	prefer(&fn->port, mode);
	prefer(&peer_of(fn)->port, mode);
	request(fn, silent ? CHANGE_SILENTLY : TRAIN_AGAIN);
	return 0;
}

static void take_requests(struct fw_function *fn)
{
	unsigned long asked;

	if (!READ_ONCE(fn->link_requests))
		return;
	asked = xchg(&fn->link_requests, 0);
	if (asked & BIT(CHANGE_SILENTLY) && fn->port.oper_up && agree(fn)) {
		set_mode(&fn->port, agree(fn));
		set_mode(&peer_of(fn)->port, agree(fn));
	}
	if (asked & BIT(TRAIN_AGAIN))
		go_down(fn);
	settle(fn);
}

bool fw_link_poll(struct fw_function *fn, bool *watch)
{
	take_requests(fn);
	*watch |= fn->link_pending;
	if (!fn->link_pending || ktime_before(ktime_get(), fn->link_up_at))
		return false;
	come_up(fn);
	return true;
}

void fw_link_init(struct fw_function *fn)
{
	struct fw_port *port = &fn->port;

	port->cable = true;
	port->carrier_ms = -1;
	port->wire_mbps = 100000;
	port->best_mbps = fn->model->best_mbps;
	port->lane_mbps = fn->model->lane_mbps;
	port->ext_admin = fn->model->ext ? ~0 : 0;
	port->legacy_admin = fn->model->ext ? 0 : ~0;
	port->connector = MLX5E_PORT_DA;
	port->module = FW_QSFP28;
	port->mtu = 1522;
}

static int reg_paos(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write && MLX5_GET(paos_reg, in, ase)) {
		fn->port.admin_up = MLX5_GET(paos_reg, in, admin_status) == MLX5_PORT_UP;
		settle(fn);
	}
	MLX5_SET(paos_reg, out, local_port, 1);
	MLX5_SET(paos_reg, out, admin_status, fn->port.admin_up ? MLX5_PORT_UP : MLX5_PORT_DOWN);
	MLX5_SET(paos_reg, out, oper_status, fn->port.oper_up ? MLX5_PORT_UP : MLX5_PORT_DOWN);
	return MLX5_CMD_STAT_OK;
}

static u8 an_status(const struct fw_port *port)
{
	if (!port->oper_up)
		return MLX5_AN_LINK_DOWN;
	return port->an_disabled ? MLX5_AN_LINK_UP : MLX5_AN_COMPLETE;
}

/* A write is in force when the link trains next. */
static void write_ptys(struct fw_port *port, void *in)
{
	u32 ext = MLX5_GET(ptys_reg, in, ext_eth_proto_admin);

	port->ext_admin = ext;
	port->legacy_admin = ext ? 0 : MLX5_GET(ptys_reg, in, eth_proto_admin);
	port->an_disabled = MLX5_GET(ptys_reg, in, an_disable_admin);
}

static int reg_ptys(struct fw_function *fn, void *in, void *out, bool write)
{
	struct fw_port *port = &fn->port, *other = &peer_of(fn)->port;
	u32 ext = 0, legacy = 0, partner = 0;
	int i;

	if (write)
		write_ptys(port, in);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (!supported(port, &modes[i]))
			continue;
		ext |= fn->model->ext ? BIT(modes[i].ext) : 0;
		legacy |= modes[i].legacy;
		if (allowed(other, &modes[i]))
			partner |= fn->model->ext ? BIT(modes[i].ext) : modes[i].legacy;
	}
	MLX5_SET(ptys_reg, out, local_port, 1);
	MLX5_SET(ptys_reg, out, proto_mask, MLX5_PTYS_EN);
	MLX5_SET(ptys_reg, out, an_disable_cap, 1);
	MLX5_SET(ptys_reg, out, an_disable_admin, port->an_disabled);
	MLX5_SET(ptys_reg, out, an_status, an_status(port));
	MLX5_SET(ptys_reg, out, ext_eth_proto_capability, ext);
	MLX5_SET(ptys_reg, out, eth_proto_capability, legacy);
	MLX5_SET(ptys_reg, out, ext_eth_proto_admin, port->ext_admin & ext);
	MLX5_SET(ptys_reg, out, eth_proto_admin, port->legacy_admin & legacy);
	MLX5_SET(ptys_reg, out, connector_type, port->connector);
	if (!port->oper_up)
		return MLX5_CMD_STAT_OK;
	MLX5_SET(ptys_reg, out, data_rate_oper, port->speed_mbps / 100);
	MLX5_SET(ptys_reg, out, ext_eth_proto_oper, fn->model->ext ? BIT(port->mode->ext) : 0);
	MLX5_SET(ptys_reg, out, eth_proto_oper, port->mode->legacy_oper);
	MLX5_SET(ptys_reg, out, eth_proto_lp_advertise, partner);
	return MLX5_CMD_STAT_OK;
}

static int reg_pmtu(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write) {
		fn->port.mtu = MLX5_GET(pmtu_reg, in, admin_mtu);
		fw_buffer_lay(&fn->port);
	}
	MLX5_SET(pmtu_reg, out, local_port, 1);
	MLX5_SET(pmtu_reg, out, max_mtu, FW_LONGEST_FRAME);
	MLX5_SET(pmtu_reg, out, admin_mtu, fn->port.mtu);
	MLX5_SET(pmtu_reg, out, oper_mtu, fn->port.mtu);
	return MLX5_CMD_STAT_OK;
}

#define OFF	BIT(0)
#define FIRE	BIT(1)
#define RS	BIT(2)		/* (528,514) */
#define RS_PAM4	BIT(7)		/* (544,514) */
#define LLRS	BIT(9)		/* (272,257) */

/* PPLM's fields, by bit as in mlx5_ifc.h; the oldest kernel lacks the last four. */
static const struct {
	u16 cap, admin;
	u8 width;
	u16 modes;
	u16 automatic;
	bool number;	/* the value written is the number of a bit, no mask */
} fec_fields[FW_FEC_FIELDS] = {
	[FW_FEC_56G] = { 0x8c, 0xac, 4, OFF | RS, OFF },
	[FW_FEC_100G] = { 0x90, 0xb0, 4, OFF | RS, RS },
	[FW_FEC_50G] = { 0x94, 0xb4, 4, OFF | FIRE | RS, RS },
	[FW_FEC_25G] = { 0x98, 0xb8, 4, OFF | FIRE | RS, RS },
	[FW_FEC_10G_40G] = { 0x9c, 0xbc, 4, OFF | FIRE, OFF },
	[FW_FEC_400G_8X] = { 0xc0, 0x100, 16, RS_PAM4 | LLRS, RS_PAM4, true },
	[FW_FEC_200G_4X] = { 0xd0, 0x110, 16, RS_PAM4 | LLRS, RS_PAM4, true },
	[FW_FEC_100G_2X] = { 0xe0, 0x120, 16, RS_PAM4 | LLRS, RS_PAM4, true },
	[FW_FEC_50G_1X] = { 0xf0, 0x130, 16, RS_PAM4 | LLRS, RS_PAM4, true },
	[FW_FEC_800G_8X] = { 0x140, 0x220, 16, RS_PAM4, RS_PAM4, true },
	[FW_FEC_400G_4X] = { 0x150, 0x230, 16, RS_PAM4, RS_PAM4, true },
	[FW_FEC_200G_2X] = { 0x160, 0x240, 16, RS_PAM4, RS_PAM4, true },
	[FW_FEC_100G_1X] = { 0x170, 0x250, 16, RS_PAM4, RS_PAM4, true },
};

static u32 fec_in_force(const struct fw_port *port)
{
	u32 admin;

	if (!port->oper_up)
		return 0;
	if (port->fec_forced)
		return port->fec_forced;
	admin = port->fec_admin[port->mode->fec];
	if (fec_fields[port->mode->fec].number && admin)
		admin = BIT(admin);
	return admin & fec_fields[port->mode->fec].modes ?: fec_fields[port->mode->fec].automatic;
}

static bool fec_field_there(const struct fw_port *port, int field)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (modes[i].fec == field && supported(port, &modes[i]))
			return true;
	}
	return false;
}

static int reg_pplm(struct fw_function *fn, void *in, void *out, bool write)
{
	struct fw_port *port = &fn->port;
	int i;

	for (i = 0; i < FW_FEC_FIELDS; i++) {
		if (!fec_field_there(port, i))
			continue;
		if (write)
			port->fec_admin[i] = fw_get_bits(in, fec_fields[i].admin,
							 fec_fields[i].width);
		fw_set_bits(out, fec_fields[i].cap, fec_fields[i].width, fec_fields[i].modes);
		fw_set_bits(out, fec_fields[i].admin, fec_fields[i].width, port->fec_admin[i]);
	}
	MLX5_SET(pplm_reg, out, local_port, 1);
	MLX5_SET(pplm_reg, out, fec_mode_active, fec_in_force(port));
	return MLX5_CMD_STAT_OK;
}

const struct fw_register fw_link_registers[] = {
	{ MLX5_REG_PAOS, reg_paos },
	{ MLX5_REG_PTYS, reg_ptys },
	{ MLX5_REG_PMTU, reg_pmtu },
	{ MLX5_REG_PPLM, reg_pplm },
	{}
};
