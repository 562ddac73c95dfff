/* Checks of the settings that features read from the outside. */
#include <string.h>

#include "../../agent/engine/observe.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "fuzz.h"
#include "outside.h"

/* Print a failure; successes are not printed, because printing takes longer than all else. */
static void complain(const json_t *j, const char *where, const char *what)
{
	fprintf(stderr, "%s: %s: ", where, what);
	json_dumpf(j, stderr, JSON_COMPACT);
	fputc('\n', stderr);
}

/*
 * JSON takes three times as long as all else. Check it for the whole corpus and every repeated
 * input, but only for each eighth of millions of others.
 */
static bool is_its_turn(void)
{
	static unsigned long n;

	return ++n < 10000 || n % 8 == 0;
}

/* The JSON of show, read again, must equal the config that was read. */
static void judge_json(const struct config *c)
{
	struct config spelled = dscp_compact(c, REST_NONE), again = { .has = 0 };
	json_t *j = config_to_json(&spelled, EVERY_SETTING);
	struct err err = { 0 };

	if (!config_amend_observed(&again, j, NULL, &err))
		complain(j, err.at.pointer, err.text);
	MUST(err.kind == ERR_NONE);
	MUST(dscp_complete(&again, &err));
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (config_diff(c, &again) & SETTING(i))
			complain(j, settings[i].path, "it differs");
	MUST(config_diff(c, &again) == 0);
	json_decref(j);
}

void outside_judge(const struct config *c)
{
	char text[SETTING_TEXT_MAX];

	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (!(c->has & SETTING(i)))
			continue;
		MUST(strlen(setting_text(&settings[i], c, text)) < sizeof(text));
		for (size_t e = 0;
		     settings[i].index && settings[i].type <= T_ENUM && e < settings[i].count; e++)
			MUST(setting_element(&settings[i], c, e) <= settings[i].max);
	}
	if (is_its_turn())
		judge_json(c);
}

static void judge_reasons(const struct observation *o)
{
	MUST(o->reasons_count <= sizeof(o->reasons) / sizeof(o->reasons[0]));
	for (size_t i = 0; i < o->reasons_count; i++)
		MUST(o->reasons[i].kind != ERR_NONE && o->reasons[i].text[0]);
}

static bool look(struct outside *o, const struct feature *f, struct observation *ret)
{
	const struct features one = { &f, 1 };
	struct err err = { 0 };

	if (!observe(&o->host, one, &o->port, ret, &err)) {
		MUST(err.kind != ERR_NONE && err.text[0]);
		return false;
	}
	MUST(err.kind == ERR_NONE && (ret->actual.has & ~f->owns) == 0);
	judge_reasons(ret);
	outside_judge(&ret->actual);
	return ret->actual.has;
}

/* Write only if both configs have all settings of the feature. */
static void write_difference(struct outside *o, const struct feature *f, const struct config *from,
			     const struct config *to)
{
	struct err err = { 0 };

	if (!f->write || from->has != f->owns || to->has != f->owns)
		return;
	if (f->write(&o->host, &o->port, from, to, &err))
		MUST(err.kind == ERR_NONE);
	else
		MUST(err.kind != ERR_NONE && err.text[0]);
}

void outside_converse(struct outside *o, const struct feature *const *list, size_t count)
{
	const struct feature *f = list[outside_byte(o) % count];
	struct observation from, to;

	if (look(o, f, &from) && look(o, f, &to))
		write_difference(o, f, &from.actual, &to.actual);
}
