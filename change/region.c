// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/region.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Of a switch: outside, in the region, or in it with an entry that changes. */
enum { OUTSIDE, INSIDE, CHANGES };

int hd_region_store_init(struct hd_region_store *store, const struct hd_check_network *network,
			 struct hd_error *err)
{
	const size_t n = network->fabric->n_switches + (size_t)1;

	*store = (struct hd_region_store){ .n_nodes = 0 };
	store->new = malloc(n);
	store->kind = calloc(n, sizeof(*store->kind));
	store->number = malloc(n * sizeof(*store->number));
	store->found = malloc(n * sizeof(*store->found));
	store->target = malloc(n * sizeof(*store->target));
	store->waiting = malloc(n * sizeof(*store->waiting));
	store->order = malloc(n * sizeof(*store->order));
	store->in = malloc(n);
	store->reached = malloc(n * sizeof(*store->reached));
	store->sls = malloc(n * sizeof(*store->sls));
	store->links = malloc(n * network->n_words * sizeof(*store->links));
	return store->new && store->kind && store->number && store->found && store->target &&
			       store->waiting && store->order && store->in && store->reached &&
			       store->sls && store->links
		       ? 0
		       : hd_error_nomem(err);
}

void hd_region_store_clear(struct hd_region_store *store)
{
	free(store->nodes);
	free(store->node_words);
	free(store->inputs);
	free(store->input_words);
	free(store->new);
	free(store->kind);
	free(store->number);
	free(store->found);
	free(store->target);
	free(store->waiting);
	free(store->order);
	free(store->in);
	free(store->reached);
	free(store->sls);
	free(store->links);
	*store = (struct hd_region_store){ .n_nodes = 0 };
}

unsigned hd_region_inject(const struct hd_check_network *network,
			  const struct hd_source_group *group, uint32_t s, unsigned out,
			  unsigned sls, uint32_t owner, uint64_t *link)
{
	unsigned kept = 0;

	for (uint32_t i = group->first; i < group->end; i++) {
		const uint32_t source = network->sources[i];
		const unsigned in = hd_source_in(network->fabric, source);
		const size_t row = hd_sl2vl_index(network->tables, s, in, out);
		unsigned sent = 0;

		if (source == owner)
			continue;
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			sent |= in ? sls & hd_source_masks(network, source)[vl] : sls;
		kept |= hd_state_forward(network, hd_pattern_masks(network, network->pattern[row]),
					 sent, link);
	}
	return kept;
}

/* What one region is found from. */
struct finding {
	const struct hd_check_network *network;
	const struct hd_region_ground *ground;
	struct hd_region_store *store;
	struct hd_region *region;
	const uint16_t *lids; /* the region's */
	uint32_t n_lids;
	uint16_t lid;        /* one of them */
	const uint8_t *next; /* old entries */
	uint16_t lid_sls;    /* to all of them, if they do not depend on the source */
	bool is_silent;      /* nobody hands them out, before as after: they take no channels */
	struct hd_usage *usage;
};

static struct hd_far_end far_end(const struct finding *f, uint32_t s, unsigned port)
{
	if (port > f->network->fabric->nodes[s].n_ports)
		return (struct hd_far_end){ .node = HD_NONE };
	return f->network->far_end[hd_port_index(f->network->fabric, s, port)];
}

static void add_switch(struct finding *f, uint32_t s, uint8_t kind)
{
	struct hd_region_store *store = f->store;

	if (s == HD_NONE)
		return;
	if (!store->kind[s]) {
		store->number[s] = f->region->n_nodes;
		store->found[f->region->n_nodes++] = s;
	}
	if (store->kind[s] < kind)
		store->kind[s] = kind;
}

/* Whether packets of the LIDs may come to switch @s and take a row that changes, as entries are. */
static bool takes_changed_row(const struct finding *f, uint32_t s)
{
	const struct hd_check_network *network = f->network;
	const struct hd_fabric *fabric = network->fabric;
	const unsigned out = f->next[s];
	size_t row;

	if (out > fabric->nodes[s].n_ports || far_end(f, s, out).node == HD_NONE)
		return false;
	if (f->ground->source_changes[hd_port_index(fabric, s, out)])
		return true;
	row = hd_sl2vl_index(network->tables, s, 0, out);
	hd_for_each_number(in, fabric, s) {
		const struct hd_far_end from = far_end(f, s, in);

		if (f->ground->row_changes[row + in] && from.node != HD_NONE &&
		    f->next[from.node] == from.in)
			return true;
	}
	return false;
}

