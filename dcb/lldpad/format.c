#include "format.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const tsa_words[] = {
	[TSA_STRICT] = "strict",
	[TSA_CBS] = "cb_shaper",
	[TSA_ETS] = "ets",
	[TSA_VENDOR] = "vendor",
};

void lldpad_args_add(struct lldpad_args *a, const char *name, const char *value)
{
	if (a->count >= LLDPAD_ARGS_MAX || strlen(name) >= sizeof(a->list[0].name) ||
	    strlen(value) >= LLDPAD_VALUE_MAX) {
		a->overflowed = true;
		return;
	}
	snprintf(a->list[a->count].name, sizeof(a->list[0].name), "%s", name);
	snprintf(a->list[a->count].value, LLDPAD_VALUE_MAX, "%s", value);
	a->count++;
}

/* Appends an item to the list; eight of the longest fit. */
static void __attribute__((format(printf, 2, 3)))
add_item(char list[LLDPAD_VALUE_MAX], const char *fmt, ...)
{
	size_t used = strlen(list);
	va_list ap;

	if (used)
		list[used++] = ',';
	va_start(ap, fmt);
	vsnprintf(list + used, LLDPAD_VALUE_MAX - used, fmt, ap);
	va_end(ap);
}

/* Shares must add up to exactly 100. Without ets classes none are sent. */
static bool add_bandwidth(struct lldpad_args *a, const uint8_t tsa[PRIOS],
			  const uint8_t bandwidth[PRIOS], struct err *err)
{
	char list[LLDPAD_VALUE_MAX] = "";
	unsigned sum = 0;
	bool is_shared = false;

	for (int tc = 0; tc < PRIOS; tc++) {
		bool is_ets = tsa[tc] == TSA_ETS;

		is_shared = is_shared || is_ets;
		sum += is_ets ? bandwidth[tc] : 0;
		add_item(list, "%d", is_ets ? bandwidth[tc] : 0);
	}
	if (is_shared && sum != 100)
		return err_set(err, ERR_UNSUPPORTED, EINVAL,
			       "lldpad accepts shares only if they add up to 100, not %u", sum);
	if (is_shared)
		lldpad_args_add(a, "tcbw", list);
	return true;
}

bool lldpad_args_add_ets(struct lldpad_args *a, const uint8_t prio_tc[PRIOS],
			 const uint8_t tsa[PRIOS], const uint8_t bandwidth[PRIOS], struct err *err)
{
	char classes[LLDPAD_VALUE_MAX] = "", algorithms[LLDPAD_VALUE_MAX] = "";

	for (int i = 0; i < PRIOS; i++) {
		add_item(classes, "%d:%d", i, prio_tc[i]);
		add_item(algorithms, "%d:%s", i, tsa_words[tsa[i]]);
	}
	if (!add_bandwidth(a, tsa, bandwidth, err))
		return false;
	lldpad_args_add(a, "up2tc", classes);
	lldpad_args_add(a, "tsa", algorithms);
	return true;
}

void lldpad_args_add_pfc(struct lldpad_args *a, uint8_t priorities)
{
	char list[LLDPAD_VALUE_MAX] = "";

	for (int p = 0; p < PRIOS; p++)
		if (priorities & (1u << p))
			add_item(list, "%d", p);
	lldpad_args_add(a, "enabled", list[0] ? list : "none");
}
