#include "lldp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"

/* TLV types. 127 is organizationally specific: its value begins with an OUI and a subtype. */
enum {
	END,
	CHASSIS_ID,
	PORT_ID,
	TTL,
	PORT_DESCRIPTION,
	SYSTEM_NAME,
	SYSTEM_DESCRIPTION,
	ORGANIZATION = 127
};

#define HEAD_LEN    2
#define SUBTYPE_LEN 4 /* OUI and subtype */

struct tlv {
	unsigned type;
	size_t len;
	const uint8_t *value;
};

struct reader {
	const uint8_t *pdu;
	size_t len, at;
};

/* Reads the next TLV; the end-of-LLDPDU TLV is optional (IEEE 802.1AB-2016, 8.2). */
static bool next_tlv(struct reader *r, struct tlv *ret, struct err *err)
{
	const uint8_t *head;

	*ret = (struct tlv){ .type = END };
	if (r->at == r->len)
		return true;
	if (r->len - r->at < HEAD_LEN)
		return err_set(err, ERR_UNKNOWN, EPROTO, "the LLDPDU ends within a TLV's head");
	head = r->pdu + r->at;
	*ret = (struct tlv){ head[0] >> 1, (head[0] & 1u) << 8 | head[1], head + HEAD_LEN };
	r->at += HEAD_LEN;
	if (ret->len > r->len - r->at)
		return err_set(err, ERR_UNKNOWN, EPROTO,
			       "a TLV of type %u and %zu bytes runs past the LLDPDU's end",
			       ret->type, ret->len);
	r->at += ret->len;
	return true;
}

/* A backslash is escaped as well, so that it cannot be mistaken for an escape. */
static bool is_plain(uint8_t c)
{
	return c >= ' ' && c <= '~' && c != '\\';
}

/* Appends "..." where the next character would not fit. */
static void lldp_put_text(char ret[LLDP_TEXT_MAX], const uint8_t *bytes, size_t len)
{
	static const char dots[] = "...";
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		if (used + strlen("\\xNN") + sizeof(dots) > LLDP_TEXT_MAX) {
			memcpy(ret + used, dots, sizeof(dots));
			return;
		}
		if (is_plain(bytes[i]))
			ret[used++] = (char)bytes[i];
		else
			used += (size_t)snprintf(ret + used, LLDP_TEXT_MAX - used, "\\x%02x",
						 bytes[i]);
	}
	ret[used] = '\0';
}

static void put_mac(char ret[LLDP_TEXT_MAX], const uint8_t *m)
{
	snprintf(ret, LLDP_TEXT_MAX, "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4],
		 m[5]);
}

/* A network address begins with its IANA address family number. */
static bool put_address(char ret[LLDP_TEXT_MAX], const uint8_t *a, size_t len)
{
	if (len == 5 && a[0] == 1)
		return inet_ntop(AF_INET, a + 1, ret, LLDP_TEXT_MAX);
	if (len == 17 && a[0] == 2)
		return inet_ntop(AF_INET6, a + 1, ret, LLDP_TEXT_MAX);
	return false;
}

/*
 * The first byte is the subtype of the ID; an ID that does not match its subtype is shown as text.
 */
static void put_id(char ret[LLDP_TEXT_MAX], const struct tlv *t, uint8_t mac, uint8_t address)
{
	const uint8_t *id = t->value + 1;
	size_t len = t->len - 1;

	if (t->value[0] == mac && len == 6)
		put_mac(ret, id);
	else if (t->value[0] != address || !put_address(ret, id, len))
		lldp_put_text(ret, id, len);
}

static void parse_chassis(const struct tlv *t, struct lldp *ret)
{
	put_id(ret->chassis, t, 4, 5);
	ret->id_len = (uint16_t)(HEAD_LEN + t->len);
}

static void parse_port(const struct tlv *t, struct lldp *ret)
{
	put_id(ret->port, t, 3, 4);
	ret->id_len = (uint16_t)(ret->id_len + HEAD_LEN + t->len);
}

