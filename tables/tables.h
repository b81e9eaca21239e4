/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tables of a fabric: LFTs, SL2VL tables, VL arbitration, path SLs and multicast forwarding.
 * Engines and readers of dumps fill them, the plug-in hands them to OpenSM, the check proves them,
 * diff compares them. All use this one struct.
 *
 * Flat arrays with the indices of a struct hd_fabric, which the tables use and do not own.
 */
#ifndef HD_TABLES_TABLES_H
#define HD_TABLES_TABLES_H

#include <endian.h>
#include <string.h>

#include "fabric/fabric.h"

struct hd_ar;
struct hd_classes;
struct hd_error;
struct hd_lft_copy;

#define HD_NO_PATH   0xFFu /* LFT entry: the packet is lost (OSM_NO_PATH) */
#define HD_MAX_SLS   16
#define HD_VL_DROP   15    /* SL2VL entry: the packet is lost */
#define HD_NO_SL     0xFFu /* path SL: the SA gives no path record */
#define HD_VLARB_MAX 64    /* entries of one VL arbitration table */

/*
 * One SL2VL row: the VL of SL s in bits 4s .. 4s + 3. (On the wire, SLtoVLMappingTable has the
 * same 16 nibbles in the other order.)
 */
typedef uint64_t hd_sl2vl_row;

static inline unsigned hd_row_vl(hd_sl2vl_row row, unsigned sl)
{
	return (row >> (4 * sl)) & 15;
}

/* The highest VL that @row gives to packets with one of @sls; 0: @row drops all of them. */
static inline unsigned hd_row_top_vl(hd_sl2vl_row row, unsigned sls)
{
	unsigned top = 0;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		unsigned vl = hd_row_vl(row, sl);

		if (sls >> sl & 1 && vl != HD_VL_DROP && vl > top)
			top = vl;
	}
	return top;
}

/* Makes @n rows @row. GCC at -O2 does not vectorise a loop of unknown length by itself. */
static inline void hd_rows_fill(hd_sl2vl_row *rows, size_t n, hd_sl2vl_row row)
{
#if defined(__GNUC__) && !defined(__clang__)
#pragma omp simd
#endif
	for (size_t i = 0; i < n; i++)
		rows[i] = row;
}

static inline hd_sl2vl_row hd_row_set(hd_sl2vl_row row, unsigned sl, unsigned vl)
{
	return (row & ~(UINT64_C(15) << (4 * sl))) | (uint64_t)vl << (4 * sl);
}

/* All 16 SLs to @vl. */
static inline hd_sl2vl_row hd_row_all(unsigned vl)
{
	return vl * UINT64_C(0x1111111111111111);
}

/* SL s to VL s modulo @vls, the number of data VLs: the assumed row of an unprogrammed port. */
hd_sl2vl_row hd_row_identity(unsigned vls);

/* The bits of VLs that a port with @vls data VLs operates: a subnet manager cuts all others off. */
static inline unsigned hd_vl_mask(unsigned vls)
{
	return vls && vls < HD_MAX_VLS ? vls - 1 : HD_MAX_VLS;
}

/* @row with its VLs cut down to the bits of @mask; VL 15 still drops. */
static inline hd_sl2vl_row hd_row_masked(hd_sl2vl_row row, unsigned mask)
{
	const uint64_t ones = UINT64_C(0x1111111111111111);
	/* the lowest bit of each SL that drops, which has all four */
	const uint64_t drops = row & row >> 1 & row >> 2 & row >> 3 & ones;

	return (row & (mask & 15) * ones) | drops * HD_VL_DROP;
}

/* Internal: the other half of each byte. */
static inline uint64_t hd_row_swap_halves(uint64_t bytes)
{
	const uint64_t lower = UINT64_C(0x0f0f0f0f0f0f0f0f);

	return (bytes & lower) << 4 | (bytes >> 4 & lower);
}

/* A row as MADs have it, in 8 bytes: the VL of an even SL is the high half of a byte. */
static inline hd_sl2vl_row hd_row_from_mad(const uint8_t *bytes)
{
	uint64_t raw;

	memcpy(&raw, bytes, sizeof(raw));
	return hd_row_swap_halves(le64toh(raw));
}

static inline void hd_row_to_mad(hd_sl2vl_row row, uint8_t *bytes)
{
	const uint64_t raw = htole64(hd_row_swap_halves(row));

	memcpy(bytes, &raw, sizeof(raw));
}

/*
 * Where each node's rows begin in struct hd_tables: fills @first[n_nodes + 1]; the last is the
 * number of rows.
 */
void hd_sl2vl_layout(const struct hd_fabric *fabric, size_t *first);

