// SPDX-License-Identifier: GPL-2.0
/*
 * The world around the adapters, by a line in /proc/connectx/control: PORT VERB ARG..., with PORT a
 * PCI address or a number. tests/vm/guest/connectx documents the verbs. A refused line is EINVAL,
 * and /proc/connectx/error says why. /proc/connectx/ADDRESS/ has the state and the count of commands.
 *
 * The firmware's thread carries the line out, as it owns everything that it changes.
 */
#include "connectx.h"

#include <linux/completion.h>
#include <linux/ctype.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define MAX_WORDS	80	/* a port, a verb, a register, a field, 64 values */

/* The line that waits for the thread. */
static DEFINE_MUTEX(line_lock);
static char *line;
static int line_result;
static DECLARE_COMPLETION(line_done);
static char why[160];

struct words {
	char *word[MAX_WORDS];
	unsigned int count;
};

static struct proc_dir_entry *folder;

static int refuse(const char *fmt, ...) __printf(1, 2);
static int refuse(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	return -EINVAL;
}

/* No KIND has that name; GUESS is the nearest one. */
static int unknown(const char *kind, const char *word, const struct fw_guess *guess)
{
	if (guess->word)
		return refuse("no such %s: %s; did you mean %s?", kind, word, guess->word);
	return refuse("no such %s: %s", kind, word);
}

static int number(const char *word, u32 most, u32 *value)
{
	if (!*word)
		return refuse("a number is missing");
	if (kstrtou32(word, 0, value))
		return refuse("%s is no number", word);
	if (*value > most)
		return refuse("%s is more than %u", word, most);
	return 0;
}

/* The word after the verb, or "". */
static const char *argument(const struct words *words, unsigned int i)
{
	return i + 2 < words->count ? words->word[i + 2] : "";
}

static int choice(const char *word, const char *const *words, unsigned int count, u32 *value)
{
	struct fw_guess guess = {};

	if (!*word)
		return refuse("a word is missing, such as %s", words[0]);
	for (*value = 0; *value < count; ++*value) {
		if (!strcmp(word, words[*value]))
			return 0;
		fw_nearest(word, words[*value], &guess);
	}
	return unknown("word", word, &guess);
}

#define CHOOSE(word, value, ...) ({ \
	static const char *const choices[] = { __VA_ARGS__ }; \
	choice(word, choices, ARRAY_SIZE(choices), value); \
})

/* on|off */
static int on_or_off(const char *word, u32 *on)
{
	return CHOOSE(word, on, "off", "on");
}

static int link_speed(struct fw_function *fn, const struct words *words)
{
	u32 mbps, silent = 0;
	int err = number(argument(words, 1), U32_MAX, &mbps);

	if (!err && words->count > 4)
		err = CHOOSE(argument(words, 2), &silent, "loud", "silent");
	if (!err && fw_link_set_speed(fn, mbps, silent))
		err = refuse("no link has %u Mb/s", mbps);
	return err;
}

static int link_fec(struct fw_function *fn, const struct words *words)
{
	static const u32 modes[] = { 0, BIT(0), BIT(1), BIT(2), BIT(9) };
	u32 mode;
	int err = CHOOSE(argument(words, 1), &mode, "agreed", "off", "baser", "rs", "llrs");

	if (!err)
		fn->port.fec_forced = modes[mode];
	return err;
}

/*
 * link down|up: the cable. link train MS. link speed MBPS [silent]: what the other side prefers.
 * link stuck on|off: once down, it stays down. link fec MODE: in force whatever was agreed.
 */
static int control_link(struct fw_function *fn, const struct words *words)
{
	enum { DOWN, UP, TRAIN, STUCK, SPEED, FEC };
	u32 what, value;
	int err = CHOOSE(argument(words, 0), &what, "down", "up", "train", "stuck", "speed", "fec");

	if (err)
		return err;
	switch (what) {
	case TRAIN:
		err = number(argument(words, 1), 60000, &value);
		if (!err)
			fn->port.carrier_ms = value;
		return err;
	case STUCK:
		err = on_or_off(argument(words, 1), &value);
		if (!err)
			fn->port.stuck = value;
		break;
	case SPEED:
		return link_speed(fn, words);
	case FEC:
		return link_fec(fn, words);
	default:
		fn->port.cable = what;
	}
	fw_link_update(fn);
	return err;
}

