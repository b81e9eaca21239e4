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

/*
 * Where the fabric is: fabric.net, or, where there is none, ibdiagnet2.db_csv, or
 * opensm-subnet.lst.
 */
char *hd_snapshot_find_fabric(const char *directory);

#endif
