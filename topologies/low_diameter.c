// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/low_diameter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "topologies/embedding.h"
#include "topologies/finite_field.h"
#include "topologies/mms_graph.h"
#include "topologies/polarity_graph.h"
#include "topologies/switch_graph.h"

#define LEAST 3 /* q: the plane of seven points is too small to be told from other graphs */

/* One graph that a fabric may be. */
struct candidate {
	enum hd_low_kind kind;
	uint32_t q, n, degree;
	uint64_t n_links;
};

static const char *const titles[] = {
	[HD_LOW_SLIMFLY] = "Slim Fly", [HD_LOW_POLARFLY] = "PolarFly"
};

const char *hd_low_diameter_title(const struct hd_low_diameter *low)
{
	return titles[low->kind];
}

const char *hd_low_diameter_name(const struct hd_low_diameter *low)
{
	return low->kind == HD_LOW_SLIMFLY ? "slimfly" : "polarfly";
}

void hd_low_diameter_free(struct hd_low_diameter *low)
{
	if (!low)
		return;
	free(low->place);
	free(low->missing);
	free(low);
}

static bool make_candidate(enum hd_low_kind kind, uint32_t q, struct candidate *candidate)
{
	*candidate = (struct candidate){ .kind = kind, .q = q };
	if (kind == HD_LOW_SLIMFLY) {
		candidate->n = 2 * q * q;
		candidate->degree = hd_mms_degree(q);
		candidate->n_links = (uint64_t)candidate->n * candidate->degree / 2;
		return hd_mms_exists(q);
	}
	candidate->n = q * q + q + 1;
	candidate->degree = q + 1;
	candidate->n_links = (uint64_t)q * (q + 1) * (q + 1) / 2;
	return q <= HD_POLARITY_MOST && hd_is_prime_power(q);
}

/*
 * Pairs of switches that no way of at most two links joins. In an intact graph of diameter two
 * there are none, and a link that is missing is on such ways of fewer than twice its ends' links
 * pairs.
 */
static int count_apart(const struct hd_switch_graph *graph, uint64_t *n_apart, struct hd_error *err)
{
	uint32_t *seen = calloc(graph->n + (size_t)1, sizeof(*seen));

	if (!seen)
		return hd_error_nomem(err);
	*n_apart = 0;
	for (uint32_t u = 0; u < graph->n; u++) {
		uint32_t n = 1;

		seen[u] = u + 1;
		for (uint32_t i = graph->first[u]; i < graph->first[u + 1]; i++) {
			const uint32_t v = graph->neighbour[i];

			n += seen[v] != u + 1;
			seen[v] = u + 1;
			for (uint32_t k = graph->first[v]; k < graph->first[v + 1]; k++) {
				n += seen[graph->neighbour[k]] != u + 1;
				seen[graph->neighbour[k]] = u + 1;
			}
		}
		*n_apart += graph->n - n;
	}
	*n_apart /= 2;
	free(seen);
	return 0;
}

/* Whether counts allow that @graph is the candidate, with an eighth missing at most. */
static bool may_be(const struct hd_switch_graph *graph, const struct candidate *candidate)
{
	const uint64_t n_links = graph->first[graph->n] / 2;

	return graph->n <= candidate->n && 8 * (uint64_t)graph->n >= 7 * (uint64_t)candidate->n &&
	       graph->max_degree <= candidate->degree && n_links <= candidate->n_links &&
	       8 * n_links >= 7 * candidate->n_links;
}

/* Lists the pairs that @known links and @graph does not. */
static int list_missing(const struct hd_switch_graph *graph, const struct hd_switch_graph *known,
			struct hd_low_diameter *low, struct hd_error *err)
{
	uint32_t *owner = malloc((known->n + (size_t)1) * sizeof(*owner));

	low->missing = malloc((known->first[known->n] / 2 + (size_t)1) * sizeof(*low->missing));
	if (!owner || !low->missing) {
		free(owner);
		return hd_error_nomem(err);
	}
	memset(owner, 0xFF, known->n * sizeof(*owner));
	for (uint32_t s = 0; s < graph->n; s++)
		owner[low->place[s]] = s;
	for (uint32_t s = 0; s < graph->n; s++) {
		const uint32_t vertex = low->place[s], n_before = low->n_missing;

		for (uint32_t i = known->first[vertex]; i < known->first[vertex + 1]; i++) {
			const uint32_t peer = owner[known->neighbour[i]];
			uint32_t at = low->n_missing;

			if (peer == HD_NONE || peer < s || hd_switch_graph_has(graph, s, peer))
				continue;
			for (; at > n_before && low->missing[at - 1].b > peer; at--)
				low->missing[at] = low->missing[at - 1];
			low->missing[at] = (struct hd_low_pair){ s, peer };
			low->n_missing++;
		}
	}
	free(owner);
	return 0;
}

