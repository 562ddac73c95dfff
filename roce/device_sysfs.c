#include "device_sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/host/functions.h"

#define CLASS "/sys/class/infiniband/%s/"

static bool read_uevent(struct host *h, const char *rdma, char *buf, size_t size)
{
	struct err quiet = { 0 };

	return host_read_file(h, buf, size, &quiet, CLASS "device/uevent", rdma);
}

bool rdma_is_function(struct host *h, const char *rdma, const char *pci)
{
	char uevent[UEVENT_MAX];

	return pci[0] && read_uevent(h, rdma, uevent, sizeof(uevent)) && strstr(uevent, pci);
}

/* As ethtool has it: "28.41.1000 (MT_0000000834)". */
static void read_firmware(struct host *h, struct port *port)
{
	char version[24], board[32];
	struct err quiet = { 0 };

	if (!host_read_file(h, version, sizeof(version), &quiet, CLASS "fw_ver", port->id.rdma))
		return;
	if (!host_read_file(h, board, sizeof(board), &quiet, CLASS "board_id", port->id.rdma))
		board[0] = '\0';
	snprintf(port->firmware, sizeof(port->firmware), "%s", version);
	snprintf(port->id.firmware, sizeof(port->id.firmware), board[0] ? "%s (%s)" : "%s", version,
		 board);
}

/* From "100 Gb/sec (4X EDR)" and "2.5 Gb/sec (1X SDR)". */
static void read_speed(struct host *h, struct port *port)
{
	char rate[48];
	struct err quiet = { 0 };

	if (!host_read_file(h, rate, sizeof(rate), &quiet, CLASS "ports/%u/rate", port->id.rdma,
			    port->rdma_port))
		return;
	port->speed_mbps = port->id.speed_mbps = (uint32_t)(strtod(rate, NULL) * 1000);
}

/* "4: ACTIVE" */
static bool is_active(struct host *h, const struct port *port)
{
	char state[32];
	struct err quiet = { 0 };

	return host_read_file(h, state, sizeof(state), &quiet, CLASS "ports/%u/state",
			      port->id.rdma, port->rdma_port) &&
	       strstr(state, "ACTIVE");
}

void rdma_describe(struct host *h, struct port *port)
{
	char uevent[UEVENT_MAX];

	port->no_interface = true;
	snprintf(port->id.name, sizeof(port->id.name), "%s", port->id.rdma);
	if (read_uevent(h, port->id.rdma, uevent, sizeof(uevent))) {
		(void)uevent_value(uevent, "PCI_SLOT_NAME=", "\n", port->id.pci);
		(void)uevent_value(uevent, "DRIVER=", ".\n", port->id.driver); /* mlx5_core.sf */
	}
	read_firmware(h, port);
	read_speed(h, port);
	port->up = port->carrier = is_active(h, port);
}
