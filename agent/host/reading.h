/*
 * The replies of rtnetlink during one reading of a port. Features read parts of the same object,
 * and each request runs all callbacks of the driver, some of which are firmware commands: what was
 * asked once within the reading is answered from here. So are the link, and files that several
 * features read.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_READING_H
#define LOSSLESSCTL_AGENT_HOST_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READING_BYTES 12288 /* an IEEE_GET with 64 APP entries has 3,000 bytes */

struct nlmsghdr;

/* Plain data; a value of zeros is closed. */
struct reading {
	bool is_open;
	size_t used;
	uint8_t bytes[READING_BYTES] __attribute__((aligned(8)));
};

/* Begins with nothing remembered. */
void reading_open(struct reading *r);
void reading_close(struct reading *r);

/* Forgets all: something was written. */
void reading_forget(struct reading *r);

/* Called for each reply: as reply_fn of host.h. */
typedef int reading_fn(const struct nlmsghdr *reply, void *arg);

#define READING_UNKNOWN 1000

/*
 * Calls `each` for the replies to a request, which has no sequence number yet. MNL_CB_OK;
 * MNL_CB_ERROR as `each` says; READING_UNKNOWN: it was not asked in this reading.
 */
int reading_repeat(const struct reading *r, const struct nlmsghdr *request, reading_fn *each,
		   void *arg);

/* A request whose replies are recorded; the rest is set by its caller. */
struct reading_request {
	struct reading *reading;
	reading_fn *each;
	void *arg;
	struct entry *entry; /* NULL: there is no room */
};

/* Takes the request, before it gets a sequence number. */
void reading_begin(struct reading_request *rec, const struct nlmsghdr *request);

/* A reading_fn: takes the reply, and hands it on. */
int reading_record(const struct nlmsghdr *reply, void *rec);

/* Keeps the replies if all came and fitted. */
void reading_end(struct reading_request *rec, bool complete);

/*
 * Copies a value that was remembered under this key; false: it was not in this reading, or it does
 * not fit into `size` bytes.
 */
bool reading_recall(const struct reading *r, const void *key, size_t key_size, void *ret,
		    size_t size);
void reading_remember(struct reading *r, const void *key, size_t key_size, const void *value,
		      size_t size);

#endif
