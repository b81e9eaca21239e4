// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/dtable.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "support/error.h"

#define NOBODY UINT8_MAX

void hd_dtable_correct(struct hd_dtable_entry *entries, unsigned n, const int64_t *missing,
		       const unsigned *mtu, unsigned n_classes)
{
	for (unsigned c = 0; c < n_classes; c++) {
		int64_t left = missing[c];
		bool moved = true;

		while (left && moved) {
			moved = false;
			for (unsigned i = n; left && i-- > 0;) {
				if (entries[i].class != c ||
				    (left < 0 && entries[i].weight <= mtu[c]))
					continue;
				entries[i].weight += left < 0 ? UINT32_MAX : 1;
				left += left < 0 ? 1 : -1;
				moved = true;
			}
		}
	}
}

/* Puts the entries of @class where the first is free. False: there is no such place. */
static bool place(struct hd_dtable *table, unsigned class, unsigned distance, uint32_t weight)
{
	unsigned first = 0;

	for (; first < distance; first++) {
		bool is_free = true;

		for (unsigned i = first; is_free && i < table->n; i += distance)
			is_free = table->entries[i].class == NOBODY;
		if (is_free)
			break;
	}
	for (unsigned i = first; first < distance && i < table->n; i += distance)
		table->entries[i] =
			(struct hd_dtable_entry){ .class = (uint8_t) class, .weight = weight };
	return first < distance;
}

/* The class that is placed next: the one with the least distance. */
static unsigned next_class(const struct hd_dtable_class *classes, unsigned n, uint32_t placed)
{
	unsigned best = n;

	for (unsigned c = 0; c < n; c++)
		if (!(placed >> c & 1) &&
		    (best == n || classes[c].distance < classes[best].distance))
			best = c;
	return best;
}

static int fill(struct hd_dtable_class *classes, unsigned n, struct hd_dtable *table,
		struct hd_error *err)
{
	uint32_t placed = 0;
	unsigned class;

	for (unsigned i = 0; i < table->n; i++)
		table->entries[i].class = NOBODY;
	while ((class = next_class(classes, n, placed)) < n) {
		placed |= 1u << class;
		if (!place(table, class, classes[class].distance,
			   (uint32_t)classes[class].first_weight))
			return hd_error_set(
				err, HD_EREFUSED,
				"class %s: no place in %u entries with a distance of %u",
				classes[class].name, table->n, classes[class].distance);
	}
	for (unsigned i = 0; i < table->n; i++)
		if (table->entries[i].class == NOBODY)
			return hd_error_set(
				err, HD_EREFUSED,
				"the distances of all classes leave entry %u of %u free", i,
				table->n);
	return 0;
}

/* Sets what a class can have and needs. */
static int size_class(const struct hd_dtable_form *form, const struct hd_dtable *table,
		      struct hd_dtable_class *class, struct hd_error *err)
{
	const double part = (double)class->share / class->of;
	uint64_t needed;

	if (!class->distance || form->n % class->distance)
		return hd_error_set(err, HD_EREFUSED, "class %s: a distance of %u in %u entries",
				    class->name, class->distance, form->n);
	if (class->mtu > form->gmtu)
		return hd_error_set(err, HD_EREFUSED, "class %s: an MTU of %u above %u",
				    class->name, class->mtu, form->gmtu);
	class->n_entries = form->n / class->distance;
	class->least = (double)class->n_entries * class->mtu / (double)table->pool;
	class->most = (double)class->n_entries * (double)table->most_weight / (double)table->pool;
	/* parts of whole numbers, so that a bound itself is within */
	needed = table->pool * class->share;
	if (needed < (uint64_t) class->n_entries * class->mtu * class->of ||
	    needed > class->n_entries * table->most_weight * class->of)
		return hd_error_set(
			err, HD_EREFUSED,
			"class %s: a share of %.5f, where %u of %u entries with k=%u and "
			"w=%u have %.5f to %.5f",
			class->name, part, class->n_entries, form->n, form->k, form->w,
			class->least, class->most);
	class->first_weight = (needed + (uint64_t) class->of * class->n_entries - 1) /
			      ((uint64_t) class->of * class->n_entries);
	class->first_sum = class->first_weight * class->n_entries;
	return 0;
}

/* -round(first part - part) of the whole, halves away from 0. */
static int64_t round_missing(const struct hd_dtable_class *class, uint64_t total)
{
	const int64_t of = class->of;
	const int64_t over = (int64_t) class->first_sum * of - (int64_t)(total * class->share);

	return over < 0 ? (-over * 2 + of) / (2 * of) : -((over * 2 + of) / (2 * of));
}

int hd_dtable_make(const struct hd_dtable_form *form, struct hd_dtable_class *classes, unsigned n,
		   struct hd_dtable *table, struct hd_error *err)
{
	int64_t missing[HD_DTABLE_CLASSES] = { 0 };
	unsigned mtu[HD_DTABLE_CLASSES] = { 0 };
	int ret;

	*table = (struct hd_dtable){
		.pool = (uint64_t)form->n * form->gmtu * form->k,
		.most_weight = (uint64_t)form->gmtu * form->w,
		.n = form->n,
	};
	if (form->n > HD_DTABLE_MAX || form->k > form->w)
		return hd_error_set(err, HD_EREFUSED,
				    "N=%u, w=%u, k=%u: N is at most %d, and k at most w", form->n,
				    form->w, form->k, HD_DTABLE_MAX);
	for (unsigned c = 0; c < n; c++) {
		ret = size_class(form, table, &classes[c], err);
		if (ret)
			return ret;
		table->first_total += classes[c].first_sum;
	}
	ret = fill(classes, n, table, err);
	if (ret)
		return ret;
	for (unsigned c = 0; c < n; c++) {
		classes[c].first_part = (double)classes[c].first_sum / (double)table->first_total;
		classes[c].missing = missing[c] = round_missing(&classes[c], table->first_total);
		classes[c].sum = 0;
		mtu[c] = classes[c].mtu;
	}
	hd_dtable_correct(table->entries, table->n, missing, mtu, n);
	for (unsigned i = 0; i < table->n; i++) {
		classes[table->entries[i].class].sum += table->entries[i].weight;
		table->total += table->entries[i].weight;
	}
	for (unsigned c = 0; c < n; c++)
		classes[c].part = (double)classes[c].sum / (double)table->total;
	return 0;
}
