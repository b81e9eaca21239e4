// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/destinations.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "support/error.h"
#include "support/memory.h"

#define TILE          64     /* switches whose LFT rows are transposed together */
#define PARALLEL_WORK 200000 /* destinations times switches; with less work one thread is quicker */

/* A partition of LIDs, refined row by row. */
struct partition {
	uint32_t n_lids;
	uint16_t *lids;            /* ordered by the switch that delivers them, then LID */
	uint16_t *representative;  /* [place in lids] lowest LID of the class */
	uint32_t *first_of_switch; /* [switch + 2] in lids; the last part: no switch delivers */
	uint32_t n_joined;
	struct joined {
		uint32_t place;
		uint16_t lid, representative;
	} * joined;              /* LIDs that another one represents, ascending by place */
	struct split {           /* [LID] of the class that the LID represents */
		uint32_t row;    /* the row at which the class was last split, + 1 */
		uint16_t newest; /* the class that was split off there last; 0: none */
		uint16_t next;   /* the class that was split off the same parent before this
				      one */
	} * splits;
};

/* The part of lids[] that LID belongs to. */
static uint32_t part_of(const struct hd_check_network *network, uint32_t lid)
{
	const struct hd_lid *place = &network->fabric->lids[lid];

	if (place->via_switch == HD_NONE ||
	    hd_lft(network->tables, place->via_switch)[lid] != place->via_port)
		return network->fabric->n_switches;
	return place->via_switch;
}

static bool is_wanted(const struct hd_check_network *network, uint32_t lid, bool hosts_only)
{
	const struct hd_port *owner;

	if (!hd_network_has_lid(network, lid))
		return false;
	owner = &network->fabric->ports[network->fabric->lids[lid].port];
	return !hosts_only || (owner->lid == lid && !hd_is_switch(network->fabric, owner->node));
}

static void order_lids(const struct hd_check_network *network, bool hosts_only,
		       struct partition *partition)
{
	uint32_t n_parts = network->fabric->n_switches + 1;
	uint32_t *first = partition->first_of_switch;

	hd_for_each_lid(lid, network->fabric)
		if (is_wanted(network, lid, hosts_only))
			first[part_of(network, lid) + 1]++;
	for (uint32_t part = 0; part < n_parts; part++)
		first[part + 1] += first[part];
	partition->n_lids = first[n_parts];
	/* first[part] moves to the end of the part, which is the start of the next */
	hd_for_each_lid(lid, network->fabric)
		if (is_wanted(network, lid, hosts_only))
			partition->lids[first[part_of(network, lid)]++] = (uint16_t)lid;
	for (uint32_t part = n_parts; part > 0; part--)
		first[part] = first[part - 1];
	first[0] = 0;
}

/*
 * Compares the SLs of @row with those of the rows before, for LIDs whose SLs did not differ so far;
 * returns how many of these are left.
 */
static uint32_t compare_sls(const struct hd_check_network *network, uint32_t row, uint16_t *lids,
			    uint32_t n, uint8_t *common)
{
	const struct hd_tables *tables = network->tables;
	const uint8_t *sls = tables->sl_rows + row * tables->lft_stride;
	uint32_t n_left = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint16_t lid = lids[i];
		const uint8_t sl = sls[lid] < HD_MAX_SLS ? sls[lid] : HD_NO_SL;

		/* what a port would send to itself does not matter */
		if (common[lid] != sl &&
		    (network->row_sources[row] > 1 ||
		     tables->sl_row_of_port[network->fabric->lids[lid].port] != row))
			common[lid] = common[lid] == HD_NO_SL - 1 ? sl : HD_MAX_SLS;
		lids[n_left] = lid;
		n_left += common[lid] != HD_MAX_SLS;
	}
	return n_left;
}

/*
 * Finds the SL of every LID that all sources reach on the same SL; HD_MAX_SLS: their SLs differ.
 * @lids is scratch, a place for every LID.
 */
