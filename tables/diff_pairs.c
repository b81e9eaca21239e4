// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which pairs of end nodes' ports change path, SL or VL. The paths to a destination are a tree, so
 * what became of the rest of the way is known for each switch once its next one is done: the work
 * is linear in destinations x (switches + sources).
 *
 * VLs depend on the SL too. Sources use few combinations of (SL before, SL after) to a destination;
 * each switch has a bit for each combination, which says whether the VLs from there on are equal.
 */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/diff_match.h"

#define MAX_COMBINATIONS (HD_MAX_SLS * HD_MAX_SLS)
#define WORDS            (MAX_COMBINATIONS / 64)

/* Destinations whose changed pairs are kept until they can be told in order. */
#define BATCH 64

/* What is the same for all destinations. */
struct comparison {
	const struct hd_match *match;
	const struct hd_tables *before, *after;
	uint32_t n_ends; /* end nodes' ports among match->endports: */
	const struct hd_match_endport **ends;
	uint32_t n_sl_classes;  /* sources with equal rows of path SLs */
	uint32_t *class_end;    /* [class] one of its sources */
	bool *rows_equal;       /* [switch before] its SL2VL rows are unchanged */
	struct source *sources; /* [end] */
};

/* A source, with what most destinations need of it: whether nothing at it has changed. */
struct source {
	uint32_t node;          /* before */
	uint32_t switch_before; /* HD_NONE: none */
	uint32_t sl_class;
	bool is_plain; /* its link and its own SL2VL row are unchanged */
};

/* What becomes of packets at a switch. NOT_COVERED: they come to one whose LFT is not known. */
enum { UNKNOWN, ON_STACK, ARRIVES, LOST, NOT_COVERED };

/* The way to one destination, by switch, and what a thread needs for it. */
struct tree {
	uint8_t *arrives_before, *arrives_after; /* [switch] of the enum above */
	bool *same;                   /* [switch before] links are the same from there on */
	uint64_t (*vls_equal)[WORDS]; /* [switch before] the VLs behind its own out-port are
				         equal */
	bool *plain;                  /* [switch before] nothing has changed from there on,
					 whatever the in-port */
	uint32_t *stack;
	/* combinations of SLs to this destination */
	unsigned n_combinations;
	uint8_t sls[MAX_COMBINATIONS][2];
	bool sls_equal;                /* in all of them */
	int16_t *combination_of_class; /* [class]; -1: no SL before or after */
	bool *class_equal;             /* [class] the same SL before and after */
	int16_t number[HD_MAX_SLS][HD_MAX_SLS];
	struct hd_diff_pair *pairs; /* those that change, if wanted */
	size_t n_pairs;
};

struct counts {
	uint64_t pairs, path, sl, vl, changed, lost, gained, uncovered;
};

/* The out-port (index in ports[]) of switch @s to @lid if it has a link; HD_NONE. */
static uint32_t out_port(const struct hd_tables *tables, uint32_t s, uint32_t lid)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned out = hd_lft(tables, s)[lid];
	uint32_t port;

	if (out == 0 || out > fabric->nodes[s].n_ports)
		return HD_NONE;
	port = hd_port_index(fabric, s, out);
	return fabric->ports[port].peer == HD_NONE ? HD_NONE : port;
}

/* The switch that @port's link leads to; HD_NONE: an end node. */
static uint32_t next_switch(const struct hd_fabric *fabric, uint32_t port)
{
	uint32_t node = fabric->ports[fabric->ports[port].peer].node;

	return hd_is_switch(fabric, node) ? node : HD_NONE;
}

static hd_sl2vl_row switch_row(const struct hd_tables *tables, uint32_t in_port, uint32_t out)
{
	const struct hd_port *ports = tables->fabric->ports;

	return tables->sl2vl[hd_sl2vl_index(tables, ports[in_port].node, ports[in_port].number,
					    ports[out].number)];
}

static hd_sl2vl_row host_row(const struct hd_tables *tables, uint32_t port)
{
	const struct hd_port *p = &tables->fabric->ports[port];

	return tables->sl2vl[hd_sl2vl_host_index(tables, p->node, p->number)];
}

