#include "rates_json.h"

#include <math.h>

/* Rounds by hand: the program does not link libm. */
json_t *rates_number(double value)
{
	double thousandths = value * 1000 + 0.5;

	if (isnan(value))
		return json_null();
	return json_real(thousandths < 1e15 ? (double)(int64_t)thousandths / 1000 : value);
}

/* Returns the priority that was paused most; null for none and for global pause. */
static json_t *priority_to_json(int on)
{
	return on == ON_NONE || on == ON_ALL ? json_null() : json_integer(on);
}

void rates_to_json(json_t *object, const struct rates *f)
{
	for (size_t i = 0; i < RATE_COUNT; i++)
		json_object_set_new(object, rate_keys[i], rates_number(f->value[i]));
	json_object_set_new(object, "pause_sent_priority", priority_to_json(f->sent_on));
	json_object_set_new(object, "pause_received_priority", priority_to_json(f->received_on));
}

#define RATE_MAX 0x1p50 /* more than any adapter has; rounding does not lead beyond it */

static bool number_from_json(const json_t *j, double *ret)
{
	*ret = json_is_null(j) ? (double)NAN : json_number_value(j);
	return json_is_null(j) || (json_is_number(j) && *ret >= 0 && *ret <= RATE_MAX);
}

/* A rate without a priority is of global pause, if it is one at all. */
static bool priority_from_json(const json_t *j, double paused, int *ret)
{
	*ret = json_is_integer(j) ? (int)json_integer_value(j) : paused > 0 ? ON_ALL : ON_NONE;
	return json_is_null(j) ||
	       (json_is_integer(j) && json_integer_value(j) >= 0 && json_integer_value(j) < PRIOS);
}

bool rates_from_json(const json_t *object, struct rates *ret)
{
	for (size_t i = 0; i < RATE_COUNT; i++)
		if (!number_from_json(json_object_get(object, rate_keys[i]), &ret->value[i]))
			return false;
	return priority_from_json(json_object_get(object, "pause_sent_priority"),
				  ret->value[RATE_PAUSE_SENT], &ret->sent_on) &&
	       priority_from_json(json_object_get(object, "pause_received_priority"),
				  ret->value[RATE_PAUSE_RECEIVED], &ret->received_on);
}
