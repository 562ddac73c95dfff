/* Fuzz target: lldpad's answers to each request, and its LLDPDUs in hex. */
#include <string.h>

#include "../../dcb/registry.h"
#include "../../dcb/lldp/lldp.h"
#include "../../dcb/lldpad/client.h"
#include "../../dcb/lldpad/configure.h"
#include "fuzz.h"
#include "outside.h"

static const char port[] = "ens1f0np0";

static void judge_pdu(const struct lldpad_pdu *pdu)
{
	struct err err = { 0 };
	struct lldp said;

	MUST(pdu->size <= sizeof(pdu->bytes));
	if (!lldp_decode(pdu->bytes, pdu->size, &said, &err))
		MUST(err.kind == ERR_UNKNOWN);
}

static bool ask_pdu(const struct lldpad *l, bool sent, struct err *err)
{
	struct lldpad_pdu pdu;
	bool ok = sent ? lldpad_get_sent(l, port, &pdu, err)
		       : lldpad_get_received(l, port, &pdu, err);

	if (ok)
		judge_pdu(&pdu);
	return ok;
}

static bool ask_value(const struct lldpad *l, struct err *err)
{
	char value[LLDPAD_VALUE_MAX];

	if (!lldpad_get(l, port, LLDPAD_TLV_PFC, "enabled", value, err))
		return false;
	MUST(strnlen(value, sizeof(value)) < sizeof(value));
	return true;
}

static bool ask_follows(const struct lldpad *l, struct err *err)
{
	bool follows;

	return lldpad_follows(l, port, &follows, err);
}

static bool ask_change(const struct lldpad *l, struct err *err)
{
	struct lldpad_args args = { .count = 0 };

	lldpad_args_add(&args, "willing", "no");
	return lldpad_set(l, port, LLDPAD_TLV_PFC, &args, err);
}

static bool ask(const struct lldpad *l, uint8_t what, struct err *err)
{
	switch (what % 5) {
	case 0:
		return ask_pdu(l, true, err);
	case 1:
		return ask_pdu(l, false, err);
	case 2:
		return ask_value(l, err);
	case 3:
		return ask_follows(l, err);
	default:
		return ask_change(l, err);
	}
}

/* Each request first reads the process's name: "lldpad" and END follow the input's first byte. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outside o;
	struct lldpad l;
	struct err err = { 0 };
	uint8_t what;

	outside_begin(&o, data, size);
	l = (struct lldpad){ .h = &o.host, .pid = 42 };
	what = outside_byte(&o);
	if (!ask(&l, what, &err))
		MUST(err.kind != ERR_NONE && err.text[0]);
	else
		MUST(err.kind == ERR_NONE);
	outside_end(&o);
	return 0;
}
