/* Messages of a kernel on a netlink socket: answers, verdicts, and malformed ones. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_NETLINK_WORDS_H
#define LOSSLESSCTL_TESTS_SUPPORT_NETLINK_WORDS_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>

#define PORTID	    4711
#define FAMILY_ID   29
#define MONITOR_ID  5
#define BUFFER_SIZE 4096

/* The datagram that the kernel sends. */
extern struct said {
	char bytes[BUFFER_SIZE] __attribute__((aligned(NLMSG_ALIGNTO)));
	size_t size;
	unsigned seq; /* the last request's */
	size_t waited, datagrams;
	bool ready; /* a datagram can be read */
} said;

/* Each adds the messages that its name describes. */
void say_ok(void);
void say_busy(void);
void say_again(void);
void say_busy_and_why(void);
void say_busy_with_the_request(void);
void say_busy_without_an_end(void);
void say_a_positive_errno(void);
void say_no_errno(void);
void say_half_a_verdict(void);
void say_done_busy(void);
void say_done_with_no_errno(void);
void say_done_in_short(void);
void say_done_without_its_padding(void);
void say_done_then_another(void);
void say_reply(void);
void say_reply_then_ok(void);
void say_what_is_passed_over(void);
void say_family_with_groups(void);
void say_family_without_groups(void);
void say_family_of_other_sizes(void);

#endif
