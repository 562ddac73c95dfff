#include "pci_device.h"

#include <stdlib.h>

#define VENDOR_MELLANOX 0x15b3

static const struct pci_device devices[] = {
	{ 0x1013, .is_connectx4 = true }, /* ConnectX-4 */
	{ 0x1014, .is_vf = true, .is_connectx4 = true },
	{ 0x1015, .is_connectx4 = true }, /* ConnectX-4 Lx */
	{ 0x1016, .is_vf = true, .is_connectx4 = true },
	{ 0x1018, .is_vf = true },	  /* ConnectX-5 */
	{ 0x101a, .is_vf = true },	  /* ConnectX-5 Ex */
	{ 0x101c, .is_vf = true },	  /* ConnectX-6 */
	{ 0x101e, .is_vf = true },	  /* ConnectX-6 Dx and later */
	{ 0xa2d2, .is_bluefield = true }, /* BlueField */
	{ 0xa2d3, .is_vf = true, .is_bluefield = true },
	{ 0xa2d6, .is_bluefield = true }, /* BlueField-2 */
	{ 0xa2dc, .is_bluefield = true }, /* BlueField-3 */
	{ 0xa2df, .is_bluefield = true }, /* BlueField-4 */
};

static unsigned long read_id(struct host *h, const char *device, const char *file)
{
	struct err quiet = { 0 };
	char text[16];

	if (!host_read_file(h, text, sizeof(text), &quiet, "%s/%s", device, file))
		return 0;
	return strtoul(text, NULL, 16);
}

const struct pci_device *pci_device_of(struct host *h, const char *device)
{
	unsigned long id;

	if (read_id(h, device, "vendor") != VENDOR_MELLANOX)
		return NULL;
	id = read_id(h, device, "device");
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (devices[i].id == id)
			return &devices[i];
	return NULL;
}
