// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/chains.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* A cable of a chain: the tips by which it is come to and left. */
struct link {
	uint32_t from, to;
};

/* A cable too many or too few, with a node that only one side has. */
struct strange {
	uint32_t vertex; /* of the node */
	uint32_t cable;
};

struct chains {
	const struct hd_cable_edges *edges;
	const struct hd_odd_cables *odd;
	struct hd_differences *differences;
	bool *is_done; /* [cable] */
	struct link *links;
	uint32_t n;
	struct strange *strange;
	uint32_t n_strange;
};

int hd_differences_begin(const struct hd_cable_edges *edges, struct hd_differences *differences)
{
	size_t planned = edges->n_planned + (size_t)1, present = edges->n_present + (size_t)1;

	*differences = (struct hd_differences){
		.n_planned_cables = edges->n_planned,
		.by_ports = edges->by_ports,
		.no_ends = edges->no_ends,
		.no_trunks = edges->no_trunks,
		/* a cable is in one finding of its place, and in one of its rate */
		.findings = malloc((planned + 2 * present) * sizeof(struct hd_finding)),
		.planned = malloc((planned + present) * sizeof(struct hd_place_pair)),
		.present = malloc(2 * present * sizeof(struct hd_place_pair)),
		.moves = malloc(2 * (planned + present) * sizeof(struct hd_move)),
	};
	return differences->findings && differences->planned && differences->present &&
			       differences->moves
		       ? 0
		       : HD_ENOMEM;
}

struct hd_finding *hd_find(struct hd_differences *differences, enum hd_finding_kind kind)
{
	struct hd_finding *finding = &differences->findings[differences->n_findings++];

	*finding = (struct hd_finding){
		.kind = kind,
		.first_planned = differences->n_planned,
		.first_present = differences->n_present,
		.first_move = differences->n_moves,
		.node = HD_NONE,
	};
	differences->n_of[kind]++;
	return finding;
}

static struct hd_finding *last(struct hd_differences *differences)
{
	return &differences->findings[differences->n_findings - 1];
}

void hd_find_planned(struct hd_differences *differences, const struct hd_cable_edge *edge)
{
	differences->planned[differences->n_planned++] = edge->pair;
	last(differences)->n_planned++;
}

void hd_find_present(struct hd_differences *differences, const struct hd_cable_edge *edge)
{
	differences->present[differences->n_present++] = edge->pair;
	last(differences)->n_present++;
}

void hd_find_move(struct hd_differences *differences, enum hd_move_kind kind,
		  const struct hd_place *one, const struct hd_place *other)
{
	differences->moves[differences->n_moves++] = (struct hd_move){ kind, { *one, *other } };
	last(differences)->n_moves++;
}

static const struct hd_cable_edge *edge_of(const struct chains *chains, uint32_t tip)
{
	return chains->odd->edges[tip / 2];
}

static const struct hd_place *place_of(const struct chains *chains, uint32_t tip)
{
	return &edge_of(chains, tip)->pair.ends[tip % 2];
}

static bool is_planned(const struct chains *chains, const struct link *link)
{
	return link->from / 2 < chains->odd->n_planned;
}

/* Follows from the tip @from of a cable until nothing meets, or the ring is closed. */
static void follow(struct chains *chains, uint32_t from)
{
	chains->n = 0;
	while (from != HD_NONE && !chains->is_done[from / 2]) {
		chains->is_done[from / 2] = true;
		chains->links[chains->n++] = (struct link){ from, from ^ 1 };
		from = chains->odd->meets[from ^ 1];
	}
}

static void reverse(struct chains *chains)
{
	for (uint32_t i = 0; i < (chains->n + 1) / 2; i++) {
		struct link one = chains->links[i], other = chains->links[chains->n - 1 - i];

		chains->links[i] = (struct link){ other.to, other.from };
		chains->links[chains->n - 1 - i] = (struct link){ one.to, one.from };
	}
}

static bool is_strange(const struct chains *chains, const struct link *link)
{
	return hd_is_strange(chains->edges, place_of(chains, link->from)) ||
	       hd_is_strange(chains->edges, place_of(chains, link->to));
}

/*
 * Turns a chain so that a present cable too many comes first, and a planned one last; where it may
 * be that on either end, it is the one whose node is not there.
 */
static void turn(struct chains *chains)
{
	const struct link *first = &chains->links[0], *end = &chains->links[chains->n - 1];
	bool starts_planned = is_planned(chains, first), ends_planned = is_planned(chains, end);

	if (!starts_planned && ends_planned)
		reverse(chains);
	else if (starts_planned && ends_planned && is_strange(chains, first) &&
		 !is_strange(chains, end))
		reverse(chains);
	else if (!starts_planned && !ends_planned && !is_strange(chains, first) &&
		 is_strange(chains, end))
		reverse(chains);
}

