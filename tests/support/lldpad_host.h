/* A host in a network namespace of its own, and an lldpad there. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_HOST_H

#include "agent/host/host_linux.h"

/* The host. */
extern struct host_linux lldpad_host;

/* True in a network namespace of its own. */
extern bool is_alone;

/* Enters a new network namespace; users other than root enter a user namespace as its root. */
bool leave_network(void);

/* Opens the host, or skips the test. */
void open_lldpad_host(void);

/* A socket with lldpad's address. */
int listen_as_lldpad(void);

/* Sends a ping, which a child answers with these bytes. */
bool ask_lldpad(const char *text, size_t size, uid_t uid, char reply[32], struct err *err);

/* Calls ask_lldpad(), then closes the host. */
bool ask_once(const char *text, size_t size, uid_t uid, char reply[32], struct err *err);

#endif
