// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pairs of hosts that lose packets meanwhile. The ways of packets to one LID are a tree of switches,
 * so what arrives from a switch is found once for all of its sources: before the change, after each
 * round and at the end. The work is LIDs x rounds x switches, for LIDs that may lose packets.
 * Sources are looked at one by one where rows drop packets.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "change/private_losses.h"
#include "change/row_sets.h"
#include "support/error.h"

#define MANY  4096 /* LIDs whose entries are read together */
#define BLOCK 64   /* LIDs that share lines of the processor's cache */

/* What is behind a port of a switch. */
struct hop {
	uint32_t to; /* switch; HD_NONE: none */
	uint8_t in;  /* its port */
};

/* A switch: four bytes of each are read again and again. */
struct view {
	uint32_t first_port;
	uint8_t n_ports;
};

/* A host's port that sends to other hosts by a switch. */
struct source {
	uint32_t port, node;
	size_t row;
	uint8_t in; /* of the switch */
};

struct count {
	const struct hd_schedule *schedule;
	const struct hd_tables *now, *before;
	const struct hd_fabric *fabric;
	struct hd_row_sets rows;
	struct view *views;     /* [switch] */
	struct hop *hops, *lit; /* [port]; those over links that are up */
	struct source *sources; /* by switch */
	uint32_t *first;        /* [switch] its first source; n_switches: the end */
	/* [switch] SLs that no row drops on the first two links of its sources: ever, at both ends */
	hd_sl_set *safe, *safe_old, *safe_new;

	/*
	 * Nothing is dropped, rows are plain, and every entry comes behind those that change on its
	 * way. Then packets that come to a new entry arrive, unless its way ends by the new tables.
	 */
	bool is_in_order;
	unsigned n_rounds; /* in which packets may be lost */
	bool *has_end;     /* [LID] by the new tables, the way from some switch ends, or is dark */
};

/* The out-port of a switch before and at the end, and the rounds of its entry; 0: none. */
struct entry {
	uint8_t old, new, new_round, drop_round;
};

/* What a thread needs for a block of LIDs, and for one of them. [switch] */
struct worker {
	struct entry *block;         /* [LID of the block * switches + switch] */
	const struct entry *entries; /* of the LID */
	uint8_t *old, *new, *at;     /* out-ports */
	/* SLs of packets that arrive once they have left the switch */
	hd_sl_set *old_arrive, *new_arrive, *arrive;
	bool *is_known;
	uint32_t *path;
	uint64_t rounds; /* bit r - 1: entries for the LID change in round r */
	uint64_t lost[HD_MAX_ROUNDS];
};

/* What rows let through: after a round, or old rows (round 0), or new ones. */
#define AT_THE_END UINT_MAX

static unsigned row_at(const struct count *count, unsigned round, size_t i)
{
	if (count->rows.is_plain)
		return HD_ALL_SLS;
	return round == AT_THE_END ? count->rows.new[i] : hd_row_sets_at(&count->rows, round, i);
}

static bool is_source(const struct hd_fabric *fabric, uint32_t p)
{
	return !hd_is_switch(fabric, fabric->ports[p].node) && hd_is_end_port(fabric, p) &&
	       hd_is_switch(fabric, fabric->ports[fabric->ports[p].peer].node);
}

/* Whether packets from other hosts to @lid are counted: it is the base LID of a host's port. */
static bool is_counted(const struct hd_fabric *fabric, uint32_t lid)
{
	const uint32_t owner = fabric->lids[lid].port;

	return owner != HD_NONE && fabric->ports[owner].lid == lid && is_source(fabric, owner);
}

static void fill_sources(struct count *count)
{
	const struct hd_fabric *fabric = count->fabric;
	uint32_t n = 0;

	hd_for_each_switch(s, fabric) {
		count->first[s] = n;
		hd_for_each_number(number, fabric, s) {
			const uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;
			const struct hd_port *port;

			if (peer == HD_NONE || !is_source(fabric, peer))
				continue;
			port = &fabric->ports[peer];
			count->sources[n++] = (struct source){
				.port = peer,
				.node = port->node,
				.row = hd_sl2vl_host_index(count->now, port->node, port->number),
				.in = (uint8_t)number,
			};
		}
	}
	count->first[fabric->n_switches] = n;
}

