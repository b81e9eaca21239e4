// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/copy_ar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of one switch, by the words of a history. */
struct numbers {
	uint32_t on, no_fallback, subgroups, top, by_sl, sls, hash_by_sl, hash_sls, age, vl2vl,
		turbo, turbo_thresholds[HD_SWITCH_TURBO_THRESHOLDS];
};

static const char *const names[] = {
	"on",    "no_fallback", "subgroups",   "top",         "by_sl",
	"sls",   "hash_by_sl",  "hash_sls",    "age",         "vl2vl",
	"turbo", "req_delay",   "set_trig_th", "rst_trig_th", "req_trig_window",
};

#define N_NUMBERS (sizeof(names) / sizeof(names[0]))

_Static_assert(sizeof(struct numbers) == N_NUMBERS * sizeof(uint32_t), "a number has no name");

static void take_numbers(const struct hd_switch_ar *ar, uint32_t *result)
{
	struct numbers numbers = {
		.on = ar->is_on,
		.no_fallback = ar->no_fallback,
		.subgroups = ar->n_subgroups ? ar->n_subgroups : 1,
		.top = ar->top,
		.by_sl = ar->by_sl,
		.sls = ar->sls,
		.hash_by_sl = ar->hash_by_sl,
		.hash_sls = ar->hash_sls,
		.age = ar->age,
		.vl2vl = ar->by_vl,
		.turbo = ar->turbo,
	};

	for (unsigned i = 0; i < HD_SWITCH_TURBO_THRESHOLDS; i++)
		numbers.turbo_thresholds[i] = ar->turbo_thresholds[i];
	memcpy(result, &numbers, sizeof(numbers));
}

static void tell_bytes(FILE *stream, const uint8_t *bytes, size_t n)
{
	fputc(' ', stream);
	for (size_t i = 0; i < n; i++)
		fprintf(stream, "%02x", bytes[i]);
}

static void tell_entry(FILE *stream, const struct hd_switch_ar_entry *entry)
{
	static const char *const states[] = {
		[HD_SWITCH_AR_BOUNDED] = "bounded",
		[HD_SWITCH_AR_FREE] = "free",
		[HD_SWITCH_AR_STATIC] = "static",
		[HD_SWITCH_AR_HASH] = "hash",
	};

	fprintf(stream, " %s:%u", states[entry->state], entry->group);
}

/* "TEMPLATE:LEVEL,LEVEL", "-": none. */
static void tell_hierarchy(FILE *stream, const struct hd_switch_hierarchy *hierarchy)
{
	if (!hierarchy->n_levels) {
		fputs(" -", stream);
		return;
	}
	fprintf(stream, " 0x%" PRIx64, hierarchy->template);
	for (unsigned i = 0; i < hierarchy->n_levels; i++)
		fprintf(stream, "%c0x%" PRIx32, i ? ',' : ':', hierarchy->levels[i]);
}

static void compare_entries(const struct hd_switch_ar *old, const struct hd_switch_ar *now,
			    hd_copy_ar_line line, void *context)
{
	const struct hd_switch_ar_entry none = { .state = HD_SWITCH_AR_STATIC };
	const uint32_t n = old->n_entries > now->n_entries ? old->n_entries : now->n_entries;

	for (uint32_t lid = 0; lid < n; lid++) {
		const struct hd_switch_ar_entry *before = lid < old->n_entries ? &old->entries[lid]
									       : &none,
						*after = lid < now->n_entries ? &now->entries[lid]
									      : &none;
		FILE *stream;

		if (before->state == after->state && before->group == after->group)
			continue;
		stream = line(context);
		fprintf(stream, "ar lid %" PRIu32, lid);
		tell_entry(stream, before);
		tell_entry(stream, after);
		fputc('\n', stream);
	}
}

