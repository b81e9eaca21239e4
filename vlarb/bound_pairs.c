// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/bound_pairs.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/route_tree.h"
#include "support/error.h"

/* The flow of one SL that has waited most so far; source HD_NONE: there is none. */
struct most {
	double wait;
	uint32_t source;
};

/* What one thread finds. */
struct search {
	const struct hd_check_network *network;
	const struct hd_destinations *destinations;
	const struct hd_wait_channel *channels;
	const struct most *sent; /* [(group's outs + out) * n_sls + SL's place] behind that port */
	struct hd_tree tree;
	struct most *links;             /* [switch * n_sls + SL's place] behind its out-port */
	uint8_t class[HD_MAX_SLS];      /* [SL's place] */
	struct most of[HD_MAX_CLASSES]; /* the result, with their LIDs */
	uint16_t lid[HD_MAX_CLASSES];
};

/* The wait on the link that leaves @port, for packets that take @row there; false: dropped. */
static bool add_wait(const struct search *search, size_t row, uint32_t port, unsigned place,
		     double *wait)
{
	const struct hd_check_network *network = search->network;
	const unsigned vl = hd_row_vl(network->tables->sl2vl[row], network->sls[place]);

	if (vl >= network->limit[port] || vl >= network->n_vls)
		return false;
	*wait += search->channels[port * (size_t)network->n_vls + vl].wait;
	return true;
}

/* Of flows that have waited as long, the one from the lowest source. */
static void keep_most(struct most *most, double wait, uint32_t source)
{
	if (most->source == HD_NONE || wait > most->wait ||
	    (wait >= most->wait && source < most->source))
		*most = (struct most){ wait, source };
}

static void keep_class(struct search *search, unsigned class, double wait, uint32_t source,
		       uint16_t lid)
{
	struct most *most = &search->of[class];

	if (most->source != HD_NONE && wait <= most->wait &&
	    (wait < most->wait || lid > search->lid[class] ||
	     (lid == search->lid[class] && source >= most->source)))
		return;
	*most = (struct most){ wait, source };
	search->lid[class] = lid;
}

/* The flow from each group by each out-port that waits most, up to behind that port. */
static struct most *find_sent(const struct search *search)
{
	const struct hd_check_network *network = search->network;
	const struct hd_fabric *fabric = network->fabric;
	const size_t n = network->n_outs * network->n_sls;
	struct most *sent = malloc((n + 1) * sizeof(*sent));

	for (size_t i = 0; sent && i < n; i++)
		sent[i] = (struct most){ .source = HD_NONE };
	hd_for_each_switch(node, fabric)
		for (uint32_t g = network->first_group[node];
		     sent && g < network->first_group[node + 1]; g++)
			for (uint32_t i = network->groups[g].first; i < network->groups[g].end;
			     i++) {
				const uint32_t source = network->sources[i];
				const struct hd_port *port = &fabric->ports[source];
				const unsigned in = hd_source_in(fabric, source);
				const size_t row = hd_sl2vl_host_index(network->tables, port->node,
								       port->number);

				hd_for_each_number(out, fabric, node)
					for (unsigned k = 0; in != out && k < network->n_sls; k++) {
						double wait = 0;

						if (add_wait(search, row, source, k, &wait) &&
						    add_wait(search,
							     hd_sl2vl_index(network->tables, node,
									    in, out),
							     hd_port_index(fabric, node, out), k,
							     &wait))
							keep_most(&sent[(network->groups[g].outs +
									 out) * network->n_sls +
									k],
								  wait, source);
					}
			}
	return sent;
}

/* What the sources of @node send to @destination. */
static void send_from(struct search *search, const struct hd_destination *destination,
		      uint32_t node, unsigned out)
{
	const struct hd_check_network *network = search->network;
	struct most *links = search->links + node * (size_t)network->n_sls;

	for (unsigned k = 0; k < network->n_sls; k++)
		links[k].source = HD_NONE;
	for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1]; g++) {
		const struct hd_source_group *group = &network->groups[g];
		const struct most *sent = search->sent + (group->outs + out) * network->n_sls;

		for (unsigned sls =
			     hd_destination_sls(network, search->destinations, destination, group);
		     sls; sls &= sls - 1) {
			const unsigned k = (unsigned)__builtin_ctz(sls);

			if (sent[k].source != HD_NONE)
				keep_most(&links[k], sent[k].wait, sent[k].source);
		}
	}
}

/* The flows of @links come to the root by @in, and go on to each LID. */
static void deliver(struct search *search, const struct hd_destination *destination,
		    const struct most *links, unsigned in)
{
	const struct hd_check_network *network = search->network;

	for (uint32_t i = destination->first; i < destination->end; i++) {
		const uint16_t lid = search->destinations->lids[i];
		const unsigned out = network->fabric->lids[lid].via_port;
		const size_t row = hd_sl2vl_index(network->tables, destination->root, in, out);
		const uint32_t port = hd_port_index(network->fabric, destination->root, out);
		unsigned sls = destination->any_source
				       ? network->places[search->destinations->sl[lid]]
				       : (1u << network->n_sls) - 1;

		for (; sls; sls &= sls - 1) {
			const unsigned k = (unsigned)__builtin_ctz(sls);
			double wait = links[k].wait;

			if (links[k].source != HD_NONE && add_wait(search, row, port, k, &wait))
				keep_class(search, search->class[k], wait, links[k].source, lid);
		}
	}
}

