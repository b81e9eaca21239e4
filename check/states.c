// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/states.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

int hd_usage_init(struct hd_usage *usage, const struct hd_check_network *network,
		  struct hd_error *err)
{
	size_t n_rows = network->tables->sl2vl_first[network->fabric->n_switches];

	const unsigned n_bits = network->n_vls * network->n_sls;

	usage->n_bytes = n_bits <= 8    ? 1
			 : n_bits <= 16 ? 2
			 : n_bits <= 32 ? 4
					: 8 * network->n_words;
	usage->states = calloc(n_rows + 1, usage->n_bytes);
	usage->injected = calloc(network->n_outs + 1, sizeof(*usage->injected));
	return usage->states && usage->injected ? 0 : hd_error_nomem(err);
}

void hd_usage_clear(struct hd_usage *usage)
{
	free(usage->states);
	free(usage->injected);
	memset(usage, 0, sizeof(*usage));
}

void hd_usage_empty(struct hd_usage *usage, const struct hd_check_network *network)
{
	memset(usage->states, 0,
	       network->tables->sl2vl_first[network->fabric->n_switches] * usage->n_bytes);
}

int hd_states_init(struct hd_states *states, const struct hd_check_network *network,
		   struct hd_error *err)
{
	size_t n = network->fabric->n_switches + (size_t)1;

	memset(states, 0, sizeof(*states));
	states->sls = malloc(n * sizeof(*states->sls));
	states->links = malloc(n * network->n_words * sizeof(*states->links));
	states->row = malloc(n * sizeof(*states->row));
	if (!states->sls || !states->links || !states->row)
		return hd_error_nomem(err);
	return hd_tree_init(&states->tree, network->fabric->n_switches, err);
}

void hd_states_clear(struct hd_states *states)
{
	hd_tree_clear(&states->tree);
	free(states->sls);
	free(states->links);
	free(states->row);
	memset(states, 0, sizeof(*states));
}

/* What the sources of every switch send. */
static void inject(struct hd_states *states, const struct hd_check_network *network,
		   const struct hd_destinations *destinations,
		   const struct hd_destination *destination, struct hd_usage *usage)
{
	const uint8_t *next = hd_destination_next(network, destinations, destination);
	const struct hd_tree *tree = &states->tree;

	memset(states->links, 0,
	       network->fabric->n_switches * network->n_words * sizeof(*states->links));
	for (uint32_t i = 0; i < tree->n_order; i++) {
		uint32_t s = tree->order[i];
		uint64_t *link = states->links + s * (size_t)network->n_words;
		unsigned out = next[s], kept = 0;

		states->row[s] = hd_sl2vl_index(network->tables, s, 0, out);
		for (uint32_t g = network->first_group[s]; g < network->first_group[s + 1]; g++) {
			const struct hd_source_group *group = &network->groups[g];
			unsigned sls =
				hd_destination_sls(network, destinations, destination, group);
			uint32_t pattern = network->inject[group->outs + out];

			if (usage)
				hd_usage_inject(usage, group->outs + out, sls);
			kept |= hd_state_forward(network, hd_pattern_masks(network, pattern), sls,
						 link);
		}
		states->sls[s] = (uint16_t)kept;
	}
}

void hd_states_deliver(const struct hd_check_network *network,
		       const struct hd_destinations *destinations,
		       const struct hd_destination *destination, const uint64_t *link, unsigned in,
		       struct hd_usage *usage)
{
	bool common = destination->any_source && !network->reversed_sl && !network->all_sls;

	for (uint32_t i = destination->first; i < destination->end; i++) {
		uint16_t lid = destinations->lids[i];
		size_t row = hd_sl2vl_index(network->tables, destination->root, in,
					    network->fabric->lids[lid].via_port);
		/* the link's state is that of all LIDs together */
		uint64_t lanes = common ? network->places[destinations->sl[lid]] * network->every_vl
					: UINT64_MAX;

		hd_usage_add(usage, row, link, lanes);
	}
}

void hd_states_deliver_local(const struct hd_check_network *network,
			     const struct hd_destinations *destinations,
			     const struct hd_destination *destination, struct hd_usage *usage)
{
	uint32_t root = destination->root;

	for (uint32_t g = network->first_group[root]; g < network->first_group[root + 1]; g++)
		for (uint32_t i = destination->first; i < destination->end; i++) {
			const struct hd_source_group *group = &network->groups[g];
			uint16_t lid = destinations->lids[i];

			hd_usage_inject(usage, group->outs + network->fabric->lids[lid].via_port,
					hd_destination_lid_sls(network, destinations, destination,
							       group, lid));
		}
}

/* Goes along the tree, farthest switches first. @n_words is a constant where this is inlined. */
static inline void propagate(struct hd_states *states, const struct hd_check_network *network,
			     const struct hd_destinations *destinations,
			     const struct hd_destination *destination, struct hd_usage *usage,
			     unsigned n_words)
{
	const struct hd_tree *tree = &states->tree;

	for (uint32_t i = 0; i < tree->n_order; i++) {
		uint32_t s = tree->order[i], target = tree->target[s];
		const uint64_t *link = states->links + s * (size_t)n_words;
		size_t row;

		if (!states->sls[s])
			continue;
		if (target == tree->root) {
			if (usage)
				hd_states_deliver(network, destinations, destination, link,
						  tree->in[s], usage);
			continue;
		}
		row = states->row[target] + tree->in[s];
		if (usage)
			hd_usage_add(usage, row, link, UINT64_MAX);
		states->sls[target] |= (uint16_t)hd_state_forward(
			network, hd_pattern_masks(network, network->pattern[row]), states->sls[s],
			states->links + target * (size_t)n_words);
	}
}

void hd_states_build(struct hd_states *states, const struct hd_check_network *network,
		     const struct hd_destinations *destinations,
		     const struct hd_destination *destination, struct hd_usage *usage)
{
	hd_tree_build(&states->tree, network, destinations, destination);
	if (states->tree.root == HD_NONE)
		return;
	inject(states, network, destinations, destination, usage);
	if (network->n_words == 1)
		propagate(states, network, destinations, destination, usage, 1);
	else
		propagate(states, network, destinations, destination, usage, network->n_words);
	if (usage)
		hd_states_deliver_local(network, destinations, destination, usage);
}
