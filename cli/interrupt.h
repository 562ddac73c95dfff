/*
 * Ctrl-C, SIGTERM and SIGHUP while a verb writes: a rollback, and after a second Ctrl-C or SIGTERM
 * an end at once.
 */
#ifndef LOSSLESSCTL_CLI_INTERRUPT_H
#define LOSSLESSCTL_CLI_INTERRUPT_H

struct host;

/* Catches the signals from now on, and ignores SIGPIPE. */
void interrupt_catch(void);

/* Returns the signal that was caught; 0: none. For `interrupted` of struct host. */
int interrupt_caught(struct host *h);

#endif
