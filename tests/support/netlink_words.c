#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <string.h>

#include "tests/support/netlink_words.h"

struct said said;

static struct nlmsghdr *put_message(uint16_t type, uint16_t flags, size_t payload)
{
	struct nlmsghdr *n = (struct nlmsghdr *)(said.bytes + said.size);

	n->nlmsg_len = NLMSG_LENGTH((unsigned)payload);
	n->nlmsg_type = type;
	n->nlmsg_flags = flags;
	n->nlmsg_seq = said.seq;
	n->nlmsg_pid = PORTID;
	said.size += NLMSG_SPACE(payload);
	return n;
}

/* Messages are made one after the other: a later one begins where this one ends. */
static void end_message(const struct nlmsghdr *n)
{
	said.size = (size_t)((const char *)n - said.bytes) + NLMSG_ALIGN(n->nlmsg_len);
}

static struct nlmsghdr *put_verdict(int code, uint16_t flags)
{
	struct nlmsghdr *n = put_message(NLMSG_ERROR, flags, sizeof(struct nlmsgerr));

	((struct nlmsgerr *)mnl_nlmsg_get_payload(n))->error = code;
	return n;
}

void say_ok(void)
{
	put_verdict(0, NLM_F_CAPPED);
}

void say_busy(void)
{
	put_verdict(-EBUSY, NLM_F_CAPPED);
}

void say_again(void)
{
	put_verdict(-EAGAIN, NLM_F_CAPPED);
}

void say_busy_and_why(void)
{
	struct nlmsghdr *n = put_verdict(-EBUSY, NLM_F_CAPPED | NLM_F_ACK_TLVS);

	mnl_attr_put_u32(n, NLMSGERR_ATTR_OFFS, 4);
	mnl_attr_put_strz(n, NLMSGERR_ATTR_MSG, "somebody reads it");
	end_message(n);
}

/* Includes the request, in the place where the message would be otherwise. */
void say_busy_with_the_request(void)
{
	struct nlmsghdr *n = put_verdict(-EBUSY, NLM_F_ACK_TLVS);

	mnl_attr_put_strz(n, NLMSGERR_ATTR_MSG, "somebody reads it");
	end_message(n);
}

void say_busy_without_an_end(void)
{
	struct nlmsghdr *n = put_verdict(-EBUSY, NLM_F_CAPPED | NLM_F_ACK_TLVS);

	mnl_attr_put(n, NLMSGERR_ATTR_MSG, 4, "some");
	end_message(n);
}

void say_a_positive_errno(void)
{
	put_verdict(EBUSY, 0);
}

void say_no_errno(void)
{
	put_verdict(-5000, 0);
}

void say_half_a_verdict(void)
{
	put_message(NLMSG_ERROR, 0, 4);
}

static void say_done_with(int code)
{
	*(int *)mnl_nlmsg_get_payload(put_message(NLMSG_DONE, 0, sizeof(code))) = code;
}

void say_done_busy(void)
{
	put_message(NLMSG_MIN_TYPE, 0, 4);
	say_done_with(-EBUSY);
}

void say_done_with_no_errno(void)
{
	say_done_with(1);
}

void say_done_in_short(void)
{
	put_message(NLMSG_DONE, 0, 2);
}

/* The attributes reach beyond the datagram. */
void say_done_without_its_padding(void)
{
	say_done_in_short();
	said.size -= NLMSG_ALIGN(2) - 2;
}

void say_done_then_another(void)
{
	put_message(NLMSG_DONE, 0, 4);
	put_verdict(-EBUSY, 0);
}

void say_reply(void)
{
	put_message(NLMSG_MIN_TYPE, 0, 4);
}

void say_reply_then_ok(void)
{
	say_reply();
	say_ok();
}

/* Adds NLMSG_NOOP, and answers to another port ID and to another request. */
void say_what_is_passed_over(void)
{
	put_message(NLMSG_NOOP, 0, 4);
	put_verdict(-EBUSY, 0)->nlmsg_pid = PORTID + 1;
	put_verdict(-EBUSY, 0)->nlmsg_seq = said.seq + 1;
	say_ok();
}

static struct nlmsghdr *put_family(void)
{
	return put_message(NLMSG_MIN_TYPE, 0, sizeof(struct genlmsghdr));
}

static void put_group(struct nlmsghdr *n, const char *name, uint32_t id)
{
	struct nlattr *one = mnl_attr_nest_start(n, 1);

	mnl_attr_put_strz(n, CTRL_ATTR_MCAST_GRP_NAME, name);
	mnl_attr_put_u32(n, CTRL_ATTR_MCAST_GRP_ID, id);
	mnl_attr_nest_end(n, one);
}

void say_family_with_groups(void)
{
	struct nlmsghdr *n = put_family();
	struct nlattr *groups;

	mnl_attr_put_u16(n, CTRL_ATTR_FAMILY_ID, FAMILY_ID);
	groups = mnl_attr_nest_start(n, CTRL_ATTR_MCAST_GROUPS);
	put_group(n, "other", MONITOR_ID + 1);
	put_group(n, "monitor", MONITOR_ID);
	mnl_attr_nest_end(n, groups);
	end_message(n);
	say_ok();
}

void say_family_without_groups(void)
{
	struct nlmsghdr *n = put_family();

	mnl_attr_put_u16(n, CTRL_ATTR_FAMILY_ID, FAMILY_ID);
	end_message(n);
	say_ok();
}

/* The group's name, its number, and the family's number have wrong sizes. */
void say_family_of_other_sizes(void)
{
	struct nlmsghdr *n = put_family();
	struct nlattr *groups = mnl_attr_nest_start(n, CTRL_ATTR_MCAST_GROUPS), *one;

	one = mnl_attr_nest_start(n, 1);
	mnl_attr_put(n, CTRL_ATTR_MCAST_GRP_NAME, 4, "moni");
	mnl_attr_put_u8(n, CTRL_ATTR_MCAST_GRP_ID, MONITOR_ID);
	mnl_attr_nest_end(n, one);
	mnl_attr_nest_end(n, groups);
	mnl_attr_put_u8(n, CTRL_ATTR_FAMILY_ID, FAMILY_ID);
	end_message(n);
	say_ok();
}
