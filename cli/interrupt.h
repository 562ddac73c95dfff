/*
 * Ctrl-C, SIGTERM and SIGHUP while a verb writes: the settings from before it, and after a second
 * Ctrl-C or SIGTERM an end at once.
 */
#ifndef LOSSLESSCTL_CLI_INTERRUPT_H
#define LOSSLESSCTL_CLI_INTERRUPT_H

struct host;

/* Catches the signals from now on, and ignores SIGPIPE. Borrows the host. */
void interrupt_catch(const struct host *h, const char *verb);

/* The run has done its work: no port is left behind any more. */
void interrupt_end(void);

/* Returns the signal that was caught; 0: none. For `interrupted` of struct host. */
int interrupt_caught(struct host *h);

#endif
