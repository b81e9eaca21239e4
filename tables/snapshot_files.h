/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What reading and writing of snapshots share. */
#ifndef HD_TABLES_SNAPSHOT_FILES_H
#define HD_TABLES_SNAPSHOT_FILES_H

#define HD_SNAPSHOT_FABRIC "fabric.net"
#define HD_SNAPSHOT_JSON   "snapshot.json"
/* OpenSM's list of links, which serves for a fabric where there is no other */
#define HD_SNAPSHOT_LINKS "opensm-subnet.lst"

/* ibdiagnet's files; its fabric is HD_DB_CSV (fabric/db_csv.h) */
#define HD_IBDIAG_FDBS   "ibdiagnet2.fdbs"
#define HD_IBDIAG_SLVL   "ibdiagnet2.slvl"
#define HD_IBDIAG_MCFDBS "ibdiagnet2.mcfdbs"
#define HD_IBDIAG_FAR    "ibdiagnet2.far"
/* OpenSM's other dump of LFTs */
#define HD_OPENSM_FDBS "opensm.fdbs"

/* The "format" and "version" of snapshot.json. */
#define HD_SNAPSHOT_FORMAT  "heddle snapshot"
#define HD_SNAPSHOT_VERSION 1

/* "DIRECTORY/FILE" from malloc(); NULL when out of memory. */
char *hd_snapshot_path(const char *directory, const char *file);

/* The same; where only FILE.gz, FILE.xz or FILE.zst is there, the path of that. */
char *hd_snapshot_find(const char *directory, const char *file);

struct hd_error;
struct hd_fabric;
struct hd_reading;

/*
 * Reads the fabric in @directory: fabric.net, or, where there is none, ibdiagnet2.db_csv, or
 * opensm-subnet.lst with the LMC that opensm-lfts.dump tells. HD_EIO: there is none; what
 * hd_netfile_read() returns.
 */
int hd_snapshot_read_fabric(const char *directory, const struct hd_reading *how,
			    struct hd_fabric **fabric, struct hd_error *err);

#endif