static uint16_t u16_at(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void parse_ttl(const struct tlv *t, struct lldp *ret)
{
	ret->ttl_s = u16_at(t->value);
}

/* Only the first such TLV counts. */
static void parse_port_description(const struct tlv *t, struct lldp *ret)
{
	if (!ret->port_description[0])
		lldp_put_text(ret->port_description, t->value, t->len);
}

static void parse_system(const struct tlv *t, struct lldp *ret)
{
	if (!ret->system[0])
		lldp_put_text(ret->system, t->value, t->len);
}

static void parse_system_description(const struct tlv *t, struct lldp *ret)
{
	if (!ret->system_description[0])
		lldp_put_text(ret->system_description, t->value, t->len);
}

/* By type, with the smallest and largest length of the value. */
static const struct basic {
	const char *name;
	size_t least, most;
	void (*parse)(const struct tlv *t, struct lldp *ret);
} basics[] = {
	[CHASSIS_ID] = { "chassis ID", 2, 256, parse_chassis },
	[PORT_ID] = { "port ID", 2, 256, parse_port },
	[TTL] = { "TTL", 2, 511, parse_ttl }, /* a later edition of the standard may extend it */
	[PORT_DESCRIPTION] = { "port description", 0, 255, parse_port_description },
	[SYSTEM_NAME] = { "system name", 0, 255, parse_system },
	[SYSTEM_DESCRIPTION] = { "system description", 0, 255, parse_system_description },
};

/* Configuration and recommendation have the same layout, apart from the flags. */
static bool parse_ets_table(const uint8_t *v, size_t len, struct lldp_ets *ret)
{
	if (len != 21)
		return false;
	for (unsigned i = 0; i < 8; i++) {
		ret->prio_tc[i] = i % 2 ? v[1 + i / 2] & 15 : v[1 + i / 2] >> 4;
		ret->bandwidth[i] = v[5 + i];
		ret->tsa[i] = v[13 + i];
		if (ret->prio_tc[i] > 7 || ret->bandwidth[i] > 100)
			return false;
	}
	return true;
}

static bool parse_ets(const uint8_t *v, size_t len, struct lldp *ret)
{
	if (!parse_ets_table(v, len, &ret->ets))
		return false;
	ret->ets.willing = v[0] & 0x80;
	ret->ets.cbs = v[0] & 0x40;
	ret->ets.max_tcs = v[0] & 7 ? v[0] & 7 : 8;
	return true;
}

static bool parse_reco(const uint8_t *v, size_t len, struct lldp *ret)
{
	return parse_ets_table(v, len, &ret->reco);
}

static bool parse_pfc(const uint8_t *v, size_t len, struct lldp *ret)
{
	if (len != 2)
		return false;
	ret->pfc = (struct lldp_pfc){ v[0] & 0x80, v[0] & 0x40, v[0] & 15, v[1] };
	return true;
}

static bool parse_app(const uint8_t *v, size_t len, struct lldp *ret)
{
	if (len % 3 != 1)
		return false;
	for (size_t i = 1; i < len; i += 3)
		ret->apps[ret->app_count++] =
			(struct lldp_app){ v[i] & 7, v[i] >> 5, u16_at(v + i + 1) };
	return true;
}

#define PART(field) offsetof(struct lldp, field), sizeof(((struct lldp *)0)->field)

/* By kind: OUI and subtype, the part of the result, and its decoder. */
static const struct dcbx {
	const char *name;
	uint32_t id;
	size_t at, size;
	bool (*parse)(const uint8_t *v, size_t len, struct lldp *ret); /* false: malformed */
} kinds[LLDP_TLV_COUNT] = {
	[LLDP_ETS] = { "ETS configuration", 0x0080c209, PART(ets), parse_ets },
	[LLDP_ETS_RECO] = { "ETS recommendation", 0x0080c20a, PART(reco), parse_reco },
	[LLDP_PFC] = { "PFC", 0x0080c20b, PART(pfc), parse_pfc },
	[LLDP_APP] = { "application priority", 0x0080c20c, PART(app_count), parse_app },
	[LLDP_CEE] = { .name = "CEE DCBX", .id = 0x001b2102 },
	[LLDP_CIN] = { .name = "CIN DCBX", .id = 0x001b2101 },
};

_Static_assert(LLDP_APPS_MAX >= (511 - SUBTYPE_LEN - 1) / 3, "a TLV's entries have room");

static void parse_dcbx_tlv(enum lldp_tlv kind, const struct tlv *t, struct lldp *ret)
{
	const struct dcbx *d = &kinds[kind];
	bool again = (ret->has | ret->malformed) & LLDP_BIT(kind);

	ret->has |= LLDP_BIT(kind);
	if (!again && (!d->parse || d->parse(t->value + SUBTYPE_LEN, t->len - SUBTYPE_LEN, ret)))
		return;
	ret->has &= ~LLDP_BIT(kind);
	ret->malformed |= LLDP_BIT(kind);
	memset((char *)ret + d->at, 0, d->size);
}

static void keep_raw(const struct tlv *t, struct lldp *ret)
{
	size_t len = t->len - SUBTYPE_LEN;
	struct lldp_raw *raw = &ret->raws[ret->raw_count];

	if (ret->raw_count == LLDP_RAWS_MAX) {
		ret->raws_omitted++;
		return;
	}
	ret->raw_count++;
	memcpy(raw->oui, t->value, sizeof(raw->oui));
	raw->subtype = t->value[3];
	raw->len = (uint16_t)len;
	memcpy(raw->bytes, t->value + SUBTYPE_LEN, len < LLDP_RAW_MAX ? len : LLDP_RAW_MAX);
}

static void parse_organization(const struct tlv *t, struct lldp *ret)
{
	uint32_t id;

	if (t->len < SUBTYPE_LEN)
		return;
	id = (uint32_t)u16_at(t->value) << 16 | u16_at(t->value + 2);
	for (enum lldp_tlv kind = 0; kind < LLDP_TLV_COUNT; kind++)
		if (kinds[kind].id == id) {
			parse_dcbx_tlv(kind, t, ret);
			return;
		}
	keep_raw(t, ret);
}

/* Invalid optional TLVs are ignored (IEEE 802.1AB-2016, 9.2.7.7). */
static void parse_optional(const struct tlv *t, struct lldp *ret)
{
	if (t->type == ORGANIZATION)
		parse_organization(t, ret);
	else if (t->type <= SYSTEM_DESCRIPTION && t->len >= basics[t->type].least &&
		 t->len <= basics[t->type].most)
		basics[t->type].parse(t, ret);
}

/* Chassis ID, port ID and TTL must be the first three TLVs; their types equal their places. */
static bool parse_mandatory(unsigned place, const struct tlv *t, struct lldp *ret, struct err *err)
{
	const struct basic *b = &basics[place];

	if (t->type != place)
		return err_set(err, ERR_UNKNOWN, EPROTO,
			       "the LLDPDU's %s is missing: TLV %u is of type %u", b->name, place,
			       t->type);
	if (t->len < b->least || t->len > b->most)
		return err_set(err, ERR_UNKNOWN, EPROTO,
			       "the LLDPDU's %s has %zu bytes, not %zu to %zu", b->name, t->len,
			       b->least, b->most);
	b->parse(t, ret);
	return true;
}

static bool parse_tlv(unsigned place, const struct tlv *t, struct lldp *ret, struct err *err)
{
	if (place <= TTL)
		return parse_mandatory(place, t, ret, err);
	if (t->type == END)
		return t->len == 0 ||
		       err_set(err, ERR_UNKNOWN, EPROTO, "the LLDPDU's end is not empty");
	if (t->type <= TTL)
		return err_set(err, ERR_UNKNOWN, EPROTO, "the LLDPDU has a second %s",
			       basics[t->type].name);
	parse_optional(t, ret);
	return true;
}

bool lldp_decode(const uint8_t *pdu, size_t len, struct lldp *ret, struct err *err)
{
	struct reader r = { pdu, len, 0 };
	struct lldp l = { .ttl_s = 0 };
	struct tlv t = { .type = END };

	for (unsigned place = 1; place == 1 || t.type != END; place++)
		if (!next_tlv(&r, &t, err) || !parse_tlv(place, &t, &l, err))
			return false;
	*ret = l;
	return true;
}

const char *lldp_tlv_name(enum lldp_tlv tlv)
{
	return kinds[tlv].name;
}

struct lldp_watch {
	struct host *h;
	struct neighbours *ports;
	size_t count;
	unsigned enough;
};

static struct neighbours *neighbours_of(const struct lldp_watch *w, unsigned ifindex)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->ports[i].ifindex == ifindex)
			return &w->ports[i];
	return NULL;
}

