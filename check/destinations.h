/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Destinations: LIDs of one switch (its adapters' and its own) to which all other switches forward
 * alike, so that one tree of routes serves them all. Their entries are compared, not a hash of
 * them. Internal to check/ and vlarb/.
 */
#ifndef HD_CHECK_DESTINATIONS_H
#define HD_CHECK_DESTINATIONS_H

#include "check/view.h"

struct hd_destination {
	uint32_t root;       /* the switch that delivers to them; HD_NONE: none does */
	uint32_t first, end; /* in lids[], ascending; several only if there is a root */
	uint32_t owner_row;  /* SL row of the owners, the same for all when SLs may be reversed */
	uint16_t sls;        /* union of the LIDs' SLs (as places), if `any_source` */
	bool any_source;     /* the SLs to a LID do not depend on the source's row of SLs; if false,
				all LIDs have the same SLs from each source */
};

struct hd_destinations {
	uint32_t n;
	struct hd_destination *list; /* ascending by first LID */
	uint32_t n_lids;
	uint16_t *lids;
	uint8_t *sl;   /* [LID] path SL, if it is the same from every source */
	uint8_t *next; /* [destination * n_switches + switch] out-port; HD_NO_PATH
					 also for ports that the switch does not have. NULL
					 before hd_destinations_add_next() */
};

/*
 * @hosts_only: base LIDs of adapters' ports instead of all LIDs. HD_ENOMEM. Clear also after an
 * error.
 */
int hd_destinations_init(struct hd_destinations *destinations,
			 const struct hd_check_network *network, bool hosts_only,
			 struct hd_error *err);
/* Adds next[] if it is not there: trees (check/route_tree.h) need it. HD_ENOMEM. */
int hd_destinations_add_next(struct hd_destinations *destinations,
			     const struct hd_check_network *network, struct hd_error *err);
void hd_destinations_clear(struct hd_destinations *destinations);

/* The number of threads that pays for work on all destinations. */
unsigned hd_destinations_threads(const struct hd_destinations *destinations,
				 const struct hd_check_network *network);

/* The number of threads that pays for @work: one is quicker up to @least. */
unsigned hd_check_threads(uint64_t work, uint64_t least);

/* The number of the calling thread. */
unsigned hd_destinations_thread(void);

/* SLs (as places) that sources of @group use for some LID of @destination. */
static inline unsigned hd_destination_sls(const struct hd_check_network *network,
					  const struct hd_destinations *destinations,
					  const struct hd_destination *destination,
					  const struct hd_source_group *group)
{
	const struct hd_tables *tables = network->tables;
	unsigned sls = destination->sls;

	if (!destination->any_source) {
		uint16_t lid = destinations->lids[destination->first];

		sls = network->places[tables->sl_rows[group->sl_row * tables->lft_stride + lid]];
	}
	if (network->reversed_sl)
		sls |= hd_reversed_sls(network, destination->owner_row,
				       network->sources[group->first]);
	return sls;
}

/* The same for one of its LIDs. */
static inline unsigned hd_destination_lid_sls(const struct hd_check_network *network,
					      const struct hd_destinations *destinations,
					      const struct hd_destination *destination,
					      const struct hd_source_group *group, uint16_t lid)
{
	if (destination->any_source && !network->reversed_sl && !network->all_sls)
		return network->places[destinations->sl[lid]];
	return hd_destination_sls(network, destinations, destination, group);
}

#endif
