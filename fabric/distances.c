// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/distances.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

#define BATCH 64

/* The switches next to each switch, flat. */
struct neighbours {
	size_t *first; /* [n_switches + 1] */
	uint32_t *list;
};

static bool find_neighbours(const struct hd_fabric *fabric, struct neighbours *neighbours)
{
	size_t n = 0;

	neighbours->first = malloc((fabric->n_switches + (size_t)1) * sizeof(*neighbours->first));
	neighbours->list = malloc((fabric->n_ports + (size_t)1) * sizeof(*neighbours->list));
	if (!neighbours->first || !neighbours->list)
		return false;
	hd_for_each_switch(s, fabric) {
		neighbours->first[s] = n;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer < fabric->n_switches && peer != s)
				neighbours->list[n++] = peer;
		}
	}
	neighbours->first[fabric->n_switches] = n;
	return true;
}

static void free_neighbours(struct neighbours *neighbours)
{
	free(neighbours->first);
	free(neighbours->list);
}

/* Where distances go: to a matrix, or to counts of how often each occurs; the other one is NULL. */
struct sink {
	uint8_t *distances;
	uint64_t *counts; /* [HD_UNREACHABLE]; shared by threads */
};

/*
 * Distances to the switches first .. first + n - 1. Bit i of a word stands for destination first +
 * i; @words holds three words per switch.
 */
static void search(const struct neighbours *neighbours, uint32_t n_switches, uint32_t first,
		   uint32_t n, uint64_t *words, const struct sink *sink)
{
	uint64_t *seen = words, *frontier = words + n_switches, *next = frontier + n_switches;
	uint64_t any = 1;

	memset(words, 0, 2 * n_switches * sizeof(*words));
	for (uint32_t i = 0; i < n; i++) {
		seen[first + i] = frontier[first + i] = UINT64_C(1) << i;
		if (sink->distances)
			sink->distances[(size_t)(first + i) * n_switches + first + i] = 0;
	}
	for (unsigned distance = 1; any && distance < HD_UNREACHABLE; distance++) {
		uint64_t *swap = frontier, count = 0;

		any = 0;
		for (uint32_t s = 0; s < n_switches; s++) {
			uint64_t reached = 0;

			for (size_t i = neighbours->first[s]; i < neighbours->first[s + 1]; i++)
				reached |= frontier[neighbours->list[i]];
			reached &= ~seen[s];
			next[s] = reached;
			seen[s] |= reached;
			any |= reached;
			count += (unsigned)__builtin_popcountll(reached);
			for (; sink->distances && reached; reached &= reached - 1)
				sink->distances[(size_t)s * n_switches + first +
						(unsigned)__builtin_ctzll(reached)] =
					(uint8_t)distance;
		}
		if (sink->counts && count)
			__atomic_fetch_add(&sink->counts[distance], count, __ATOMIC_RELAXED);
		frontier = next;
		next = swap;
	}
}

/* False: out of memory. */
static bool search_all(const struct hd_fabric *fabric, const struct sink *sink)
{
	const uint32_t n = fabric->n_switches;
	const uint32_t n_batches = (n + BATCH - 1) / BATCH;
	struct neighbours neighbours = { 0 };
	bool failed = !find_neighbours(fabric, &neighbours);

#pragma omp parallel if (n_batches > 4)
	{
		uint64_t *words = failed ? NULL : malloc(3 * ((size_t)n + 1) * sizeof(*words));

		if (!words) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic)
		for (uint32_t batch = 0; batch < n_batches; batch++) {
			uint32_t first = batch * BATCH;

			if (words)
				search(&neighbours, n, first, n - first < BATCH ? n - first : BATCH,
				       words, sink);
		}
		free(words);
	}
	free_neighbours(&neighbours);
	return !failed;
}

int hd_switch_distances(const struct hd_fabric *fabric, uint8_t **result, struct hd_error *err)
{
	const uint32_t n = fabric->n_switches;
	struct sink sink = { .distances = hd_alloc_large((size_t)n * n + 1) };

	*result = NULL;
	if (!sink.distances)
		return hd_error_set(err, HD_ENOMEM,
				    "out of memory: distances between %" PRIu32
				    " switches take %zu MB",
				    n, (size_t)n * n / 1000000);
	memset(sink.distances, HD_UNREACHABLE, (size_t)n * n);
	if (!search_all(fabric, &sink)) {
		free(sink.distances);
		return hd_error_nomem(err);
	}
	*result = sink.distances;
	return 0;
}

int hd_switch_distance_counts(const struct hd_fabric *fabric, uint64_t counts[HD_UNREACHABLE],
			      struct hd_error *err)
{
	struct sink sink = { .counts = counts };

	memset(counts, 0, HD_UNREACHABLE * sizeof(*counts));
	return search_all(fabric, &sink) ? 0 : hd_error_nomem(err);
}

void hd_exits_find(const struct hd_fabric *fabric, const uint8_t *distances, uint32_t s,
		   struct hd_exits *exits)
{
	exits->mine = distances + (size_t)s * fabric->n_switches;
	exits->n_switches = fabric->n_switches;
	exits->n = 0;
	hd_for_each_number(number, fabric, s) {
		const uint32_t peer = hd_peer_node(fabric, s, number);

		if (peer == HD_NONE || !hd_is_switch(fabric, peer) || peer == s)
			continue;
		exits->port[exits->n] = (uint8_t)number;
		exits->distance[exits->n++] = distances + (size_t)peer * fabric->n_switches;
	}
}

/* is_nearer[k], k below @n: distance[k] is one less than mine[k] */
static inline void find_nearer(uint8_t is_nearer[BATCH], const uint8_t *mine,
			       const uint8_t *distance, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		is_nearer[k] = mine[k] == (uint8_t)(distance[k] + 1);
}

/* Bit k of the result: byte k of @bytes, each 0 or 1. */
static uint64_t gather_bits(const uint8_t bytes[BATCH])
{
	uint64_t bits = 0, word;

	for (unsigned k = 0; k < BATCH; k += 8) {
		memcpy(&word, bytes + k, sizeof(word));
		/* the product has the lowest bit of byte k, from the lowest byte on, at 56 + k */
		if (word)
			bits |= le64toh(word) * UINT64_C(0x0102040810204080) >> 56 << k;
	}
	return bits;
}

uint64_t hd_exits_nearer(const struct hd_exits *exits, unsigned i, uint32_t first)
{
	const uint8_t *mine = exits->mine + first, *distance = exits->distance[i] + first;
	const uint32_t n = exits->n_switches - first;
	uint8_t is_nearer[BATCH] = { 0 };

	/* compilers take many bytes at once where their number is known */
	if (n >= BATCH)
		find_nearer(is_nearer, mine, distance, BATCH);
	else
		find_nearer(is_nearer, mine, distance, n);
	return gather_bits(is_nearer);
}