static void find_moved(struct chains *chains, const struct link *planned,
		       const struct link *present)
{
	hd_find(chains->differences, HD_MOVED);
	hd_find_planned(chains->differences, edge_of(chains, planned->from));
	hd_find_present(chains->differences, edge_of(chains, present->from));
	hd_find_move(chains->differences, HD_MOVE, place_of(chains, present->to),
		     place_of(chains, planned->from));
}

/* A cable that is missing or extra in the end; those of strange nodes are found by node. */
static void find_rest(struct chains *chains, const struct link *link)
{
	const struct hd_cable_edge *edge = edge_of(chains, link->from);
	bool planned = is_planned(chains, link);

	if (is_strange(chains, link))
		return;
	hd_find(chains->differences, planned ? HD_MISSING : HD_EXTRA);
	if (planned)
		hd_find_planned(chains->differences, edge);
	else
		hd_find_present(chains->differences, edge);
	hd_find_move(chains->differences, planned ? HD_CONNECT : HD_REMOVE, &edge->pair.ends[0],
		     &edge->pair.ends[1]);
}

/* A turned chain. */
static void find_chain(struct chains *chains)
{
	uint32_t i = 0;

	if (!is_planned(chains, &chains->links[0]))
		find_rest(chains, &chains->links[i++]);
	for (; i + 1 < chains->n; i += 2)
		find_moved(chains, &chains->links[i], &chains->links[i + 1]);
	if (i < chains->n)
		find_rest(chains, &chains->links[i]);
}

/* The plug by which the n-th present cable of a ring leaves it, modulo their number. */
static const struct hd_place *plug_of(const struct chains *chains, uint32_t n)
{
	return place_of(chains, chains->links[(2 * n + 1) % chains->n].to);
}

static void find_ring(struct chains *chains)
{
	uint32_t k = chains->n / 2;

	hd_find(chains->differences, HD_SWAPPED);
	for (uint32_t i = 0; i < chains->n; i++) {
		const struct hd_cable_edge *edge = edge_of(chains, chains->links[i].from);

		if (is_planned(chains, &chains->links[i]))
			hd_find_planned(chains->differences, edge);
		else
			hd_find_present(chains->differences, edge);
	}
	for (uint32_t i = 0; i + 1 < k; i++)
		hd_find_move(chains->differences, HD_EXCHANGE, plug_of(chains, i + k - 1),
			     plug_of(chains, i));
}

/* Whether no end of the cable meets another. */
static bool meets_none(const struct chains *chains, uint32_t cable)
{
	return chains->odd->meets[2 * cable] == HD_NONE &&
	       chains->odd->meets[2 * cable + 1] == HD_NONE;
}

/* A cable that meets none, to be sorted by its nodes. */
struct apart {
	const struct hd_cable_edge *edge;
	uint32_t cable;
};

static int compare_nodes(const struct hd_cable_edge *x, const struct hd_cable_edge *y)
{
	for (unsigned end = 0; end < 2; end++)
		if (hd_vertex(x, end) != hd_vertex(y, end))
			return hd_vertex(x, end) < hd_vertex(y, end) ? -1 : 1;
	return 0;
}

static int compare_apart(const void *a, const void *b)
{
	const struct apart *x = a, *y = b;
	int order = compare_nodes(x->edge, y->edge);

	return order ? order : x->cable < y->cable ? -1 : x->cable > y->cable;
}

/* Those of the cables [first, end) that meet none; their number. */
static uint32_t list_apart(const struct chains *chains, uint32_t first, uint32_t end,
			   struct apart *list)
{
	uint32_t n = 0;

	for (uint32_t cable = first; cable < end; cable++)
		if (meets_none(chains, cable))
			list[n++] = (struct apart){ chains->odd->edges[cable], cable };
	qsort(list, n, sizeof(*list), compare_apart);
	return n;
}

static void find_moved_twice(struct chains *chains, const struct apart *planned,
			     const struct apart *present)
{
	hd_find(chains->differences, HD_MOVED);
	hd_find_planned(chains->differences, planned->edge);
	hd_find_present(chains->differences, present->edge);
	for (int end = 0; end < 2; end++)
		hd_find_move(chains->differences, HD_MOVE, &present->edge->pair.ends[end],
			     &planned->edge->pair.ends[end]);
	chains->is_done[planned->cable] = chains->is_done[present->cable] = true;
}

/* Cables between the planned nodes, of which both ends are in other ports. */
static int find_both_moved(struct chains *chains)
{
	const struct hd_odd_cables *odd = chains->odd;
	struct apart *planned = malloc((odd->n + (size_t)1) * sizeof(*planned)), *present;
	uint32_t n_planned, n_present;

	if (!planned)
		return HD_ENOMEM;
	n_planned = list_apart(chains, 0, odd->n_planned, planned);
	present = planned + n_planned;
	n_present = list_apart(chains, odd->n_planned, odd->n, present);
	for (uint32_t i = 0, j = 0; i < n_planned && j < n_present;) {
		int order = compare_nodes(planned[i].edge, present[j].edge);

		if (!order)
			find_moved_twice(chains, &planned[i], &present[j]);
		i += order <= 0;
		j += order >= 0;
	}
	free(planned);
	return 0;
}

