/* Fuzz target: an LLDPDU of any bytes. */
#include <string.h>

#include "../../dcb/lldp/lldp.h"
#include "fuzz.h"

static bool is_printable(const char text[LLDP_TEXT_MAX])
{
	size_t len = strnlen(text, LLDP_TEXT_MAX);

	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return len < LLDP_TEXT_MAX;
}

static void check_ets(const struct lldp_ets *e)
{
	for (int i = 0; i < 8; i++) {
		MUST(e->prio_tc[i] < 8);
		MUST(e->bandwidth[i] <= 100);
	}
	MUST(e->max_tcs <= 8);
}

static void check_apps(const struct lldp *l)
{
	MUST(l->app_count <= LLDP_APPS_MAX);
	MUST(l->app_count == 0 || (l->has & LLDP_BIT(LLDP_APP)));
	for (unsigned i = 0; i < l->app_count; i++) {
		MUST(l->apps[i].selector < 8);
		MUST(l->apps[i].priority < 8);
	}
}

/* Zeros follow the bytes that are kept of a TLV. */
static void check_raws(const struct lldp *l)
{
	MUST(l->raw_count <= LLDP_RAWS_MAX);
	MUST(!l->raws_omitted || l->raw_count == LLDP_RAWS_MAX);
	for (unsigned i = 0; i < LLDP_RAWS_MAX; i++) {
		const struct lldp_raw *r = &l->raws[i];

		MUST(r->len <= 507);
		MUST(i < l->raw_count || !r->len);
		for (size_t at = r->len; at < LLDP_RAW_MAX; at++)
			MUST(!r->bytes[at]);
	}
}

static void check_presence(const struct lldp *l)
{
	static const struct lldp_ets no_ets;
	static const struct lldp_pfc no_pfc;

	MUST((l->has & l->malformed) == 0);
	MUST((l->has | l->malformed) < LLDP_BIT(LLDP_TLV_COUNT));
	MUST((l->has & LLDP_BIT(LLDP_ETS)) ? l->ets.max_tcs > 0
					   : memcmp(&l->ets, &no_ets, sizeof(no_ets)) == 0);
	MUST((l->has & LLDP_BIT(LLDP_ETS_RECO)) || memcmp(&l->reco, &no_ets, sizeof(no_ets)) == 0);
	MUST((l->has & LLDP_BIT(LLDP_PFC)) || memcmp(&l->pfc, &no_pfc, sizeof(no_pfc)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct lldp l;

	if (!lldp_decode(data, size, &l, &err)) {
		MUST(err.kind == ERR_UNKNOWN && err.text[0]);
		return 0;
	}
	MUST(err.kind == ERR_NONE);
	MUST(is_printable(l.chassis) && l.chassis[0]);
	MUST(is_printable(l.port) && l.port[0]);
	MUST(is_printable(l.system) && is_printable(l.port_description));
	MUST(is_printable(l.system_description));
	MUST(l.id_len >= 8 && l.id_len <= LLDP_ID_MAX && l.id_len < size);
	check_presence(&l);
	check_ets(&l.ets);
	check_ets(&l.reco);
	check_apps(&l);
	check_raws(&l);
	return 0;
}
