#include "anonymise.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "../sandbox/policy_file.h"

static bool is_hex(char c)
{
	return isxdigit((unsigned char)c);
}

static size_t hex_run(const char *text)
{
	size_t n = 0;

	while (is_hex(text[n]))
		n++;
	return n;
}

/* An address does not end within a number, nor within a longer list of groups. */
static bool ends(const char *text, char separator)
{
	return !is_hex(*text) && !(separator && *text == separator && is_hex(text[1]));
}

/* Groups of `least` to `most` hexadecimal digits. */
struct form {
	char separator;
	unsigned groups;
	size_t least, most;
};

static const struct form forms[] = {
	{ ':', 6, 2, 2 },  /* MAC */
	{ '-', 6, 2, 2 },  /* MAC, as some switches write it */
	{ '.', 3, 4, 4 },  /* MAC, as others do */
	{ ':', 8, 2, 2 },  /* EUI-64 */
	{ ':', 20, 2, 2 }, /* IP over InfiniBand */
	{ ':', 4, 4, 4 },  /* GUID */
	{ ':', 8, 1, 4 },  /* GID, IPv6 */
};

static size_t form_length(const struct form *f, const char *text)
{
	size_t used = 0;

	for (unsigned i = 0; i < f->groups; i++) {
		size_t n = hex_run(text + used);

		if (n < f->least || n > f->most)
			return 0;
		used += n;
		if (i + 1 < f->groups && text[used++] != f->separator)
			return 0;
	}
	return ends(text + used, f->separator) ? used : 0;
}

/* An IPv6 address with "::", behind its first group. */
static size_t compressed_length(const char *text)
{
	size_t used = hex_run(text), groups = 1, gaps = 0;

	while (text[used] == ':' && groups < 8) {
		bool gap = text[used + 1] == ':';
		size_t n = hex_run(text + used + 1 + gap);

		if (n > 4 || (n == 0 && !gap))
			break;
		used += 1 + gap + n;
		gaps += gap;
		groups++;
	}
	return hex_run(text) <= 4 && gaps == 1 && ends(text + used, ':') ? used : 0;
}

/* "0000:3b:00.0"; a domain of Intel's VMD has five digits. */
static size_t pci_length(const char *text)
{
	size_t n = hex_run(text);

	if (n < 4 || n > 8 || text[n] != ':' || hex_run(text + n + 1) != 2 || text[n + 3] != ':' ||
	    hex_run(text + n + 4) != 2 || text[n + 6] != '.' || hex_run(text + n + 7) != 1)
		return 0;
	return ends(text + n + 8, '\0') ? n + 8 : 0;
}

/* Four numbers, and not a version of more or fewer. */
static size_t ipv4_length(const char *text)
{
	size_t used = 0;

	for (int i = 0; i < 4; i++) {
		size_t n = strspn(text + used, "0123456789");

		if (n < 1 || n > 3 || atoi(text + used) > 255)
			return 0;
		used += n;
		if (i < 3 && text[used++] != '.')
			return 0;
	}
	return ends(text + used, '.') && !isalpha((unsigned char)text[used]) && text[used] != '-'
		       ? used
		       : 0;
}

/* Digits in a name: "enx0c42a1b2c3d4" has a MAC, "rocex0c42a10300b2c3d4" a GUID. */
static size_t name_length(const char *text, size_t at)
{
	size_t n = hex_run(text + at);

	return at > 0 && strchr("xX", text[at - 1]) && (n == 12 || n == 16) ? n : 0;
}

static size_t hex_length(const char *text)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = form_length(&forms[i], text);

		if (n)
			return n;
	}
	return compressed_length(text);
}

static bool is_nobody(const char *value)
{
	return value[strspn(value, "0.")] == '\0' || value[strspn(value, "f")] == '\0' ||
	       strcmp(value, "255.255.255.255") == 0;
}

static bool read_address(struct address *ret, enum address_kind kind, const char *text,
			 size_t length)
{
	size_t n = 0;

	if (!length || length >= ADDRESS_MAX)
		return false;
	ret->kind = kind;
	ret->length = length;
	for (size_t i = 0; i < length; i++)
		if (is_hex(text[i]) || kind == ADDRESS_IPV4)
			ret->value[n++] = (char)tolower((unsigned char)text[i]);
	ret->value[n] = '\0';
	return !is_nobody(ret->value);
}

bool address_find(const char *text, size_t at, struct address *ret)
{
	const char *here = text + at, before = at > 0 ? text[at - 1] : ' ';

	if (!is_hex(*here) || is_hex(before))
		return false;
	return read_address(ret, ADDRESS_PCI, here, pci_length(here)) ||
	       read_address(ret, ADDRESS_HEX, here, hex_length(here)) ||
	       read_address(ret, ADDRESS_HEX, here, name_length(text, at)) ||
	       (!isalpha((unsigned char)before) && !strchr("-.", before) &&
		read_address(ret, ADDRESS_IPV4, here, ipv4_length(here)));
}