/* counter NAME N: add to a counter, by its name for ethtool -S, hw_counters or FEC statistics. */
static int control_counter(struct fw_function *fn, const struct words *words)
{
	const char *name = argument(words, 0);
	struct fw_guess guess = {};
	static char candidate[2][FW_COUNTER_NAME];
	unsigned int i, other = 0;
	s64 n;

	if (!*name || kstrtos64(argument(words, 1), 0, &n))
		return refuse("a counter and a number are missing");
	if (fw_counter_add(fn, name, n))
		return 0;
	for (i = 0; fw_counter_name(i, candidate[other], FW_COUNTER_NAME); i++) {
		fw_nearest(name, candidate[other], &guess);
		if (guess.word == candidate[other])
			other = !other;
	}
	return unknown("counter", name, &guess);
}

/* storm sent|suffered PRIO PERCENT|off: pause that lasts. */
static int control_storm(struct fw_function *fn, const struct words *words)
{
	u32 sent, prio, percent = 0;
	int err = CHOOSE(argument(words, 0), &sent, "suffered", "sent") ?:
		number(argument(words, 1), FW_PRIOS - 1, &prio);

	if (!err && strcmp(argument(words, 2), "off"))
		err = number(argument(words, 2), 100, &percent);
	return err ?: fw_storm_set(fn, sent, prio, percent);
}

/* cc NAME VALUE, cc NAME most VALUE: a parameter of congestion control, and the most it can be. */
static int control_cc(struct fw_function *fn, const struct words *words)
{
	bool most = !strcmp(argument(words, 1), "most");
	const char *name;
	struct fw_guess guess = {};
	unsigned int i;
	u32 value;
	int err = number(argument(words, 1 + most), U32_MAX, &value);

	if (err)
		return err;
	if (!(most ? fw_cc_limit : fw_cc_set)(fn, argument(words, 0), value))
		return 0;
	for (i = 0; (name = fw_cc_get(fn, i, &value)); i++)
		fw_nearest(argument(words, 0), name, &guess);
	return unknown("parameter", argument(words, 0), &guess);
}

static int switch_cap(struct fw_function *fn, const struct words *words)
{
	struct fw_guess guess = {};
	unsigned int i;
	u32 on;
	int err = on_or_off(argument(words, 2), &on);

	if (err || !fw_caps_switch(fn, argument(words, 1), on))
		return err;
	for (i = 0; fw_caps_name(i); i++)
		fw_nearest(argument(words, 1), fw_caps_name(i), &guess);
	return unknown("capability", argument(words, 1), &guess);
}

/* firmware cap NAME on|off, pause keeps_pfc|ends_pfc|refused, forgetful on|off, slow_restart on|off */
static int control_firmware(struct fw_function *fn, const struct words *words)
{
	u32 what, value;
	int err = CHOOSE(argument(words, 0), &what, "cap", "pause", "forgetful", "slow_restart");

	if (err)
		return err;
	if (what == 0)
		return switch_cap(fn, words);
	if (what == 1) {
		err = CHOOSE(argument(words, 1), &value, "keeps_pfc", "ends_pfc", "refused");
		if (!err)
			fn->port.pause_policy = value;
		return err;
	}
	err = on_or_off(argument(words, 1), &value);
	if (err)
		return err;
	if (what == 2)
		fn->forgetful = value;
	else
		fn->slow_restart = value;
	return 0;
}

/*
 * pci device HEX: another adapter in the slot, which a rescan finds. pci link GT/s LANES: the link
 * runs no faster. pci error correctable|nonfatal: the port has one, and its root port reports it.
 */
static int control_pci(struct fw_function *fn, const struct words *words)
{
	u32 what, device, speed, lanes, correctable;
	int err = CHOOSE(argument(words, 0), &what, "device", "link", "error");

	if (!err && what == 1) {
		err = CHOOSE(argument(words, 1), &speed, "2.5", "5", "8", "16") ?:
			number(argument(words, 2), 32, &lanes);
		if (!err)
			fw_pci_set_link(fn, speed + 1, lanes);
		return err;
	}
	if (!err && what == 2) {
		err = CHOOSE(argument(words, 1), &correctable, "nonfatal", "correctable");
		if (!err && fw_express_error(fn, correctable))
			err = refuse("there is no root port: start the guest with --pcie");
		return err;
	}
	if (err)
		return err;
	if (kstrtou32(argument(words, 1), 16, &device) || fw_function_set_device(fn, device))
		return refuse("no adapter here has the PCI device %s", argument(words, 1));
	return 0;
}