static void fill_hops(struct count *count, const bool *is_dark)
{
	const struct hd_fabric *fabric = count->fabric;

	hd_for_each_switch(s, fabric)
		count->views[s] = (struct view){ .first_port = fabric->nodes[s].first_port,
						 .n_ports = fabric->nodes[s].n_ports };

	hd_for_each_port(p, fabric) {
		const uint32_t peer = fabric->ports[p].peer;

		count->hops[p] = (struct hop){ .to = HD_NONE };
		if (hd_is_switch_link(fabric, p))
			count->hops[p] = (struct hop){ .to = fabric->ports[peer].node,
						       .in = fabric->ports[peer].number };
		count->lit[p] = count->hops[p];
		if (is_dark && is_dark[p])
			count->lit[p].to = HD_NONE;
	}
}

/* Takes SLs that row @i drops out of those of switch @s. */
static void note_row(struct count *count, uint32_t s, size_t i)
{
	const struct hd_row_sets *rows = &count->rows;

	count->safe_old[s] &= rows->old[i];
	count->safe_new[s] &= rows->new_round[i] ? rows->new[i] : rows->old[i];
	if (rows->drop_round[i])
		count->safe[s] &= rows->dropped[i];
}

static void fill_safe(struct count *count)
{
	const struct hd_fabric *fabric = count->fabric;
	const bool is_plain = count->rows.is_plain;

	hd_for_each_switch(s, fabric) {
		count->safe[s] = count->safe_old[s] = count->safe_new[s] = HD_ALL_SLS;
		for (uint32_t i = count->first[s]; !is_plain && i < count->first[s + 1]; i++) {
			const struct source *source = &count->sources[i];

			note_row(count, s, source->row);
			hd_for_each_number(out, fabric, s)
				if (out != source->in && hd_peer_node(fabric, s, out) != HD_NONE)
					note_row(count, s,
						 hd_sl2vl_index(count->now, s, source->in, out));
		}
		count->safe[s] &= count->safe_old[s] & count->safe_new[s];
	}
}

/* Fills count->has_end for LIDs from @begin to @end. */
static void find_ends(struct count *count, uint32_t begin, uint32_t end)
{
	const struct hd_fabric *fabric = count->fabric;

	hd_for_each_switch(s, fabric) {
		const uint8_t *lft = hd_lft(count->now, s);
		bool ends[256];

		for (unsigned out = 0; out < 256; out++)
			ends[out] = !out || out > fabric->nodes[s].n_ports ||
				    count->lit[hd_port_index(fabric, s, out)].to == HD_NONE;
		for (uint32_t lid = begin; lid < end; lid++)
			if (ends[lft[lid]] && (fabric->lids[lid].via_switch != s ||
					       fabric->lids[lid].via_port != lft[lid]))
				count->has_end[lid] = true;
	}
}

static void find_all_ends(struct count *count)
{
	const uint32_t end = count->fabric->top_lid + 1;

#pragma omp parallel for schedule(dynamic, 1)
	for (uint32_t begin = 1; begin < end; begin += MANY)
		find_ends(count, begin, end - begin < MANY ? end : begin + MANY);
}

static int count_init(struct count *count, const struct hd_schedule *schedule,
		      const struct hd_tables *now, const struct hd_tables *before,
		      const bool *is_dark, struct hd_error *err)
{
	const struct hd_fabric *fabric = now->fabric;
	int ret;

	*count = (struct count){
		.schedule = schedule,
		.now = now,
		.before = before,
		.fabric = fabric,
		/* after the last one there are the new tables, but links may be dark */
		.n_rounds = schedule->n_rounds - !is_dark,
		.views = malloc((fabric->n_switches + (size_t)1) * sizeof(*count->views)),
		.hops = malloc((fabric->n_ports + (size_t)1) * sizeof(*count->hops)),
		.lit = malloc((fabric->n_ports + (size_t)1) * sizeof(*count->lit)),
		.sources = malloc((fabric->n_ports + (size_t)1) * sizeof(*count->sources)),
		.first = malloc((fabric->n_switches + (size_t)1) * sizeof(*count->first)),
		.safe = malloc((fabric->n_switches + (size_t)1) * sizeof(*count->safe)),
		.safe_old = malloc((fabric->n_switches + (size_t)1) * sizeof(*count->safe)),
		.safe_new = malloc((fabric->n_switches + (size_t)1) * sizeof(*count->safe)),
		.has_end = calloc(fabric->top_lid + (size_t)1, sizeof(*count->has_end)),
	};
	ret = hd_row_sets_init(&count->rows, schedule, now, before, err);
	if (!ret &&
	    (!count->views || !count->hops || !count->lit || !count->sources || !count->first ||
	     !count->safe || !count->safe_old || !count->safe_new || !count->has_end))
		ret = hd_error_nomem(err);
	if (ret)
		return ret;
	fill_hops(count, is_dark);
	fill_sources(count);
	fill_safe(count);
	find_all_ends(count);
	count->is_in_order = !schedule->is_out_of_order && count->rows.is_plain;
	for (unsigned r = 0; r < schedule->n_rounds; r++)
		count->is_in_order &= !schedule->rounds[r].n_dropped_entries &&
				      !schedule->rounds[r].n_dropped_rows;
	return 0;
}