/* Each part keeps its number of digits: 1, 10 and 100 are the smallest. */
static void ipv4_replacement(const char *value, unsigned number, char ret[ADDRESS_MAX])
{
	static const unsigned first[] = { 0, 0, 10, 100 }, count[] = { 1, 10, 90, 156 };
	unsigned part[4];
	size_t digits[4];

	for (int i = 0; i < 4; i++) {
		digits[i] = strcspn(value, ".");
		value += digits[i] + (i < 3);
	}
	for (int i = 3; i >= 0; i--) {
		part[i] = first[digits[i]] + number % count[digits[i]];
		number /= count[digits[i]];
	}
	snprintf(ret, ADDRESS_MAX, "%u.%u.%u.%u", part[0], part[1], part[2], part[3]);
}

/* The digits that say what the address is: documentation prefixes (RFC 3849), or its own. */
static size_t prefix_of(const char *value, size_t size, char ret[ADDRESS_MAX])
{
	static const char mapped[] = "00000000000000000000ffff";

	if (size == 32 && strncmp(value, mapped, sizeof(mapped) - 1) == 0)
		return (size_t)snprintf(ret, ADDRESS_MAX, "%s", mapped);
	if (size != 12 && size != 16 && size > 4 && strncmp(value, "fe80", 4) == 0)
		return (size_t)snprintf(ret, ADDRESS_MAX, "fe80");
	return (size_t)snprintf(ret, ADDRESS_MAX, "%s",
				size == 12   ? "02"
				: size == 16 ? "0200"
				: size == 32 ? "20010db8"
					     : "");
}

/* Writes a number over the last digits, as far as they reach. */
static void write_number(unsigned number, char *first, char *end)
{
	while (end > first && number) {
		*--end = "0123456789abcdef"[number & 15];
		number >>= 4;
	}
}

void address_replacement(const struct address *a, unsigned number, char ret[ADDRESS_MAX])
{
	size_t size = strlen(a->value), used;

	if (a->kind == ADDRESS_IPV4) {
		ipv4_replacement(a->value, number, ret);
		return;
	}
	used = a->kind == ADDRESS_PCI ? 0 : prefix_of(a->value, size, ret);
	memset(ret + used, '0', size - used);
	ret[size] = '\0';
	if (a->kind == ADDRESS_PCI) { /* 0000:NN:00.F: functions of one device stay together */
		write_number(number, ret, ret + size - 3);
		ret[size - 1] = a->value[size - 1];
		return;
	}
	write_number(number, ret + used, ret + size);
}

char *address_write(const struct address *a, const char *value, const char *text, char *out)
{
	for (size_t i = 0; i < a->length; i++)
		*out++ = is_hex(text[i]) || a->kind == ADDRESS_IPV4 ? *value++ : text[i];
	return out;
}

/* ---- the document ---- */

#define TRIES_MAX 4096 /* to find a replacement that is no original */
#define SHORTEST  3    /* names that are replaced in sentences */

/* All originals: each has the number of its replacement, or the replacement itself. */
struct originals {
	json_t *addresses, *names, *keys;
};

/* Keys whose value is a name, and the word that stands for it; "": an identifier of digits. */
static const struct name_key {
	const char *within, *key; /* the key of the object that holds it; NULL: any */
	const char *word;
} name_keys[] = {
	{ NULL, "host", "host" },	   { NULL, "host_id", "" },
	{ NULL, "boot_id", "" },	   { NULL, "user", "user" },
	{ NULL, "policy_name", "policy" }, { "policy", "name", "policy" },
	{ "policy", "signer", "signer" },  { NULL, "system_name", "switch" },
	{ NULL, "chassis_id", "chassis" }, { NULL, "port_description", "description" },
	{ NULL, "alt_names", "altname" },  { NULL, "bond_alt_names", "altname" },
};

static const char *word_for(const char *within, const char *key)
{
	if (strstr(key, "serial"))
		return "serial";
	for (size_t i = 0; i < sizeof(name_keys) / sizeof(name_keys[0]); i++)
		if (strcmp(name_keys[i].key, key) == 0 &&
		    (!name_keys[i].within || strcmp(name_keys[i].within, within) == 0))
			return name_keys[i].word;
	return NULL;
}