static uint32_t most_hosts(const struct hd_fabric *fabric)
{
	uint32_t most = 0;

	hd_for_each_switch(s, fabric) {
		uint32_t n = 0;

		hd_for_each_number(number, fabric, s) {
			const uint32_t peer = hd_peer_node(fabric, s, number);

			n += peer != HD_NONE && peer >= fabric->n_switches;
		}
		if (n > most)
			most = n;
	}
	return most;
}

static int make_graph(const struct candidate *candidate, struct hd_switch_graph *known,
		      struct hd_error *err)
{
	if (candidate->kind == HD_LOW_SLIMFLY)
		return hd_mms_graph(candidate->q, known, err);
	return hd_polarity_graph(candidate->q, known, err);
}

/* Finds the places of @graph in @known. HD_EREFUSED, with the reason in @why; HD_ENOMEM. */
static int find_places(const struct hd_switch_graph *graph, const struct candidate *candidate,
		       const struct hd_switch_graph *known, uint32_t *place, struct hd_error *why)
{
	const uint64_t n_missing = candidate->n_links - graph->first[graph->n] / 2;
	uint64_t n_apart = 0;
	int ret = count_apart(graph, &n_apart, why);

	if (ret)
		return ret;
	if (n_apart > 2 * n_missing * candidate->degree)
		return hd_error_set(why, HD_EREFUSED,
				    "%" PRIu64 " pairs of switches are more than two links apart",
				    n_apart);
	return hd_embed(graph, known, (uint32_t)n_missing, place, why);
}

/* Fills @low with @graph as a part of the graph of @candidate. */
static int match(const struct hd_switch_graph *graph, const struct candidate *candidate,
		 struct hd_low_diameter *low, struct hd_error *err)
{
	struct hd_switch_graph known;
	struct hd_error why;
	int ret = make_graph(candidate, &known, err);

	if (ret)
		return ret;
	low->place = malloc((graph->n + (size_t)1) * sizeof(*low->place));
	ret = low->place ? find_places(graph, candidate, &known, low->place, &why)
			 : hd_error_nomem(&why);
	if (ret == HD_EREFUSED)
		hd_error_set(err, ret, "not a %s of q = %u: %s", titles[candidate->kind],
			     (unsigned)candidate->q, why.text);
	else if (ret)
		*err = why;
	if (!ret)
		ret = list_missing(graph, &known, low, err);
	hd_switch_graph_clear(&known);
	low->kind = candidate->kind;
	low->q = candidate->q;
	low->n_missing_switches = candidate->n - graph->n;
	return ret;
}

/* The same in a new @low, with the hosts of @fabric. */
static int match_fabric(const struct hd_fabric *fabric, const struct hd_switch_graph *graph,
			const struct candidate *candidate, struct hd_low_diameter **low,
			struct hd_error *err)
{
	int ret;

	*low = calloc(1, sizeof(**low));
	if (!*low)
		return hd_error_nomem(err);
	(*low)->p = most_hosts(fabric);
	ret = match(graph, candidate, *low, err);
	if (!ret)
		return 0;
	hd_low_diameter_free(*low);
	*low = NULL;
	return ret;
}

int hd_low_diameter_recognise(const struct hd_fabric *fabric, struct hd_low_diameter **result,
			      struct hd_error *err)
{
	struct hd_switch_graph graph;
	int ret = hd_switch_graph_new(fabric, &graph, err);

	*result = NULL;
	if (ret)
		return ret;
	ret = hd_error_set(err, HD_EREFUSED,
			   "neither a Slim Fly nor a PolarFly: %u switches with %u links between "
			   "them are not nearly such a graph",
			   (unsigned)graph.n, (unsigned)(graph.first[graph.n] / 2));
	for (uint32_t q = LEAST; ret == HD_EREFUSED && q <= HD_POLARITY_MOST; q++)
		for (unsigned kind = 0; kind < 2 && ret == HD_EREFUSED; kind++) {
			struct candidate candidate;

			if (make_candidate(kind, q, &candidate) && may_be(&graph, &candidate))
				ret = match_fabric(fabric, &graph, &candidate, result, err);
		}
	hd_switch_graph_clear(&graph);
	return ret;
}
