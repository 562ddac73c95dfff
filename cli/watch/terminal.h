/* A terminal that one picture after another is drawn on: its modes, its size, keys and signals. */
#ifndef LOSSLESSCTL_CLI_WATCH_TERMINAL_H
#define LOSSLESSCTL_CLI_WATCH_TERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "../../policy/util/err.h"

/* Owned by whoever opened it; terminal_close() puts all of it back as it was. */
struct terminal {
	bool open, has_keys;
	int signals; /* a signalfd: no handler, nothing to be shared with one */
	int quit_by; /* the signal that said so, or 0 */
	unsigned cols, rows;
	struct termios before;
	sigset_t mask_before;
};

enum terminal_event {
	TERMINAL_TIME,	 /* nothing happened for so long */
	TERMINAL_REDRAW, /* the size is another, or the screen was somebody else's meanwhile */
	TERMINAL_QUIT	 /* a key, a signal, or nobody is there any more */
};

/* Can pictures be drawn on standard output? */
bool terminal_can_draw(void);

/* Columns of the terminal on standard output; 80 where there is none. */
unsigned terminal_columns(void);

/* Takes standard output over, and standard input's keys if it is a terminal. */
bool terminal_open(struct terminal *t, struct err *err) must_check;
void terminal_close(struct terminal *t);
#define _terminal_ __attribute__((cleanup(terminal_close)))

/* Waits for so long at most. */
enum terminal_event terminal_wait(struct terminal *t, unsigned ms);

/* Shows a picture in one write; false: nobody is there to see it. */
bool terminal_show(const char *bytes, size_t size);

#endif