/* The neighbour with this ID, added if it is new; NULL if there is no room. */
static struct neighbour *find_neighbour(struct neighbours *n, const uint8_t *id, size_t len)
{
	for (unsigned i = 0; i < n->count; i++)
		if (n->list[i].pdu.id_len == len && memcmp(n->list[i].id, id, len) == 0)
			return &n->list[i];
	if (n->count == NEIGHBOURS_MAX)
		return NULL;
	memcpy(n->list[n->count].id, id, len);
	return &n->list[n->count++];
}

static void record_pdu(struct neighbours *n, const uint8_t *pdu, size_t len, uint64_t now_ms)
{
	struct err err = { 0 };
	struct lldp decoded;
	struct neighbour *from;

	if (!lldp_decode(pdu, len, &decoded, &err)) {
		if (n->malformed++ == 0)
			n->why = err;
		return;
	}
	from = find_neighbour(n, pdu, decoded.id_len);
	if (!from) {
		n->more++;
		return;
	}
	from->pdu = decoded;
	from->heard_ms = now_ms;
	from->frames++;
}

bool neighbour_is_present(const struct neighbour *n, uint64_t now_ms)
{
	return now_ms - n->heard_ms < n->pdu.ttl_s * 1000u;
}

unsigned neighbours_present(const struct neighbours *n, uint64_t now_ms)
{
	unsigned present = n->more > 0;

	for (unsigned i = 0; i < n->count; i++)
		present += neighbour_is_present(&n->list[i], now_ms);
	return present;
}

