// SPDX-License-Identifier: GPL-2.0
/*
 * MLNX_OFED's tc/1/traffic_class below the RDMA device: one class for every connection of
 * the port, and rules for those from or to an address. The driver keeps all of it in memory.
 */
#include "ofed.h"

#include <linux/inet.h>
#include <linux/slab.h>

enum { MOST_RULES = 40, LONGEST = 100 };
enum {
	HAS_SRC = BIT(0),
	HAS_DST = BIT(1),
	HAS_SRC6 = BIT(2),
	HAS_DST6 = BIT(3),
	HAS_CLASS = BIT(4),
};

struct rule {
	u8 has;				/* 0: a free entry */
	u8 src[16];
	u8 dst[16];
	int bits;
	int tclass;
};

struct ofed_class {
	struct kobject *tc;
	struct kobject *dir;
	struct kobj_attribute attr;
	struct mutex lock;
	int global;			/* negative: none */
	struct rule rule[MOST_RULES];
};

static int parse_class(struct rule *r, const char *text)
{
	r->has |= HAS_CLASS;
	return kstrtoint(text, 0, &r->tclass) || r->tclass > 255 ? -EINVAL : 0;
}

static int parse_dst(struct rule *r, const char *text)
{
	const char *end;

	r->has |= HAS_DST;
	r->bits = 32;
	if (!in4_pton(text, -1, r->dst, -1, &end))
		return -EINVAL;
	if (!*end)
		return 0;
	if (*end != '/' || kstrtoint(end + 1, 0, &r->bits) || r->bits < 0 || r->bits > 32)
		return -EINVAL;
	r->bits = r->bits ?: 32;	/* MLNX_OFED takes /0 as /32 */
	return 0;
}

static int parse_word(struct rule *r, const char *word)
{
	const char *end;

	if (str_has_prefix(word, "src_ip=")) {
		r->has |= HAS_SRC;
		return in4_pton(word + 7, -1, r->src, -1, &end) ? 0 : -EINVAL;
	}
	if (str_has_prefix(word, "dst_ip="))
		return parse_dst(r, word + 7);
	if (str_has_prefix(word, "src_ip6=")) {
		r->has |= HAS_SRC6;
		return in6_pton(word + 8, -1, r->src, -1, &end) ? 0 : -EINVAL;
	}
	if (str_has_prefix(word, "dst_ip6=")) {
		r->has |= HAS_DST6;
		return in6_pton(word + 8, -1, r->dst, -1, &end) ? 0 : -EINVAL;
	}
	return parse_class(r, str_has_prefix(word, "tclass=") ? word + 7 : word);
}

static int parse(struct rule *r, char *text)
{
	char *word;

	while ((word = strsep(&text, ","))) {
		if (*word && parse_word(r, strim(word)))
			return -EINVAL;
	}
	if (!(r->has & HAS_CLASS))
		return -EINVAL;
	if ((r->has & (HAS_SRC | HAS_DST)) && (r->has & (HAS_SRC6 | HAS_DST6)))
		return -EINVAL;
	return 0;
}

static bool same_match(const struct rule *a, const struct rule *b)
{
	return a->has == b->has && !memcmp(a->src, b->src, sizeof(a->src)) &&
	       !memcmp(a->dst, b->dst, sizeof(a->dst));
}

static struct rule *find(struct ofed_class *t, const struct rule *wanted)
{
	int i;

	for (i = 0; i < MOST_RULES; i++)
		if (same_match(&t->rule[i], wanted))
			return &t->rule[i];
	for (i = 0; i < MOST_RULES; i++)
		if (!t->rule[i].has)
			return &t->rule[i];
	return NULL;
}

/* A negative class removes the entry; the global class leaves the rules unchanged. */
static int apply(struct ofed_class *t, const struct rule *r)
{
	struct rule *place;

	if (r->has == HAS_CLASS) {
		t->global = r->tclass;
		return 0;
	}
	place = find(t, r);
	if (!place)
		return -ENOMEM;
	if (r->tclass < 0)
		memset(place, 0, sizeof(*place));
	else
		*place = *r;
	return 0;
}

static ssize_t store(struct kobject *k, struct kobj_attribute *attr, const char *buf, size_t count)
{
	struct ofed_class *t = container_of(attr, struct ofed_class, attr);
	char text[LONGEST + 1] = {};
	struct rule r = {};
	int err;

	if (count > LONGEST)
		return -EINVAL;
	memcpy(text, buf, count);
	err = parse(&r, text);
	if (err)
		return err;
	mutex_lock(&t->lock);
	err = apply(t, &r);
	mutex_unlock(&t->lock);
	return err ?: count;
}

static int show_rule(const struct rule *r, char *buf, int at)
{
	int n = at;

	if (r->has & HAS_SRC)
		n += sysfs_emit_at(buf, n, "src_ip=%pI4,", r->src);
	if (r->has & HAS_DST)
		n += sysfs_emit_at(buf, n, "dst_ip=%pI4/%d,", r->dst, r->bits);
	if (r->has & HAS_SRC6)
		n += sysfs_emit_at(buf, n, "src_ip6=%pI6,", r->src);
	if (r->has & HAS_DST6)
		n += sysfs_emit_at(buf, n, "dst_ip6=%pI6,", r->dst);
	n += sysfs_emit_at(buf, n, "tclass=%d\n", r->tclass);
	return n - at;
}

static ssize_t show(struct kobject *k, struct kobj_attribute *attr, char *buf)
{
	struct ofed_class *t = container_of(attr, struct ofed_class, attr);
	int i, n = 0;

	mutex_lock(&t->lock);
	if (t->global >= 0)
		n += sysfs_emit_at(buf, n, "Global tclass=%d\n", t->global);
	for (i = 0; i < MOST_RULES && n < PAGE_SIZE - LONGEST; i++)
		if (t->rule[i].has)
			n += show_rule(&t->rule[i], buf, n);
	mutex_unlock(&t->lock);
	return n;
}

static int add_files(struct ofed_class *t, struct kobject *device)
{
	t->tc = kobject_create_and_add("tc", device);
	if (!t->tc)
		return -ENOMEM;
	t->dir = kobject_create_and_add("1", t->tc);
	if (!t->dir)
		return -ENOMEM;
	sysfs_attr_init(&t->attr.attr);
	return sysfs_create_file(t->dir, &t->attr.attr);
}

struct ofed_class *ofed_class_add(struct kobject *device)
{
	struct ofed_class *t = kzalloc(sizeof(*t), GFP_KERNEL);

	if (!t)
		return NULL;
	t->attr = (struct kobj_attribute)__ATTR(traffic_class, 0644, show, store);
	t->global = -1;
	mutex_init(&t->lock);
	if (!add_files(t, device))
		return t;
	ofed_class_remove(t);
	return NULL;
}

void ofed_class_remove(struct ofed_class *t)
{
	if (!t)
		return;
	kobject_put(t->dir);
	kobject_put(t->tc);
	kfree(t);
}
