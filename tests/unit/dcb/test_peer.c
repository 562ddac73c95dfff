/*
 * Who stands at the other end: from lldpad where it knows, else from the wire; and
 * what becomes of it where either of them fails.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/peer.h"
#include "tests/support/unit.h"

#define PORTS_MAX 2

/*
 * What comes out of the cable, a letter for each frame. a-y: a neighbour of that
 * name, which has PFC 3; "!" before it, PFC 4; "#" before it, another of its
 * ports; "-" before it, it leaves. z: no LLDPDU. "+": a minute goes by. A capital
 * is on port 8 and not 7.
 */
struct scene {
	struct host host;
	const char *wire;
	enum err_kind wire_fails;
	const char *lldpad; /* what it sent and what it received on port 7; "." is nothing */
	unsigned answers;   /* so many questions, then it hangs */
	unsigned asked;	    /* lldpad, without what it says of itself */
	unsigned listened;  /* on so many ports */
	uint64_t now_ms;
	char told[160];
};

#define FRAME_MAX 22

/* Returns the frame's size, and moves *at behind it. */
static size_t frame(const char **at, uint8_t pdu[FRAME_MAX])
{
	static const uint8_t sound[FRAME_MAX] = { 2,   2,    7, 0, 4,	 2,    7,  'p', 6, 2, 0,
						  120, 0xfe, 6, 0, 0x80, 0xc2, 11, 8,	8, 0 };

	memcpy(pdu, sound, FRAME_MAX);
	for (; strspn(*at, "!#-"); ++*at)
		if (**at == '!')
			pdu[19] = 1 << 4;
		else
			pdu[**at == '#' ? 7 : 11] = 0;
	pdu[3] = (uint8_t)(*(*at)++ | 32);
	return pdu[3] == 'z' ? 9 : FRAME_MAX;
}

static bool speak(const char **at, const struct lldp_listener *l)
{
	uint8_t pdu[FRAME_MAX];
	size_t size = frame(at, pdu);

	return l->each((*at)[-1] < 'a' ? 8 : 7, pdu, size, l->arg);
}

static bool hear(struct host *h, const struct lldp_listener *l, struct err *err)
{
	struct scene *p = (struct scene *)h;
	bool more = true;

	p->listened = (unsigned)l->count;
	for (const char *at = p->wire; *at && more;)
		if (*at == '+') {
			p->now_ms += 60000;
			at++;
		} else {
			more = speak(&at, l);
		}
	return !p->wire_fails || err_set(err, p->wire_fails, EPERM, "no more");
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct scene *p = (struct scene *)h;

	if (!p->lldpad || strncmp(path, "/proc/42/", 9) != 0)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "lldpad");
	return true;
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	(void)h;
	(void)path;
	(void)err;
	each("42", arg);
	return true;
}

/* Module, version, command and what it is about, the name of the port with its length. */
#define OPS_AT	20
#define PORT_AT 23

static bool answer(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	struct scene *p = (struct scene *)h;
	bool received = request[OPS_AT] == '2';
	const char *at = p->lldpad;
	uint8_t pdu[FRAME_MAX];
	size_t len = 0, used;

	if (p->asked++ >= p->answers)
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "lldpad does not answer within 3 s");
	if (received)
		frame(&at, pdu);
	if (*at != '.' && strncmp(request + PORT_AT, "p7", 2) == 0)
		len = frame(&at, pdu);
	used = (size_t)snprintf(reply, size, "R00C301000000%.6s0000007f", request + OPS_AT - 1);
	for (size_t i = 0; i < len; i++)
		used += (size_t)snprintf(reply + used, size - used, "%02x", pdu[i]);
	return true;
}

static uint64_t now_ms(struct host *h)
{
	return ((struct scene *)h)->now_ms;
}

static void tell(struct host *h, enum progress n, const char *port, const char *what)
{
	struct scene *p = (struct scene *)h;

	assert_int_equal(n, PROGRESS_WAIT);
	snprintf(p->told, sizeof(p->told), "%s: %s", port, what);
}

static struct port port_named(const char *name, unsigned ifindex)
{
	struct port p = { .ifindex = ifindex, .carrier = true };

	snprintf(p.id.name, sizeof(p.id.name), "%s", name);
	return p;
}

/* Looks for the peers of `count` ports, the first of which is p7, number 7. */
static bool look(struct scene *p, size_t count, bool full_time, struct peer_info *ret,
		 struct err *err)
{
	const struct port seven = port_named("p7", 7), eight = port_named("p8", 8);
	const struct port *const ports[PORTS_MAX] = { &seven, &eight };
	const struct peer_request q = { ports, count, PEER_WAIT_MS, full_time };