static bool is_enough(const struct lldp_watch *w, uint64_t now_ms)
{
	for (size_t i = 0; i < w->count; i++)
		if (neighbours_present(&w->ports[i], now_ms) < w->enough)
			return false;
	return w->enough > 0;
}

static bool receive_one(unsigned ifindex, const uint8_t *pdu, size_t len, void *arg)
{
	const struct lldp_watch *w = arg;
	struct neighbours *n = neighbours_of(w, ifindex);
	uint64_t now_ms = w->h->now_ms(w->h);

	if (n)
		record_pdu(n, pdu, len, now_ms);
	return !is_enough(w, now_ms);
}

static void forget(struct neighbours *ports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ports[i] = (struct neighbours){ .ifindex = ports[i].ifindex };
}

bool neighbours_listen(struct host *h, struct neighbours *ports, size_t count, unsigned wait_ms,
		       unsigned enough, struct err *err)
{
	struct lldp_watch w = { h, ports, count, enough };
	_free_ unsigned *ifindexes = calloc(count + 1, sizeof(*ifindexes));
	struct lldp_listener l = { ifindexes, count, wait_ms, receive_one, &w };

	if (!ifindexes)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		ifindexes[i] = ports[i].ifindex;
	forget(ports, count);
	if (host_listen_lldp(h, &l, err))
		return true;
	forget(ports, count);
	return false;
}
