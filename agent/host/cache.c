#include "cache.h"

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
static const struct entry *find_entry(const struct reading *r, const void *request, size_t size)
{
	const struct entry *e;

	for (size_t at = 0; at < r->used; at += entry_size(e)) {
		e = (const struct entry *)(r->bytes + at);
		if (e->request_size == size && memcmp(e->data, request, size) == 0)
			return e;
	}
	return NULL;
}

int reading_repeat(const struct reading *r, const struct nlmsghdr *request, reading_fn *each,
		   void *arg)
{
	const struct entry *e = find_entry(r, request, request->nlmsg_len);
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

/* A new entry, which counts once it is complete; NULL: there is no room. */
static struct entry *begin_entry(struct reading *r, const void *request, size_t size)
{
	struct entry *e = (struct entry *)(r->bytes + r->used);

	if (READING_BYTES - r->used < sizeof(*e) + ALIGN8(size))
		return NULL;
	*e = (struct entry){ .request_size = (uint32_t)size };
	memcpy(e->data, request, size);
	return e;
}

void reading_begin(struct reading_request *rec, const struct nlmsghdr *request)
{
	rec->entry = begin_entry(rec->reading, request, request->nlmsg_len);
}

static void add_reply(const struct reading *r, struct entry *e, const void *reply, size_t length)
{
	size_t size = MNL_ALIGN(length);
	uint8_t *end = e->data + ALIGN8(e->request_size) + e->replies_size;

	e->is_cut = e->is_cut || (size_t)(r->bytes + READING_BYTES - end) < ALIGN8(size);
	if (e->is_cut)
		return;
	memcpy(end, reply, length);
	memset(end + length, 0, size - length);
	e->replies_size += (uint32_t)size;
}

int reading_record(const struct nlmsghdr *reply, void *arg)
{
	const struct reading_request *rec = arg;

	if (rec->entry)
		add_reply(rec->reading, rec->entry, reply, reply->nlmsg_len);
	return rec->each ? rec->each(reply, rec->arg) : MNL_CB_OK;
}

void reading_end(struct reading_request *rec, bool complete)
{
	if (rec->entry && complete && !rec->entry->is_cut)
		rec->reading->used += entry_size(rec->entry);
}

bool reading_recall(const struct reading *r, const void *key, size_t key_size, void *ret,
		    size_t size)
{
	const struct entry *e = find_entry(r, key, key_size);

	if (!e || e->replies_size > size)
		return false;
	memcpy(ret, e->data + ALIGN8(key_size), e->replies_size);
	return true;
}

void reading_remember(struct reading *r, const void *key, size_t key_size, const void *value,
		      size_t size)
{
	struct reading_request rec = { .reading = r };

	rec.entry = r->is_open ? begin_entry(r, key, key_size) : NULL;
	if (rec.entry)
		add_reply(r, rec.entry, value, size);
	reading_end(&rec, true);
}

bool run_fact_recall(const struct run_facts *all, enum run_fact fact, void *ret, size_t size)
{
	if (!all->known[fact] || size > FACT_BYTES)
		return false;
	memcpy(ret, all->value[fact], size);
	return true;
}

void run_fact_remember(struct run_facts *all, enum run_fact fact, const void *value, size_t size)
{
	all->known[fact] = all->is_kept && size <= FACT_BYTES;
	if (all->known[fact])
		memcpy(all->value[fact], value, size);
}

bool run_links_recall(const struct run_facts *all, struct link_list *ret)
{
	if (!all->links.links)
		return false;
	*ret = all->links;
	ret->borrowed = true;
	return true;
}

void run_links_remember(struct run_facts *all, struct link_list *links)
{
	link_list_free(&all->links);
	if (!all->is_kept)
		return;
	all->links = *links;
	links->borrowed = links->links != NULL;
}

struct link *run_link(const struct run_facts *all, const char *name)
{
	for (size_t i = 0; i < all->links.count; i++)
		if (strcmp(all->links.links[i].name, name) == 0)
			return &all->links.links[i];
	return NULL;
}

void run_facts_forget(struct run_facts *all)
{
	link_list_free(&all->links);
	memset(all->known, 0, sizeof(all->known));
}