	p->host = (struct host){ .root = -1,
				 .read_file = read_file,
				 .list_dir = list_dir,
				 .ask_lldpad = answer,
				 .listen_lldp = hear,
				 .now_ms = now_ms,
				 .report = tell };
	memset(ret, 1, count * sizeof(*ret));
	return peers_read(&p->host, &q, ret, err);
}

#define ALWAYS 1000

static const struct seen_row {
	const char *sentence, *lldpad, *wire;
	bool full_time;
	const char *peer; /* NULL: nobody was heard */
	const char *source;
	unsigned pfc, senders;
	bool expired, malformed_error, advertises;
} rows[] = {
	{ "silence is nobody", NULL, "", false, NULL, "wire", 0, 0, 0, 0, 0 },
	{ "without an lldpad the wire is heard", NULL, "a", false, "a", "wire", 8, 1, 0, 0, 0 },
	{ "what lldpad knows is enough", "la", "b", false, "a", "lldpad", 8, 1, 0, 0, 1 },
	{ "an lldpad that is silent itself hears", ".a", "", false, "a", "lldpad", 8, 1, 0, 0, 0 },
	{ "what lldpad does not know comes from the wire", "l.", "a", false, "a", "wire", 8, 1, 0,
	  0, 1 },
	{ "listening to the end finds a second one", NULL, "aba", true, "a", "wire", 8, 2, 0, 0,
	  0 },
	{ "two ports of one switch are two", NULL, "a#a", true, "a", "wire", 8, 2, 0, 0, 0 },
	{ "and one that lldpad does not know", "la", "b", true, "a", "lldpad", 8, 2, 0, 0, 1 },
	{ "who is heard by both is one", "la", "aa", true, "a", "lldpad", 8, 1, 0, 0, 1 },
	{ "and what it said last counts", "la", "b!a", true, "a", "lldpad", 16, 2, 0, 0, 1 },
	{ "who leaves meanwhile is gone", "la", "-a", true, "a", "lldpad", 8, 0, 1, 0, 1 },
	{ "who only leaves is gone", NULL, "-a", false, "a", "wire", 8, 0, 1, 0, 0 },
	{ "who leaves and comes back is there", NULL, "-aa", false, "a", "wire", 8, 1, 0, 0, 0 },
	{ "who stays is the peer, not who left", NULL, "a-ab", true, "b", "wire", 8, 1, 0, 0, 0 },
	{ "who fell silent is gone", NULL, "a++", true, "a", "wire", 8, 0, 1, 0, 0 },
	{ "who speaks is the peer, not who fell silent", NULL, "a++b", true, "b", "wire", 8, 1, 0,
	  0, 0 },
	{ "who speaks often enough is there", NULL, "a+a+", true, "a", "wire", 8, 1, 0, 0, 0 },
	{ "five are five", NULL, "abcdef", true, "a", "wire", 8, 5, 0, 0, 0 },
	{ "what makes no sense is told", NULL, "z", false, NULL, "wire", 0, 0, 0, 1, 0 },
	{ "what makes sense makes good for it", NULL, "za", false, "a", "wire", 8, 1, 0, 0, 0 },
	{ "whatever comes after it", NULL, "az", true, "a", "wire", 8, 1, 0, 0, 0 },
	{ "what lldpad keeps may make no sense", "lz", "", false, NULL, "lldpad", 0, 0, 0, 1, 1 },
	{ "and the wire makes good for it", "lz", "a", false, "a", "wire", 8, 1, 0, 0, 1 },
	{ "what lldpad keeps of one who left", "l-a", "", false, "a", "lldpad", 8, 0, 1, 0, 1 },
	{ "what lldpad sends may make no sense", "za", "", false, "a", "lldpad", 8, 1, 0, 0, 0 },
};

static void so_it_is_seen(void **state)
{
	const struct seen_row *row = *state;
	struct scene p = { .wire = row->wire, .lldpad = row->lldpad, .answers = ALWAYS };
	struct peer_info seen;
	struct err err = { 0 };

	assert_true(look(&p, 1, row->full_time, &seen, &err));
	assert_int_equal(seen.heard, row->peer != NULL);
	assert_string_equal(seen.peer.chassis, row->peer ? row->peer : "");
	assert_string_equal(seen.source, row->source);
	assert_int_equal(seen.peer.pfc.enabled, row->pfc);
	assert_int_equal(seen.senders, row->senders);
	assert_int_equal(seen.other_peer.chassis[0] != '\0', row->senders > 1);
	assert_int_equal(seen.expired, row->expired);
	assert_int_equal(seen.malformed_error.kind != ERR_NONE, row->malformed_error);
	assert_int_equal(seen.advertises, row->advertises);
	assert_int_equal(seen.listen_error.kind, ERR_NONE);
	assert_int_equal(seen.lldpad_error.kind, ERR_NONE);
	assert_false(seen.no_carrier);
}