/* Flows between hosts of the root. */
static void deliver_local(struct search *search, const struct hd_destination *destination)
{
	const struct hd_check_network *network = search->network;
	const uint32_t root = destination->root;

	for (uint32_t g = network->first_group[root]; g < network->first_group[root + 1]; g++)
		for (uint32_t i = destination->first; i < destination->end; i++) {
			const struct hd_source_group *group = &network->groups[g];
			const uint16_t lid = search->destinations->lids[i];
			const struct most *sent =
				search->sent + (group->outs + network->fabric->lids[lid].via_port) *
						       network->n_sls;
			unsigned sls = hd_destination_lid_sls(network, search->destinations,
							      destination, group, lid);

			for (; sls; sls &= sls - 1) {
				const unsigned k = (unsigned)__builtin_ctz(sls);

				if (sent[k].source != HD_NONE)
					keep_class(search, search->class[k], sent[k].wait,
						   sent[k].source, lid);
			}
		}
}

static void search_destination(struct search *search, const struct hd_destination *destination)
{
	const struct hd_check_network *network = search->network;
	const uint8_t *next = hd_destination_next(network, search->destinations, destination);
	const struct hd_tree *tree = &search->tree;
	const unsigned n_sls = network->n_sls;

	if (destination->root == HD_NONE)
		return;
	hd_tree_build(&search->tree, network, search->destinations, destination);
	for (uint32_t i = 0; i < tree->n_order; i++)
		send_from(search, destination, tree->order[i], next[tree->order[i]]);
	for (uint32_t i = 0; i < tree->n_order; i++) {
		const uint32_t s = tree->order[i], target = tree->target[s];
		const struct most *links = search->links + s * (size_t)n_sls;
		uint32_t port;
		size_t row;

		if (target == tree->root) {
			deliver(search, destination, links, tree->in[s]);
			continue;
		}
		row = hd_sl2vl_index(network->tables, target, tree->in[s], next[target]);
		port = hd_port_index(network->fabric, target, next[target]);
		for (unsigned k = 0; k < n_sls; k++) {
			double wait = links[k].wait;

			if (links[k].source != HD_NONE && add_wait(search, row, port, k, &wait))
				keep_most(&search->links[target * (size_t)n_sls + k], wait,
					  links[k].source);
		}
	}
	deliver_local(search, destination);
}

static int search_init(struct search *search, const struct search *like, struct hd_error *err)
{
	const uint32_t n_switches = like->network->fabric->n_switches;

	*search = *like;
	search->links =
		malloc((n_switches + (size_t)1) * like->network->n_sls * sizeof(*search->links));
	if (!search->links)
		return hd_error_nomem(err);
	return hd_tree_init(&search->tree, n_switches, err);
}

static int search_all(const struct search *like, struct search *searches, unsigned n_threads,
		      struct hd_error *err)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < n_threads; i++)
		ret = search_init(&searches[i], like, err);
	if (ret)
		return ret;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_threads)
#endif
	for (uint32_t d = 0; d < like->destinations->n; d++) {
#ifdef _OPENMP
		struct search *search = &searches[omp_get_thread_num()];
#else
		struct search *search = searches;
#endif
		search_destination(search, &like->destinations->list[d]);
	}
	for (unsigned i = 1; i < n_threads; i++)
		for (unsigned c = 0; c < HD_MAX_CLASSES; c++)
			if (searches[i].of[c].source != HD_NONE)
				keep_class(&searches[0], c, searches[i].of[c].wait,
					   searches[i].of[c].source, searches[i].lid[c]);
	return 0;
}

int hd_bound_find_pairs(const struct hd_check_network *network,
			const struct hd_destinations *destinations,
			const struct hd_wait_channel *channels, struct hd_bound *bound,
			struct hd_error *err)
{
	const struct hd_classes *classes = network->tables->classes;
	const unsigned n_threads = hd_destinations_threads(destinations, network);
	struct search *searches = calloc(n_threads, sizeof(*searches));
	struct search like = { .network = network,
			       .destinations = destinations,
			       .channels = channels };
	struct most *sent = find_sent(&like);
	int ret = searches && sent ? 0 : hd_error_nomem(err);

	like.sent = sent;
	for (unsigned k = 0; k < network->n_sls; k++) {
		const uint32_t class = hd_class_of_sl(classes, network->sls[k]);

		like.class[k] = (uint8_t)(class == HD_NONE ? classes->fallback : class);
	}
	for (unsigned c = 0; c < HD_MAX_CLASSES; c++)
		like.of[c].source = HD_NONE;
	if (!ret)
		ret = search_all(&like, searches, n_threads, err);
	for (unsigned c = 0; !ret && c < classes->n; c++) {
		bound->list[c].wait = searches[0].of[c].wait;
		bound->list[c].source = searches[0].of[c].source;
		bound->list[c].lid = searches[0].lid[c];
	}
	for (unsigned i = 0; searches && i < n_threads; i++) {
		hd_tree_clear(&searches[i].tree);
		free(searches[i].links);
	}
	free(searches);
	free(sent);
	return ret;
}
