/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What InfiniBand can have of RR, SBT and DTable: a VL arbitration table, or a class file with
 * their shares. VL arbitration has no deficits, so that each turn is of whole packets; and it
 * forgets what an idle VL has left.
 */
#ifndef HD_TOOLS_QOS_EXPORT_H
#define HD_TOOLS_QOS_EXPORT_H

#include <stdint.h>

struct hd_classes;
struct hd_dtable;
struct hd_dtable_class;
struct hd_error;
struct hd_qos_plan;
struct hd_sbt_class;
struct hd_vlarb;

/* @text: "N,GMTU,W,K"; @list [HD_DTABLE_CLASSES]. */
int hd_qos_find_dtable(const struct hd_classes *classes, const char *text,
		       struct hd_dtable_class *list, struct hd_dtable *table, struct hd_error *err);
/* @list [HD_MAX_CLASSES]. */
int hd_qos_find_sbt(const struct hd_classes *classes, struct hd_sbt_class *list,
		    struct hd_error *err);

/*
 * The lanes of classes as VLs 0, 1, ... of a port, by the table that @plan asks for. @packet
 * [HD_MAX_VLS]: that of each VL, in units of 64 bytes. @error: the greatest difference between what
 * a VL gets and what it shall get. HD_EREFUSED: no such table.
 */
int hd_qos_make_vlarb(const struct hd_classes *classes, const struct hd_qos_plan *plan,
		      uint8_t *packet, struct hd_vlarb *vlarb, double *error, struct hd_error *err);

/* Prints the class file whose shares are those of the table that @plan asks for. */
int hd_qos_print_classes(const struct hd_classes *classes, const struct hd_qos_plan *plan,
			 struct hd_error *err);

#endif
