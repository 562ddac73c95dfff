#include "reading.h"

#include <libmnl/libmnl.h>
#include <string.h>

/* Followed by the request, then by the replies, each aligned. */
struct entry {
	uint32_t request_size, replies_size;
	bool is_cut;
	uint8_t data[] __attribute__((aligned(8)));
};

#define ALIGN8(n) (((n) + 7) & ~(size_t)7)

static size_t entry_size(const struct entry *e)
{
	return sizeof(*e) + ALIGN8(e->request_size) + ALIGN8(e->replies_size);
}

void reading_open(struct reading *r)
{
	r->is_open = true;
	r->used = 0;
}

void reading_close(struct reading *r)
{
	r->is_open = false;
	r->used = 0;
}

void reading_forget(struct reading *r)
{
	r->used = 0;
}

/* The entry of this request, or NULL. */
static const struct entry *find_entry(const struct reading *r, const struct nlmsghdr *request)
{
	const struct entry *e;

	for (size_t at = 0; at < r->used; at += entry_size(e)) {
		e = (const struct entry *)(r->bytes + at);
		if (e->request_size == request->nlmsg_len &&
		    memcmp(e->data, request, request->nlmsg_len) == 0)
			return e;
	}
	return NULL;
}

int reading_repeat(const struct reading *r, const struct nlmsghdr *request, reading_fn *each,
		   void *arg)
{
	const struct entry *e = find_entry(r, request);
	const struct nlmsghdr *n;
	int left;

	if (!e)
		return READING_UNKNOWN;
	n = (const struct nlmsghdr *)(e->data + ALIGN8(e->request_size));
	left = (int)e->replies_size;
	for (; mnl_nlmsg_ok(n, left); n = mnl_nlmsg_next(n, &left))
		if (each && each(n, arg) < 0)
			return MNL_CB_ERROR;
	return MNL_CB_OK;
}

void reading_begin(struct reading_request *rec, const struct nlmsghdr *request)
{
	struct reading *r = rec->reading;
	struct entry *e = (struct entry *)(r->bytes + r->used);

	if (READING_BYTES - r->used < sizeof(*e) + ALIGN8(request->nlmsg_len))
		return;
	*e = (struct entry){ .request_size = request->nlmsg_len };
	memcpy(e->data, request, request->nlmsg_len);
	rec->entry = e;
}

static void add_reply(const struct reading *r, struct entry *e, const struct nlmsghdr *reply)
{
	size_t size = MNL_ALIGN(reply->nlmsg_len);
	uint8_t *end = e->data + ALIGN8(e->request_size) + e->replies_size;

	e->is_cut = e->is_cut || (size_t)(r->bytes + READING_BYTES - end) < ALIGN8(size);
	if (e->is_cut)
		return;
	memcpy(end, reply, reply->nlmsg_len);
	memset(end + reply->nlmsg_len, 0, size - reply->nlmsg_len);
	e->replies_size += (uint32_t)size;
}

int reading_record(const struct nlmsghdr *reply, void *arg)
{
	const struct reading_request *rec = arg;

	if (rec->entry)
		add_reply(rec->reading, rec->entry, reply);
	return rec->each ? rec->each(reply, rec->arg) : MNL_CB_OK;
}

void reading_end(struct reading_request *rec, bool complete)
{
	if (rec->entry && complete && !rec->entry->is_cut)
		rec->reading->used += entry_size(rec->entry);
}