/* The node of a cable that only one side has; the vertex, so that nodes can be sorted. */
static uint32_t strange_vertex(const struct chains *chains, uint32_t cable)
{
	const struct hd_cable_edge *edge = chains->odd->edges[cable];
	unsigned end = !hd_is_strange(chains->edges, &edge->pair.ends[0]);

	return hd_vertex(edge, end);
}

/* Notes the cable too many or too few of a turned chain, if it is of a strange node. */
static void note_strange(struct chains *chains)
{
	const struct link *first = &chains->links[0];
	const struct link *rest = is_planned(chains, first) ? &chains->links[chains->n - 1] : first;
	uint32_t cable = rest->from / 2;

	if (chains->n % 2 && is_strange(chains, rest))
		chains->strange[chains->n_strange++] =
			(struct strange){ strange_vertex(chains, cable), cable };
}

/*
 * Whether a cable of a strange node is connected or removed. A switch that is down has all its
 * cables, and one that nobody planned may stay, unless a planned cable needs the port; a host may
 * lack its only cable.
 */
static bool is_to_move(const struct chains *chains, uint32_t cable, bool absent, bool is_end)
{
	return is_end || (!absent && chains->edges->by_ports && !meets_none(chains, cable));
}

static void find_node(struct chains *chains, const struct strange *strange, uint32_t n)
{
	const struct hd_cable_edges *edges = chains->edges;
	uint32_t vertex = strange->vertex;
	bool absent = strange->cable < chains->odd->n_planned;
	uint32_t node = absent ? vertex - edges->now->n_nodes : vertex;
	bool is_end = !hd_is_switch(absent ? edges->plan->fabric : edges->now, node);

	hd_find(chains->differences, absent ? HD_ABSENT : HD_UNPLANNED)->node = node;
	for (uint32_t i = 0; i < n; i++) {
		const struct hd_cable_edge *edge = chains->odd->edges[strange[i].cable];

		if (absent)
			hd_find_planned(chains->differences, edge);
		else
			hd_find_present(chains->differences, edge);
		if (is_to_move(chains, strange[i].cable, absent, is_end))
			hd_find_move(chains->differences, absent ? HD_CONNECT : HD_REMOVE,
				     &edge->pair.ends[0], &edge->pair.ends[1]);
	}
}

static int compare_strange(const void *a, const void *b)
{
	const struct strange *x = a, *y = b;

	if (x->vertex != y->vertex)
		return x->vertex < y->vertex ? -1 : 1;
	return x->cable < y->cable ? -1 : x->cable > y->cable;
}

/* Absent nodes, or those that are not planned. */
static void find_nodes(struct chains *chains, bool absent)
{
	const struct strange *strange = chains->strange;

	for (uint32_t i = 0, n; i < chains->n_strange; i += n) {
		for (n = 1;
		     i + n < chains->n_strange && strange[i + n].vertex == strange[i].vertex;)
			n++;
		if ((strange[i].cable < chains->odd->n_planned) == absent)
			find_node(chains, &strange[i], n);
	}
}

/* Gives each chain to @take, turned. */
static void each_chain(struct chains *chains, void (*take)(struct chains *chains))
{
	const struct hd_odd_cables *odd = chains->odd;

	for (uint32_t tip = 0; tip < 2 * odd->n; tip++) {
		if (chains->is_done[tip / 2] || odd->meets[tip] != HD_NONE)
			continue;
		follow(chains, tip);
		turn(chains);
		take(chains);
	}
}

/*
 * In the order of moves: nodes that are not planned leave the ports to which cables move, and
 * absent ones come to ports that these have left.
 */
static int find_all(struct chains *chains)
{
	uint32_t n = chains->odd->n;

	each_chain(chains, note_strange);
	qsort(chains->strange, chains->n_strange, sizeof(*chains->strange), compare_strange);
	find_nodes(chains, false);
	memset(chains->is_done, 0, n * sizeof(*chains->is_done));
	if (chains->edges->by_ports && find_both_moved(chains))
		return HD_ENOMEM;
	each_chain(chains, find_chain);
	for (uint32_t cable = 0; cable < n; cable++) {
		if (chains->is_done[cable])
			continue;
		follow(chains, 2 * cable);
		find_ring(chains);
	}
	find_nodes(chains, true);
	return 0;
}

int hd_chains_follow(const struct hd_cable_edges *edges, const struct hd_odd_cables *odd,
		     struct hd_differences *differences)
{
	size_t most = odd->n + (size_t)1;
	struct chains chains = {
		.edges = edges,
		.odd = odd,
		.differences = differences,
		.is_done = calloc(most, sizeof(bool)),
		.links = malloc(most * sizeof(struct link)),
		.strange = malloc(most * sizeof(struct strange)),
	};
	int ret = chains.is_done && chains.links && chains.strange ? 0 : HD_ENOMEM;

	if (!ret)
		ret = find_all(&chains);
	free(chains.is_done);
	free(chains.links);
	free(chains.strange);
	return ret;
}
