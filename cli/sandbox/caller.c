#include "caller.h"

#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-@\\$"

/* Accepts names without blanks only, because blanks separate the fields of the journal's lines. */
static bool is_name(const char *text)
{
	return text && *text && !text[strspn(text, NAME_CHARACTERS)];
}

/* Returns the user who logged in, even after su or sudo; see audit(8). */
static uid_t login_uid(void)
{
	FILE *f = fopen("/proc/self/loginuid", "re");
	unsigned uid = (unsigned)-1;

	if (f && fscanf(f, "%u", &uid) != 1)
		uid = (unsigned)-1;
	if (f)
		fclose(f);
	return uid == (unsigned)-1 ? getuid() : uid;
}

static bool name_of(uid_t uid, char *buf, size_t size)
{
	FILE *f = fopen("/etc/passwd", "re");
	const struct passwd *p = NULL;

	while (f && (p = fgetpwent(f)) && p->pw_uid != uid)
		;
	if (p && is_name(p->pw_name))
		snprintf(buf, size, "%s", p->pw_name);
	if (f)
		fclose(f);
	return p;
}

void caller_name(char *buf, size_t size)
{
	const char *sudo = getenv("SUDO_USER");
	uid_t uid = login_uid();

	buf[0] = '\0';
	if (is_name(sudo))
		snprintf(buf, size, "%s", sudo);
	else if (uid == 0) /* skip the lookup, whose 64 KiB the agent would keep */
		snprintf(buf, size, "root");
	else if (!name_of(uid, buf, size) || !buf[0])
		snprintf(buf, size, "uid:%u", (unsigned)uid);
}