/* Versions look like IPv4 addresses, and settings have words of their own. */
static bool is_left(const char *key)
{
	static const char *const keys[] = { "schema",	"losslessctl_version",
					    "kernel",	"mlx5_version",
					    "firmware", "config" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

/* ---- finding the originals ---- */

/* Functions of one PCI device are one original: the replacement keeps the function. */
static const char *address_key(const struct address *a, const char *value, char key[ADDRESS_MAX])
{
	size_t size = strlen(value) - (a->kind == ADDRESS_PCI);

	snprintf(key, ADDRESS_MAX, "%d%.*s", (int)a->kind, (int)size, value);
	return key;
}

static void find_addresses(struct originals *o, const char *text)
{
	struct address a;
	char key[ADDRESS_MAX];

	for (size_t at = 0; text[at]; at++) {
		if (!address_find(text, at, &a))
			continue;
		if (!json_object_get(o->addresses, address_key(&a, a.value, key)))
			json_object_set_new(o->addresses, key, json_integer(0));
		at += a.length - 1;
	}
}

static void add_name(struct originals *o, const char *name, const char *word)
{
	struct address a;

	if (!name[0] || strcmp(name, "root") == 0 || json_object_get(o->names, name))
		return;
	if (address_find(name, 0, &a) && !name[a.length])
		return;
	json_object_set_new(o->names, name, json_string(word));
}

/* Names a part of a text: what follows `before`, up to one of `end`. */
static void find_part(struct originals *o, const char *text, const char *before, const char *end,
		      const char *word)
{
	const char *at = strstr(text, before);
	char name[256];

	if (!at)
		return;
	at += strlen(before);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, end), at);
	at = strrchr(name, '/');
	add_name(o, at ? at + 1 : name, word);
}

/* Names the policy's file, which stands before the line that a value comes from. */
static void find_file(struct originals *o, const char *origin)
{
	size_t size = strcspn(origin, ":");
	const char *base;
	char path[256];

	snprintf(path, sizeof(path), "%.*s", (int)size, origin);
	base = strrchr(path, '/');
	if (!origin[size] || strcmp(path, DEFAULT_POLICY) == 0)
		return;
	if (base)
		add_name(o, path, "file"); /* with its directories, which say as much */
	base = base ? base + 1 : path;
	if (strcmp(base, "policy.json") != 0)
		add_name(o, base, "file");
}

/*
 * A user who ran losslessctl, the file of NetworkManager's profile and classes of a policy stand in
 * sentences.
 */
static void find_in_sentence(struct originals *o, const char *key, const char *text)
{
	find_part(o, text, "class \"", "\"", "class");
	if (strcmp(key, "origin") == 0)
		find_file(o, text);
	if (strcmp(key, "likely_writer") == 0 && strncmp(text, "losslessctl ", 12) == 0)
		find_part(o, text, "(", ",)", "user");
	if (strcmp(key, "dcbx_owner_detail") == 0)
		find_part(o, text, ", by ", ";", "profile");
}

static void find_in_text(struct originals *o, const char *within, const char *key, const char *text)
{
	const char *word = word_for(within, key);
	char first[256];

	find_addresses(o, text);
	if (word)
		add_name(o, text, word);
	find_in_sentence(o, key, text);
	if (strcmp(key, "host") != 0)
		return;
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(text, "."), text);
	add_name(o, first, word ? word : "");
}

static void find(struct originals *o, const char *within, const char *key, const json_t *j)
{
	const char *inner;
	json_t *value;
	size_t i;

	if (is_left(key))
		return;
	if (json_is_string(j))
		find_in_text(o, within, key, json_string_value(j));
	json_array_foreach (j, i, value) {
		find(o, within, key, value);
	}
	json_object_foreach ((json_t *)j, inner, value) {
		find_addresses(o, inner);
		find(o, key, inner, value);
	}
}

static void find_keys(json_t *keys, const json_t *j)
{
	const char *key;
	json_t *value;
	size_t i;

	json_array_foreach (j, i, value) {
		find_keys(keys, value);
	}
	json_object_foreach ((json_t *)j, key, value) {
		json_object_set_new(keys, key, json_true());
		find_keys(keys, value);
	}
}

/* ---- choosing the replacements ---- */

/* Parses an original's key again. */
static struct address address_of_key(const char *key)
{
	struct address a = { .kind = (enum address_kind)(key[0] - '0') };

	snprintf(a.value, sizeof(a.value), "%s%s", key + 1, a.kind == ADDRESS_PCI ? "0" : "");
	return a;
}

/* Numbers each address so that no replacement is an original. */
static void number_addresses(struct originals *o)
{
	unsigned number = 0;
	const char *key;
	json_t *value;

	json_object_foreach (o->addresses, key, value) {
		struct address a = address_of_key(key);
		char other[ADDRESS_MAX], other_key[ADDRESS_MAX];
		unsigned last = number + TRIES_MAX;

		do {
			address_replacement(&a, ++number, other);
		} while (number < last &&
			 json_object_get(o->addresses, address_key(&a, other, other_key)));
		json_integer_set(value, number);
	}
}