static int find_field(const char *reg, const char *name, const struct fw_field **ret_field)
{
	struct fw_guess near_reg = {}, near_name = {};
	const struct fw_field *field;
	bool known = false;

	if (!*reg || !*name)
		return refuse("a register and a field are missing, such as PFCC pfctx");
	for (field = fw_fields; field->reg; field++) {
		fw_nearest(reg, field->reg, &near_reg);
		if (strcasecmp(field->reg, reg))
			continue;
		known = true;
		fw_nearest(name, field->name, &near_name);
		if (!strcasecmp(field->name, name)) {
			*ret_field = field;
			return 0;
		}
	}
	return known ? unknown("field", name, &near_name) : unknown("register", reg, &near_reg);
}

/* register NAME FIELD [INDEX] VALUE, or a value for each index: changed behind the driver's back. */
static int control_register(struct fw_function *fn, const struct words *words)
{
	const struct fw_field *field;
	unsigned int given = words->count > 4 ? words->count - 4 : 0, i;
	u32 index = 0, value[64], most;
	int err = find_field(argument(words, 0), argument(words, 1), &field);

	if (err)
		return err;
	if (given != 1 + (field->count > 1) && given != field->count)
		return refuse("%s %s wants %s", field->reg, field->name, field->count > 1 ?
			      "an index and a value, or all values" : "a value");
	most = GENMASK(field->width - 1, 0);
	if (field->count > 1 && given == 2) {
		err = number(words->word[4], field->count - 1, &index) ?:
			number(words->word[5], most, &value[0]);
		if (!err)
			fw_field_set(&fn->port, field, index, value[0]);
	} else {
		for (i = 0; i < given && !err; i++)
			err = number(words->word[4 + i], most, &value[i]);
		for (i = 0; i < given && !err; i++)
			fw_field_set(&fn->port, field, i, value[i]);
	}
	if (!err)
		fw_buffer_lay(&fn->port);
	return err;
}

/* A command, or a register with ":read" for its reads; "any" is every command. */
static int fault_target(const char *word, struct fw_fault *fault)
{
	const struct fw_name *name;
	struct fw_guess guess = {};
	char base[40];
	char *colon;

	if (!*word)
		return refuse("a command or a register is missing, such as PFCC");
	strscpy(base, word, sizeof(base));
	colon = strchr(base, ':');
	if (colon) {
		*colon++ = '\0';
		fault->read = !strcmp(colon, "read");
		if (!fault->read && strcmp(colon, "write"))
			return refuse("%s is neither read nor write", colon);
	}
	if (!strcmp(base, "any"))
		return 0;
	name = fw_name_find(fw_registers, base);
	if (name) {
		fault->opcode = MLX5_CMD_OP_ACCESS_REG;
		fault->reg = name->value;
		return 0;
	}
	name = fw_name_find(fw_commands, base);
	if (name) {
		fault->opcode = name->value;
		return 0;
	}
	for (name = fw_registers; name->name; name++)
		fw_nearest(base, name->name, &guess);
	for (name = fw_commands; name->name; name++)
		fw_nearest(base, name->name, &guess);
	return unknown("register or command", base, &guess);
}

static int find_status(const char *word, u32 *status)
{
	const struct fw_name *name = fw_name_find(fw_statuses, word);
	struct fw_guess guess = {};

	if (name) {
		*status = name->value;
		return 0;
	}
	for (name = fw_statuses; name->name; name++)
		fw_nearest(word, name->name, &guess);
	return unknown("status", word, &guess);
}

