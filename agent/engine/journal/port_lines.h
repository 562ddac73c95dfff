/*
 * Files in /run/losslessctl with lines that begin with a port's key: its PCI address, or its name
 * where it has none. A line ends with a newline.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_PORT_LINES_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_PORT_LINES_H

#include "../../host/host.h"

/* Returns the key of a port. Borrows from it. */
const char *port_key(const struct port *p);

/* True if the line is one of this port. */
bool port_line_is_of(const char *line, const struct port *p);

/* Returns the first line of a text, or the one after a line; NULL: there is none. */
const char *port_lines_first(const char *text);
const char *port_lines_next(const char *line);

/*
 * Reads a file of fewer than `size` bytes. The caller owns the text, which is empty while there is
 * no file; NULL, with *err: it cannot be read.
 */
char *port_lines_load(struct host *h, const char *path, size_t size, struct err *err);

#endif
