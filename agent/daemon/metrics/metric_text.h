/* Writes the text format of Prometheus into a buffer that the caller owns. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_METRICS_METRIC_TEXT_H
#define LOSSLESSCTL_AGENT_DAEMON_METRICS_METRIC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A page; once it is full its text is unusable. */
struct metrics_buf {
	char *text;
	size_t size, used;
	bool full;
};

/* Appends formatted text. */
void put(struct metrics_buf *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends plain text, which is most of a page. */
void put_text(struct metrics_buf *p, const char *text);

/* Appends a label; its value is sanitized and escaped. */
void put_label(struct metrics_buf *p, const char *key, const char *value);

/* Begins a family of the table. */
void put_family(struct metrics_buf *p, const char *name);

#endif