/* fault NAME fail STATUS|ignore|slow US|silent [COUNT [SKIP]]; fault none */
static int control_fault(struct fw_function *fn, const struct words *words)
{
	struct fw_fault fault = { .count = 1 };
	unsigned int next = 4, i;
	u32 what;
	int err;

	if (!strcmp(argument(words, 0), "none")) {
		memset(fn->fault, 0, sizeof(fn->fault));
		return 0;
	}
	err = fault_target(argument(words, 0), &fault) ?:
		CHOOSE(argument(words, 1), &what, "fail", "ignore", "slow", "silent");
	if (err)
		return err;
	fault.kind = FW_FAILS + what;
	if (fault.kind == FW_FAILS)
		err = find_status(argument(words, 2), &fault.status);
	if (fault.kind == FW_SLOW)
		err = number(argument(words, 2), 600000000, &fault.us);
	next += fault.kind == FW_FAILS || fault.kind == FW_SLOW;
	if (!err && words->count > next)
		err = number(words->word[next], U32_MAX, &fault.count);
	if (!err && words->count > next + 1)
		err = number(words->word[next + 1], U32_MAX, &fault.skip);
	for (i = 0; i < FW_FAULTS && !err; i++) {
		if (fn->fault[i].kind == FW_NO_FAULT) {
			fn->fault[i] = fault;
			return 0;
		}
	}
	return err ?: refuse("there are %u faults already", FW_FAULTS);
}

const struct fw_fault *fw_fault(struct fw_function *fn, u16 opcode, u16 reg, bool read)
{
	static struct fw_fault hit;
	unsigned int i;

	for (i = 0; i < FW_FAULTS; i++) {
		struct fw_fault *fault = &fn->fault[i];

		if (fault->kind == FW_NO_FAULT || (fault->opcode && fault->opcode != opcode) ||
		    (fault->reg && (fault->reg != reg || fault->read != read)))
			continue;
		if (fault->skip) {
			fault->skip--;
			continue;
		}
		hit = *fault;
		if (fault->count && !--fault->count)
			fault->kind = FW_NO_FAULT;
		return &hit;
	}
	return NULL;
}

/* interrupt lose COUNT [commands|events|completions] */
static int control_interrupt(struct fw_function *fn, const struct words *words)
{
	u32 what, use = FW_EQ_COMMANDS, n;
	int err = CHOOSE(argument(words, 0), &what, "lose") ?:
		number(argument(words, 1), U32_MAX, &n);

	if (!err && words->count > 4)
		err = CHOOSE(argument(words, 2), &use, "commands", "events", "completions");
	if (!err)
		fn->lost_interrupts[use] = n;
	return err;
}

/* power cold: registers as at power on; the guest's command restarts the driver. */
static int control_power(struct fw_function *fn, const struct words *words)
{
	u32 what;
	int err = CHOOSE(argument(words, 0), &what, "cold");

	if (!err)
		fw_port_reset(fn);
	return err;
}

/* health fatal: a syndrome from which the driver recovers by starting anew. */
static int control_health(struct fw_function *fn, const struct words *words)
{
	u32 what;
	int err = CHOOSE(argument(words, 0), &what, "fatal");

	if (!err) {
		fn->iseg->health.synd = 1;
		fn->iseg->health.rfr_severity = 0x80;
	}
	return err;
}

/* N [COUNT]: hits one of N packets, COUNT times; "off": none. */
static int every(const struct words *words, unsigned int i, struct fw_every *ret_every)
{
	struct fw_every new = {};
	int err = 0;

	if (strcmp(argument(words, i), "off"))
		err = number(argument(words, i), U32_MAX, &new.every);
	if (!err && *argument(words, i + 1))
		err = number(argument(words, i + 1), U32_MAX, &new.count);
	if (!err)
		*ret_every = new;
	return err;
}

/*
 * mark N [COUNT]|above KIB|off: the switch marks RoCE packets of ECN that leave, one of N, or those that
 * find more than that in their queue.
 */
static int control_mark(struct fw_function *fn, const struct words *words)
{
	u32 kib = 0;
	int err;

	if (strcmp(argument(words, 0), "above"))
		err = every(words, 0, &fn->mark);
	else
		err = number(argument(words, 1), 1024, &kib);
	if (!err)
		fn->mark_above = kib * SZ_1K;
	return err;
}

/*
 * slow MBPS [memory]|off: the port takes RoCE packets out of its buffers no faster; 0: it takes none.
 * memory: as the host's memory is slow.
 */
static int control_slow(struct fw_function *fn, const struct words *words)
{
	bool slow = strcmp(argument(words, 0), "off");
	bool memory = *argument(words, 1);
	u32 rate = 0, cause;
	int err = slow ? number(argument(words, 0), 1000000, &rate) : 0;

	if (!err && memory)
		err = CHOOSE(argument(words, 1), &cause, "memory");
	if (!err)
		fw_queue_slow(fn, slow, rate, slow && memory);
	return err;
}