static void compare_sets(const struct hd_switch_ar *old, const struct hd_switch_ar *now,
			 hd_copy_ar_line line, void *context)
{
	static const uint8_t none[HD_SWITCH_AR_SET_SIZE];
	const uint32_t n = old->n_sets > now->n_sets ? old->n_sets : now->n_sets;

	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *before = i < old->n_sets ? old->sets[i] : none,
			      *after = i < now->n_sets ? now->sets[i] : none;
		FILE *stream;

		if (memcmp(before, after, sizeof(none)) == 0)
			continue;
		stream = line(context);
		fprintf(stream, "ar set %" PRIu32, i);
		tell_bytes(stream, before, sizeof(none));
		tell_bytes(stream, after, sizeof(none));
		fputc('\n', stream);
	}
}

static void compare_hierarchies(const struct hd_switch_ar *old, const struct hd_switch_ar *now,
				size_t n, hd_copy_ar_line line, void *context)
{
	const struct hd_switch_hierarchy none = { 0 };

	for (size_t i = 0; i < n && (old->hierarchies || now->hierarchies); i++) {
		const struct hd_switch_hierarchy *before = old->hierarchies ? &old->hierarchies[i]
									    : &none,
						 *after = now->hierarchies ? &now->hierarchies[i]
									   : &none;
		FILE *stream;

		if (before->template == after->template && before->n_levels == after->n_levels &&
		    memcmp(before->levels, after->levels, sizeof(none.levels)) == 0)
			continue;
		stream = line(context);
		fprintf(stream, "ar hierarchy %zu:%zu", i / HD_SWITCH_HIERARCHIES,
			i % HD_SWITCH_HIERARCHIES);
		tell_hierarchy(stream, before);
		tell_hierarchy(stream, after);
		fputc('\n', stream);
	}
}

/* A copy of @n items; *@result stays NULL for none. False: out of memory. */
static bool copy(void **result, const void *from, size_t n, size_t size)
{
	*result = NULL;
	if (!n || !from)
		return true;
	*result = malloc(n * size);
	if (*result)
		memcpy(*result, from, n * size);
	return *result;
}

void hd_copy_ar_clear(struct hd_switch_ar *old)
{
	free(old->entries);
	free(old->sets);
	free(old->hierarchies);
	*old = (struct hd_switch_ar){ 0 };
}

static bool take(struct hd_switch_ar *old, const struct hd_switch_ar *now, size_t n_hierarchies)
{
	struct hd_switch_ar taken = *now;

	hd_copy_ar_clear(old);
	taken.entries = NULL;
	taken.sets = NULL;
	taken.hierarchies = NULL;
	if (!copy((void **)&taken.entries, now->entries, now->n_entries, sizeof(*now->entries)) ||
	    !copy((void **)&taken.sets, now->sets, now->n_sets, sizeof(*now->sets)) ||
	    !copy((void **)&taken.hierarchies, now->hierarchies, n_hierarchies,
		  sizeof(*now->hierarchies))) {
		hd_copy_ar_clear(&taken);
		return false;
	}
	*old = taken;
	return true;
}

bool hd_copy_ar_compare(struct hd_switch_ar *old, const struct hd_switch_ar *now, unsigned n_ports,
			hd_copy_ar_line line, void *context)
{
	static const struct hd_switch_ar none;
	const size_t n_hierarchies = (n_ports + (size_t)1) * HD_SWITCH_HIERARCHIES;
	uint32_t before[N_NUMBERS], after[N_NUMBERS];

	if (!now)
		now = &none;
	take_numbers(old, before);
	take_numbers(now, after);
	for (size_t i = 0; i < N_NUMBERS; i++)
		if (before[i] != after[i])
			fprintf(line(context), "ar %s %" PRIu32 " %" PRIu32 "\n", names[i],
				before[i], after[i]);
	if (memcmp(old->hbf, now->hbf, sizeof(old->hbf)) != 0) {
		FILE *stream = line(context);

		fputs("ar hbf", stream);
		tell_bytes(stream, old->hbf, sizeof(old->hbf));
		tell_bytes(stream, now->hbf, sizeof(now->hbf));
		fputc('\n', stream);
	}
	compare_sets(old, now, line, context);
	compare_entries(old, now, line, context);
	compare_hierarchies(old, now, n_hierarchies, line, context);
	return take(old, now, n_hierarchies);
}
