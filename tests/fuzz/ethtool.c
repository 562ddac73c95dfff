/* Fuzz target: ethtool's answers, by netlink, and in the structs and lists of its ioctl. */
#include <string.h>

#include "../../dcb/ethtool.h"
#include "../../dcb/registry.h"
#include "fuzz.h"
#include "outside.h"

static const struct feature *const features[] = { &feature_pause, &feature_storm };

static void ask_driver(struct outside *o)
{
	struct driver_info info;
	struct err err = { 0 };

	if (!ethtool_get_driver(&o->host, "ens1f0np0", &info, &err))
		return;
	MUST(strnlen(info.driver, sizeof(info.driver)) < sizeof(info.driver));
	MUST(strnlen(info.firmware, sizeof(info.firmware)) < sizeof(info.firmware));
	MUST(strnlen(info.bus, sizeof(info.bus)) < sizeof(info.bus));
}

static void ask_speed(struct outside *o)
{
	struct err err = { 0 };
	struct link_speeds speeds;

	if (!ethtool_get_speeds(&o->host, "ens1f0np0", &speeds, &err))
		MUST(err.kind != ERR_NONE);
}

/* Keep the scratch from one input to the next, as the agent does, because it is large. */
static void ask_counters(struct outside *o)
{
	static struct scratch *scratch;
	struct sample s = { .has = { false } };
	struct err err = { 0 };

	if (!scratch)
		scratch = scratch_new();
	MUST(scratch);
	if (!counter_reader_ethtool.read(&o->host, &o->port, scratch, &s, &err))
		MUST(err.kind != ERR_NONE && err.text[0]);
}

static void ask_blocks(struct outside *o)
{
	struct sample s = { .has = { false } };
	struct err err = { 0 };

	if (!counter_reader_fec.read(&o->host, &o->port, NULL, &s, &err))
		MUST(err.kind != ERR_NONE && err.text[0]);
}

static void ask_storms(struct outside *o)
{
	struct sample s = { .has = { false } };
	struct err err = { 0 };

	if (!counter_reader_pause.read(&o->host, &o->port, NULL, &s, &err))
		MUST(err.kind != ERR_NONE && err.text[0]);
}

/* The first byte of the input selects the request; the corpus depends on this order. */
static void (*const asks[])(struct outside *o) = { ask_driver, ask_speed, ask_counters, ask_blocks,
						   ask_storms };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outside o;

	outside_begin(&o, data, size);
	if (!outside_ask(&o, asks, sizeof(asks) / sizeof(asks[0])))
		outside_converse(&o, features, sizeof(features) / sizeof(features[0]));
	outside_end(&o);
	return 0;
}
