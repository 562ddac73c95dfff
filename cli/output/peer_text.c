#include "peer_text.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "print.h"

#define DSCPS_SPELLED 3

/* ---- short values ---- */

/* Writes "26:3 48:6", or the number of entries if the map is too long. */
static void short_dscp(const struct config *c, char buf[SHORT_TEXT_MAX])
{
	int count = 0;
	size_t used = 0;

	for (int d = 0; d < DSCPS; d++)
		count += c->dscp.prio[d] >= 0;
	snprintf(buf, SHORT_TEXT_MAX, count ? "%d DSCPs" : "none", count);
	for (int d = 0; d < DSCPS && count && count <= DSCPS_SPELLED; d++)
		if (c->dscp.prio[d] >= 0)
			used += (size_t)snprintf(buf + used, SHORT_TEXT_MAX - used, "%s%d:%d",
						 used ? " " : "", d, c->dscp.prio[d]);
}

static int64_t most_common(const struct setting *k, const struct config *c)
{
	int64_t most = 0;
	size_t most_count = 0;

	for (size_t i = 0; i < k->count; i++) {
		size_t same = 0;

		for (size_t j = 0; j < k->count; j++)
			same += setting_element(k, c, i) == setting_element(k, c, j);
		if (same > most_count) {
			most = setting_element(k, c, i);
			most_count = same;
		}
	}
	return most;
}

/* Returns the last index of the run of equal elements that starts at `from`. */
static size_t run_end(const struct setting *k, const struct config *c, size_t from)
{
	size_t to = from;

	while (to + 1 < k->count && setting_element(k, c, to + 1) == setting_element(k, c, from))
		to++;
	return to;
}

/* Writes the most common name and the exceptions: "ets, 6:strict", "strict, 0-2:ets". */
static void short_words(const struct setting *k, const struct config *c, char buf[SHORT_TEXT_MAX])
{
	int64_t most = most_common(k, c);
	size_t used = (size_t)snprintf(buf, SHORT_TEXT_MAX, "%s", k->names[most]);

	for (size_t i = 0, to; i < k->count && used < SHORT_TEXT_MAX; i = to + 1) {
		char last[24] = "";

		to = run_end(k, c, i);
		if (setting_element(k, c, i) == most)
			continue;
		if (to > i)
			snprintf(last, sizeof(last), "-%zu", to);
		used += (size_t)snprintf(buf + used, SHORT_TEXT_MAX - used, ", %zu%s:%s", i, last,
					 k->names[setting_element(k, c, i)]);
	}
	if (used >= SHORT_TEXT_MAX)
		memcpy(buf + SHORT_TEXT_MAX - 4, "...", 4);
}

static void short_numbers(const struct setting *k, const struct config *c, char buf[SHORT_TEXT_MAX])
{
	size_t used = 0;

	for (size_t i = 0; i < k->count && used < SHORT_TEXT_MAX; i++)
		used += (size_t)snprintf(buf + used, SHORT_TEXT_MAX - used, "%s%d", i ? "," : "",
					 (int)setting_element(k, c, i));
}

const char *short_text(unsigned setting, const struct config *c, char buf[SHORT_TEXT_MAX])
{
	const struct setting *k = &settings[setting];
	char text[SETTING_TEXT_MAX];

	if (!(c->has & SETTING(setting)))
		snprintf(buf, SHORT_TEXT_MAX, "-");
	else if (k->type == T_DSCPMAP)
		short_dscp(c, buf);
	else if (k->count > 1 && k->names)
		short_words(k, c, buf);
	else if (k->count > 1)
		short_numbers(k, c, buf);
	else
		snprintf(buf, SHORT_TEXT_MAX, "%.23s", setting_text(k, c, text));
	return buf;
}

/* ---- the peer ---- */

static json_t *text_or_null(const char *text)
{
	return text[0] ? json_from_text(text) : json_null();
}

/* Organizations whose TLVs switches send. */
static const struct organization {
	uint8_t oui[3];
	const char *name;
} organizations[] = {
	{ { 0x00, 0x80, 0xc2 }, "IEEE 802.1" },	  { { 0x00, 0x12, 0x0f }, "IEEE 802.3" },
	{ { 0x00, 0x12, 0xbb }, "TIA LLDP-MED" }, { { 0x00, 0x01, 0x42 }, "Cisco" },
	{ { 0x00, 0x1c, 0x73 }, "Arista" },	  { { 0x00, 0x90, 0x69 }, "Juniper" },
};