static void find_common_sls(const struct hd_check_network *network, uint16_t *lids, uint8_t *common)
{
	uint32_t n = 0;

	memset(common, HD_NO_SL - 1, network->fabric->top_lid + (size_t)1);
	hd_for_each_lid(lid, network->fabric)
		if (network->fabric->lids[lid].port != HD_NONE)
			lids[n++] = (uint16_t)lid;
	for (uint32_t row = 0; row < network->tables->n_sl_rows && n; row++)
		if (network->row_sources[row])
			n = compare_sls(network, row, lids, n, common);
}

/*
 * Moves the LID at @place, which differs from its class at @row (> 0), to a class that is split
 * off.
 */
static void split(struct partition *partition, uint32_t place, uint32_t row, const uint8_t *values)
{
	uint16_t lid = partition->lids[place];
	uint16_t old = partition->representative[place];
	struct split *parent = &partition->splits[old];

	if (parent->row != row) {
		parent->row = row;
		parent->newest = 0;
	}
	for (uint16_t c = parent->newest; c; c = partition->splits[c].next)
		if (values[c] == values[lid]) {
			partition->representative[place] = c;
			return;
		}
	partition->splits[lid] = (struct split){ .next = parent->newest };
	parent->newest = lid;
	partition->representative[place] = lid;
}

/* Goes on at @i to the next LID that differs from its class; passes over some that do not. */
static uint32_t skip_alike(const struct partition *partition, uint32_t i, const uint8_t *values)
{
	const struct joined *joined = partition->joined;

	/* nearly all are alike, and eight without a branch take less time than one with it */
	for (; i + 8 <= partition->n_joined; i += 8) {
		unsigned differ = 0;

		for (unsigned k = 0; k < 8; k++)
			differ |= values[joined[i + k].lid] ^ values[joined[i + k].representative];
		if (differ)
			break;
	}
	return i;
}

/* Moves LIDs that differ from their class at @row, but those with places in @begin to @end - 1. */
static void refine(struct partition *partition, uint32_t begin, uint32_t end, uint32_t row,
		   const uint8_t *values)
{
	bool moved = false;
	uint32_t n = 0;

	for (uint32_t i = skip_alike(partition, 0, values); i < partition->n_joined;
	     i = skip_alike(partition, i, values))
		for (uint32_t last = i + 8; i < last && i < partition->n_joined; i++) {
			struct joined *joined = &partition->joined[i];

			if (values[joined->lid] == values[joined->representative] ||
			    (joined->place >= begin && joined->place < end))
				continue;
			split(partition, joined->place, row, values);
			joined->representative = partition->representative[joined->place];
			moved = true;
		}
	for (uint32_t i = 0; moved && i < partition->n_joined; i++) {
		partition->joined[n] = partition->joined[i];
		n += partition->joined[i].representative != partition->joined[i].lid;
	}
	if (moved)
		partition->n_joined = n;
}

static void list_joined(struct partition *partition)
{
	partition->n_joined = 0;
	for (uint32_t i = 0; i < partition->n_lids; i++)
		if (partition->representative[i] != partition->lids[i])
			partition->joined[partition->n_joined++] = (struct joined){
				.place = i,
				.lid = partition->lids[i],
				.representative = partition->representative[i],
			};
}

/* Starts with a class per switch and, where SLs may be reversed, per SL row of the owners. */
static void begin_classes(const struct hd_check_network *network, struct partition *partition,
			  uint8_t *values)
{
	uint32_t n_switches = network->fabric->n_switches;

	for (uint32_t part = 0; part < n_switches; part++)
		for (uint32_t i = partition->first_of_switch[part];
		     i < partition->first_of_switch[part + 1]; i++)
			partition->representative[i] =
				partition->lids[partition->first_of_switch[part]];
	for (uint32_t i = partition->first_of_switch[n_switches]; i < partition->n_lids; i++)
		partition->representative[i] = partition->lids[i];
	list_joined(partition);
	if (!network->reversed_sl)
		return;
	for (unsigned byte = 0; byte < 4; byte++) {
		for (uint32_t i = 0; i < partition->n_lids; i++) {
			uint16_t lid = partition->lids[i];
			uint32_t owner = network->fabric->lids[lid].port;

			values[lid] = (uint8_t)(network->tables->sl_row_of_port[owner] >> 8 * byte);
		}
		refine(partition, 0, 0, byte + 1, values);
	}
}

