/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The LMC that OpenSM's list of links does not tell, from the LIDs in its LFTs. */
#ifndef HD_TABLES_LMC_OF_LIDS_H
#define HD_TABLES_LMC_OF_LIDS_H

struct hd_error;
struct hd_fabric;

/*
 * @path is opensm-lfts.dump, whose lines name the owner of each LID. Where the first table gives
 * ports of *@fabric several LIDs, *@fabric gets replaced by one whose ports have the least LMC that
 * covers these. What cannot be read there is left to who reads the tables. HD_ENOMEM; what
 * hd_builder_finish() returns.
 */
int hd_lmc_of_lids(const char *path, struct hd_fabric **fabric, struct hd_error *err);

#endif
