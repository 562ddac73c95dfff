/* Rows of test_netlink.c: the outside, the kernel's datagram, and the result. */
#ifndef LOSSLESSCTL_TESTS_UNIT_AGENT_HOST_ROWS_NETLINK_H
#define LOSSLESSCTL_TESTS_UNIT_AGENT_HOST_ROWS_NETLINK_H

#include <errno.h>
#include <libmnl/libmnl.h>

#include "agent/host/host_linux.h"
#include "tests/support/netlink_words.h"

#define NO_ANSWER 0
#define READY	  1

/* The outside: calls that are not named here succeed, and the kernel acknowledges. */
struct outside {
	int no_socket, no_bind, no_send; /* an errno */
	int waits[4];			 /* poll()'s results: READY, NO_ANSWER, or -errno */
	int no_datagram[2];		 /* errno of each call of recvfrom(), in order */
	bool is_there_at_once;		 /* the datagram is there before the first wait */
	void (*say)(void);		 /* puts the kernel's datagram into `said` */
	uint16_t flags;			 /* the last request's */
};

static int take_reply(const struct nlmsghdr *n, void *arg)
{
	(void)n;
	++*(unsigned *)arg;
	return MNL_CB_OK;
}

static int refuse_reply(const struct nlmsghdr *n, void *arg)
{
	(void)n;
	(void)arg;
	return MNL_CB_ERROR;
}

static const struct row {
	const char *sentence;
	struct outside outside;
	reply_fn *each;
	enum err_kind kind; /* ERR_NONE: success */
	int code;
	const char *text; /* part of the error */
} rows[] = {
	{ "the kernel acknowledges", { .waits = { READY }, .say = say_ok }, NULL, ERR_NONE, 0, "" },
	{ "no socket", { .no_socket = EMFILE }, NULL, ERR_SYSTEM, EMFILE, "open a netlink socket" },
	{ "a socket without a name",
	  { .no_bind = ENOMEM },
	  NULL,
	  ERR_SYSTEM,
	  ENOMEM,
	  "open a netlink socket" },
	{ "it cannot be sent", { .no_send = ENOBUFS }, NULL, ERR_SYSTEM, ENOBUFS, "netlink" },
	{ "not permitted to send", { .no_send = EPERM }, NULL, ERR_DENIED, EPERM, "netlink" },
	{ "no answer", { .waits = { NO_ANSWER } }, NULL, ERR_SYSTEM, ETIMEDOUT, "does not answer" },
	{ "an answer that is there is not waited for",
	  { .is_there_at_once = true, .waits = { NO_ANSWER }, .say = say_ok },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "a busy device is no empty socket",
	  { .is_there_at_once = true, .waits = { NO_ANSWER }, .say = say_again },
	  NULL,
	  ERR_SYSTEM,
	  EAGAIN,
	  "unavailable" },
	{ "answers without an end are not read for ever",
	  { .is_there_at_once = true, .waits = { READY, NO_ANSWER }, .say = say_reply },
	  NULL,
	  ERR_SYSTEM,
	  ETIMEDOUT,
	  "does not answer" },
	{ "a signal while waiting is no answer yet",
	  { .waits = { -EINTR, READY }, .say = say_ok },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "who is only interrupted ends, too",
	  { .waits = { -EINTR, -EINTR, -EINTR, NO_ANSWER } },
	  NULL,
	  ERR_SYSTEM,
	  ETIMEDOUT,
	  "does not answer" },
	{ "waiting fails", { .waits = { -EBADF } }, NULL, ERR_SYSTEM, EBADF, "poll" },
	{ "a signal while reading is no datagram yet",
	  { .waits = { READY, READY }, .no_datagram = { EINTR }, .say = say_ok },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "reading fails",
	  { .waits = { READY }, .no_datagram = { ENOBUFS }, .say = say_ok },
	  NULL,
	  ERR_SYSTEM,
	  ENOBUFS,
	  "netlink" },
	{ "busy", { .waits = { READY }, .say = say_busy }, NULL, ERR_SYSTEM, EBUSY, "busy" },
	{ "busy, and why",
	  { .waits = { READY }, .say = say_busy_and_why },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy: somebody reads it" },
	{ "the sentence is looked for only where it is known to be",
	  { .waits = { READY }, .say = say_busy_with_the_request },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy" },
	{ "a sentence without an end is not printed",
	  { .waits = { READY }, .say = say_busy_without_an_end },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy" },
	{ "a positive number is no errno of the kernel's",
	  { .waits = { READY }, .say = say_a_positive_errno },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "not an errno" },
	{ "nor is one beyond the last",
	  { .waits = { READY }, .say = say_no_errno },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "not an errno" },
	{ "half a verdict",
	  { .waits = { READY }, .say = say_half_a_verdict },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "cut short" },
	{ "a dump that fails at its end",
	  { .waits = { READY }, .say = say_done_busy },
	  NULL,
	  ERR_SYSTEM,
	  EBUSY,
	  "busy" },
	{ "a dump whose end is no errno",
	  { .waits = { READY }, .say = say_done_with_no_errno },
	  NULL,
	  ERR_SYSTEM,
	  EPROTO,
	  "not an errno" },
	{ "an end that has no room for an errno",
	  { .waits = { READY }, .say = say_done_in_short },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "a message whose padding did not come is none",
	  { .waits = { READY, NO_ANSWER }, .say = say_done_without_its_padding },
	  NULL,
	  ERR_SYSTEM,
	  ETIMEDOUT,
	  "does not answer" },
	{ "what follows the end is not looked at",
	  { .waits = { READY }, .say = say_done_then_another },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "what is said to somebody else, and to another question, is passed over",
	  { .waits = { READY }, .say = say_what_is_passed_over },
	  refuse_reply,
	  ERR_NONE,
	  0,
	  "" },
	{ "a reply that nobody wants",
	  { .waits = { READY }, .say = say_reply_then_ok },
	  NULL,
	  ERR_NONE,
	  0,
	  "" },
	{ "a reply that cannot be understood",
	  { .waits = { READY }, .say = say_reply_then_ok },
	  refuse_reply,
	  ERR_SYSTEM,
	  EPROTO,
	  "cannot be parsed" },
};

#endif
