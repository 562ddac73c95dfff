/* Tests of waiting for a link, alone and in a bond: when it counts as up, and how long it takes. */
#include <errno.h>
#include <string.h>

#include "agent/engine/write/write_step.h"
#include "tests/support/unit.h"

/* A link whose state follows a table of moments; sleeping advances the clock. */
struct world {
	struct host host;
	uint64_t now;
	struct moment {
		uint64_t from; /* ms; the last moment that has begun applies */
		bool carrier;
		uint32_t changes;
		const char *mii, *lacp; /* NULL: no such file */
	} moments[4];
	size_t count;
	uint64_t interrupted_at; /* 0: never */
	int code;		 /* errno of reading the link; 0: success */
	unsigned told;
};

static const struct moment *present(const struct world *w)
{
	size_t i = 0;

	while (i + 1 < w->count && w->moments[i + 1].from <= w->now)
		i++;
	return &w->moments[i];
}

static bool look(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	const struct world *w = (const struct world *)h;

	(void)ifindex;
	if (w->code)
		return err_set(err, host_err_kind(w->code), w->code, "%s", strerror(w->code));
	*ret = (struct link){ .name = "ens1f0np0",
			      .carrier = present(w)->carrier,
			      .carrier_changes = present(w)->changes };
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct moment *m = present((const struct world *)h);
	const char *text = strstr(path, "mii_status") ? m->mii : m->lacp;

	if (!text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "%s", text);
	return true;
}

static uint64_t now_ms(struct host *h)
{
	return ((struct world *)h)->now;
}

static void sleep_ms(struct host *h, unsigned ms)
{
	((struct world *)h)->now += ms;
}

static int interrupted(struct host *h)
{
	const struct world *w = (const struct world *)h;

	return w->interrupted_at && w->now >= w->interrupted_at ? 15 : 0;
}

static void tell(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)n;
	(void)port;
	(void)what;
	((struct world *)h)->told++;
}

static struct world begin(const struct moment *moments, size_t count)
{
	struct world w = { .host = { .link = look,
				     .read_file = read_file,
				     .now_ms = now_ms,
				     .sleep_ms = sleep_ms,
				     .interrupted = interrupted,
				     .report = tell },
			   .count = count };

	memcpy(w.moments, moments, count * sizeof(moments[0]));
	return w;
}

static const struct port alone = { .id.name = "ens1f0np0" };
static const struct port member = { .id = { .name = "ens1f0np0", .bond = "bond0" } };

static const struct wait_row {
	const char *sentence;
	const struct port *port;
	bool flaps;
	struct moment moments[4];
	size_t count;
	uint64_t least, most; /* ms that the wait takes; 0, 0: the link stays down */
} waits[] = {
	{ "who asks for a link only has it at once",
	  &alone,
	  false,
	  { { 0, true, 4, NULL, NULL } },
	  1,
	  0,
	  1 },
	{ "a link that went and came is back",
	  &alone,
	  true,
	  { { 0, true, 4, NULL, NULL },
	    { 100, false, 5, NULL, NULL },
	    { 500, true, 6, NULL, NULL } },
	  3,
	  500,
	  540 },
	{ "events of a link that goes down may be late",
	  &alone,
	  true,
	  { { 0, true, 4, NULL, NULL },
	    { 900, false, 5, NULL, NULL },
	    { 1500, true, 6, NULL, NULL } },
	  3,
	  1500,
	  1540 },
	{ "a carrier that the driver switches before the link goes down is no flap",
	  &alone,
	  true,
	  { { 0, true, 4, NULL, NULL },
	    { 100, true, 6, NULL, NULL },
	    { 500, false, 7, NULL, NULL },
	    { 800, true, 8, NULL, NULL } },
	  4,
	  800,
	  840 },
	{ "a link that never went is taken for back after a second",
	  &alone,
	  true,
	  { { 0, true, 4, NULL, NULL } },
	  1,
	  1000,
	  1040 },
	{ "a link that does not come is not waited for without end",
	  &alone,
	  true,
	  { { 0, false, 5, NULL, NULL } },
	  1,
	  0,
	  0 },
	{ "a member of a bond must stay for a while",
	  &member,
	  true,
	  { { 0, false, 5, "down", NULL }, { 400, true, 6, "up", "63" } },
	  2,
	  1880,
	  1960 },
	{ "and begins anew when it goes again",
	  &member,
	  true,
	  { { 0, false, 5, "down", NULL },
	    { 400, true, 6, "up", "63" },
	    { 900, false, 7, "down", NULL },
	    { 1200, true, 8, "up", "63" } },
	  4,
	  2680,
	  2760 },
	{ "a bond that does not use its member yet is waited for",
	  &member,
	  true,
	  { { 0, true, 6, "up", "7" }, { 3000, true, 6, "up", "61" } },
	  2,
	  4480,
	  4560 },
	{ "a bond without LACP has no such state",
	  &member,
	  false,
	  { { 0, true, 6, "up", "N/A" } },
	  1,
	  0,
	  1 },
	{ "nor has a kernel that does not report it",
	  &member,
	  false,
	  { { 0, true, 6, "up", NULL } },
	  1,
	  0,
	  1 },
	{ "a bond that says nothing has nothing against it",
	  &member,
	  false,
	  { { 0, true, 6, NULL, NULL } },
	  1,
	  0,
	  1 },
	{ "a member that its bond holds for down is down",
	  &member,
	  false,
	  { { 0, true, 6, "down", "63" }, { 60, true, 6, "up", "63" } },
	  2,
	  60,
	  100 },
};

