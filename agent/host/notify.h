/* Telling systemd how a service fares: sd_notify(3), without a library for one datagram. */
#ifndef LOSSLESSCTL_AGENT_HOST_NOTIFY_H
#define LOSSLESSCTL_AGENT_HOST_NOTIFY_H

/*
 * Opens the way to the socket that $NOTIFY_SOCKET names; "@" begins an abstract
 * name. Returns the descriptor, which the caller closes, or -1 where nobody
 * listens (NULL, or a name that cannot be).
 */
int notify_open(const char *socket_name);

/* Sends lines of VARIABLE=VALUE. Failure to notify is ignored. -1: no fd. */
void notify_send(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
