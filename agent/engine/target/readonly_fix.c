#include "readonly_fix.h"

#include <stdio.h>

#include "../../../policy/model/parameter.h"
#include "../../../policy/model/setting.h"
#include "../../../policy/util/fix_text.h"
#include "../../../policy/util/shell_word.h"

/* Writes the value as commands take it: `on` is true for devlink. */
static const char *command_value(const struct difference *d, char buf[SETTING_TEXT_MAX])
{
	const struct setting *k = &settings[d->setting];

	if (k->type == T_PARAMETERS)
		return parameters_to_set(k, d->desired, d->actual, buf);
	if (k->type != T_BOOL)
		return setting_text(k, d->desired, buf);
	return setting_element(k, d->desired, 0) ? "true" : "false";
}

static const char *hint_of(const struct feature *f, const struct difference *d)
{
	const char *hint = f->hint ? f->hint(d->desired, d->actual) : NULL;

	return hint ? hint : f->readonly_hint;
}

const char *readonly_fix(const struct feature *f, const struct port *port,
			 const struct difference *d, char buf[READONLY_FIX_MAX])
{
	char value[SETTING_TEXT_MAX], name[SHELL_NAME_MAX];
	const struct fix_word words[] = { { "PORT", shell_word(port->id.name, name, sizeof(name)) },
					  { "ADDRESS", port->id.pci },
					  { "VALUE", command_value(d, value) } };

	return fix_text(hint_of(f, d), words, sizeof(words) / sizeof(words[0]), buf,
			READONLY_FIX_MAX);
}

const char *target_readonly_fix(const struct target *t, const struct feature *f, unsigned setting,
				char buf[READONLY_FIX_MAX])
{
	const char *owner = target_owner(t, setting);

	if (!owner)
		return readonly_fix(f, &t->task.port,
				    &(struct difference){ setting, &t->task.desired,
							  &t->seen.actual },
				    buf);
	snprintf(buf, READONLY_FIX_MAX,
		 "%s owns it: change it there, or remove the setting from the policy", owner);
	return buf;
}
