/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Properties of any fabric: counts, distances, LIDs, VLs. */
#ifndef HD_TOOLS_SURVEY_H
#define HD_TOOLS_SURVEY_H

#include "fabric/fabric.h"

struct hd_error;
struct hd_fields;

/* The least and the most of something; least > most: there are none. */
struct hd_extent {
	unsigned least, most;
};

struct hd_survey {
	uint32_t n_switches, n_adapters, n_routers;
	uint32_t n_switch_links; /* links between switches */
	uint32_t n_end_links;    /* links with an end node */
	uint32_t n_unlinked;     /* ports of end nodes without a link */
	struct hd_extent switch_ports;
	struct hd_extent vls; /* data VLs of links */

	/* Switches and the links between them; end nodes do not forward. */
	uint32_t n_parts;           /* parts that no path connects */
	uint32_t largest_part;      /* switches in the largest of these */
	uint64_t n_connected_pairs; /* ordered, of distinct switches */
	unsigned diameter;          /* hops of the longest shortest path within a part; 255: more
				       than 254, and the mean is too low */
	double mean_distance;       /* over ordered pairs of distinct connected switches */

	uint32_t n_lids; /* LIDs that some port has */
	uint32_t lowest_lid;
	uint32_t n_without_lid; /* linked end ports, and switches, without a LID */
	struct hd_extent lmc;   /* of end nodes' ports that have a LID */
};

/* HD_ENOMEM. */
int hd_survey(const struct hd_fabric *fabric, struct hd_survey *survey, struct hd_error *err);

/* Fields: all of these but the numbers of pairs. @fields NULL: they are printed. */
void hd_survey_tell(const struct hd_fabric *fabric, const struct hd_survey *survey,
		    struct hd_fields *fields);

#endif
