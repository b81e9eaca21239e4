/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle qos plan: tables from a class file, without a fabric. */
#ifndef HD_TOOLS_QOS_PLAN_H
#define HD_TOOLS_QOS_PLAN_H

#include <stdbool.h>

struct hd_error;

enum hd_qos_output {
	HD_QOS_PRINT,
	HD_QOS_OPENSM,  /* options of opensm.conf */
	HD_QOS_CLASSES, /* a class file with the shares of the table */
};

/* What is to be printed; otherwise the VL arbitration that the classes make. */
struct hd_qos_plan {
	const char *dtable; /* a DTable, "N,GMTU,W,K"; or NULL */
	bool sbt;           /* an SBT */
	bool rr;            /* a packet of each VL in turn */
	enum hd_qos_output as;
	const char *policy; /* with those: the policy file to write; or NULL */
	unsigned cap;       /* entries of each table */
};

/*
 * Prints what @plan says of the classes of the file @path. What hd_classes_read() returns;
 * HD_EREFUSED: no such table; HD_EIO: the policy file cannot be written.
 */
int hd_qos_plan(const char *path, const struct hd_qos_plan *plan, struct hd_error *err);

#endif
