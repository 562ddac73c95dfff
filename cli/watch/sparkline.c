#include "sparkline.h"

#include <math.h>
#include <string.h>

#define LEVELS_MAX 9

struct levels {
	unsigned count;
	const char *at[LEVELS_MAX];
};

static const struct levels blocks = { 8, { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" } };
static const struct levels letters = { 9, { ".", ":", "-", "=", "+", "*", "#", "%", "@" } };

void curve_add(struct curve *c, double value)
{
	c->at[c->next] = (float)value;
	c->next = (c->next + 1) % CURVE_MAX;
	if (c->count < CURVE_MAX)
		c->count++;
}

/* Returns the value `behind` samples before the newest, or NAN. */
static double back(const struct curve *c, size_t behind)
{
	return behind < c->count ? (double)c->at[(c->next + CURVE_MAX - 1 - behind) % CURVE_MAX]
				 : (double)NAN;
}

static double highest(const struct curve *c, size_t width)
{
	double top = 0;

	for (size_t i = 0; i < width; i++)
		if (back(c, i) > top) /* false for NAN */
			top = back(c, i);
	return top;
}

static const char *block(const struct levels *l, double value, double top)
{
	double level = value / top * (l->count - 1);

	if (isnan(value))
		return " ";
	if (value <= 0)
		return l->at[0];
	if (!(level < l->count - 1))
		return l->at[l->count - 1];
	return l->at[(unsigned)level + ((unsigned)level < level)];
}

const char *sparkline(const struct curve *c, size_t width, double top, bool utf8,
		      char buf[SPARKLINE_MAX])
{
	size_t used = 0;

	if (width > CURVE_MAX)
		width = CURVE_MAX;
	if (top <= 0)
		top = highest(c, width);
	for (size_t i = width; i > 0; i--) {
		const char *text = block(utf8 ? &blocks : &letters, back(c, i - 1), top);
		size_t length = strlen(text);

		memcpy(buf + used, text, length);
		used += length;
	}
	buf[used] = '\0';
	return buf;
}
