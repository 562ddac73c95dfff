#include "unknown_key.h"

#include <errno.h>

bool err_did_you_mean(struct err *err, const struct suggestion *near)
{
	return near && near->best && err_fix(err, "did you mean \"%s\"?", near->best);
}

bool err_unknown_key(struct err *err, const struct json_path *at, const struct suggestion *near)
{
	if (err->kind != ERR_NONE)
		return false;
	err_policy(err, at, "unknown key \"%s\"", at->key);
	err->at.of_key = true;
	err->code = ENOKEY;
	return err_did_you_mean(err, near);
}

bool err_unknown_name(struct err *err, const struct json_path *at, const char *what,
		      const struct suggestion *near)
{
	err_policy(err, at, "no %s is named \"%s\"", what, near->word);
	return err_did_you_mean(err, near);
}
