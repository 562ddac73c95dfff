#include <stdio.h>
#include <string.h>

#include "../../cli/env/env_format.h"
#include "../../cli/explain/topics.h"
#include "../../cli/options.h"
#include "../../cli/peer/switch_commands.h"
#include "../../cli/verbs/verbs.h"
#include "../../policy/model/switch_map.h"
#include "tables.h"

/* Print text for single quotes: a backslash before `special` letters, `quote` for a quote. */
static void quoted(const char *text, const char *special, const char *quote)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs(quote, stdout);
			continue;
		}
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

/* Select the options of this verb alone, or with NULL those of every verb. */
static bool belongs(const struct option *o, const struct verb *v)
{
	return option_applies(o, v) && !o->verbs == !v;
}

static void each_verb(void (*print)(const struct verb *v))
{
	print(NULL);
	for (size_t i = 0; i < verbs_count; i++)
		print(&verbs[i]);
}

static void each_option(const struct verb *v, void (*print)(const struct option *o))
{
	const struct option *o;

	for (size_t i = 0; (o = option_at(i)); i++)
		if (belongs(o, v))
			print(o);
}

/* A term of several words is left out: shells complete one word. */
static void each_name(void (*print)(const char *name, const char *says))
{
	struct entry e;

	for (const struct topic *t = topics; t < topics + topics_count; t++)
		for (size_t i = 0; t->entry(i, &e); i++)
			print(e.name, e.says);
	for (size_t i = 0; topic_terms.entry(i, &e); i++)
		if (!strchr(e.name, ' '))
			print(e.name, e.says);
}

/* Print the kinds of words that a verb takes. */
static void kinds(const struct verb *v)
{
	printf("%s%s%s%s%s", v->takes & TAKES_PEER ? " end" : "",
	       v->takes & (TAKES_POLICY | TAKES_FILE) ? " policy" : "",
	       v->takes & TAKES_PORTS ? " port" : "", v->takes & TAKES_NAME ? " name" : "",
	       v->takes & TAKES_VERB ? " verb" : "");
}

static void verb_list(void)
{
	for (size_t i = 0; i < verbs_count; i++)
		printf(" %s", verbs[i].name);
}

static void colours(void)
{
	for (size_t i = 0; i < COLOURS; i++)
		printf(" %s", colour_words[i]);
}

static void formats(void)
{
	for (size_t i = 0; i < ENV_FORMATS; i++)
		printf(" %s", env_formats[i].name);
}

static void sources(void)
{
	printf(" host switch");
}

static void fabrics(void)
{
	for (const struct switch_map *f = switch_maps; f->name[0]; f++)
		printf(" %s", f->name);
}

static void switch_names(void)
{
	for (enum switch_os os = 0; os < SWITCH_OS_COUNT; os++)
		printf(" %s", switch_systems[os].name);
}

static void ways(void)
{
	fputs(" ssh", stdout);
}

/* Option arguments with few values, by the argument's name. */
static const struct choice {
	const char *argument;
	void (*words)(void);
} choices[] = {
	{ "WHEN", colours },   { "FORMAT", formats },  { "SOURCE", sources },
	{ "FABRIC", fabrics }, { "OS", switch_names }, { "ssh", ways },
};

#define CHOICES (sizeof(choices) / sizeof(choices[0]))

static const struct choice *choice_of(const struct option *o)
{
	for (size_t i = 0; i < CHOICES; i++)
		if (o->argument && strcmp(o->argument, choices[i].argument) == 0)
			return &choices[i];
	return NULL;
}

/* ---- bash: the words of each kind, by case ---- */

static void bash_option(const struct option *o)
{
	printf(" %s%s%s", o->letter ? o->letter : "", o->letter ? " " : "", o->name);
}

static void bash_own(const struct verb *v)
{
	printf("\toptions%s%s) words=(", v ? "-" : "", v ? v->name : "");
	each_option(v, bash_option);
	puts(" ) ;;");
	if (!v)
		return;
	printf("\tkinds-%s) words=(", v->name);
	kinds(v);
	puts(" ) ;;");
}

static void bash_name(const char *name, const char *says)
{
	(void)says;
	printf(" '%s'", name);
}

static void bash_words(void)
{
	fputs("\tverbs) words=(", stdout);
	verb_list();
	for (size_t i = 0; i < CHOICES; i++) {
		printf(" ) ;;\n\t%s) words=(", choices[i].argument);
		choices[i].words();
	}
	fputs(" ) ;;\n\tnames) words=(", stdout);
	each_name(bash_name);
	puts(" ) ;;");
	each_verb(bash_own);
}

static void bash_arguments(void)
{
	const struct option *o;

	for (size_t i = 0; (o = option_at(i)); i++)
		if (o->argument)
			printf("\t%s) argument=%s ;;\n", o->name, o->argument);
}

/* ---- zsh: descriptions, and specifications for _arguments ---- */

#define ZSH_QUOTE "'\\''"

static void zsh_described(const char *name, const char *says)
{
	fputs("\t'", stdout);
	quoted(name, ":\\", ZSH_QUOTE);
	putchar(':');
	quoted(says, "\\", ZSH_QUOTE);
	puts("'");
}

