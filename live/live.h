/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a live fabric: its graph with libibnetdisc, its tables from the agents of its nodes, path
 * SLs from the SA (subnet administration). Works on hardware, and on emulated fabrics that have a
 * libibumad of their own.
 */
#ifndef HD_LIVE_LIVE_H
#define HD_LIVE_LIVE_H

#include <signal.h>

#include "live/mads.h"
#include "tables/tables.h"

struct hd_live_options {
	struct hd_mads_options mads;
	bool path_sls; /* ask the subnet administration */
};

/*
 * The graph as libibnetdisc discovers it. The VLs of a link are those that its ports operate, or,
 * if the ports do not tell, those that they have. HD_EIO: nothing was found; what
 * hd_builder_finish() returns; HD_ENOMEM.
 */
int hd_live_fabric(const struct hd_live_options *options, struct hd_fabric **fabric,
		   struct hd_error *err);

/*
 * The tables of @fabric as its nodes hold them: LFTs, SL2VL, VL arbitration, multicast, and path
 * SLs. If an agent does not support SL2VL or VL arbitration tables, these stay unknown; a pair for
 * which the SA knows no path has HD_NO_SL. A table that changes meanwhile is read before or after
 * its change. Free with hd_tables_free(). HD_EIO: an agent does not answer; HD_EPARSE: an answer
 * makes no sense; HD_ENOMEM.
 */
int hd_live_tables(const struct hd_live_options *options, const struct hd_fabric *fabric,
		   struct hd_tables **tables, struct hd_error *err);

/*
 * What keeps other threads of a program out of malloc() and locks while it forks: in the child,
 * these would stay held for ever.
 */
struct hd_fork_guard {
	void (*hold)(void *context), (*release)(void *context);
	void *context;
};

/*
 * Both for a program that reads again and again: in a child process, because libibnetdisc keeps
 * 64 bytes of each port of a switch that it has seen, and libumad2sim a thread of each port that
 * was closed. If a library crashes, that is an error of one reading. The child is silent on stderr
 * where @is_quiet. Free @tables, then @fabric. Errors are those of both; HD_EIO also when one of
 * the blocked signals @ends is pending. @guard: of the program's other threads; NULL: there are
 * none. @is_discovered: whether the graph was read, also after an error.
 */
int hd_live_read_apart(const struct hd_live_options *options, bool is_quiet, const sigset_t *ends,
		       const struct hd_fork_guard *guard, struct hd_fabric **fabric,
		       struct hd_tables **tables, bool *is_discovered, struct hd_error *err);

/* The path SLs of hd_live_tables(), through @mads. */
int hd_live_path_sls(struct hd_mads *mads, struct hd_tables *tables, struct hd_error *err);

#endif
