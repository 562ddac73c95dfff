/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ofed: the files that MLNX_OFED's driver has and Debian's lacks, on top of the real netdev and
 * RDMA device. They send the same commands to the firmware as MLNX_OFED's.
 */
#ifndef OFED_H
#define OFED_H

#include <linux/kobject.h>
#include <linux/mlx5/driver.h>
#include <linux/sysfs.h>

#define OFED_MOST_FILES		40

struct ofed_ecn;
struct ofed_class;

/* ofed_ecn.c: ecn/ below the netdev's directory; NULL if there is no memory */
struct ofed_ecn *ofed_ecn_add(struct kobject *netdev, struct mlx5_core_dev *core);
void ofed_ecn_remove(struct ofed_ecn *ecn);

/* ofed_class.c: tc/1/traffic_class below the RDMA device's directory; NULL if there is no memory */
struct ofed_class *ofed_class_add(struct kobject *device);
void ofed_class_remove(struct ofed_class *class);

#endif
