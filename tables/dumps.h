/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Dump formats. What OpenSM 3.3.23 writes with -D 0x43 --dump_files_dir, byte for byte; what
 * infiniband-diags prints (reading only); path SLs as ibdmchk -c reads them; VL arbitration, which
 * OpenSM does not dump, in heddle's own format (docs/formats.md).
 *
 * Readers fill tables made by hd_tables_new() for the fabric at hand. Switches are found by GUID.
 * They return HD_EPARSE with file and line for anything malformed, for a switch, LID or port that
 * the fabric does not have, and for a table that is cut short. A table that fails to parse leaves
 * the tables half filled: discard them.
 */
#ifndef HD_TABLES_DUMPS_H
#define HD_TABLES_DUMPS_H

#include <stdio.h>

#include "tables/tables.h"

struct hd_reading;

/* One format: a parser from memory (@name stands for the file in messages) and a writer. */
struct hd_dump_format {
	const char *name; /* "lfts" */
	const char *file; /* its name in a snapshot directory: "opensm-lfts.dump" */
	const char *summary;
	int (*parse)(struct hd_tables *tables, const char *name, const char *data, size_t size,
		     struct hd_error *err);
	/*
	 * Whether the text that write() makes has more than HD_DUMP_MANY lines; NULL: never. Then
	 * write_short() makes fewer, which parse() reads alike, but other programs do not.
	 */
	bool (*is_long)(const struct hd_tables *tables);
	int (*write_short)(const struct hd_tables *tables, FILE *stream, struct hd_error *err);
	/*
	 * Reads a file in pieces, where dumps may have gigabytes; NULL: only parse(). Callers use
	 * hd_dump_read().
	 */
	int (*read)(struct hd_tables *tables, const char *path, struct hd_error *err);
	/* HD_EIO when the stream failed. */
	int (*write)(const struct hd_tables *tables, FILE *stream, struct hd_error *err);
};

#define HD_DUMP_MANY ((uint64_t)1 << 21)

/* Reads the file @path. What parse() returns; HD_EIO, HD_ENOMEM. */
int hd_dump_read(const struct hd_dump_format *format, struct hd_tables *tables, const char *path,
		 struct hd_error *err);

/*
 * Reads opensm-lfts.dump, as @how says: unless it is strict, switches whose tables are cut short
 * are left out, with a note. Switches without a table are noted in @tables (lft_unknown).
 */
int hd_lfts_read(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		 struct hd_error *err);

/*
 * The same of opensm.fdbs and ibdiagnet2.fdbs ("dump_ucast_routes"), from a file or from memory;
 * NULL in @how is strict.
 */
int hd_fdbs_read(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		 struct hd_error *err);
int hd_fdbs_parse(struct hd_tables *tables, const char *name, const char *data, size_t size,
		  const struct hd_reading *how, struct hd_error *err);

/* Notes in @tables the switches that have no table, as @seen says. HD_ENOMEM. */
int hd_lfts_note_unknown(struct hd_tables *tables, const bool *seen, struct hd_error *err);

/* opensm-lfts.dump; its parser also takes the output of dump_lfts, dump_fts and ibroute. */
extern const struct hd_dump_format hd_dump_lfts;
/* opensm-sl2vl.dump; its parser also takes the output of smpquery sl2vl LID. */
extern const struct hd_dump_format hd_dump_sl2vl;
/*
 * path-sl.dump: lines "0xSOURCE-GUID DESTINATION-LID SL". ibdmchk knows sources by the GUID of
 * their node, not of their port; sources share lines where there would be millions.
 */
extern const struct hd_dump_format hd_dump_path_sl;
/* The same for @class of the service classes of @tables; and what write_short() makes of it. */
int hd_path_sl_write_class(const struct hd_tables *tables, unsigned class, FILE *stream,
			   struct hd_error *err);
int hd_path_sl_write_short_class(const struct hd_tables *tables, unsigned class, FILE *stream,
				 struct hd_error *err);
/* opensm-vlarb.dump; its parser also takes the output of smpquery vlarb LID PORT. */
extern const struct hd_dump_format hd_dump_vlarb;
/*
 * ibdiagnet2.far: AR tables of the vendor's switches, read after the LFTs. Where struct hd_ar
 * cannot hold what they say, they are counted, with a note. NULL in @how is strict.
 */
int hd_far_read(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		struct hd_error *err);
int hd_far_parse(struct hd_tables *tables, const char *name, const char *data, size_t size,
		 const struct hd_reading *how, struct hd_error *err);
/*
 * VL arbitration of ibdiagnet2.db_csv, from a file or from memory. Notes what is not as it is
 * known, and passes the section over; NULL in @how is strict.
 */
int hd_vlarb_read_csv(struct hd_tables *tables, const char *path, const struct hd_reading *how,
		      struct hd_error *err);
int hd_vlarb_parse_csv(struct hd_tables *tables, const char *name, const char *data, size_t size,
		       const struct hd_reading *how, struct hd_error *err);
/*
 * ar.dump: the AR tables (tables/ar.h), in heddle's own format. It is read after the LFTs, with
 * whose entries its default ports must agree. Sections name switches that have sets; the others'
 * entries are static.
 */
extern const struct hd_dump_format hd_dump_ar;
/* classes.ini: the service classes of the tables, as a class file with their SLs. */
extern const struct hd_dump_format hd_dump_classes;
/* opensm.mcfdbs */
extern const struct hd_dump_format hd_dump_mcfdbs;

#endif