/*
 * LIDs with an SL that is common to all sources stay together, whatever that SL is, apart from the
 * others: each of the others has another SL than 0 in some row.
 */
static void refine_by_sls(const struct hd_check_network *network, struct partition *partition,
			  const uint8_t *common, uint8_t *values)
{
	const struct hd_tables *tables = network->tables;
	bool all_common = true;

	for (uint32_t i = 0; i < partition->n_lids && all_common; i++)
		all_common = common[partition->lids[i]] != HD_MAX_SLS;
	if (network->all_sls || (all_common && !network->reversed_sl))
		return;
	for (uint32_t row = 0; row < tables->n_sl_rows && partition->n_joined; row++) {
		const uint8_t *sls = tables->sl_rows + row * tables->lft_stride;

		if (!network->row_sources[row])
			continue;
		for (uint32_t lid = 0; lid <= network->fabric->top_lid; lid++)
			values[lid] =
				network->reversed_sl || common[lid] == HD_MAX_SLS ? sls[lid] : 0;
		refine(partition, 0, 0, row + 5, values);
	}
}

static void refine_by_lfts(const struct hd_check_network *network, struct partition *partition)
{
	uint32_t n_switches = network->fabric->n_switches;

	for (uint32_t s = 0; s < n_switches && partition->n_joined; s++) {
		const uint8_t *lft = hd_lft(network->tables, s);
		uint32_t row = network->tables->n_sl_rows + 5 + s;

		/* the switch itself delivers to different ports */
		refine(partition, partition->first_of_switch[s], partition->first_of_switch[s + 1],
		       row, lft);
	}
}