static void count_clear(struct count *count)
{
	hd_row_sets_clear(&count->rows);
	free(count->views);
	free(count->hops);
	free(count->lit);
	free(count->sources);
	free(count->first);
	free(count->safe);
	free(count->safe_old);
	free(count->safe_new);
	free(count->has_end);
}

static int worker_init(struct worker *worker, size_t n, struct hd_error *err)
{
	worker->old = malloc(n + 1);
	worker->new = malloc(n + 1);
	worker->at = malloc(n + 1);
	worker->block = malloc((n + 1) * BLOCK * sizeof(*worker->block));
	worker->old_arrive = malloc((n + 1) * sizeof(*worker->old_arrive));
	worker->new_arrive = malloc((n + 1) * sizeof(*worker->new_arrive));
	worker->arrive = malloc((n + 1) * sizeof(*worker->arrive));
	worker->is_known = malloc((n + 1) * sizeof(*worker->is_known));
	worker->path = malloc((n + 1) * sizeof(*worker->path));
	return worker->old && worker->new && worker->at && worker->block && worker->old_arrive &&
			       worker->new_arrive && worker->arrive && worker->is_known &&
			       worker->path
		       ? 0
		       : hd_error_nomem(err);
}

static void workers_free(struct worker *workers, unsigned n)
{
	for (unsigned i = 0; workers && i < n; i++) {
		free(workers[i].old);
		free(workers[i].new);
		free(workers[i].at);
		free(workers[i].block);
		free(workers[i].old_arrive);
		free(workers[i].new_arrive);
		free(workers[i].arrive);
		free(workers[i].is_known);
		free(workers[i].path);
	}
	free(workers);
}

/*
 * Copies the entries for LIDs from @begin to @end, together, since a line of the processor's cache
 * has them all: LID by LID, entries of many switches would take one another's place there.
 */
static void gather(const struct count *count, struct worker *worker, uint32_t begin, uint32_t end)
{
	const struct hd_schedule_list *changed = &count->schedule->entries;
	const size_t n = count->fabric->n_switches;

	hd_for_each_switch(s, count->fabric) {
		const size_t at = s * count->now->lft_stride + begin;
		struct entry *entry = worker->block + s;

		for (size_t i = at; i < at + (end - begin); i++, entry += n)
			*entry = (struct entry){ .old = count->before->lft[i],
						 .new = count->now->lft[i] };
		entry = worker->block + s;
		for (size_t k = hd_schedule_place(changed, at);
		     k < changed->n && changed->at[k] < at + (end - begin); k++) {
			entry[(changed->at[k] - at) * n].new_round = changed->new[k];
			entry[(changed->at[k] - at) * n].drop_round = changed->drop[k];
		}
	}
}

/* Unpacks the @i-th LID of the block. */
static void take_lid(const struct count *count, struct worker *worker, uint32_t i)
{
	worker->entries = worker->block + i * (size_t)count->fabric->n_switches;
	worker->rounds = 0;
	hd_for_each_switch(s, count->fabric) {
		const struct entry entry = worker->entries[s];

		worker->old[s] = entry.old;
		worker->new[s] = entry.new;
		if (entry.new_round)
			worker->rounds |= UINT64_C(1) << (entry.new_round - 1);
		if (entry.drop_round)
			worker->rounds |= UINT64_C(1) << (entry.drop_round - 1);
	}
}

/* The entries after round @round, as hd_rounds_entry() has them. */
static void make_column(const struct count *count, struct worker *worker, unsigned round)
{
	hd_for_each_switch(s, count->fabric) {
		const struct entry entry = worker->entries[s];
		const bool is_new = entry.new_round && entry.new_round <= round;
		const bool is_dropped = entry.drop_round && entry.drop_round <= round;

		worker->at[s] = is_new ? entry.new : is_dropped ? HD_NO_PATH : entry.old;
	}
}

/* What packets go by: entries, links, and the rows after a round. */
struct tree {
	const uint8_t *column;  /* [switch] */
	const struct hop *hops; /* [port] */
	unsigned round;
};