static void zsh_verbs(void)
{
	for (size_t i = 0; i < verbs_count; i++)
		zsh_described(verbs[i].name, verbs[i].doc);
}

static void zsh_names(void)
{
	each_name(zsh_described);
}

static const char *zsh_action(const struct option *o)
{
	if (strcmp(o->argument, "DIR") == 0)
		return "_path_files -/";
	if (strcmp(o->argument, "FILE") == 0)
		return "_files";
	return " ";
}

static void zsh_option(const struct option *o)
{
	const struct choice *choice = choice_of(o);

	fputs("\t\t", stdout);
	if (o->letter)
		printf("'(%s %s)'{%s,%s}'[", o->letter, o->name, o->letter, o->name);
	else
		printf("'%s%s[", o->name, o->argument ? "=" : "");
	quoted(o->doc, "[]\\", ZSH_QUOTE);
	putchar(']');
	if (choice) {
		printf(":%s:(", o->argument);
		choice->words();
		putchar(')');
	} else if (o->argument) {
		printf(":%s:%s", o->argument, zsh_action(o));
	}
	puts("'");
}

static void zsh_every(void)
{
	each_option(NULL, zsh_option);
}

static void zsh_own(void)
{
	for (size_t i = 0; i < verbs_count; i++) {
		printf("\t%s)\n\t\tkinds=(", verbs[i].name);
		kinds(&verbs[i]);
		puts(" )\n\t\town=(");
		each_option(&verbs[i], zsh_option);
		puts("\t\t) ;;");
	}
}

/* ---- fish: one command for each word ---- */

#define FISH_QUOTE "\\'"

static void fish_says(const char *says)
{
	fputs(" -d '", stdout);
	quoted(says, "\\", FISH_QUOTE);
	puts("'");
}

static void fish_argument(const struct option *o)
{
	const struct choice *choice = choice_of(o);

	if (!o->argument)
		return;
	fputs(strcmp(o->argument, "FILE") == 0 ? " -r -F" : " -x", stdout);
	if (strcmp(o->argument, "DIR") == 0)
		fputs(" -a '(__fish_complete_directories)'", stdout);
	if (choice) {
		fputs(" -a '", stdout);
		choice->words();
		putchar('\'');
	}
}

static void fish_option(const struct option *o)
{
	fputs("complete -c losslessctl", stdout);
	if (o->verbs)
		printf(" -n '__losslessctl_verb_is%s'", o->verbs);
	if (o->letter)
		printf(" -s %s", o->letter + 1);
	printf(" -l %s", o->name + 2);
	fish_argument(o);
	fish_says(o->doc);
}

static void fish_options(void)
{
	const struct option *o;

	for (size_t i = 0; (o = option_at(i)); i++)
		fish_option(o);
}

/* Offer the verbs where the command `where` succeeds. */
static void fish_verbs_where(const char *where)
{
	for (size_t i = 0; i < verbs_count; i++) {
		printf("complete -c losslessctl -n '%s' -a %s", where, verbs[i].name);
		fish_says(verbs[i].doc);
	}
}

static void fish_verbs(void)
{
	fish_verbs_where("not __losslessctl_verb");
	fish_verbs_where("__losslessctl_verb_is help");
}

static void fish_name(const char *name, const char *says)
{
	printf("complete -c losslessctl -n '__losslessctl_verb_is explain' -a '%s'", name);
	fish_says(says);
}

static void fish_names(void)
{
	each_name(fish_name);
}

/* Complete the words of a kind by `command`, for the verbs that take the kind. */
static void fish_kind(unsigned takes, const char *command)
{
	fputs("complete -c losslessctl -n '__losslessctl_verb_is", stdout);
	for (size_t i = 0; i < verbs_count; i++)
		if (verbs[i].takes & takes)
			printf(" %s", verbs[i].name);
	printf("' -a '(%s)'\n", command);
}

static void fish_words(void)
{
	fish_kind(TAKES_PEER, "echo serve");
	fish_kind(TAKES_PORTS, "__losslessctl_ports");
	fish_kind(TAKES_POLICY | TAKES_FILE, "__losslessctl_policies");
}

/* List the options whose argument is a word of its own, for `contains`. */
static void fish_arguments(void)
{
	const struct option *o;

	fputs("set -g __losslessctl_arguments", stdout);
	for (size_t i = 0; (o = option_at(i)); i++)
		if (o->argument)
			printf(" %s", o->name);
	putchar('\n');
}

static const struct part {
	const char *name;
	void (*print)(void);
} parts[] = {
	{ "bash-words", bash_words },	      { "bash-arguments", bash_arguments },
	{ "zsh-verbs", zsh_verbs },	      { "zsh-names", zsh_names },
	{ "zsh-every", zsh_every },	      { "zsh-own", zsh_own },
	{ "fish-arguments", fish_arguments }, { "fish-verbs", fish_verbs },
	{ "fish-options", fish_options },     { "fish-names", fish_names },
	{ "fish-words", fish_words },
};

bool shell_print(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].name, name) == 0) {
			parts[i].print();
			return true;
		}
	return false;
}
