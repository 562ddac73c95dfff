/* Text for people: colour only where it is wanted, and nothing raw from outside. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PRINT_H
#define LOSSLESSCTL_CLI_OUTPUT_PRINT_H

#include <stdio.h>

#include "../../policy/model/setting.h"
#include "../cli.h"

/* The style of a stream, after --color, NO_COLOR and whether it is a terminal. */
struct style style_of(FILE *stream, unsigned colour);

/* Prints text from outside with control characters made visible (policy/util/sanitize.h). */
void print_clean(FILE *to, const char *text);

/* The same for what is put together of it, 1023 bytes at most. */
void print_outside(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "losslessctl: WHERE: TEXT" and the hint, on standard error. */
void print_failure(const struct cli *c, const struct err *err);

/* "losslessctl: warning: …" on standard error, unless --quiet. */
void print_warning(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The port and its device facts in one line, without the line's end. */
void print_port(const struct cli *c, const struct port *p);

/* A line on a link that is down, or slower than the port supports; else nothing. */
void print_link_note(const struct cli *c, const struct port *p);

/* Two blanks and the name of a setting, in its column. */
void print_setting_name(const struct setting *k);

/* "A -> B" of one setting, only of what differs between the two. */
void print_change(const struct cli *c, unsigned setting, const struct config *from,
		  const struct config *to);

/* Decimal digits of a figure in JSON: thousandths, up to a trillion. */
#define JSON_DIGITS 12

/* Prints a document on standard output and drops it: indented on a terminal, else in one line. */
void print_json(const struct cli *c, json_t *document);

#endif
