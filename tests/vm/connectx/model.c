// SPDX-License-Identifier: GPL-2.0
/* Kinds of adapters, by their PCI device. */
#include "connectx.h"

/* Columns as in struct fw_model. README.md has the sources. */
static const struct fw_model models[] = {
	{ 0x1015, 0x1016, 14, 50000, 25000, false, true, "ConnectX-4 Lx", "MT_2420110034" },
	{ 0x1017, 0x1018, 16, 100000, 25000, true, false, "ConnectX-5", "MT_0000000008" },
	{ 0x1019, 0x101a, 16, 100000, 25000, true, false, "ConnectX-5 Ex", "MT_0000000011" },
	{ 0x101b, 0x101c, 20, 200000, 50000, true, false, "ConnectX-6", "MT_0000000225" },
	{ 0x101d, 0x101e, 22, 200000, 50000, true, false, "ConnectX-6 Dx", "MT_0000000359" },
	{ 0x101e, 0x101e, 22, 200000, 50000, true, false, "virtual function", "MT_0000000359" },
	{ 0x1021, 0x101e, 28, 400000, 100000, true, false, "ConnectX-7", "MT_0000000838" },
	{ 0x1023, 0x101e, 40, 800000, 100000, true, false, "ConnectX-8", "MT_0000001222" },
	{ 0xa2d6, 0x101e, 24, 200000, 50000, true, false, "BlueField-2", "MT_0000000765" },
	{ 0xa2dc, 0x101e, 32, 400000, 100000, true, false, "BlueField-3", "MT_0000000884" },
};

int fw_function_set_model(struct fw_function *fn, u16 device)
{
	int i, v;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		if (models[i].device != device)
			continue;
		for (v = 0; v < FW_VFS && fn->vf[v]; v++)
			fw_function_set_model(fn->vf[v], device);
		fn->model = &models[i];
		fn->iseg->fw_rev = cpu_to_be32(FW_MINOR << 16 | fn->model->fw_major);
		fn->iseg->health.fw_ver = cpu_to_be32(FW_VERSION(fn->model));
		return 0;
	}
	return -EINVAL;
}

int fw_function_set_device(struct fw_function *fn, u16 device)
{
	int err = fw_function_set_model(fn, device);

	if (err)
		return err;
	fw_pci_set_device(fn);
	fw_port_reset(fn);
	return 0;
}
