/* Loads kernel modules through a helper process that has the privilege. */
#include <errno.h>
#include <string.h>

#include "helper_line.h"
#include "host_linux.h"

#define LIMIT_MS ((MODPROBE_LIMIT_S + 10) * 1000)

bool host_linux_load_module(struct host *h, const char *name, struct err *err)
{
	const struct host_linux *l = (const struct host_linux *)h;
	struct helper_question q = { name, strlen(name), LIMIT_MS, NULL };
	int loaded, code;
	struct helper_answer a = { &loaded, sizeof(loaded), NULL, 0, 0 };

	if (l->modprobe_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "module %s: this process cannot request it",
			       name);
	code = helper_ask(l->modprobe_helper, &q, &a);
	if (code)
		return err_set(err, ERR_SYSTEM, code,
			       "module %s: the process that loads modules %s", name,
			       code == ETIMEDOUT ? "does not answer" : "has died");
	return loaded == 0 ||
	       err_set(err, ERR_SYSTEM, loaded, "modprobe %s: %s", name, strerror(loaded));
}