/* drop any|data|acks|mads|cnps N [COUNT]|off: the switch loses one of N RoCE packets that leave. */
static int control_drop(struct fw_function *fn, const struct words *words)
{
	u32 kind;
	int err = CHOOSE(argument(words, 0), &kind, "any", "data", "acks", "mads", "cnps");

	return err ?: every(words, 1, &fn->drop[kind]);
}

/*
 * damage fcs|icrc N [COUNT]|off: one of N frames that arrive has a wrong check sequence, or one of N RoCE
 * packets a wrong invariant CRC.
 */
static int control_damage(struct fw_function *fn, const struct words *words)
{
	u32 kind;
	int err = CHOOSE(argument(words, 0), &kind, "fcs", "icrc");

	return err ?: every(words, 1, &fn->damage[kind]);
}

/* capture on|off: RoCE packets at this end of the cable, for the file "capture". */
static int control_capture(struct fw_function *fn, const struct words *words)
{
	u32 on;
	int err = on_or_off(argument(words, 0), &on);

	if (!err && fw_capture_set(fn, on))
		err = refuse("no memory for a capture");
	return err;
}

/* eswitch manager on|off: off as for the host of a DPU, whose own processors manage the switch. */
static int control_eswitch(struct fw_function *fn, const struct words *words)
{
	u32 what, value;
	int err = CHOOSE(argument(words, 0), &what, "manager") ?:
		on_or_off(argument(words, 1), &value);

	if (!err)
		fn->flash.manages_eswitch = value;
	return err;
}

/* type ethernet|infiniband: what the port speaks. */
static int control_type(struct fw_function *fn, const struct words *words)
{
	u32 what;
	int err = CHOOSE(argument(words, 0), &what, "ethernet", "infiniband");

	if (!err)
		fn->flash.infiniband = what;
	return err;
}

static struct fw_function *find_port(const char *word)
{
	unsigned int i, bus, slot, function;

	if (!kstrtouint(word, 10, &i))
		return i < fw_function_count ? fw_functions[i] : NULL;
	if (sscanf(word, "0000:%x:%x.%u", &bus, &slot, &function) != 3)
		return NULL;
	for (i = 0; i < fw_function_count; i++) {
		char address[16];

		fw_pci_address(fw_functions[i], address, sizeof(address));
		if (!strcmp(address, word))
			return fw_functions[i];
	}
	return NULL;
}

/*
 * rewrite DSCP NEW|lost, rewrite pcp PCP NEW, rewrite off: what a switch makes of frames that leave
 * with this DSCP, or with this priority in their tag.
 */
static int control_rewrite(struct fw_function *fn, const struct words *words)
{
	bool pcp = !strcmp(argument(words, 0), "pcp");
	u32 most = pcp ? FW_PRIOS - 1 : 63, old, new;
	u8 *rewrite = pcp ? fn->rewrite_pcp : fn->rewrite;
	int err;

	if (!strcmp(argument(words, 0), "off")) {
		memset(fn->rewrite, 0, sizeof(fn->rewrite));
		memset(fn->rewrite_pcp, 0, sizeof(fn->rewrite_pcp));
		return 0;
	}
	err = number(argument(words, pcp), most, &old);
	if (!err && !pcp && !strcmp(argument(words, 1), "lost"))
		fn->rewrite[old] = FW_LOST;
	else if (!err && !(err = number(argument(words, 1 + pcp), most, &new)))
		rewrite[old] = new + 1;
	return err;
}

/* detour PORT|off: RDMA that leaves arrives by this port; its queue pairs are where they were. */
static int control_detour(struct fw_function *fn, const struct words *words)
{
	const char *word = argument(words, 0);

	fn->detour = NULL;
	if (!strcmp(word, "off"))
		return 0;
	fn->detour = find_port(word);
	return fn->detour ? 0 : refuse("no such port: %s", word);
}