/* Finds the switches of the region: those that change, then all that they lead to. */
static void find_switches(struct finding *f)
{
	const struct hd_region_ground *ground = f->ground;
	struct hd_region_store *store = f->store;

	f->region->n_nodes = 0;
	for (uint32_t i = ground->first_change[f->lid]; i < ground->first_change[f->lid + 1u];
	     i++) {
		const struct hd_region_change *change = &ground->changes[i];

		store->new[change->node] = ground->new_entry[change->place];
		add_switch(f, change->node, CHANGES);
	}
	for (uint32_t i = 0; i < ground->n_row_switches; i++)
		if (!store->kind[ground->row_switches[i]] &&
		    takes_changed_row(f, ground->row_switches[i]))
			add_switch(f, ground->row_switches[i], INSIDE);
	for (uint32_t i = 0; i < f->region->n_nodes; i++) {
		const uint32_t s = store->found[i];

		add_switch(f, far_end(f, s, f->next[s]).node, INSIDE);
		if (store->kind[s] == CHANGES)
			add_switch(f, far_end(f, s, store->new[s]).node, INSIDE);
	}
}

/* The SLs (as places) of packets from the sources of @group. */
static unsigned group_sls(const struct finding *f, const struct hd_source_group *group)
{
	const struct hd_tables *old = f->network->tables;

	if (f->is_silent)
		return 0;
	if (f->region->destination->any_source)
		return f->lid_sls;
	return f->network->places[old->sl_rows[group->sl_row * old->lft_stride + f->lid]];
}

/* Where the LID is not handed out: its owner sends it nothing, and where others are not beside. */
static bool is_owner_alone(const struct finding *f, uint32_t s)
{
	const struct hd_check_network *network = f->network;

	return f->region->destination->root == HD_NONE &&
	       network->fabric->lids[f->lid].via_switch == s &&
	       network->first_source[s + 1] - network->first_source[s] == 1;
}

static bool has_source(const struct finding *f, uint32_t s)
{
	return f->network->first_source[s] < f->network->first_source[s + 1] &&
	       !is_owner_alone(f, s);
}

static bool grow(void **array, size_t size, size_t n)
{
	void *grown = realloc(*array, n * size + 1);

	if (!grown)
		return false;
	*array = grown;
	return true;
}

/* Nodes of the region, without what comes in; false: out of memory. */
static bool add_nodes(struct finding *f)
{
	struct hd_region_store *store = f->store;
	const size_t n_words = f->network->n_words, n = store->n_nodes + f->region->n_nodes;

	if (n > store->node_capacity) {
		const size_t capacity = 2 * n + 1024;

		if (!grow((void **)&store->nodes, sizeof(*store->nodes), capacity) ||
		    !grow((void **)&store->node_words, n_words * sizeof(*store->node_words),
			  capacity))
			return false;
		store->node_capacity = capacity;
	}
	f->region->first_node = (uint32_t)store->n_nodes;
	memset(store->node_words + store->n_nodes * n_words, 0,
	       f->region->n_nodes * n_words * sizeof(*store->node_words));
	for (uint32_t i = 0; i < f->region->n_nodes; i++) {
		const uint32_t s = store->found[i];

		store->nodes[store->n_nodes++] = (struct hd_region_node){
			.s = s,
			.out = f->next[s],
			.changes = store->kind[s] == CHANGES,
			.reached = has_source(f, s),
		};
	}
	return true;
}