/*
 * Where packets to @lid come to from the switch @s; NULL: to no other switch, and *@arrive says
 * which of them arrive.
 */
static const struct hop *next_hop(const struct count *count, const struct tree *tree, uint32_t lid,
				  uint32_t s, unsigned *arrive)
{
	const struct hd_lid *owner = &count->fabric->lids[lid];
	const struct view view = count->views[s];
	const unsigned out = tree->column[s];
	const struct hop *hop;

	*arrive = owner->via_switch == s && owner->via_port == out ? HD_ALL_SLS : 0;
	if (*arrive || !out || out > view.n_ports)
		return NULL;
	hop = &tree->hops[view.first_port + out];
	return hop->to == HD_NONE ? NULL : hop;
}

/* Fills @arrives for packets to @lid. A circle delivers nothing. */
static void follow(const struct count *count, struct worker *worker, const struct tree *tree,
		   uint32_t lid, hd_sl_set *arrives)
{
	memset(worker->is_known, false, count->fabric->n_switches * sizeof(*worker->is_known));
	hd_for_each_switch(from, count->fabric) {
		uint32_t s = from;
		unsigned arrive = 0, n = 0;

		while (!worker->is_known[s]) {
			const struct hop *hop = next_hop(count, tree, lid, s, &arrive);

			worker->is_known[s] = true;
			arrives[s] = (hd_sl_set)arrive;
			if (!hop)
				break;
			worker->path[n++] = s;
			s = hop->to;
		}
		for (arrive = arrives[s]; arrive && n; n--) {
			const uint32_t at = worker->path[n - 1];
			const struct hop *hop =
				&tree->hops[count->views[at].first_port + tree->column[at]];

			if (!count->rows.is_plain)
				arrive &= row_at(count, tree->round,
						 hd_sl2vl_index(count->now, hop->to, hop->in,
								tree->column[hop->to]));
			arrives[at] = (hd_sl_set)arrive;
		}
	}
}

/* Whether packets from @source at switch @s that leave it by @out with @sl arrive. */
static bool arrives(const struct count *count, const struct source *source, uint32_t s,
		    unsigned out, unsigned round, unsigned sl, unsigned arrive)
{
	if (sl >= HD_MAX_SLS || !arrive)
		return false;
	arrive &= row_at(count, round, source->row) &
		  row_at(count, round, hd_sl2vl_index(count->now, s, source->in, out));
	return arrive >> sl & 1;
}

/*
 * Whether packets from @source, of switch @s, to @lid are lost after round @round alone. Hosts have
 * their old path SLs until the last round.
 */
static bool loses(const struct count *count, const struct worker *worker,
		  const struct source *source, uint32_t s, uint32_t lid, unsigned round)
{
	const unsigned old_sl = hd_path_sl(count->before, source->port, lid);
	const unsigned new_sl = hd_path_sl(count->now, source->port, lid);
	const bool is_last = round == count->schedule->n_rounds;

	return arrives(count, source, s, worker->old[s], 0, old_sl, worker->old_arrive[s]) &&
	       arrives(count, source, s, worker->new[s], AT_THE_END, new_sl,
		       worker->new_arrive[s]) &&
	       !arrives(count, source, s, worker->at[s], round, is_last ? new_sl : old_sl,
			worker->arrive[s]);
}

/* Whether all sources of switch @s arrive before and at the end, and none does now. */
static bool all_lose(const struct count *count, const struct worker *worker, uint32_t s)
{
	const unsigned sls = count->rows.old_sls | count->rows.new_sls;

	return count->rows.have_sls && !(worker->arrive[s] & sls) &&
	       !(count->rows.old_sls & ~(unsigned)(worker->old_arrive[s] & count->safe_old[s])) &&
	       !(count->rows.new_sls & ~(unsigned)(worker->new_arrive[s] & count->safe_new[s]));
}

/* Counts the sources of switch @s that lose packets to @lid after round @round. */
static unsigned count_at(const struct count *count, const struct worker *worker, uint32_t s,
			 uint32_t lid, unsigned round)
{
	const struct hd_fabric *fabric = count->fabric;
	const uint32_t owner = fabric->ports[fabric->lids[lid].port].node;
	unsigned n = 0;
	bool all;

	if (!worker->old_arrive[s] || !worker->new_arrive[s] ||
	    !((count->rows.old_sls | count->rows.new_sls) &
	      ~(unsigned)(worker->arrive[s] & count->safe[s])))
		return 0;
	all = all_lose(count, worker, s);
	for (uint32_t i = count->first[s]; i < count->first[s + 1]; i++)
		n += count->sources[i].node != owner &&
		     (all || loses(count, worker, &count->sources[i], s, lid, round));
	return n;
}

