/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Snapshots: a directory with a fabric and its tables (docs/formats.md). */
#ifndef HD_TABLES_SNAPSHOT_H
#define HD_TABLES_SNAPSHOT_H

#include "fabric/reading.h"
#include "tables/tables.h"

/* What snapshot.json says about the making of a snapshot; every field may be NULL or 0. */
struct hd_provenance {
	char *engine;
	char *layers;  /* layer rule */
	char *queues;  /* queue rule, "xordet:4" */
	char *options; /* engine options, "key=value key=value" */
	char *source;  /* the fabric as given: a spec or file name */
	unsigned n_sls, n_vls;
};

struct hd_snapshot {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_provenance provenance;
};

/*
 * Reads a snapshot, or OpenSM's dump directory beside a netfile. The fabric comes from @netfile if
 * not NULL, else from fabric.net in @directory, read as @how says. Free with hd_snapshot_free().
 * The notes of @how get a line for SL2VL tables and path SLs that are absent and what is assumed
 * instead, and for ports that the dumps pass over. HD_EIO, HD_EPARSE with file and line, HD_ENOMEM.
 */
int hd_snapshot_read(const char *directory, const char *netfile, const struct hd_reading *how,
		     struct hd_snapshot **snapshot, struct hd_error *err);
void hd_snapshot_free(struct hd_snapshot *snapshot);

/* Whether @path is a directory. */
bool hd_snapshot_is_directory(const char *path);

/*
 * Writes a snapshot of what is known: SL2VL tables or path SLs that were only assumed are left out.
 * A directory that does not exist is made; an existing one must be empty or hold a snapshot and
 * nothing else, which is replaced in one step. @provenance may be NULL. Nothing half-written is
 * left on failure. HD_EIO, HD_ENOMEM.
 */
int hd_snapshot_write(const char *directory, const struct hd_tables *tables,
		      const struct hd_provenance *provenance, struct hd_error *err);

/* How a snapshot's dumps are written; packed: for heddle alone, as FILE.zst (docs/formats.md). */
enum hd_packing {
	HD_PACK_LONG,  /* those of very many lines packed: what hd_snapshot_write() does */
	HD_PACK_NONE,  /* as other programs read them */
	HD_PACK_DUMPS, /* packed */
};

/* The same as @packing says. HD_EINVAL: HD_PACK_DUMPS of a build that cannot pack. */
int hd_snapshot_write_as(const char *directory, const struct hd_tables *tables,
			 const struct hd_provenance *provenance, enum hd_packing packing,
			 struct hd_error *err);

#endif