static void who_is_known_is_not_waited_for(void **s)
{
	struct scene p = { .wire = "", .lldpad = "la", .answers = ALWAYS };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 1, false, seen, &err));
	assert_int_equal(p.listened, 0);
	assert_string_equal(p.told, "");
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.listened, 1);
	assert_string_equal(p.told,
			    "p8: listening for the switch, up to 35 s: most send every 30 s");
	assert_true(look(&p, 2, true, seen, &err));
	assert_int_equal(p.listened, 2);
	assert_string_equal(
		p.told, "p7: with 1 more, listening for the switch, 35 s: most send every 30 s");
}

static void each_port_has_its_own(void **s)
{
	struct scene p = { .wire = "aB" };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, false, seen, &err));
	assert_string_equal(seen[0].peer.chassis, "a");
	assert_string_equal(seen[1].peer.chassis, "b");
	assert_int_equal(seen[0].senders, 1);
}

static void an_lldpad_that_hangs_is_asked_once(void **s)
{
	struct scene p = { .wire = "aB", .lldpad = "la", .answers = 0 };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.asked, 1);
	for (size_t i = 0; i < PORTS_MAX; i++) {
		assert_string_equal(seen[i].lldpad_error.text, "lldpad does not answer within 3 s");
		assert_string_equal(seen[i].source, "wire");
		assert_true(seen[i].heard);
	}
}

static void one_that_hangs_meanwhile_has_said_something(void **s)
{
	struct scene p = { .wire = "aB", .lldpad = "la", .answers = 1 };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.asked, 2);
	assert_true(seen[0].advertises);
	assert_int_equal(seen[0].lldpad_error.kind, ERR_UNKNOWN);
	assert_string_equal(seen[0].source, "wire");
}

static void who_knows_nobody_on_one_port_is_asked_of_the_next(void **s)
{
	struct scene p = { .wire = "aB", .lldpad = "..", .answers = ALWAYS };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.asked, 4);
	assert_int_equal(seen[1].lldpad_error.kind, ERR_NONE);
}

static void who_may_not_listen_says_so(void **s)
{
	struct scene p = {
		.wire = "", .lldpad = "la", .answers = ALWAYS, .wire_fails = ERR_DENIED
	};
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, true, seen, &err));
	assert_int_equal(err.kind, ERR_NONE);
	assert_true(seen[0].heard);
	assert_int_equal(seen[0].listen_error.kind, ERR_NONE);
	assert_false(seen[1].heard);
	assert_int_equal(seen[1].listen_error.kind, ERR_DENIED);
}

static void an_interruption_ends_it(void **s)
{
	struct scene p = { .wire = "a", .wire_fails = ERR_INTERRUPTED };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_false(look(&p, 1, false, seen, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
}

/* lldpad keeps what it heard before the link went down. */
static void without_a_link_nobody_is_asked(void **s)
{
	struct port down = port_named("p7", 7);
	const struct port *const ports[] = { &down };
	struct scene p = { .wire = "a", .lldpad = "la", .answers = ALWAYS };
	const struct peer_request q = { ports, 1, PEER_WAIT_MS, true };
	struct peer_info seen;
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 1, false, &seen, &err));
	down.carrier = false;
	p.asked = 0;
	assert_true(peers_read(&p.host, &q, &seen, &err));
	assert_true(seen.no_carrier);
	assert_false(seen.heard);
	assert_int_equal(p.asked, 0);
	assert_int_equal(p.listened, 0);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, so_it_is_seen);
	SUITE_ADD(&s, who_is_known_is_not_waited_for);
	SUITE_ADD(&s, each_port_has_its_own);
	SUITE_ADD(&s, an_lldpad_that_hangs_is_asked_once);
	SUITE_ADD(&s, one_that_hangs_meanwhile_has_said_something);
	SUITE_ADD(&s, who_knows_nobody_on_one_port_is_asked_of_the_next);
	SUITE_ADD(&s, who_may_not_listen_says_so);
	SUITE_ADD(&s, an_interruption_ends_it);
	SUITE_ADD(&s, without_a_link_nobody_is_asked);
	return suite_run(&s, "peer");
}
