/* Tests of buffers: the messages that change them, and the meaning of refusals. */
#include <errno.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/lint/headroom.h"
#include "tests/support/recorder.h"
#include "tests/support/unit.h"

#define KB 1000

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

/* The minimum size of a lossless buffer on this port, plus 1024 bytes for rounding to cells. */
#define LEAST 45568u

static void this_is_what_a_lossless_buffer_needs(void **s)
{
	struct headroom_link link = { .speed_mbps = 100000, .mtu = 1500, .cable_m = 5 };

	(void)s;
	assert_int_equal(headroom_of(&link).min_buffer_bytes + 1024, LEAST);
}

struct setup {
	uint8_t lossless;
	uint32_t size[8];
	uint8_t map[8];
};

#define IN_3 \
	{ \
		0, 0, 0, 3, 0, 0, 0, 0 \
	}
#define IN_4 \
	{ \
		0, 0, 0, 4, 0, 0, 0, 0 \
	}

static const struct buffer_row {
	const char *sentence;
	struct setup from, to;
	uint32_t total;
	size_t count;	   /* messages */
	uint32_t first[8]; /* the sizes in the first message, which has the old map */
} buffer_rows[] = {
	{ "with the same map the sizes are one message",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 120 * KB }, IN_3 },
	  400 * KB,
	  1,
	  { 50 * KB, 0, 0, 120 * KB } },
	{ "where there is room every buffer is as large as before and after",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  400 * KB,
	  3,
	  { 120 * KB, 0, 0, 120 * KB, 120 * KB } },
	{ "a port that does not report its total has room",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  0,
	  3,
	  { 120 * KB, 0, 0, 120 * KB, 120 * KB } },
	{ "a total that is just enough is enough",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  360 * KB,
	  3,
	  { 120 * KB, 0, 0, 120 * KB, 120 * KB } },
	{ "else what is lossless keeps what it has",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  360 * KB - 1,
	  3,
	  { 50 * KB, 0, 0, 100 * KB, 120 * KB } },
	{ "and has what it needs, where it had less",
	  { 0x08, { 60 * KB, 0, 0, 40 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  170 * KB + LEAST,
	  3,
	  { 50 * KB, 0, 0, LEAST, 120 * KB } },
	{ "or keeps what little it had, where that does not fit",
	  { 0x08, { 60 * KB, 0, 0, 40 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  210 * KB,
	  3,
	  { 50 * KB, 0, 0, 40 * KB, 120 * KB } },
	{ "or has only what it needs, on either side",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  200 * KB,
	  3,
	  { 50 * KB, 0, 0, LEAST, LEAST } },
};

static struct config config_of(const struct setup *s)
{
	struct config c = { .mtu = 1500, .pfc = { .priorities = s->lossless, .cable_m = 5 } };

	memcpy(c.buffer.size_bytes, s->size, sizeof(s->size));
	memcpy(c.buffer.prio_buffer, s->map, sizeof(s->map));
	return c;
}

static struct recorder with_buffers(const struct setup *s, uint32_t total)
{
	struct recorder d = recorder(DCB_ATTR_DCB_BUFFER, sizeof(struct dcbnl_buffer));

	memcpy(d.has.buffer.buffer_size, s->size, sizeof(s->size));
	memcpy(d.has.buffer.prio2buffer, s->map, sizeof(s->map));
	d.has.buffer.total_size = total;
	return d;
}

static void buffers_change_so(void **s)
{
	const struct buffer_row *row = *s;
	struct config from = config_of(&row->from), to = config_of(&row->to);
	struct recorder d = with_buffers(&row->from, row->total);
	const struct dcbnl_buffer *first = &d.sent[0].buffer, *last;
	struct err err = { 0 };

	assert_true(feature_buffer.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, row->count);
	last = &d.sent[d.sent_count - 1].buffer;
	assert_memory_equal(first->buffer_size, row->first, sizeof(row->first));
	assert_memory_equal(first->prio2buffer, row->from.map, 8);
	assert_memory_equal(last->buffer_size, row->to.size, sizeof(row->to.size));
	assert_memory_equal(last->prio2buffer, row->to.map, 8);
	if (row->count == 3) { /* the second message changes the map only */
		assert_memory_equal(d.sent[1].buffer.buffer_size, row->first, sizeof(row->first));
		assert_memory_equal(d.sent[1].buffer.prio2buffer, row->to.map, 8);
	}
}

static void where_nothing_is_lossless_the_map_comes_first(void **s)
{
	static const struct setup was = { 0, { 60 * KB, 0, 0, 100 * KB }, IN_3 };
	static const struct setup other = { 0, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 };
	struct recorder d = with_buffers(&was, 400 * KB);
	struct config from = config_of(&was), to = config_of(&other);
	struct err err = { 0 };

	(void)s;
	assert_true(feature_buffer.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, 2);
	assert_memory_equal(d.sent[0].buffer.prio2buffer, other.map, 8);
	assert_memory_equal(d.sent[0].buffer.buffer_size, was.size, sizeof(was.size));
	assert_memory_equal(d.sent[1].buffer.buffer_size, other.size, sizeof(other.size));
}

/* mlx5 forgets global pause only when the map changes. */
static void the_same_map_is_another_for_a_moment(void **s)
{
	static const struct setup was = { 0, { 60 * KB, 0, 0, 100 * KB }, IN_3 };
	static const struct setup alone = { 0, { 60 * KB }, { 0 } };
	struct recorder d = with_buffers(&was, 400 * KB), e = with_buffers(&alone, 400 * KB);
	struct config c = config_of(&was), one = config_of(&alone);
	struct err err = { 0 };

	(void)s;
	assert_true(feature_buffer.write(&d.host, &port, &c, &c, &err));
	assert_int_equal(d.sent_count, 3);
	assert_int_equal(d.sent[0].buffer.prio2buffer[0], 3); /* a buffer that priority 3 uses */
	assert_memory_equal(d.sent[1].buffer.prio2buffer, was.map, 8);
	assert_true(feature_buffer.write(&e.host, &port, &one, &one, &err));
	assert_int_equal(e.sent[0].buffer.prio2buffer[0], 1); /* no other is in use: the next */
	assert_int_equal(e.sent[2].buffer.prio2buffer[0], 0);
}

/* mlx5 rereads PFC only when the map changes, and checks the new map against the current sizes. */
static void to_reread_pfc_the_map_is_another_for_a_moment(void **s)
{
	static const struct setup was = { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 };
	static const struct setup all = { 0xff, { 60 * KB, 4 * KB }, { 0 } };
	const struct port mlx5 = { .id = { .name = "ens1f0np0", .driver = "mlx5_core" } };
	struct recorder d = with_buffers(&was, 400 * KB), e = with_buffers(&all, 400 * KB);
	struct config c = config_of(&was), one = config_of(&all);
	struct err err = { 0 };

	(void)s;
	assert_true(feature_buffer.reapply(&d.host, &mlx5, &c, &err));
	assert_int_equal(d.sent_count, 2);
	assert_int_equal(d.sent[0].buffer.prio2buffer[0], 3); /* lossy priority, buffer in use */
	assert_memory_equal(d.sent[1].buffer.prio2buffer, was.map, 8);
	assert_memory_equal(d.sent[1].buffer.buffer_size, was.size, sizeof(was.size));
	/* All priorities are lossless: the next buffer gets the same size for the moment. */
	assert_true(feature_buffer.reapply(&e.host, &mlx5, &one, &err));
	assert_int_equal(e.sent_count, 3);
	assert_memory_equal(e.sent[0].buffer.prio2buffer, all.map, 8);
	assert_int_equal(e.sent[0].buffer.buffer_size[1], 60 * KB);
	assert_int_equal(e.sent[1].buffer.prio2buffer[7], 1);
	assert_int_equal(e.sent[1].buffer.buffer_size[1], 60 * KB);
	assert_memory_equal(e.sent[2].buffer.prio2buffer, all.map, 8);
	assert_memory_equal(e.sent[2].buffer.buffer_size, all.size, sizeof(all.size));
}

static const struct refusal_row {
	const char *sentence;
	int code;
	size_t at; /* index of the refused message */
	uint8_t lossless;
	const char *fix; /* a part of it; "": none */
} refusal_rows[] = {
	{ "ENOMEM means headroom", ENOMEM, 0, 0x08, "losslessctl headroom" },
	{ "ENOMEM means headroom at any message", ENOMEM, 2, 0x08, "losslessctl headroom" },
	{ "EINVAL means sizes", EINVAL, 1, 0x08, "exceed the port's total" },
	{ "another refusal is reported as it is", EPERM, 0, 0x08, "" },
	{ "EINVAL means sizes where nothing is lossless", EINVAL, 0, 0, "exceed the port's total" },
	{ "and at the last message", EINVAL, 1, 0, "exceed the port's total" },
};

static void a_refusal_is_reported_so(void **s)
{
	static const struct setup was = { 0, { 60 * KB, 0, 0, 100 * KB }, IN_3 };
	static const struct setup other = { 0, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 };
	const struct refusal_row *row = *s;
	struct recorder d = with_buffers(&was, 400 * KB);
	struct config from = config_of(&was), to = config_of(&other);
	struct err err = { 0 };

	from.pfc.priorities = row->lossless;
	d.codes[row->at] = row->code;
	assert_false(feature_buffer.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(err.code, row->code);
	assert_int_equal(d.sent_count, row->at + 1);
	assert_true(row->fix[0] ? strstr(err.fix, row->fix) != NULL : !err.fix[0]);
}

static void a_write_costs_the_firmware_its_pools_for_good(void **s)
{
	struct config c = { 0 };
	const char *said = feature_buffer.irreversible(&port, &c, &c);

	(void)s;
	assert_non_null(strstr(said, "stay manual"));
	assert_non_null(strstr(said, "shared pools"));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, this_is_what_a_lossless_buffer_needs);
	SUITE_ADD_ROWS(&s, buffer_rows, buffers_change_so);
	SUITE_ADD(&s, where_nothing_is_lossless_the_map_comes_first);
	SUITE_ADD(&s, the_same_map_is_another_for_a_moment);
	SUITE_ADD(&s, to_reread_pfc_the_map_is_another_for_a_moment);
	SUITE_ADD_ROWS(&s, refusal_rows, a_refusal_is_reported_so);
	SUITE_ADD(&s, a_write_costs_the_firmware_its_pools_for_good);
	return suite_run(&s, "buffer");
}