/* LFTs are sent and read in blocks of so many entries. */
#define HD_LFT_BLOCK 64u

struct hd_vlarb_entry {
	uint8_t vl;
	uint8_t weight; /* in units of 64 bytes */
};

/* The VL arbitration of a port. */
struct hd_vlarb {
	uint8_t n_high, n_low;
	uint8_t high_limit; /* in units of 4 KiB; 255: no limit */
	struct hd_vlarb_entry high[HD_VLARB_MAX];
	struct hd_vlarb_entry low[HD_VLARB_MAX];
};

/* Entries of a block, of which each table has two. */
#define HD_VLARB_BLOCK (HD_VLARB_MAX / 2)

/*
 * Entry @i of block @block: 0 and 1 are those of the low table, 2 and 3 of the high one; zeros
 * behind the last.
 */
struct hd_vlarb_entry hd_vlarb_entry_at(const struct hd_vlarb *vlarb, unsigned block, unsigned i);

/*
 * The VLs that @vlarb serves: those with an entry in either table whose weight is not 0. (High
 * priority without a limit starves no VL for ever: low-priority packets go when no others wait.)
 */
uint16_t hd_vlarb_serves(const struct hd_vlarb *vlarb);

/* The ports of one switch to which packets of a multicast LID are copied (never the in-port). */
struct hd_mft_entry {
	uint16_t mlid;
	uint32_t switch_index;
	uint64_t ports[4]; /* bit n of the 256: port n */
};

/* End ports that a dump leaves out, for which something is assumed. */
struct hd_gap {
	uint32_t n;
	uint32_t first; /* index in ports[] where n > 0 */
};

/* live/apart.c lists all arrays of this struct that a live fabric has. */
struct hd_tables {
	unsigned n_owners; /* hd_tables_share() */
	const struct hd_fabric *fabric;

	/*
	 * LFTs: one block, lft[switch * lft_stride + lid] is an out-port or HD_NO_PATH. The stride
	 * is top_lid + 1 rounded up to whole LFT blocks of 64; the rest is HD_NO_PATH.
	 */
	size_t lft_stride;
	uint8_t *lft;
	struct hd_lft_copy *copy; /* that owns @lft (tables/lft_copy.h); NULL: none */

	/*
	 * [switch] the dump lacks the switch's LFT, so nobody knows what the switch does. Its LFT
	 * is all HD_NO_PATH. NULL: every LFT is known, as in tables of an engine.
	 */
	bool *lft_unknown;
	uint32_t n_lft_unknown;

	/*
	 * SL2VL: switch s has (n + 1)^2 rows, for n ports, at sl2vl_first[s] + out * (n + 1) + in.
	 * Rows of out-port 0 matter on enhanced port 0 only. An adapter has n + 1 rows, one per
	 * port number; row 0 is unused.
	 */
	hd_sl2vl_row *sl2vl;
	size_t *sl2vl_first; /* [n_nodes + 1] */

	/*
	 * Path SLs: sl_rows[sl_row_of_port[port] * lft_stride + destination LID], where port is the
	 * index of the source end port. Sources with equal answers share a row.
	 */
	uint32_t n_sl_rows;
	uint8_t *sl_rows;
	uint32_t *sl_row_of_port; /* [n_ports] */

	/*
	 * Service classes (tables/classes.h): the path SLs are those of one class; those of the
	 * other classes follow. NULL: there are no classes.
	 */
	struct hd_classes *classes;

	/* VL arbitration by out-port (index in ports[]): vlarbs[vlarb_of_port[port]]. */
	uint32_t n_vlarbs;
	struct hd_vlarb *vlarbs;
	uint32_t *vlarb_of_port; /* [n_ports]; HD_NONE: not known */

	/* Multicast forwarding, ascending by (mlid, switch). */
	size_t n_mft;
	struct hd_mft_entry *mft;

	/* Adaptive routing (tables/ar.h); NULL: switches forward by their LFTs alone. */
	struct hd_ar *ar;

	/* What was given rather than assumed: a dump directory may lack some files. */
	bool has_sl2vl, has_path_sls, has_vlarb;

	/* What the given dumps left out. */
	struct hd_gap sl2vl_gap;   /* end ports (port 0 for a switch) without any row */
	struct hd_gap path_sl_gap; /* sources without any SL: SL 0 is assumed */
	struct hd_gap no_sl_gap;   /* sources with SLs to some LIDs and none to others */
};

/* Counts the end port @port, in ascending order, among those of @gap. */
static inline void hd_gap_add(struct hd_gap *gap, uint32_t port)
{
	if (!gap->n++)
		gap->first = port;
}