static void collect_combinations(const struct comparison *c, struct tree *tree,
				 const struct hd_match_endport *destination)
{
	uint32_t lid_before = c->match->before->ports[destination->before].lid;
	uint32_t lid_after = c->match->after->ports[destination->after].lid;

	memset(tree->number, 0xFF, sizeof(tree->number));
	tree->n_combinations = 0;
	tree->sls_equal = true;
	for (uint32_t k = 0; k < c->n_sl_classes; k++) {
		const struct hd_match_endport *source = c->ends[c->class_end[k]];
		unsigned sl_before = hd_path_sl(c->before, source->before, lid_before);
		unsigned sl_after = hd_path_sl(c->after, source->after, lid_after);
		int16_t *number;

		tree->class_equal[k] = sl_before == sl_after;
		tree->combination_of_class[k] = -1;
		if (sl_before >= HD_MAX_SLS || sl_after >= HD_MAX_SLS)
			continue;
		number = &tree->number[sl_before][sl_after];
		if (*number < 0) {
			*number = (int16_t)tree->n_combinations;
			tree->sls[tree->n_combinations][0] = (uint8_t)sl_before;
			tree->sls[tree->n_combinations++][1] = (uint8_t)sl_after;
			tree->sls_equal &= sl_before == sl_after;
		}
		tree->combination_of_class[k] = *number;
	}
}