/* Adds an input to @node, the node that inputs are being added to; false: out of memory. */
static bool add_input(struct finding *f, struct hd_region_node *node, struct hd_region_input input,
		      const uint64_t *words)
{
	struct hd_region_store *store = f->store;
	const size_t n_words = f->network->n_words;

	if (store->n_inputs == store->input_capacity) {
		const size_t capacity = 2 * store->n_inputs + 4096;

		if (!grow((void **)&store->inputs, sizeof(*store->inputs), capacity) ||
		    !grow((void **)&store->input_words, n_words * sizeof(*store->input_words),
			  capacity))
			return false;
		store->input_capacity = capacity;
	}
	store->inputs[store->n_inputs] = input;
	if (words)
		memcpy(store->input_words + store->n_inputs * n_words, words,
		       n_words * sizeof(*words));
	store->n_inputs++;
	node->n_inputs++;
	return true;
}

/* What the sources of @s send into its out-port @out, whose link has @link: its SLs. */
static unsigned inject(const struct finding *f, uint32_t s, unsigned out, uint64_t *link)
{
	const struct hd_check_network *network = f->network;
	const struct hd_lid *lid = &network->fabric->lids[f->lid];
	unsigned kept = 0;

	for (uint32_t g = network->first_group[s]; g < network->first_group[s + 1]; g++) {
		const struct hd_source_group *group = &network->groups[g];
		const unsigned sls = group_sls(f, group);

		/* the owner sends itself nothing */
		kept |= s == lid->via_switch
				? hd_region_inject(network, group, s, out, sls, lid->port, link)
				: hd_state_forward(
					  network,
					  hd_pattern_masks(network,
							   network->inject[group->outs + out]),
					  sls, link);
	}
	return kept;
}

/* Packets of @sls and @link that come in by @in of @s go on by @out, whose link has @next. */
static unsigned pass(const struct finding *f, uint32_t s, unsigned in, unsigned out, unsigned sls,
		     const uint64_t *link, uint64_t *next)
{
	const struct hd_check_network *network = f->network;
	const size_t row = hd_sl2vl_index(network->tables, s, in, out);

	hd_usage_add(f->usage, row, link, UINT64_MAX);
	return hd_state_forward(network, hd_pattern_masks(network, network->pattern[row]), sls,
				next);
}

/*
 * Sources of a switch of the region: what they send is always the same, or is followed each time.
 */
static bool take_sources(struct finding *f, struct hd_region_node *node, uint64_t *words)
{
	const struct hd_check_network *network = f->network;
	const uint32_t s = node->s;

	if (!node->changes) {
		if (far_end(f, s, node->out).node == HD_NONE)
			return true;
		if (s != network->fabric->lids[f->lid].via_switch &&
		    !f->ground->source_changes[hd_port_index(network->fabric, s, node->out)]) {
			node->sls |= (uint16_t)inject(f, s, node->out, words);
			return true;
		}
	}
	for (uint32_t g = network->first_group[s]; g < network->first_group[s + 1]; g++) {
		const unsigned sls = group_sls(f, &network->groups[g]);

		if (sls &&
		    !add_input(f, node, (struct hd_region_input){ g, (uint16_t)sls, true }, NULL))
			return false;
	}
	return true;
}

/* The same of what comes in by @in from switches outside. */
static bool take_link(struct finding *f, struct hd_region_node *node, unsigned in, uint32_t from,
		      uint64_t *words)
{
	const struct hd_check_network *network = f->network;
	const struct hd_region_store *store = f->store;
	const uint64_t *link = store->links + from * (size_t)network->n_words;

	node->reached |= store->reached[from];
	if (!store->sls[from])
		return true;
	if (!node->changes) {
		if (far_end(f, node->s, node->out).node == HD_NONE)
			return true;
		if (!f->ground->row_changes[hd_sl2vl_index(network->tables, node->s, in,
							   node->out)]) {
			node->sls |= (uint16_t)pass(f, node->s, in, node->out, store->sls[from],
						    link, words);
			return true;
		}
	}
	return add_input(f, node, (struct hd_region_input){ in, store->sls[from], false }, link);
}