/*
 * Tables for @fabric: LFTs all HD_NO_PATH (also for own LIDs), SL2VL rows identity modulo each
 * link's VLs, one path-SL row of zeros that all sources share, no VL arbitration, no multicast.
 * @fabric must exist longer than the tables. HD_ENOMEM.
 */
int hd_tables_new(const struct hd_fabric *fabric, struct hd_tables **tables, struct hd_error *err);

/*
 * The same, but with the LFTs of @copy (or NULL), if no other tables have these, and the fabrics
 * have equal numbers of switches and LIDs. Who changes rows then says so by hd_lft_touch().
 */
int hd_tables_new_by(const struct hd_fabric *fabric, struct hd_lft_copy *copy,
		     struct hd_tables **tables, struct hd_error *err);

/* The same, but the caller writes every LFT and every row: large tables take as long to write. */
int hd_tables_new_blank(const struct hd_fabric *fabric, struct hd_tables **tables,
			struct hd_error *err);

/* Gives @node the LFT and the rows that it has in new tables. */
void hd_tables_reset_node(struct hd_tables *tables, uint32_t node);

/*
 * Adds an owner; each owner calls hd_tables_free(). Not for several threads at once. Returns
 * @tables.
 */
struct hd_tables *hd_tables_share(struct hd_tables *tables);
void hd_tables_free(struct hd_tables *tables);

/*
 * Frees LFTs and SL2VL rows, which are most of the memory. Path SLs and all that is small stay. The
 * tables are the same ones for all owners, so that all lose their LFTs and rows.
 */
void hd_tables_keep_sls(struct hd_tables *tables);

static inline uint8_t *hd_lft(const struct hd_tables *tables, uint32_t switch_index)
{
	return tables->lft + switch_index * tables->lft_stride;
}

static inline bool hd_lft_is_known(const struct hd_tables *tables, uint32_t switch_index)
{
	return !tables->lft_unknown || !tables->lft_unknown[switch_index];
}

/* Index of the row that packets from port @in take at port @out of switch @node. */
static inline size_t hd_sl2vl_index(const struct hd_tables *tables, uint32_t node, unsigned in,
				    unsigned out)
{
	return tables->sl2vl_first[node] + out * (tables->fabric->nodes[node].n_ports + (size_t)1) +
	       in;
}

/*
 * The SL2VL row at @port (index in ports[]) from in-port @in to out-port @out of a switch; an
 * adapter's port has one row. NULL: the switch has no such ports.
 */
const hd_sl2vl_row *hd_tables_find_row(const struct hd_tables *tables, uint32_t port, unsigned in,
				       unsigned out);

/* Index of the row of port @number of the adapter @node. */
static inline size_t hd_sl2vl_host_index(const struct hd_tables *tables, uint32_t node,
					 unsigned number)
{
	return tables->sl2vl_first[node] + number;
}

/* Index of the row of port @number of any @node; adapters have one for all in-ports. */
static inline size_t hd_sl2vl_row_index(const struct hd_tables *tables, uint32_t node, unsigned in,
					unsigned number)
{
	return hd_is_switch(tables->fabric, node) ? hd_sl2vl_index(tables, node, in, number)
						  : hd_sl2vl_host_index(tables, node, number);
}

/* The SL in the path record from @source_port (index in ports[]) to @lid. */
static inline unsigned hd_path_sl(const struct hd_tables *tables, uint32_t source_port,
				  uint32_t lid)
{
	return tables->sl_rows[tables->sl_row_of_port[source_port] * tables->lft_stride + lid];
}

/*
 * Replaces the path SLs by @n_rows rows (of lft_stride bytes, all zero); callers fill sl_rows and
 * sl_row_of_port. HD_ENOMEM.
 */
int hd_tables_set_sl_rows(struct hd_tables *tables, uint32_t n_rows, struct hd_error *err);

/* The same with @rows, from malloc(), which @tables then owns. */
void hd_tables_take_sl_rows(struct hd_tables *tables, uint32_t n_rows, uint8_t *rows);

/* Gives @port the arbitration @vlarb, sharing equal ones. HD_ENOMEM. */
int hd_tables_set_vlarb(struct hd_tables *tables, uint32_t port, const struct hd_vlarb *vlarb,
			struct hd_error *err);

/* The SLs in path records of all pairs of linked end ports, in all classes: bit s for SL s. */
unsigned hd_tables_sls_used(const struct hd_tables *tables);

/*
 * One more than the highest VL that rows between linked ports of switches give these SLs: as many
 * VLs as packets could use, if some of them come through every two ports.
 */
unsigned hd_tables_most_vls(const struct hd_tables *tables);

#endif
