#include "probe_server.h"

#include <string.h>

#include "../../policy/util/json_util.h"
#include "probe_message.h"

#define HELLO_MS   60000  /* until the client says hello */
#define SILENCE_MS 300000 /* the longest, of a client that has said it */

/* Compares in a time that does not depend on where they differ. */
static bool has_token(const json_t *message, const char *token)
{
	const char *given = json_string_value(json_object_get(message, "token"));
	unsigned differs = !given || strlen(given) != strlen(token);

	for (size_t i = 0; !differs && token[i]; i++)
		differs |= (unsigned char)given[i] ^ (unsigned char)token[i];
	return !differs;
}

/* The first message is a hello of the same protocol, with the token. */
static bool may_enter(const struct probe_server *s, const json_t *message, struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "command"));
	json_int_t protocol = json_integer_value(json_object_get(message, "protocol"));

	if (!name || strcmp(name, "hello") != 0)
		return err_set(err, ERR_REFUSED, 0, "unknown command");
	if (protocol != PROBE_PROTOCOL)
		return err_set(err, ERR_REFUSED, 0,
			       "this end has losslessctl " LOSSLESSCTL_VERSION
			       ": install the same release at both ends");
	return !s->token || has_token(message, s->token) ||
	       err_set(err, ERR_REFUSED, 0, "the token is wrong");
}

/* Answers one message; the client learns why it is refused. */
static bool serve_one(const struct probe_server *s, bool *is_known, struct err *err)
{
	json_auto_t *message = NULL;
	struct err quiet = { 0 };
	json_t *reply = NULL;

	if (!peer_line_receive(s->line, *is_known ? SILENCE_MS : HELLO_MS, &message, err))
		return false;
	if (*is_known || may_enter(s, message, err))
		reply = probe_work(s->worker, message, err);
	*is_known = *is_known || reply;
	if (reply)
		return peer_line_send(s->line, reply, err);
	(void)!peer_line_send(s->line, json_pack("{s:o}", "error", json_from_text(err->text)),
			      &quiet);
	return false;
}

bool probe_serve(const struct probe_server *s, struct err *err)
{
	bool is_known = false;

	while (serve_one(s, &is_known, err))
		;
	probe_worker_stop(s->worker);
	if (err->kind != ERR_GONE || !is_known)
		return false;
	*err = (struct err){ 0 };
	return true;
}
