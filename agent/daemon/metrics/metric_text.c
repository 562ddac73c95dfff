#include "metric_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../../policy/util/sanitize.h"
#include "metric_family.h"

void put(struct metrics_buf *p, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(p->text + p->used, p->size - p->used, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= p->size - p->used)
		p->full = true;
	else
		p->used += (size_t)n;
}

void put_text(struct metrics_buf *p, const char *text)
{
	size_t length = strlen(text);

	if (length >= p->size - p->used) {
		p->full = true;
		return;
	}
	memcpy(p->text + p->used, text, length + 1);
	p->used += length;
}

void put_label(struct metrics_buf *p, const char *key, const char *value)
{
	char next[SANITIZED_CHAR_MAX];

	put_text(p, key);
	put_text(p, "=\"");
	while (*sanitize_next(&value, next))
		for (const char *c = next; *c; c++) {
			put_text(p, *c == '\\' || *c == '"' ? "\\" : "");
			put_text(p, (char[]){ *c, '\0' });
		}
	put_text(p, "\"");
}

void put_family(struct metrics_buf *p, const char *name)
{
	const struct metric_family *f = metric_family_by_name(name);

	if (f)
		put(p, "# HELP losslessctl_%s %s\n# TYPE losslessctl_%s %s\n", name, f->help, name,
		    f->type);
}
