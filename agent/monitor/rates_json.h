/* Rates as numbers of JSON documents. */
#ifndef LOSSLESSCTL_AGENT_MONITOR_RATES_JSON_H
#define LOSSLESSCTL_AGENT_MONITOR_RATES_JSON_H

#include <jansson.h>

#include "rates.h"

/* Significant digits of numbers in JSON: exact thousandths below 10^9, integers below 10^12. */
#define JSON_DIGITS 12

/* Returns the value rounded to a thousandth, or null for NAN. The caller owns it. */
json_t *rates_number(double value);

/* Adds each rate under its key, and the priorities that were paused most. */
void rates_to_json(json_t *object, const struct rates *f);

/* Reads the rates that rates_to_json() added. False: one is missing, negative or no number. */
bool rates_from_json(const json_t *object, struct rates *ret);

#endif
