/* A host that receives events of a network namespace. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_EVENTS_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_EVENTS_HOST_H

#include <signal.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

/* The host. */
extern struct host_linux events_host;

/* The same as a struct host. */
extern struct host *const events_h;

/* A socket to change the loopback with; -1: there is no namespace. */
extern int control_socket;

/* The loopback's ifindex. */
extern unsigned loopback;

/*
 * Enters a network namespace of its own, if permitted, catches SIGTERM and opens the host. False:
 * that failed, and was printed.
 */
bool events_open(void);

/* Closes the host. */
void events_close(void);

/* The next event, which must not fail. */
struct event next_event(unsigned wait_ms);

/* Reads all events. */
void drain(void);

/* Asserts that no event waits. */
void assert_silence(void);

/* Changes the loopback's MTU. */
void set_mtu(int mtu);

/* Skips the test without a namespace, and reads all events. */
void events_begin(void **s);

/* The signal that was caught. */
extern volatile sig_atomic_t caught;

/* The signal handler. */
void catch_signal(int number);

#endif
