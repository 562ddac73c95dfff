/* Operations on settings: find, compare, copy, print. */
#ifndef LOSSLESSCTL_POLICY_MODEL_SETTING_H
#define LOSSLESSCTL_POLICY_MODEL_SETTING_H

#include <stddef.h>

#include "config.h"
#include "setting_table.h"

/* The setting with this path, or NULL. */
const struct setting *setting_find(const char *path);

/* True if one number of a setting is the desired one, as exactly as the kernel can store it. */
bool element_equal(const struct setting *k, int64_t desired, int64_t actual);

/*
 * True if the actual value equals the desired one, as exactly as the kernel can store it. Entries
 * that either side leaves out of the comparison count as equal.
 */
bool setting_equal(const struct setting *k, const struct config *desired,
		   const struct config *actual);

/* Copies one setting and its `has` bit over; entries that `from` leaves open keep their value. */
void setting_copy(const struct setting *k, struct config *to, const struct config *from);

/* The value as text: "3, 4", "off", "26:3, others 0". Returns `buf`. */
const char *setting_text(const struct setting *k, const struct config *c,
			 char buf[SETTING_TEXT_MAX]);

/*
 * Writes both values of a change: only the entries of a map that differ, or both whole maps if that
 * is shorter. An unknown value is "unknown".
 */
void setting_change_text(const struct setting *k, const struct config *from,
			 const struct config *to, char before[SETTING_TEXT_MAX],
			 char after[SETTING_TEXT_MAX]);

#define SETTING_NAMES_MAX 160

/* Writes the paths of the first few settings of a set for a message: "mtu, ets.tc_bw". */
void setting_names(setting_set set, char buf[SETTING_NAMES_MAX]);

/* The path of the first setting of a set; "" if the set is empty. */
const char *setting_first(setting_set set);

/* The valid values as text: "1 to 999 metres". Returns `buf`. */
const char *setting_range(const struct setting *k, char buf[SETTING_TEXT_MAX]);

struct type_ops;

/* The operations of a setting's type (type.h). */
const struct type_ops *type_of(const struct setting *k);

/* Removes from both the entries of a map that are equal, so that only differences remain. */
void setting_drop_equal(const struct setting *k, struct config *a, struct config *b);

/* The settings of `desired` that `actual` lacks or that differ from it. */
setting_set config_diff(const struct config *desired, const struct config *actual);

/* True if the change only removes lossless priorities and adds none. */
bool config_withdraws_pfc(const struct config *from, const struct config *to);

/* A copy of `c` in which the settings of `set` are 0; those that `c` lacks stay out. */
struct config config_zeroed(const struct config *c, setting_set set);

/* `base` with every setting of `over` copied over it. */
struct config config_overlay(const struct config *base, const struct config *over);

/* Inserts an APP entry in sort order; false if there are APPS_MAX already. */
bool app_entry_put(struct config *c, const struct app_entry *e);

/* True if exactly this entry exists. */
bool app_entry_has(const struct config *c, const struct app_entry *e);

/* Adds or replaces the map of one VLAN device; false if there are VLANS_MAX already. */
bool vlan_egress_put(struct config *c, const struct vlan_egress *v);

/*
 * Gives the VLAN devices of *c the names that those of the same VLAN ID have in `actual`; removes
 * those that it lacks, and the setting once none is left. Writes their names to `gone` and returns
 * their number. Does nothing unless both have the setting.
 */
size_t vlan_egress_follow(struct config *c, const struct config *actual,
			  char gone[VLANS_MAX][VLAN_NAME_MAX]);

#endif