/* "host00001": as long as the name; of identifiers the dashes stay. */
static void name_replacement(const char *name, const char *word, unsigned number, char *ret)
{
	size_t size = strlen(name), n = strlen(word);

	for (size_t i = 0; i < size; i++)
		ret[i] = (char)(i < n ? word[i] : *word || name[i] != '-' ? '0' : '-');
	for (size_t i = size; i > 0 && number; i--)
		if (ret[i - 1] != '-') {
			ret[i - 1] = (char)('0' + number % 10);
			number /= 10;
		}
	ret[size] = '\0';
}

static void replace_names(struct originals *o)
{
	unsigned number = 0;
	const char *name;
	json_t *word;

	json_object_foreach (o->names, name, word) {
		_free_ char *other = oom_calloc(strlen(name) + 1, 1);
		unsigned last = number + TRIES_MAX;

		if (!other)
			return;
		do {
			name_replacement(name, json_string_value(word), ++number, other);
		} while (number < last && json_object_get(o->names, other));
		json_string_set(word, other);
	}
}

/* ---- replacing ---- */

static char *replace_addresses(const struct originals *o, const char *text)
{
	char *copy = oom_calloc(strlen(text) + 1, 1), *out = copy;
	struct address a;
	char key[ADDRESS_MAX], value[ADDRESS_MAX];

	for (size_t at = 0; copy && text[at];) {
		const json_t *number =
			address_find(text, at, &a)
				? json_object_get(o->addresses, address_key(&a, a.value, key))
				: NULL;

		if (!number) {
			*out++ = text[at++];
			continue;
		}
		address_replacement(&a, (unsigned)json_integer_value(number), value);
		out = address_write(&a, value, text + at, out);
		at += a.length;
	}
	return copy;
}

/* A key of the bundle, or a part of a setting's name. */
static bool is_common_word(const struct originals *o, const char *name)
{
	size_t n = strlen(name);

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		const char *path = settings[i].path, *dot = strchr(path, '.');

		if ((strncmp(path, name, n) == 0 && (!path[n] || path[n] == '.')) ||
		    (dot && strcmp(dot + 1, name) == 0))
			return true;
	}
	return n < SHORTEST || json_object_get(o->keys, name);
}

static bool is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* Replaces a name where it stands alone. */
static void replace_name(char *text, const char *name, const char *other)
{
	size_t n = strlen(name);

	for (char *at = text; (at = strcasestr(at, name)); at += n)
		if (!(at > text && is_part_of_name(at[-1])) && !is_part_of_name(at[n]))
			memcpy(at, other, n);
}

/*
 * In sentences a name that is a word of this program, or as short as an article, stays: it says
 * nothing there, while its replacement would say that it is the name.
 */
static void replace_in_sentence(const struct originals *o, char *text)
{
	const char *name;
	json_t *other;

	for (int paths = 1; paths >= 0; paths--) /* first, as other names are parts of one */
		json_object_foreach (o->names, name, other)
			if ((strchr(name, '/') != NULL) == paths && !is_common_word(o, name))
				replace_name(text, name, json_string_value(other));
}

static json_t *replaced_text(const struct originals *o, const char *within, const char *key,
			     const char *text)
{
	const json_t *name = word_for(within, key) ? json_object_get(o->names, text) : NULL;
	_free_ char *copy = name ? NULL : replace_addresses(o, text);

	if (name)
		return json_string(json_string_value(name));
	if (copy && strcmp(within, "unknown_tlvs") == 0 && strcmp(key, "hex") == 0)
		name_replacement(text, "", 0, copy); /* bytes may spell names */
	else if (copy && (strpbrk(copy, " /") || strcmp(key, "origin") == 0))
		replace_in_sentence(o, copy);
	return json_string(copy ? copy : "");
}

static json_t *replaced(const struct originals *o, const char *within, const char *key,
			const json_t *j)
{
	json_t *copy, *value;
	const char *inner;
	size_t i;

	if (is_left(key) || (!json_is_string(j) && !json_is_array(j) && !json_is_object(j)))
		return json_deep_copy(j);
	if (json_is_string(j))
		return replaced_text(o, within, key, json_string_value(j));
	copy = json_is_array(j) ? json_array() : json_object();
	json_array_foreach (j, i, value) {
		json_array_append_new(copy, replaced(o, within, key, value));
	}
	json_object_foreach ((json_t *)j, inner, value) {
		_free_ char *other = replace_addresses(o, inner);

		json_object_set_new(copy, other ? other : "", replaced(o, key, inner, value));
	}
	return copy;
}

json_t *anonymise(const json_t *bundle)
{
	json_auto_t *addresses = json_object(), *names = json_object(), *keys = json_object();
	struct originals o = { addresses, names, keys };

	find(&o, "", "", bundle);
	find_keys(keys, bundle);
	number_addresses(&o);
	replace_names(&o);
	return replaced(&o, "", "", bundle);
}
