/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * DTable: a table of entries with weights. The entries of a class are equally far apart, and
 * deficits are carried over. Finds weights from shares, and corrects them, by the method of the
 * paper (docs/qos.md). The caller chooses the unit of weights and MTUs.
 */
#ifndef HD_VLARB_DTABLE_H
#define HD_VLARB_DTABLE_H

#include <stdint.h>

struct hd_error;

#define HD_DTABLE_MAX     1024
#define HD_DTABLE_CLASSES 16

/* The parameters of a table: entries, the greatest MTU, and its w and k. */
struct hd_dtable_form {
	unsigned n, gmtu, w, k;
};

struct hd_dtable_entry {
	uint8_t class;
	uint32_t weight;
};

struct hd_dtable_class {
	const char *name;
	unsigned distance; /* from one of its entries to the next; it has n / distance entries */
	unsigned mtu;
	uint32_t share, of; /* its part: share / of */

	/* found */
	unsigned n_entries;
	double least, most;      /* smallest and largest part that the form can express */
	uint64_t first_weight;   /* of each entry, before the correction */
	uint64_t first_sum, sum; /* of its entries, before and after the correction */
	double first_part, part; /* of the table's weight */
	int64_t missing;         /* weight that the correction adds */
};

struct hd_dtable {
	uint64_t pool, most_weight; /* N x GMTU x k; GMTU x w */
	uint64_t first_total, total;
	unsigned n;
	struct hd_dtable_entry entries[HD_DTABLE_MAX];
};

/*
 * Finds the table of @form for @classes [n], at most HD_DTABLE_CLASSES. HD_EREFUSED: distances do
 * not fill the table, or the form cannot express a share, with the numbers.
 */
int hd_dtable_make(const struct hd_dtable_form *form, struct hd_dtable_class *classes, unsigned n,
		   struct hd_dtable *table, struct hd_error *err);

/*
 * Adds @missing [class] to the weights of @entries [n]: class by class, one unit to each entry from
 * the last one backwards, around the table; no weight goes below the class's @mtu.
 */
void hd_dtable_correct(struct hd_dtable_entry *entries, unsigned n, const int64_t *missing,
		       const unsigned *mtu, unsigned n_classes);

#endif
