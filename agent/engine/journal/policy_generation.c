#include "policy_generation.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../host/cleanup.h"
#include "lock.h"

#define TAKEN "/var/lib/losslessctl/generation"

static bool read_accepted(struct host *h, uint64_t *ret, struct err *err)
{
	char text[32] = "";
	struct err why = { 0 };
	char *end = text;

	*ret = 0;
	if (!host_read_file(h, text, sizeof(text), &why, TAKEN)) {
		if (why.kind == ERR_UNSUPPORTED)
			return true;
		*err = why;
		return false;
	}
	*ret = strtoull(text, &end, 10);
	return (end > text && !end[strspn(end, "\n")]) ||
	       err_set(err, ERR_SYSTEM, EINVAL,
		       TAKEN " is not a number; remove the file to accept any generation");
}

static bool is_not_older(struct host *h, const struct policy *p, uint64_t *ret_accepted,
			 struct err *err)
{
	if (!read_accepted(h, ret_accepted, err))
		return false;
	if (p->generation >= *ret_accepted)
		return true;
	err_record(err, ERR_REFUSED, EPERM,
		   "generation %" PRIu64 " is older than %" PRIu64
		   ", which this host accepted before",
		   p->generation, *ret_accepted);
	return err_fix(err, "raise \"generation\" and sign the policy again");
}

static bool is_accepted(struct host *h, const struct policy *p, uint64_t *ret_accepted,
			struct err *err)
{
	*ret_accepted = p->generation;
	if (!p->signer[0])
		return true;
	if (!p->generation)
		return err_set(err, ERR_REFUSED, EPERM,
			       "a signed policy needs a \"generation\", so that an older policy "
			       "can be refused");
	return is_not_older(h, p, ret_accepted, err);
}

bool policy_generation_check(struct host *h, const struct policy *p, struct err *err)
{
	uint64_t accepted;

	return is_accepted(h, p, &accepted, err);
}

/* Only a newer one is written, after another look with the lock held. */
bool policy_generation_accept(struct host *h, const struct policy *p, struct err *err)
{
	_close_ int lock = -1;
	char text[32];
	uint64_t accepted;

	if (!is_accepted(h, p, &accepted, err))
		return false;
	if (p->generation == accepted)
		return true;
	if (!lock_generation(h, &lock, err) || !is_not_older(h, p, &accepted, err))
		return false;
	snprintf(text, sizeof(text), "%" PRIu64 "\n", p->generation);
	return host_save_file(h, TAKEN, text, err);
}