static int compare_destinations(const void *a, const void *b)
{
	const struct hd_destination *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* Turns the partition into the list, ordered by lowest LID. */
static void list_classes(const struct hd_check_network *network, const struct partition *partition,
			 const uint8_t *common, uint32_t *place_of_class,
			 struct hd_destinations *destinations)
{
	uint32_t n_switches = network->fabric->n_switches;
	uint32_t end = 0;

	/* `first` is the lowest LID until the list is in order, and `end` the number of LIDs */
	for (uint32_t i = 0; i < partition->n_lids; i++) {
		uint16_t lid = partition->lids[i], class = partition->representative[i];
		uint32_t owner = network->fabric->lids[class].port;
		struct hd_destination *d;

		if (lid == class) {
			place_of_class[class] = destinations->n;
			destinations->list[destinations->n++] = (struct hd_destination){
				.root = i < partition->first_of_switch[n_switches]
						? network->fabric->lids[lid].via_switch
						: HD_NONE,
				.first = lid,
				.owner_row = network->tables->sl_row_of_port[owner],
				.any_source = network->all_sls || common[lid] != HD_MAX_SLS,
			};
		}
		d = &destinations->list[place_of_class[class]];
		d->end++;
		d->sls = (uint16_t)(d->sls | (network->all_sls ? (1u << network->n_sls) - 1
							       : network->places[common[lid]]));
	}
	qsort(destinations->list, destinations->n, sizeof(*destinations->list),
	      compare_destinations);
	for (uint32_t i = 0; i < destinations->n; i++) {
		struct hd_destination *d = &destinations->list[i];

		place_of_class[d->first] = end;
		d->first = end;
		end += d->end;
		d->end = end;
	}
	for (uint32_t i = 0; i < partition->n_lids; i++)
		destinations->lids[place_of_class[partition->representative[i]]++] =
			partition->lids[i];
	destinations->n_lids = partition->n_lids;
}

/* Columns of the LFTs as rows, a tile at a time so that both sides stay in cache. */
int hd_destinations_add_next(struct hd_destinations *destinations,
			     const struct hd_check_network *network, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	size_t n_switches = fabric->n_switches;

	if (destinations->next)
		return 0;
	destinations->next = hd_alloc_large(destinations->n * n_switches + 1);
	if (!destinations->next)
		return hd_error_nomem(err);
	for (uint32_t tile = 0; tile < n_switches; tile += TILE) {
		uint32_t end = tile + TILE < n_switches ? tile + TILE : (uint32_t)n_switches;

		for (uint32_t d = 0; d < destinations->n; d++) {
			uint16_t lid = destinations->lids[destinations->list[d].first];
			uint8_t *next = destinations->next + d * n_switches;

			for (uint32_t s = tile; s < end; s++) {
				uint8_t out = hd_lft(network->tables, s)[lid];

				next[s] = out <= fabric->nodes[s].n_ports ? out : HD_NO_PATH;
			}
		}
	}
	return 0;
}

int hd_destinations_init(struct hd_destinations *destinations,
			 const struct hd_check_network *network, bool hosts_only,
			 struct hd_error *err)
{
	size_t n = network->fabric->top_lid + (size_t)1;
	struct partition partition = { 0 };
	uint8_t *values = malloc(n);
	uint32_t *place_of_class = malloc(n * sizeof(*place_of_class));
	int ret = 0;

	memset(destinations, 0, sizeof(*destinations));
	partition.lids = malloc(n * sizeof(*partition.lids));
	partition.representative = malloc(n * sizeof(*partition.representative));
	partition.first_of_switch =
		calloc(network->fabric->n_switches + (size_t)3, sizeof(*partition.first_of_switch));
	partition.joined = malloc(n * sizeof(*partition.joined));
	partition.splits = calloc(n, sizeof(*partition.splits));
	destinations->list = malloc(n * sizeof(*destinations->list));
	destinations->lids = malloc(n * sizeof(*destinations->lids));
	destinations->sl = malloc(n);
	if (!values || !place_of_class || !partition.lids || !partition.representative ||
	    !partition.first_of_switch || !partition.joined || !partition.splits ||
	    !destinations->list || !destinations->lids || !destinations->sl) {
		ret = hd_error_nomem(err);
	} else {
		find_common_sls(network, partition.lids, destinations->sl);
		order_lids(network, hosts_only, &partition);
		begin_classes(network, &partition, values);
		refine_by_sls(network, &partition, destinations->sl, values);
		refine_by_lfts(network, &partition);
		list_classes(network, &partition, destinations->sl, place_of_class, destinations);
	}
	free(values);
	free(place_of_class);
	free(partition.lids);
	free(partition.representative);
	free(partition.first_of_switch);
	free(partition.joined);
	free(partition.splits);
	return ret;
}

void hd_destinations_clear(struct hd_destinations *destinations)
{
	free(destinations->list);
	free(destinations->lids);
	free(destinations->sl);
	free(destinations->next);
	memset(destinations, 0, sizeof(*destinations));
}

unsigned hd_destinations_threads(const struct hd_destinations *destinations,
				 const struct hd_check_network *network)
{
	return hd_check_threads((uint64_t)destinations->n * network->fabric->n_switches,
				PARALLEL_WORK);
}

unsigned hd_check_threads(uint64_t work, uint64_t least)
{
#ifdef _OPENMP
	if (work > least)
		return (unsigned)omp_get_max_threads();
#else
	(void)work;
	(void)least;
#endif
	return 1;
}

unsigned hd_destinations_thread(void)
{
#ifdef _OPENMP
	return (unsigned)omp_get_thread_num();
#else
	return 0;
#endif
}
