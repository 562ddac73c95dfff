/* Tests of finding peers on the wire or through lldpad, and of the time to wait for them. */
#include "dcb/peer.h"
#include "tests/support/unit.h"
#include "tests/support/wire.h"

#define ALWAYS 1000

static const struct seen_row {
	const char *sentence, *lldpad, *wire;
	bool full_time;
	const char *peer; /* NULL: no peer */
	const char *source;
	unsigned pfc, senders;
	bool expired, malformed_error, advertises;
} rows[] = {
	{ "silence is no peer", NULL, "", false, NULL, "raw_socket", 0, 0, 0, 0, 0 },
	{ "without an lldpad the raw socket is read", NULL, "a", false, "a", "raw_socket", 8, 1, 0,
	  0, 0 },
	{ "what lldpad knows is enough", "la", "b", false, "a", "lldpad", 8, 1, 0, 0, 1 },
	{ "a port whose lldpad is silent still receives", ".a", "", false, "a", "lldpad", 8, 1, 0,
	  0, 0 },
	{ "what lldpad does not know comes from the wire", "l.", "a", false, "a", "raw_socket", 8,
	  1, 0, 0, 1 },
	{ "listening to the end finds a second one", NULL, "aba", true, "a", "raw_socket", 8, 2, 0,
	  0, 0 },
	{ "two ports of one switch are two", NULL, "a#a", true, "a", "raw_socket", 8, 2, 0, 0, 0 },
	{ "and one that lldpad does not know", "la", "b", true, "a", "lldpad", 8, 2, 0, 0, 1 },
	{ "a peer that both report is one", "la", "aa", true, "a", "lldpad", 8, 1, 0, 0, 1 },
	{ "and what it said last counts", "la", "b!a", true, "a", "lldpad", 16, 2, 0, 0, 1 },
	{ "who leaves meanwhile is gone", "la", "-a", true, "a", "lldpad", 8, 0, 1, 0, 1 },
	{ "who only leaves is gone", NULL, "-a", false, "a", "raw_socket", 8, 0, 1, 0, 0 },
	{ "who leaves and comes back is there", NULL, "-aa", false, "a", "raw_socket", 8, 1, 0, 0,
	  0 },
	{ "who stays is the peer, not who left", NULL, "a-ab", true, "b", "raw_socket", 8, 1, 0, 0,
	  0 },
	{ "who fell silent is gone", NULL, "a++", true, "a", "raw_socket", 8, 0, 1, 0, 0 },
	{ "the peer that advertises counts, not the one that fell silent", NULL, "a++b", true, "b",
	  "raw_socket", 8, 1, 0, 0, 0 },
	{ "a peer that advertises often enough is present", NULL, "a+a+", true, "a", "raw_socket",
	  8, 1, 0, 0, 0 },
	{ "five are five", NULL, "abcdef", true, "a", "raw_socket", 8, 5, 0, 0, 0 },
	{ "a malformed frame is reported", NULL, "z", false, NULL, "raw_socket", 0, 0, 0, 1, 0 },
	{ "what makes sense makes good for it", NULL, "za", false, "a", "raw_socket", 8, 1, 0, 0,
	  0 },
	{ "whatever comes after it", NULL, "az", true, "a", "raw_socket", 8, 1, 0, 0, 0 },
	{ "what lldpad keeps may make no sense", "lz", "", false, NULL, "lldpad", 0, 0, 0, 1, 1 },
	{ "and the wire makes good for it", "lz", "a", false, "a", "raw_socket", 8, 1, 0, 0, 1 },
	{ "what lldpad keeps of one who left", "l-a", "", false, "a", "lldpad", 8, 0, 1, 0, 1 },
	{ "what lldpad sends may make no sense", "za", "", false, "a", "lldpad", 8, 1, 0, 0, 0 },
};

static void so_it_is_seen(void **state)
{
	const struct seen_row *row = *state;
	struct wire_scene p = { .wire = row->wire, .lldpad = row->lldpad, .answers = ALWAYS };
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
	struct wire_scene p = { .wire = "", .lldpad = "la", .answers = ALWAYS };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 1, false, seen, &err));
	assert_int_equal(p.listened, 0);
	assert_string_equal(p.told, "");
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.listened, 1);
	assert_string_equal(p.told,
			    "p8: listening for LLDP, up to 35 s; most switches send every 30 s");
	assert_true(look(&p, 2, true, seen, &err));
	assert_int_equal(p.listened, 2);
	assert_string_equal(p.told, "p7: listening for LLDP here and on 1 more port, 35 s; most "
				    "switches send every 30 s");
}

static void each_port_has_its_own(void **s)
{
	struct wire_scene p = { .wire = "aB" };
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
	struct wire_scene p = { .wire = "aB", .lldpad = "la", .answers = 0 };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.asked, 1);
	for (size_t i = 0; i < PORTS_MAX; i++) {
		assert_string_equal(seen[i].lldpad_error.text, "lldpad does not answer within 3 s");
		assert_string_equal(seen[i].source, "raw_socket");
		assert_true(seen[i].heard);
	}
}

static void one_that_hangs_meanwhile_has_said_something(void **s)
{
	struct wire_scene p = { .wire = "aB", .lldpad = "la", .answers = 1 };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.asked, 2);
	assert_true(seen[0].advertises);
	assert_int_equal(seen[0].lldpad_error.kind, ERR_UNKNOWN);
	assert_string_equal(seen[0].source, "raw_socket");
}

static void who_knows_nobody_on_one_port_is_asked_of_the_next(void **s)
{
	struct wire_scene p = { .wire = "aB", .lldpad = "..", .answers = ALWAYS };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(look(&p, 2, false, seen, &err));
	assert_int_equal(p.asked, 4);
	assert_int_equal(seen[1].lldpad_error.kind, ERR_NONE);
}

static void who_may_not_listen_says_so(void **s)
{
	struct wire_scene p = {
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
	struct wire_scene p = { .wire = "a", .wire_fails = ERR_INTERRUPTED };
	struct peer_info seen[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_false(look(&p, 1, false, seen, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
}

/*
 * No peer is requested: without a carrier, lldpad still has the old peer; without an interface, the
 * port's name is that of an RDMA device.
 */
static const struct deaf_row {
	const char *sentence;
	bool no_carrier, no_interface;
} deaf_rows[] = {
	{ "without a link no peer is asked for", true, false },
	{ "without an interface no peer is asked for", false, true },
};

static void no_peer_is_asked_for(void **s)
{
	const struct deaf_row *row = *s;
	struct port port = port_named("p7", 7);
	const struct port *const ports[] = { &port };
	struct wire_scene p = { .wire = "a", .lldpad = "la", .answers = ALWAYS };
	const struct peer_request q = { ports, 1, PEER_WAIT_MS, true };
	struct peer_info seen;
	struct err err = { 0 };

	assert_true(look(&p, 1, false, &seen, &err));
	assert_false(seen.no_carrier || seen.no_interface);
	port.carrier = !row->no_carrier;
	port.no_interface = row->no_interface;
	p.asked = p.listened = 0;
	assert_true(peers_read(&p.host, &q, &seen, &err));
	assert_int_equal(seen.no_carrier, row->no_carrier);
	assert_int_equal(seen.no_interface, row->no_interface);
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
	SUITE_ADD_ROWS(&s, deaf_rows, no_peer_is_asked_for);
	return suite_run(&s, "peer");
}
