/* A terminal for a full-screen display: its modes, size, keys and signals. */
#ifndef LOSSLESSCTL_CLI_WATCH_TERMINAL_H
#define LOSSLESSCTL_CLI_WATCH_TERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "../../policy/util/err.h"

/* The caller owns it; terminal_close() restores all modes and the signal mask. */
struct terminal {
	bool open, has_keys;
	int signals; /* a signalfd, so that no handler shares state */
	int quit_by; /* the signal that ended it, or 0 */
	unsigned cols, rows;
	struct termios before;
	sigset_t mask_before;
};

enum terminal_event {
	TERMINAL_TIME,	 /* the wait timed out */
	TERMINAL_REDRAW, /* the size changed, or another program used the screen */
	TERMINAL_QUIT	 /* a key, a signal, or the terminal hung up */
};

/* True if standard output is a terminal that supports a full-screen display. */
bool terminal_can_draw(void);

/* True if $TERM is "dumb": the terminal supports neither colours nor a cursor. */
bool terminal_is_dumb(void);

/* Returns $COLUMNS, else the width of the terminal on standard output, else 80. */
unsigned terminal_columns(void);

/* The same for the lines of reports: 100 where there is no terminal. */
unsigned terminal_report_columns(void);

/* The same for standard error: UINT_MAX where it is no terminal, so that a message is one line. */
unsigned terminal_error_columns(void);

/*
 * Takes over standard output, and the keys of standard input if that is a terminal. Fails with
 * ERR_SYSTEM if the signals cannot be redirected.
 */
bool terminal_open(struct terminal *t, struct err *err) must_check;
void terminal_close(struct terminal *t);
#define _terminal_ __attribute__((cleanup(terminal_close)))

/* Waits for an event, at most `ms` milliseconds. */
enum terminal_event terminal_wait(struct terminal *t, unsigned ms);

/* Writes one screen. Returns false if the terminal is gone. */
bool terminal_show(const char *bytes, size_t size);

#endif