/* NULL: another one. */
static const char *organization_of(const struct lldp_raw *raw)
{
	for (size_t i = 0; i < sizeof(organizations) / sizeof(organizations[0]); i++)
		if (memcmp(organizations[i].oui, raw->oui, sizeof(raw->oui)) == 0)
			return organizations[i].name;
	return NULL;
}

#define OUI_TEXT_MAX sizeof("00-00-00")
#define HEX_TEXT_MAX (2 * LLDP_RAW_MAX + 1)

static const char *oui_text(const struct lldp_raw *raw, char ret[OUI_TEXT_MAX])
{
	snprintf(ret, OUI_TEXT_MAX, "%02X-%02X-%02X", raw->oui[0], raw->oui[1], raw->oui[2]);
	return ret;
}

static const char *hex_text(const struct lldp_raw *raw, char ret[HEX_TEXT_MAX])
{
	ret[0] = '\0';
	for (size_t i = 0; i < raw->len && i < LLDP_RAW_MAX; i++)
		snprintf(ret + 2 * i, 3, "%02x", raw->bytes[i]);
	return ret;
}

static json_t *raws_to_json(const struct lldp *peer)
{
	json_t *list = json_array();
	char oui[OUI_TEXT_MAX], hex[HEX_TEXT_MAX];

	for (unsigned i = 0; i < peer->raw_count; i++) {
		const struct lldp_raw *raw = &peer->raws[i];

		json_array_append_new(list, json_pack("{s:s, s:o, s:i, s:i, s:s}", "oui",
						      oui_text(raw, oui), "organization",
						      json_text_or_null(organization_of(raw)),
						      "subtype", (int)raw->subtype, "length",
						      (int)raw->len, "hex", hex_text(raw, hex)));
	}
	return list;
}

json_t *peer_info_to_json(const struct peer_info *s)
{
	if (!s->heard)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:o, s:i}", "chassis_id",
			 text_or_null(s->peer.chassis), "port_id", text_or_null(s->peer.port),
			 "system_name", text_or_null(s->peer.system), "system_description",
			 text_or_null(s->peer.system_description), "port_description",
			 text_or_null(s->peer.port_description), "ttl_s", (int)s->peer.ttl_s,
			 "sender_count", (int)s->senders, "unknown_tlvs", raws_to_json(&s->peer),
			 "unknown_tlvs_omitted", (int)s->peer.raws_omitted);
}

static void print_raw(const struct cli *c, const struct lldp_raw *raw)
{
	const char *name = organization_of(raw);
	char oui[OUI_TEXT_MAX], hex[HEX_TEXT_MAX];

	fprintf(c->to, "  %-14s  %s%s%s%s, subtype %u, %u byte%s: %s%s\n", "unknown TLV",
		oui_text(raw, oui), name ? " (" : "", name ? name : "", name ? ")" : "",
		raw->subtype, raw->len, raw->len == 1 ? "" : "s", hex_text(raw, hex),
		raw->len > LLDP_RAW_MAX ? "..." : "");
}

void print_peer_details(const struct cli *c, const struct peer_info *s)
{
	if (!s->heard)
		return;
	if (s->peer.system_description[0])
		print_outside(c->to, "  %-14s  %s\n", "system", s->peer.system_description);
	for (unsigned i = 0; i < s->peer.raw_count; i++)
		print_raw(c, &s->peer.raws[i]);
	if (s->peer.raws_omitted)
		fprintf(c->to, "  %-14s  %u more\n", "unknown TLVs", s->peer.raws_omitted);
}

static void print_bold(const struct cli *c, const char *text)
{
	fputs(c->out.bold, c->to);
	print_clean(c->to, text);
	fputs(c->out.reset, c->to);
}

/* Prefers the system name to the chassis id; the names of switch and port are in bold. */
void print_peer_info(const struct cli *c, const struct peer_info *s)
{
	if (!s->heard)
		return;
	print_bold(c, s->peer.system[0] ? s->peer.system : s->peer.chassis);
	if (s->peer.system[0])
		print_outside(c->to, " (%s)", s->peer.chassis);
	fputs(", port ", c->to);
	print_bold(c, s->peer.port);
	if (s->peer.port_description[0])
		print_outside(c->to, " (%s)", s->peer.port_description);
	fprintf(c->to, "%s, LLDP from %s%s", c->out.dim,
		strcmp(s->source, "raw_socket") == 0 ? "the wire" : "lldpad", c->out.reset);
}
