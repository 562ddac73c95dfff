/* A host in a network namespace of its own, and an lldpad there. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_LLDPAD_HOST_H

#include "agent/host/host_linux.h"

/* The host. */
extern struct host_linux lldpad_host;

/* True in a network namespace of its own. */
extern bool is_alone;

/* Root may leave the network as it is; others become root of a user namespace first. */
bool leave_network(void);

/* Opens the host, or skips the test. */
void open_lldpad_host(void);

/* A socket with lldpad's address. */
int listen_as_lldpad(void);

/* Asks for a ping, which a child answers with these bytes. */
bool ask_lldpad(const char *text, size_t size, uid_t uid, char reply[32], struct err *err);

/* The same, and nothing after it. */
bool ask_once(const char *text, size_t size, uid_t uid, char reply[32], struct err *err);

#endif