/* Whether the way from a switch whose entry for the LID changes ends by the new tables. */
static bool any_ends(const struct count *count, const struct worker *worker)
{
	hd_for_each_switch(s, count->fabric)
		if (worker->entries[s].new_round && !worker->new_arrive[s])
			return true;
	return false;
}

static void count_lid(const struct count *count, struct worker *worker, uint32_t lid)
{
	const struct tree new = { worker->new, count->hops, AT_THE_END };
	const struct tree new_lit = { worker->new, count->lit, AT_THE_END };
	const struct tree old = { worker->old, count->lit, 0 };
	uint64_t lost = 0;

	if (!worker->rounds && count->rows.is_plain)
		return;
	if (count->is_in_order) {
		follow(count, worker, &new_lit, lid, worker->new_arrive);
		if (!any_ends(count, worker))
			return;
	}
	follow(count, worker, &new, lid, worker->new_arrive);
	follow(count, worker, &old, lid, worker->old_arrive);
	for (unsigned r = 1; r <= count->n_rounds; r++) {
		const struct tree at = { worker->at, count->lit, r };
		const bool is_last = r == count->schedule->n_rounds; /* with new path SLs */

		if (is_last || (worker->rounds | count->rows.rounds) >> (r - 1) & 1) {
			lost = 0;
			make_column(count, worker, r);
			follow(count, worker, &at, lid, worker->arrive);
			hd_for_each_switch(s, count->fabric)
				lost += count_at(count, worker, s, lid, r);
		}
		worker->lost[r - 1] += lost;
	}
}

static bool may_lose(const struct count *count, uint32_t lid)
{
	return lid && is_counted(count->fabric, lid) &&
	       (!count->is_in_order || count->has_end[lid]);
}

/* LIDs from @begin to @end, of a block. */
static void count_block(const struct count *count, struct worker *worker, uint32_t begin,
			uint32_t end)
{
	bool is_gathered = false;

	for (uint32_t lid = begin; lid < end; lid++) {
		if (!may_lose(count, lid))
			continue;
		if (!is_gathered)
			gather(count, worker, begin, end);
		is_gathered = true;
		take_lid(count, worker, lid - begin);
		count_lid(count, worker, lid);
	}
}

static unsigned count_threads(void)
{
#ifdef _OPENMP
	return (unsigned)omp_get_max_threads();
#else
	return 1;
#endif
}

static unsigned thread_number(void)
{
#ifdef _OPENMP
	return (unsigned)omp_get_thread_num();
#else
	return 0;
#endif
}

static int count_all(const struct count *count, uint64_t *lost, struct hd_error *err)
{
	const uint32_t end = count->fabric->top_lid + 1;
	const unsigned n = count_threads();
	struct worker *workers = calloc(n, sizeof(*workers));
	int ret = workers ? 0 : hd_error_nomem(err);

	for (unsigned i = 0; !ret && i < n; i++)
		ret = worker_init(&workers[i], count->fabric->n_switches, err);
	if (!ret) {
#pragma omp parallel for num_threads(n) schedule(dynamic, 1)
		for (uint32_t begin = 0; begin < end; begin += BLOCK)
			count_block(count, &workers[thread_number()], begin,
				    end - begin < BLOCK ? end : begin + BLOCK);
		for (unsigned i = 0; i < n; i++)
			for (unsigned r = 0; r < HD_MAX_ROUNDS; r++)
				lost[r] += workers[i].lost[r];
	}
	workers_free(workers, n);
	return ret;
}

int hd_schedule_count_lost(const struct hd_schedule *schedule, const struct hd_tables *now,
			   const struct hd_tables *before, const bool *is_dark, uint64_t *lost,
			   struct hd_error *err)
{
	struct count count;
	bool any = false;
	int ret = 0;

	memset(lost, 0, HD_MAX_ROUNDS * sizeof(*lost));
	if (schedule->stages) {
		for (unsigned r = 0; !ret && r < schedule->n_rounds; r++)
			ret = hd_private_losses(schedule->stages[r], now, before, &lost[r], err);
		return ret;
	}
	if (schedule->n_rounds < 1u + !is_dark)
		return 0;
	ret = count_init(&count, schedule, now, before, is_dark, err);
	for (uint32_t lid = 1; !ret && !any && lid <= now->fabric->top_lid; lid++)
		any = may_lose(&count, lid);
	if (any)
		ret = count_all(&count, lost, err);
	count_clear(&count);
	return ret;
}
