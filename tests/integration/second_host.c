/*
 * Replacements, linked into a test, for the hosts that the agent's writer and the confirm watchdog
 * open, and for the watchdog's waits.
 */
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "whole.h"

bool __real_host_linux_open(struct host_linux *l, const char *root, bool may_write,
			    struct err *err);
bool __wrap_host_linux_open(struct host_linux *l, const char *root, bool may_write,
			    struct err *err);
unsigned __wrap_sleep(unsigned seconds);
int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);

/* Opens a new connection to the fake kernel, with files below the test's directory. */
bool __wrap_host_linux_open(struct host_linux *l, const char *root, bool may_write, struct err *err)
{
	int at;

	(void)root;
	if (!__real_host_linux_open(l, whole_root, may_write, err))
		return false;
	at = l->host.root;
	fake_connect(&whole->fake, &l->host);
	l->host.may_write = may_write;
	l->host.root = at;
	return true;
}

unsigned __wrap_sleep(unsigned seconds)
{
	whole->waits_to_retry = true;
	while (whole->holds_retry)
		usleep(1000);
	whole->waits_to_retry = false;
	whole->fake.now += seconds * 1000;
	return 0;
}

/* No signal comes. The watchdog makes no calls while the test holds its time and counts calls. */
int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	(void)set;
	(void)info;
	whole->is_held = true;
	while (whole->holds)
		usleep(1000);
	whole->is_held = false;
	whole->fake.now += (uint64_t)timeout->tv_nsec / 1000000;
	errno = EAGAIN;
	return -1;
}