static const struct {
	const char *name;
	int (*control)(struct fw_function *fn, const struct words *words);
} verbs[] = {
	{ "link", control_link },
	{ "register", control_register },
	{ "counter", control_counter },
	{ "storm", control_storm },
	{ "fault", control_fault },
	{ "interrupt", control_interrupt },
	{ "power", control_power },
	{ "health", control_health },
	{ "cc", control_cc },
	{ "firmware", control_firmware },
	{ "pci", control_pci },
	{ "eswitch", control_eswitch },
	{ "type", control_type },
	{ "slow", control_slow },
	{ "mark", control_mark },
	{ "drop", control_drop },
	{ "damage", control_damage },
	{ "capture", control_capture },
	{ "rewrite", control_rewrite },
	{ "detour", control_detour },
};

static int command(char *text)
{
	struct words words = {};
	struct fw_guess guess = {};
	struct fw_function *fn;
	char *word;
	int i;

	while ((word = strsep(&text, " \t\n")) && words.count < MAX_WORDS) {
		if (*word)
			words.word[words.count++] = word;
	}
	if (words.count < 2)
		return refuse("a port and a verb, please");
	fn = find_port(words.word[0]);
	if (!fn)
		return refuse("no such port: %s", words.word[0]);
	fn->changes++;
	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (!strcmp(verbs[i].name, words.word[1]))
			return verbs[i].control(fn, &words);
		fw_nearest(words.word[1], verbs[i].name, &guess);
	}
	return unknown("verb", words.word[1], &guess);
}

bool fw_control_poll(void)
{
	char *waiting = READ_ONCE(line);

	if (!waiting)
		return false;
	WRITE_ONCE(line, NULL);
	line_result = command(waiting);
	complete(&line_done);
	return true;
}

static ssize_t control_write(struct file *file, const char __user *user, size_t size, loff_t *pos)
{
	char *text = size < 512 ? memdup_user_nul(user, size) : ERR_PTR(-EINVAL);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&line_lock);
	WRITE_ONCE(line, text);
	fw_wake();
	wait_for_completion(&line_done);
	err = line_result;
	mutex_unlock(&line_lock);
	kfree(text);
	return err ?: size;
}

static const struct proc_ops control_ops = { .proc_write = control_write };

static int error_show(struct seq_file *out, void *unused)
{
	seq_printf(out, "%s\n", why);
	return 0;
}

/* A line with a value for each index. */
#define SHOW_EACH(name, count, value) do { \
	seq_puts(out, name); \
	for (i = 0; i < (count); i++) \
		seq_printf(out, " %u", value); \
	seq_putc(out, '\n'); \
} while (0)

static void show_port(struct seq_file *out, const struct fw_function *fn)
{
	static const char *const trust[] = { "none", "pcp", "dscp", "both" };
	const struct fw_port *port = &fn->port;
	int i;

	seq_printf(out, "pfc_en 0x%02x\npfc_rx 0x%02x\n", port->pfctx, port->pfcrx);
	seq_printf(out, "pause_rx %u\npause_tx %u\n", port->pprx, port->pptx);
	seq_printf(out, "stall %u\nstall_minor %u\n", port->stall_critical, port->stall_minor);
	seq_printf(out, "trust %s\n", trust[port->trust & 3]);
	SHOW_EACH("dscp2prio", 64, port->dscp_prio[i]);
	SHOW_EACH("prio_tc", FW_PRIOS, port->prio_tc[i]);
	SHOW_EACH("group", FW_PRIOS, port->tc[i].group);
	SHOW_EACH("bw", FW_PRIOS, port->tc[i].bw);
	SHOW_EACH("rate_unit", FW_PRIOS, port->tc[i].units);
	SHOW_EACH("rate", FW_PRIOS, port->tc[i].value);
	SHOW_EACH("buffer_size", 8, port->buffer[i].size * FW_CELL);
	SHOW_EACH("lossy", 8, port->buffer[i].lossy);
	SHOW_EACH("xoff", 8, port->buffer[i].xoff * FW_CELL);
	SHOW_EACH("xon", 8, port->buffer[i].xon * FW_CELL);
	SHOW_EACH("prio2buffer", FW_PRIOS, port->prio_buffer >> 4 * i & 0xf);
	seq_printf(out, "fw_buf_owner %s\n", port->buffers_of_host ? "software" : "firmware");
	seq_printf(out, "pool_lossy %u\npool_lossless %u\n", port->pool_size[1][0] * FW_CELL,
		   port->pool_size[0][1] * FW_CELL);
	seq_printf(out, "fw_dcbx %s\n", MLX5_GET(dcbx_param, port->dcbx, version_oper) ? "fw" : "host");
	seq_printf(out, "mtu %u\nadmin %s\nlink %s\ncable %s\nspeed %u\n", port->mtu,
		   port->admin_up ? "up" : "down", port->oper_up ? "up" : "down",
		   port->cable ? "in" : "out", port->speed_mbps);
}

