// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/dtable_form.h"

#include <stdbool.h>

#include "support/divisor.h"
#include "support/error.h"

/* A tree of Huffman's code: the classes in it, and their shares together. */
struct tree {
	double share;
	uint32_t classes;
};

/* Takes the tree with the least share out of @trees, of those the last. */
static struct tree take_least(struct tree *trees, unsigned *n)
{
	unsigned least = 0;
	struct tree taken;

	for (unsigned i = 1; i < *n; i++)
		if (trees[i].share <= trees[least].share)
			least = i;
	taken = trees[least];
	trees[least] = trees[--*n];
	return taken;
}

/* Distances by shares; a table of one class alone has it in every entry. */
static void set_by_shares(struct hd_dtable_class *classes, unsigned n)
{
	struct tree trees[HD_DTABLE_CLASSES];

	for (unsigned c = 0; c < n; c++) {
		classes[c].distance = 1;
		trees[c] = (struct tree){ (double)classes[c].share / classes[c].of, 1u << c };
	}
	for (unsigned left = n; left > 1;) {
		const struct tree one = take_least(trees, &left), other = take_least(trees, &left);

		trees[left] = (struct tree){ one.share + other.share, one.classes | other.classes };
		for (unsigned c = 0; c < n; c++)
			if (trees[left].classes >> c & 1)
				classes[c].distance *= 2;
		left++;
	}
}

/* Distances that are as equal as powers of 2 can be: the last classes have the longer ones. */
static void set_equal(struct hd_dtable_class *classes, unsigned n)
{
	unsigned distance = 1, n_short;

	while (distance * 2 <= n)
		distance *= 2;
	n_short = 2 * distance - n;
	for (unsigned c = 0; c < n; c++)
		classes[c].distance = c < n_short ? distance : 2 * distance;
}

static void set_distances(struct hd_dtable_class *classes, unsigned n)
{
	bool are_given = true, are_long = false;

	for (unsigned c = 0; c < n; c++)
		are_given &= classes[c].distance > 0;
	if (are_given)
		return;
	set_by_shares(classes, n);
	for (unsigned c = 0; c < n; c++)
		are_long |= classes[c].distance > HD_DTABLE_MAX;
	if (are_long)
		set_equal(classes, n);
}

static int set_entries(struct hd_dtable_form *form, const struct hd_dtable_class *classes,
		       unsigned n, struct hd_error *err)
{
	uint64_t common = 1;

	for (unsigned c = 0; c < n && common <= HD_DTABLE_MAX; c++)
		common = hd_multiple(common, classes[c].distance);
	if (common > HD_DTABLE_MAX)
		return hd_error_set(err, HD_EREFUSED,
				    "the distances of all classes fit no table of %d entries",
				    HD_DTABLE_MAX);
	form->n = HD_DTABLE_ENTRIES / (unsigned)common * (unsigned)common;
	if (form->n < common)
		form->n = (unsigned)common;
	return 0;
}

/* The least whole number of @a / @b. */
static uint64_t round_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

int hd_dtable_complete(struct hd_dtable_form *form, struct hd_dtable_class *classes, unsigned n,
		       struct hd_error *err)
{
	const bool has_gmtu = form->gmtu, has_k = form->k, has_w = form->w;
	int ret;

	set_distances(classes, n);
	ret = form->n ? 0 : set_entries(form, classes, n, err);
	if (ret)
		return ret;
	for (unsigned c = 0; !has_gmtu && c < n; c++)
		form->gmtu = classes[c].mtu > form->gmtu ? classes[c].mtu : form->gmtu;
	for (unsigned c = 0; !has_k && c < n; c++) {
		/* n_i MTU_i / (N GMTU k) <= share */
		const uint64_t k =
			round_up((uint64_t)classes[c].mtu * classes[c].of,
				 (uint64_t)classes[c].distance * form->gmtu * classes[c].share);

		form->k = k > form->k ? (unsigned)k : form->k;
	}
	if (!has_w)
		form->w = form->k;
	for (unsigned c = 0; !has_w && c < n; c++) {
		/* share <= n_i w / (N k) */
		const uint64_t w = round_up(
			(uint64_t)classes[c].distance * form->k * classes[c].share, classes[c].of);

		form->w = w > form->w ? (unsigned)w : form->w;
	}
	return 0;
}