/* Clears the bits of combinations whose VLs differ between the two rows. */
static void compare_rows(const struct tree *tree, hd_sl2vl_row before, hd_sl2vl_row after,
			 uint64_t *equal)
{
	if (before == after && tree->sls_equal)
		return;
	for (unsigned i = 0; i < tree->n_combinations; i++)
		if (hd_row_vl(before, tree->sls[i][0]) != hd_row_vl(after, tree->sls[i][1]))
			equal[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Whether the way from switch @s is the same after the change. The next switch, if any, is done. */
static void compare_switch(const struct comparison *c, struct tree *tree, uint32_t s,
			   uint32_t lid_before, uint32_t lid_after)
{
	uint32_t s_after = c->match->node[s];
	uint32_t out = out_port(c->before, s, lid_before), out_after, next;

	tree->same[s] = false;
	if (s_after == HD_NONE || tree->arrives_after[s_after] != ARRIVES)
		return;
	out_after = out_port(c->after, s_after, lid_after);
	if (c->match->port[out] != out_after)
		return;
	next = next_switch(c->match->before, out);
	memset(tree->vls_equal[s], 0xFF, sizeof(tree->vls_equal[s]));
	tree->same[s] = next == HD_NONE || tree->same[next];
	if (next == HD_NONE || !tree->same[s])
		return;
	memcpy(tree->vls_equal[s], tree->vls_equal[next], sizeof(tree->vls_equal[s]));
	if (tree->sls_equal && c->rows_equal[next])
		return;
	compare_rows(tree,
		     switch_row(c->before, c->match->before->ports[out].peer,
				out_port(c->before, next, lid_before)),
		     switch_row(c->after, c->match->after->ports[out_after].peer,
				out_port(c->after, c->match->node[next], lid_after)),
		     tree->vls_equal[s]);
}

/*
 * From which switches packets to the end port @destination arrive. @c is NULL for the tables after
 * the change; for those before, the switches from which packets arrive are compared with those
 * after, next switches first.
 */
static void grow_tree(const struct comparison *c, const struct hd_tables *tables, uint8_t *arrives,
		      struct tree *tree, uint32_t destination, uint32_t lid_after)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t lid = fabric->ports[destination].lid;

	memset(arrives, UNKNOWN, fabric->n_switches);
	hd_for_each_switch(first, fabric) {
		uint32_t depth = 0, s = first;
		uint8_t fate = UNKNOWN;

		while (fate == UNKNOWN) {
			uint32_t out;

			if (arrives[s] != UNKNOWN) {
				/* a switch that is met twice on one way is in a loop */
				fate = arrives[s] == ON_STACK ? LOST : arrives[s];
				break;
			}
			arrives[s] = ON_STACK;
			tree->stack[depth++] = s;
			out = out_port(tables, s, lid);
			if (!hd_lft_is_known(tables, s))
				fate = NOT_COVERED;
			else if (out == HD_NONE)
				fate = LOST;
			else if (fabric->ports[out].peer == destination)
				fate = ARRIVES;
			else if ((s = next_switch(fabric, out)) == HD_NONE)
				fate = LOST;
		}
		while (depth > 0) {
			s = tree->stack[--depth];
			arrives[s] = fate;
			if (c && fate == ARRIVES)
				compare_switch(c, tree, s, lid, lid_after);
		}
	}
}

/* What becomes of packets from the end port @source to the end port @destination. */
static uint8_t end_fate(const struct hd_fabric *fabric, const uint8_t *arrives, uint32_t source,
			uint32_t destination)
{
	uint32_t s;

	if (fabric->ports[source].peer == HD_NONE)
		return LOST;
	s = next_switch(fabric, source);
	if (s == HD_NONE)
		return fabric->ports[source].peer == destination ? ARRIVES : LOST;
	return arrives[s];
}

/* Whether a pair on an unchanged path has unchanged VLs. */
static bool pair_vls_equal(const struct comparison *c, const struct tree *tree,
			   const struct hd_match_endport *source, int combination,
			   uint32_t lid_before, uint32_t lid_after)
{
	uint64_t equal[WORDS];
	uint32_t s = next_switch(c->match->before, source->before);

	if (combination < 0)
		return true;
	memset(equal, 0xFF, sizeof(equal));
	compare_rows(tree, host_row(c->before, source->before), host_row(c->after, source->after),
		     equal);
	if (s != HD_NONE) {
		equal[combination / 64] &= tree->vls_equal[s][combination / 64];
		if (!tree->sls_equal || !c->rows_equal[s])
			compare_rows(
				tree,
				switch_row(c->before, c->match->before->ports[source->before].peer,
					   out_port(c->before, s, lid_before)),
				switch_row(c->after, c->match->after->ports[source->after].peer,
					   out_port(c->after, c->match->node[s], lid_after)),
				equal);
	}
	return equal[combination / 64] >> (combination % 64) & 1;
}

static bool compare_pair(const struct comparison *c, const struct tree *tree, uint32_t end,
			 const struct hd_match_endport *destination, struct hd_diff_pair *pair,
			 bool *is_covered)
{
	const struct hd_fabric *before = c->match->before, *after = c->match->after;
	const struct hd_match_endport *source = c->ends[end];
	uint32_t lid_before = before->ports[destination->before].lid;
	uint32_t lid_after = after->ports[destination->after].lid;
	uint8_t fate_before =
		end_fate(before, tree->arrives_before, source->before, destination->before);
	uint8_t fate_after =
		end_fate(after, tree->arrives_after, source->after, destination->after);
	bool was = fate_before == ARRIVES, is = fate_after == ARRIVES;

	*is_covered = fate_before != NOT_COVERED && fate_after != NOT_COVERED;
	*pair = (struct hd_diff_pair){
		.source = before->ports[source->before].guid,
		.destination = before->ports[destination->before].guid,
		.lost = was && !is && *is_covered,
		.gained = is && !was && *is_covered,
		.sl = hd_path_sl(c->before, source->before, lid_before) !=
		      hd_path_sl(c->after, source->after, lid_after),
	};
	if (was && is) {
		uint32_t s = next_switch(before, source->before);

		pair->path = c->match->port[source->before] != source->after ||
			     (s != HD_NONE && !tree->same[s]);
		pair->vl = !pair->path &&
			   !pair_vls_equal(c, tree, source,
					   tree->combination_of_class[c->sources[end].sl_class],
					   lid_before, lid_after);
	}
	return pair->path || pair->sl || pair->vl || pair->lost || pair->gained;
}

static void find_plain_switches(const struct comparison *c, struct tree *tree)
{
	hd_for_each_switch(s, c->match->before) {
		uint64_t equal = UINT64_MAX;

		tree->plain[s] = tree->arrives_before[s] == ARRIVES && tree->same[s] &&
				 tree->sls_equal && c->rows_equal[s];
		for (unsigned word = 0; tree->plain[s] && word < WORDS; word++)
			equal &= tree->vls_equal[s][word];
		tree->plain[s] = tree->plain[s] && equal == UINT64_MAX;
	}
}

static void compare_destination(const struct comparison *c, struct tree *tree, uint32_t to,
				bool keep, struct counts *counts)
{
	const struct hd_match_endport *destination = c->ends[to];
	uint32_t node = c->match->before->ports[destination->before].node;

	collect_combinations(c, tree, destination);
	grow_tree(NULL, c->after, tree->arrives_after, tree, destination->after, 0);
	grow_tree(c, c->before, tree->arrives_before, tree, destination->before,
		  c->match->after->ports[destination->after].lid);
	tree->n_pairs = 0;
	find_plain_switches(c, tree);
	for (uint32_t from = 0; from < c->n_ends; from++) {
		const struct source *source = &c->sources[from];
		struct hd_diff_pair pair;
		bool is_covered, is_changed;

		if (source->node == node)
			continue;
		counts->pairs++;
		if (source->is_plain && tree->plain[source->switch_before] &&
		    tree->class_equal[source->sl_class])
			continue;
		is_changed = compare_pair(c, tree, from, destination, &pair, &is_covered);
		counts->uncovered += !is_covered;
		if (!is_changed)
			continue;
		counts->path += pair.path;
		counts->sl += pair.sl;
		counts->vl += pair.vl;
		counts->lost += pair.lost;
		counts->gained += pair.gained;
		counts->changed++;
		if (keep)
			tree->pairs[tree->n_pairs++] = pair;
	}
}

static void free_trees(struct tree *trees, uint32_t n)
{
	for (uint32_t i = 0; trees && i < n; i++) {
		free(trees[i].arrives_before);
		free(trees[i].arrives_after);
		free(trees[i].same);
		free(trees[i].vls_equal);
		free(trees[i].plain);
		free(trees[i].stack);
		free(trees[i].combination_of_class);
		free(trees[i].class_equal);
		free(trees[i].pairs);
	}
	free(trees);
}

static struct tree *new_trees(const struct comparison *c, uint32_t n, bool keep)
{
	size_t n_before = c->match->before->n_switches + (size_t)1;
	size_t n_after = c->match->after->n_switches + (size_t)1;
	struct tree *trees = calloc(n, sizeof(*trees));

	for (uint32_t i = 0; trees && i < n; i++) {
		struct tree *tree = &trees[i];

		tree->arrives_before = malloc(n_before);
		tree->arrives_after = malloc(n_after);
		tree->same = malloc(n_before * sizeof(*tree->same));
		tree->vls_equal = malloc(n_before * sizeof(*tree->vls_equal));
		tree->plain = malloc(n_before * sizeof(*tree->plain));
		tree->stack = malloc((n_before + n_after) * sizeof(*tree->stack));
		tree->combination_of_class =
			malloc((c->n_sl_classes + (size_t)1) * sizeof(int16_t));
		tree->class_equal = malloc(c->n_sl_classes + (size_t)1);
		tree->pairs = malloc((keep ? c->n_ends + (size_t)1 : 1) * sizeof(*tree->pairs));
		if (!tree->arrives_before || !tree->arrives_after || !tree->same ||
		    !tree->vls_equal || !tree->plain || !tree->stack ||
		    !tree->combination_of_class || !tree->class_equal || !tree->pairs) {
			free_trees(trees, n);
			return NULL;
		}
	}
	return trees;
}

static int compare_all(const struct comparison *c, hd_diff_pair_fn each, void *context,
		       struct counts *total, struct hd_error *err)
{
	uint32_t n_trees = c->n_ends < BATCH ? c->n_ends : BATCH;
	struct tree *trees = new_trees(c, n_trees ? n_trees : 1, each != NULL);
	bool stopped = false;

	if (!trees)
		return hd_error_nomem(err);
	for (uint32_t begin = 0; begin < c->n_ends; begin += n_trees) {
		uint32_t end = begin + n_trees < c->n_ends ? begin + n_trees : c->n_ends;
		uint64_t pairs = 0, path = 0, sl = 0, vl = 0, changed = 0, lost = 0, gained = 0,
			 uncovered = 0;

#pragma omp parallel for schedule(dynamic) \
	reduction(+ : pairs, path, sl, vl, changed, lost, gained, uncovered)
		for (uint32_t to = begin; to < end; to++) {
			struct counts counts = { 0 };

			compare_destination(c, &trees[to - begin], to, each != NULL, &counts);
			pairs += counts.pairs;
			path += counts.path;
			sl += counts.sl;
			vl += counts.vl;
			changed += counts.changed;
			lost += counts.lost;
			gained += counts.gained;
			uncovered += counts.uncovered;
		}
		total->pairs += pairs;
		total->path += path;
		total->sl += sl;
		total->vl += vl;
		total->changed += changed;
		total->lost += lost;
		total->gained += gained;
		total->uncovered += uncovered;
		for (uint32_t to = begin; each && to < end && !stopped; to++)
			for (size_t i = 0; i < trees[to - begin].n_pairs && !stopped; i++)
				stopped = each(&trees[to - begin].pairs[i], context) != 0;
	}
	free_trees(trees, n_trees ? n_trees : 1);
	return 0;
}

/* Sources whose path SLs come from the same two rows are one class. */
struct class_key {
	uint32_t before, after, end;
};

static int compare_class_keys(const void *a, const void *b)
{
	const struct class_key *x = a, *y = b;

	if (x->before != y->before)
		return x->before < y->before ? -1 : 1;
	if (x->after != y->after)
		return x->after < y->after ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

static bool classify_sources(struct comparison *c)
{
	struct class_key *keys = malloc((c->n_ends + (size_t)1) * sizeof(*keys));

	if (!keys)
		return false;
	for (uint32_t end = 0; end < c->n_ends; end++)
		keys[end] = (struct class_key){
			c->before->sl_row_of_port[c->ends[end]->before],
			c->after->sl_row_of_port[c->ends[end]->after],
			end,
		};
	qsort(keys, c->n_ends, sizeof(*keys), compare_class_keys);
	for (uint32_t i = 0; i < c->n_ends; i++) {
		if (i == 0 || keys[i].before != keys[i - 1].before ||
		    keys[i].after != keys[i - 1].after)
			c->class_end[c->n_sl_classes++] = keys[i].end;
		c->sources[keys[i].end].sl_class = c->n_sl_classes - 1;
	}
	free(keys);
	return true;
}

static bool are_rows_equal(const struct comparison *c, uint32_t s)
{
	const struct hd_node *node = &c->match->before->nodes[s], *node_after;
	size_t size = (node->n_ports + (size_t)1) * (node->n_ports + (size_t)1);

	if (c->match->node[s] == HD_NONE)
		return false;
	node_after = &c->match->after->nodes[c->match->node[s]];
	if (node_after->n_ports != node->n_ports)
		return false;
	/* links on other ports have other rows */
	hd_for_each_number(number, c->match->before, s) {
		uint32_t same = c->match->port[node->first_port + number];

		if (same != HD_NONE && same != node_after->first_port + number)
			return false;
	}
	return memcmp(&c->before->sl2vl[c->before->sl2vl_first[s]],
		      &c->after->sl2vl[c->after->sl2vl_first[c->match->node[s]]],
		      size * sizeof(hd_sl2vl_row)) == 0;
}

static void describe_sources(struct comparison *c)
{
	const struct hd_fabric *before = c->match->before;

	for (uint32_t end = 0; end < c->n_ends; end++) {
		const struct hd_match_endport *port = c->ends[end];
		struct source *source = &c->sources[end];

		source->node = before->ports[port->before].node;
		source->switch_before = before->ports[port->before].peer == HD_NONE
						? HD_NONE
						: next_switch(before, port->before);
		source->is_plain =
			source->switch_before != HD_NONE &&
			c->match->port[port->before] == port->after &&
			host_row(c->before, port->before) == host_row(c->after, port->after);
	}
}

int hd_diff_pairs(const struct hd_match *match, const struct hd_tables *before,
		  const struct hd_tables *after, hd_diff_pair_fn each, void *context,
		  struct hd_diff *diff, struct hd_error *err)
{
	size_t n = match->n_endports + (size_t)1;
	struct comparison c = {
		.match = match,
		.before = before,
		.after = after,
		.ends = malloc(n * sizeof(*c.ends)),
		.sources = malloc(n * sizeof(*c.sources)),
		.class_end = malloc(n * sizeof(uint32_t)),
		.rows_equal = malloc(match->before->n_switches + (size_t)1),
	};
	struct counts counts = { 0 };
	int ret = HD_ENOMEM;

	if (c.ends && c.sources && c.class_end && c.rows_equal) {
		for (uint32_t i = 0; i < match->n_endports; i++)
			if (!hd_is_switch(match->before,
					  match->before->ports[match->endports[i].before].node))
				c.ends[c.n_ends++] = &match->endports[i];
		hd_for_each_switch(s, match->before)
			c.rows_equal[s] = are_rows_equal(&c, s);
		describe_sources(&c);
		if (classify_sources(&c))
			ret = compare_all(&c, each, context, &counts, err);
	}
	if (ret == HD_ENOMEM)
		hd_error_nomem(err);
	diff->pairs = counts.pairs;
	diff->pairs_path = counts.path;
	diff->pairs_sl = counts.sl;
	diff->pairs_vl = counts.vl;
	diff->pairs_changed = counts.changed;
	diff->pairs_lost = counts.lost;
	diff->pairs_gained = counts.gained;
	diff->pairs_uncovered = counts.uncovered;
	free(c.ends);
	free(c.sources);
	free(c.class_end);
	free(c.rows_equal);
	return ret;
}