static void show_congestion(struct seq_file *out, const struct fw_function *fn)
{
	const char *name;
	unsigned int i;
	u32 value;

	for (i = 0; (name = fw_cc_get(fn, i, &value)); i++)
		seq_printf(out, "cc.%s %u\n", name, value);
	seq_printf(out, "ecn_rp 0x%02x\necn_np %u\n", fn->port.ecn_rp, fn->port.ecn_np);
}

/* State of the adapter: in each line a field and its values; of the commands, those that change. */
static int state_show(struct seq_file *out, void *unused)
{
	struct fw_function *fn = out->private;
	struct fw_object *object;
	unsigned long id;
	int i, n;

	seq_printf(out, "commands %llu %u\n", fn->commands, fn->changes);
	seq_printf(out, "index %u\ntype %s\n", fn->index,
		   fn->infiniband ? "infiniband" : "ethernet");
	show_port(out, fn);
	show_congestion(out, fn);
	seq_printf(out, "link_down_events %llu\n", fn->port.count.link_down_events);
	seq_puts(out, "objects");
	for (i = 0; i < FW_KINDS; i++) {
		n = 0;
		xa_for_each(&fn->object[i], id, object)
			n++;
		if (n)
			seq_printf(out, " %s:%d", fw_kind_name[i], n);
	}
	seq_putc(out, '\n');
	return 0;
}

/* Counts of each command, and of each register written and read. */
static int calls_show(struct seq_file *out, void *unused)
{
	struct fw_function *fn = out->private;
	int i;

	for (i = 0; fw_commands[i].name; i++) {
		if (fn->calls[i])
			seq_printf(out, "%s %u\n", fw_commands[i].name, fn->calls[i]);
	}
	for (i = 0; fw_registers[i].name; i++) {
		if (fn->register_calls[i][0])
			seq_printf(out, "%s:write %u\n", fw_registers[i].name,
				   fn->register_calls[i][0]);
		if (fn->register_calls[i][1])
			seq_printf(out, "%s:read %u\n", fw_registers[i].name,
				   fn->register_calls[i][1]);
	}
	return 0;
}

/* RoCE packets that passed the port's end of the cable, by TOS and tag. */
static int wire_show(struct seq_file *out, void *unused)
{
	fw_packets_show(out, out->private);
	return 0;
}

/* The captured packets, a file of pcap. */
static ssize_t capture_read(struct file *file, char __user *user, size_t size, loff_t *pos)
{
	struct fw_function *fn = pde_data(file_inode(file));

	return simple_read_from_buffer(user, size, pos, fn->capture.data,
				       READ_ONCE(fn->capture.bytes));
}

static const struct proc_ops capture_ops = {
	.proc_read = capture_read, .proc_lseek = default_llseek,
};

static bool add_folder(struct fw_function *fn)
{
	char address[16];

	fw_pci_address(fn, address, sizeof(address));
	fn->folder = proc_mkdir(address, folder);
	return fn->folder &&
		proc_create_single_data("state", 0400, fn->folder, state_show, fn) &&
		proc_create_single_data("calls", 0400, fn->folder, calls_show, fn) &&
		proc_create_single_data("wire", 0400, fn->folder, wire_show, fn) &&
		proc_create_data("capture", 0400, fn->folder, &capture_ops, fn);
}

int fw_control_init(void)
{
	bool ok;
	unsigned int i;

	folder = proc_mkdir("connectx", NULL);
	if (!folder)
		return -ENOMEM;
	ok = proc_create("control", 0200, folder, &control_ops) &&
		proc_create_single("error", 0400, folder, error_show);
	for (i = 0; i < fw_function_count; i++)
		ok = ok && add_folder(fw_functions[i]);
	if (ok)
		return 0;
	fw_control_exit();
	return -ENOMEM;
}

void fw_control_exit(void)
{
	proc_remove(folder);
}
