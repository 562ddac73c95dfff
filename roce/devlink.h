/* Queries about a PCI function by devlink. */
#ifndef LOSSLESSCTL_ROCE_DEVLINK_H
#define LOSSLESSCTL_ROCE_DEVLINK_H

#include "../agent/host/host.h"

/*
 * Reads the parameter enable_roce. False with ERR_UNSUPPORTED: there is no devlink, no such device
 * in it (ENODEV) or no such parameter (EINVAL).
 */
bool devlink_read_enable_roce(struct host *h, const char *pci, bool *ret,
			      struct err *err) must_check;

/*
 * The mode of the E-Switch that the function manages. Asking needs CAP_NET_ADMIN, of this process
 * and of the one that opened the socket; h->eswitches has the answers of one that gave it up.
 */
enum eswitch_mode devlink_eswitch(struct host *h, const char *pci);

/* Lists the modes of all PCI functions that devlink knows; none if this process may not ask. */
void devlink_list_eswitches(struct host *h, struct eswitch_list *ret);

#define RATE_OBJECT_MAX 64

/*
 * Finds a rate object of the function that divides bandwidth by traffic class (tc-bw, Linux 6.17),
 * and writes its name as devlink prints it: "pci/0000:c1:00.0/group1". False: there is none.
 */
bool devlink_find_tc_bw(struct host *h, const char *pci, char ret[RATE_OBJECT_MAX]);

/* The mode of a port's E-Switch, which decides whether the port has RoCE of its own. */

/*
 * The mode that devlink reports. Where this process may not ask, signs of it: a representor of
 * `links` proves switchdev, and a GID of the manager of an E-Switch legacy mode.
 */
enum eswitch_mode eswitch_mode(struct host *h, const struct link_list *links, const struct port *p);

#endif