static void it_takes_so_long(void **s)
{
	const struct wait_row *row = *s;
	struct world w = begin(row->moments, row->count);
	struct err err = { 0 };
	bool back = carrier_wait(&w.host, row->port, row->flaps, false, &err);

	assert_int_equal(back, row->most > 0);
	assert_int_equal(err.code, back ? 0 : ENETDOWN);
	assert_in_range(w.now, row->least, back ? row->most : CARRIER_WAIT_MS + 40);
	assert_int_equal(w.told > 0, w.now >= 2000);
}

/* The first report comes after 2 seconds, then one every 10 seconds. */
static void a_long_wait_is_reported_six_times(void **s)
{
	static const struct moment down = { 0, false, 5, NULL, NULL };
	struct world w = begin(&down, 1);
	struct err err = { 0 };

	(void)s;
	assert_false(carrier_wait(&w.host, &alone, true, false, &err));
	assert_int_equal(w.told, 6);
}

static void a_link_that_cannot_be_read_is_reported(void **s)
{
	static const struct moment up = { 0, true, 4, NULL, NULL };
	struct world w = begin(&up, 1);
	struct err err = { 0 };

	(void)s;
	w.code = ENODEV;
	assert_false(carrier_wait(&w.host, &alone, false, false, &err));
	assert_int_equal(err.kind, ERR_GONE);
	assert_string_equal(err.where, "ens1f0np0: reading the link");
}

static void only_who_is_in_haste_waits_no_longer_when_interrupted(void **s)
{
	static const struct moment down = { 0, false, 5, NULL, NULL };
	struct world hasty = begin(&down, 1), patient = begin(&down, 1);
	struct err err = { 0 };

	(void)s;
	hasty.interrupted_at = patient.interrupted_at = 300;
	hasty.host.no_link_wait = true;
	assert_true(carrier_wait(&hasty.host, &alone, true, false, &err));
	assert_in_range(hasty.now, 300, 340);
	assert_false(carrier_wait(&patient.host, &alone, true, false, &err));
}

static void a_wait_that_yields_ends_when_interrupted(void **s)
{
	static const struct moment moments[] = { { 0, false, 5, NULL, NULL },
						 { 300, true, 6, NULL, NULL } };
	struct world down = begin(moments, 1), back = begin(moments, 2);
	struct err err = { 0 };

	(void)s;
	down.interrupted_at = back.interrupted_at = 300;
	assert_false(carrier_wait(&down.host, &alone, true, true, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err.code, 15);
	assert_in_range(down.now, 300, 340);
	assert_true(carrier_wait(&back.host, &alone, true, true, &err));
}

static const struct expected_row {
	const char *sentence;
	struct moment moment;
	bool has_link, of_bond;
} expected_rows[] = {
	{ "a member in use has to be back in use", { 0, true, 4, "up", "61" }, true, true },
	{ "one that LACP does not use has to have its link",
	  { 0, true, 4, "up", "7" },
	  true,
	  false },
	{ "one without a link need not have one", { 0, false, 4, "down", "7" }, false, false },
};

static void a_run_brings_back_what_it_finds(void **s)
{
	const struct expected_row *row = *s;
	struct world w = begin(&row->moment, 1);
	struct port port = member;
	struct err err = { 0 };
	bool has_link;

	assert_true(carrier_expected(&w.host, &port, &has_link, &err));
	assert_int_equal(has_link, row->has_link);
	assert_int_equal(port.id.bond[0] != '\0', row->of_bond);
	w.code = EIO;
	assert_false(carrier_expected(&w.host, &port, &has_link, &err));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, expected_rows, a_run_brings_back_what_it_finds);
	SUITE_ADD_ROWS(&s, waits, it_takes_so_long);
	SUITE_ADD(&s, a_long_wait_is_reported_six_times);
	SUITE_ADD(&s, a_link_that_cannot_be_read_is_reported);
	SUITE_ADD(&s, only_who_is_in_haste_waits_no_longer_when_interrupted);
	SUITE_ADD(&s, a_wait_that_yields_ends_when_interrupted);
	return suite_run(&s, "write_step_link_wait");
}
