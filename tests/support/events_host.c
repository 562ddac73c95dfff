#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/events_host.h"

struct host_linux events_host;

struct host *const events_h = &events_host.host;

int control_socket = -1;

unsigned loopback;

struct event next_event(unsigned wait_ms)
{
	struct err err = { 0 };
	struct event e = { .ifindex = 99 };

	if (!host_next_event(events_h, wait_ms, &e, &err))
		fail_msg("%s", err.text);
	return e;
}

void drain(void)
{
	while (next_event(0).kind != EVENT_NONE)
		;
}

void assert_silence(void)
{
	assert_int_equal(next_event(0).kind, EVENT_NONE);
}

void set_mtu(int mtu)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_mtu = mtu };

	assert_int_equal(ioctl(control_socket, SIOCSIFMTU, &r), 0);
}

void events_begin(void **s)
{
	(void)s;
	if (control_socket < 0)
		skip();
	drain();
}

volatile sig_atomic_t caught;

void catch_signal(int number)
{
	caught = number;
}

bool events_open(void)
{
	struct sigaction action = { .sa_handler = catch_signal };
	struct err err = { 0 };

	if (unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
		control_socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	loopback = if_nametoindex("lo");
	sigaction(SIGTERM, &action, NULL);
	if (host_linux_open(&events_host, "/", true, &err))
		return true;
	fprintf(stderr, "%s\n", err.text);
	return false;
}

void events_close(void)
{
	host_linux_close(&events_host);
	if (control_socket >= 0)
		close(control_socket);
}