/* What comes into the region from outside. */
static bool take_inputs(struct finding *f)
{
	struct hd_region_store *store = f->store;
	const struct hd_fabric *fabric = f->network->fabric;

	for (uint32_t i = 0; i < f->region->n_nodes; i++) {
		const size_t n = f->region->first_node + (size_t)i;
		struct hd_region_node *node = &store->nodes[n];
		uint64_t *words = store->node_words + n * f->network->n_words;

		node->first_input = (uint32_t)store->n_inputs;
		if (!take_sources(f, node, words))
			return false;
		hd_for_each_number(in, fabric, node->s) {
			const struct hd_far_end from = far_end(f, node->s, in);

			if (from.node != HD_NONE && !store->kind[from.node] &&
			    f->next[from.node] == from.in &&
			    !take_link(f, node, in, from.node, words))
				return false;
		}
	}
	return true;
}

/* Where switches outside lead, and how many of them lead to each. */
static void find_targets(struct finding *f)
{
	const uint32_t n_switches = f->network->fabric->n_switches;
	struct hd_region_store *store = f->store;

	memset(store->waiting, 0, n_switches * sizeof(*store->waiting));
	for (uint32_t s = 0; s < n_switches; s++) {
		struct hd_far_end end = { .node = HD_NONE };

		if (!store->kind[s])
			end = far_end(f, s, f->next[s]);
		store->target[s] = end.node;
		store->in[s] = (uint8_t)end.in;
		if (end.node != HD_NONE)
			store->waiting[end.node]++;
	}
}

/* What is on the link by which switch @s, all of whose packets are there, forwards. */
static void forward(struct finding *f, uint32_t s)
{
	struct hd_region_store *store = f->store;
	const size_t n_words = f->network->n_words;
	const uint32_t target = store->target[s];

	if (target == HD_NONE)
		return;
	store->sls[s] |= (uint16_t)inject(f, s, f->next[s], store->links + s * n_words);
	store->reached[target] |= store->reached[s];
	if (store->kind[target] || store->target[target] == HD_NONE || !store->sls[s])
		return;
	store->sls[target] |=
		(uint16_t)pass(f, target, store->in[s], f->next[target], store->sls[s],
			       store->links + s * n_words, store->links + target * n_words);
}

/* Follows packets outside of the region, each switch behind all that lead to it. */
static void follow_outside(struct finding *f)
{
	const uint32_t n_switches = f->network->fabric->n_switches;
	struct hd_region_store *store = f->store;
	uint32_t n = 0;

	find_targets(f);
	memset(store->sls, 0, n_switches * sizeof(*store->sls));
	memset(store->links, 0, n_switches * f->network->n_words * sizeof(*store->links));
	for (uint32_t s = 0; s < n_switches; s++) {
		store->reached[s] = has_source(f, s);
		if (!store->kind[s] && !store->waiting[s])
			store->order[n++] = s;
	}
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t target = store->target[store->order[i]];

		forward(f, store->order[i]);
		if (target != HD_NONE && --store->waiting[target] == 0 && !store->kind[target])
			store->order[n++] = target;
	}
	/* those that are left are on circles */
	if (n + f->region->n_nodes < n_switches)
		for (uint32_t s = 0; s < n_switches; s++)
			store->loops |= !store->kind[s] && store->waiting[s] && store->reached[s];
}

void hd_region_find(struct hd_region *region, const uint16_t *lids,
		    const struct hd_region_ground *ground, struct hd_region_store *store,
		    struct hd_usage *usage)
{
	const struct hd_check_network *network = ground->network;
	struct finding f = { .network = network,
			     .ground = ground,
			     .store = store,
			     .region = region,
			     .lids = lids,
			     .n_lids = region->end - region->first,
			     .lid = lids[0],
			     .next = hd_destination_next(network, ground->destinations,
							 region->destination),
			     .usage = usage };

	f.is_silent = region->destination->root == HD_NONE &&
		      ground->first_change[f.lid] == ground->first_change[f.lid + 1u];
	for (uint32_t i = 0; i < f.n_lids; i++)
		f.lid_sls |= network->places[ground->destinations->sl[lids[i]]];
	find_switches(&f);
	follow_outside(&f);
	if (region->n_nodes && (!add_nodes(&f) || !take_inputs(&f)))
		store->no_memory = true;
	for (uint32_t i = 0; i < region->n_nodes; i++)
		store->kind[store->found[i]] = OUTSIDE;
}
