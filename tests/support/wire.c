#include <errno.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tests/support/wire.h"

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
	struct wire_scene *p = (struct wire_scene *)h;
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
	const struct wire_scene *p = (struct wire_scene *)h;

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

/* A request has module, version, command and operations, then the length and name of the port. */
#define OPS_AT	20
#define PORT_AT 23

static bool answer(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	struct wire_scene *p = (struct wire_scene *)h;
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
	return ((struct wire_scene *)h)->now_ms;
}

static void tell(struct host *h, enum progress n, const char *port, const char *what)
{
	struct wire_scene *p = (struct wire_scene *)h;

	assert_int_equal(n, PROGRESS_WAIT);
	snprintf(p->told, sizeof(p->told), "%s: %s", port, what);
}

struct port port_named(const char *name, unsigned ifindex)
{
	struct port p = { .ifindex = ifindex, .carrier = true };

	snprintf(p.id.name, sizeof(p.id.name), "%s", name);
	return p;
}

bool look(struct wire_scene *p, size_t count, bool full_time, struct peer_info *ret,
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
