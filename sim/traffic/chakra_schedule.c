// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The schedule of Chakra traces. A node is an operation; a collective one is many, between a calc
 * that begins it and one that ends it. The k-th operations of a process group, in the order of each
 * file, belong together; its members are the ranks that have it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/model.h"
#include "sim/traffic/chakra.h"
#include "sim/traffic/collective_plan.h"
#include "support/error.h"
#include "support/memory.h"

#define FIRST_TAG  ((uint32_t)1 << 31) /* of messages of collective operations */
#define MOST_OPS   ((uint32_t)1 << 26)
#define MOST_WAITS ((size_t)1 << 28)

/*
 * Processors: of nodes with is_cpu_op, of others, of collective operations, of what takes no time.
 */
enum { HOST, ACCELERATOR, COLLECTIVES, NOTHING };

/* A collective operation of a group. */
struct instance {
	struct hd_collective_plan plan;
	uint32_t n;   /* ranks that have it */
	uint32_t tag; /* of its first message */
	uint8_t operation;
};

struct group {
	uint32_t *members; /* ranks */
	uint32_t n;
	size_t allocated;
	struct instance *instances;
	size_t n_instances, instances_allocated;
	size_t next;   /* of the rank that is at work */
	uint32_t last; /* the rank that was at work last */
};

/* The operations of a node. */
struct place {
	uint64_t id;
	uint32_t begins, ends;
};

struct scheduler {
	const struct hd_chakra *trace;
	const char *file, *algorithm;
	struct hd_goal *goal;
	struct hd_error *err;
	struct group *groups;
	struct place *places; /* of the nodes of a file */
	uint32_t *came;       /* operations after which messages of a lane have come */
	size_t came_allocated;
	uint32_t rank, line;
	bool has_control; /* control dependencies count */
};

void hd_chakra_free(struct hd_chakra *trace)
{
	hd_symbols_free(&trace->groups);
	free(trace->nodes);
	free(trace->waits);
	free(trace->first);
	*trace = (struct hd_chakra){ 0 };
}

static int refuse(const struct scheduler *s, uint32_t rank, uint64_t id, const char *what)
{
	return hd_error_at(s->err, HD_EPARSE, s->file, 0, "rank %u, node %" PRIu64 ": %s", rank, id,
			   what);
}

/* The file of @rank: the only one, or its own. */
static uint32_t file_of(const struct scheduler *s, uint32_t rank)
{
	return s->trace->n_files == 1 ? 0 : rank;
}

/* @rank is a member of @group, and its next operation is the first one. */
static int join(struct scheduler *s, struct group *group, uint32_t rank)
{
	uint32_t *members;

	if (group->n && group->last == rank)
		return 0;
	members = hd_make_room(group->members, group->n, &group->allocated, sizeof(*members));
	if (!members)
		return hd_error_nomem(s->err);
	group->members = members;
	group->members[group->n++] = rank;
	group->last = rank;
	group->next = 0;
	return 0;
}

/* Finds members and operations of groups. */
static int note(struct scheduler *s, uint32_t rank, const struct hd_chakra_node *node)
{
	struct group *group = &s->groups[node->group];
	struct instance *instances, *own;
	int ret = join(s, group, rank);

	if (ret)
		return ret;
	if (group->next == group->n_instances) {
		instances = hd_make_room(group->instances, group->n_instances,
					 &group->instances_allocated, sizeof(*instances));
		if (!instances)
			return hd_error_nomem(s->err);
		group->instances = instances;
		instances[group->n_instances++] = (struct instance){ .plan.bytes = node->size,
								     .plan.window = 1,
								     .operation = node->operation };
	}
	own = &group->instances[group->next++];
	own->n++;
	if (own->operation != node->operation)
		return refuse(s, rank, node->id,
			      "other ranks of its process group do another operation at its place");
	if (node->size > own->plan.bytes)
		own->plan.bytes = node->size;
	return 0;
}

/* Gather and scatter are reduce and broadcast, of parts, directly. */
static int make_plan(struct scheduler *s, struct instance *i, uint32_t n)
{
	static const struct {
		enum hd_collective_operation operation;
		bool parts;
	} of[] = { { HD_ALLREDUCE, false },     { HD_REDUCE, false },
		   { HD_ALLGATHER, false },     { HD_REDUCE, true },
		   { HD_BROADCAST, true },      { HD_BROADCAST, false },
		   { HD_ALLTOALL, false },      { HD_REDUCESCATTER, false },
		   { HD_REDUCESCATTER, false }, { HD_BARRIER, false } };

	i->plan.n = n;
	i->plan.operation = of[i->operation].operation;
	if (of[i->operation].parts) {
		i->plan.chunks = 1;
		i->plan.bytes = (i->plan.bytes + n - 1) / n;
	}
	return hd_collective_plan_algorithm(
		&i->plan, of[i->operation].parts ? "direct" : s->algorithm, s->err);
}

/* Gives messages of collective operations their tags. */
static int plan(struct scheduler *s)
{
	uint64_t tag = FIRST_TAG;

	for (uint32_t g = 0; g < s->trace->groups.n_symbols; g++) {
		struct group *group = &s->groups[g];

		for (size_t k = 0; k < group->n_instances && group->n > 1; k++) {
			struct instance *i = &group->instances[k];
			uint32_t most = 0;
			int ret;

			if (i->n < group->n)
				return hd_error_at(
					s->err, HD_EPARSE, s->file, 0,
					"only %u of the %u ranks of a process group have "
					"its collective operation %zu",
					i->n, group->n, k + 1);
			ret = make_plan(s, i, group->n);
			if (ret)
				return ret;
			for (uint32_t m = 0; m < group->n; m++)
				for (unsigned l = 0; l < hd_collective_lanes(&i->plan); l++) {
					uint32_t sends, receives;

					hd_collective_count(&i->plan, m, l, &sends, &receives);
					most = receives > most ? receives : most;
				}
			i->tag = (uint32_t)tag;
			tag += (uint64_t)most * hd_collective_lanes(&i->plan);
			if (tag >= HD_GOAL_ANY)
				return hd_error_at(s->err, HD_EPARSE, s->file, 0,
						   "too many messages of collective operations");
		}
	}
	return 0;
}

static int add(struct scheduler *s, enum hd_goal_type type, uint64_t size, uint32_t peer,
	       uint32_t tag, unsigned cpu, uint32_t *op)
{
	const struct hd_goal_op new = { .size = size,
					.peer = peer,
					.tag = tag,
					.rank = s->rank,
					.line = s->line,
					.type = (uint8_t)type,
					.cpu = (uint8_t)cpu };

	*op = s->goal->n;
	if (*op == MOST_OPS)
		return hd_error_at(s->err, HD_ERANGE, s->file, 0, "more than 2^26 operations");
	return hd_goal_add(s->goal, &new, s->err);
}

static int wait_for(struct scheduler *s, uint32_t op, uint32_t on)
{
	/* no HD_EPARSE: hd_chakra_schedule() would leave out control dependencies for that */
	if (s->goal->n_waits == MOST_WAITS)
		return hd_error_at(s->err, HD_ERANGE, s->file, 0,
				   "more than 2^28 dependencies of operations");
	return hd_goal_wait(s->goal, op, on, false, s->err);
}

/* Receives of a lane; came[j] ends when its messages 0 to j are there. */
static int add_receives(struct scheduler *s, const struct instance *i, unsigned lane, uint32_t n,
			uint32_t begins, uint32_t *came)
{
	const unsigned lanes = hd_collective_lanes(&i->plan);
	int ret = 0;

	for (uint32_t j = 0; j < n && !ret; j++) {
		uint32_t receive;

		ret = add(s, HD_GOAL_RECV, 0, HD_GOAL_ANY, i->tag + j * lanes + lane, COLLECTIVES,
			  &receive);
		if (!ret)
			ret = wait_for(s, receive, begins);
		came[j] = receive;
		if (ret || !j)
			continue;
		ret = add(s, HD_GOAL_CALC, 0, 0, 0, NOTHING, &came[j]);
		if (!ret)
			ret = wait_for(s, came[j], receive);
		if (!ret)
			ret = wait_for(s, came[j], came[j - 1]);
	}
	return ret;
}

static int add_sends(struct scheduler *s, const struct group *group, const struct instance *i,
		     uint32_t member, unsigned lane, uint32_t n, uint32_t *const *came,
		     uint32_t *last)
{
	const unsigned lanes = hd_collective_lanes(&i->plan);
	int ret = 0;

	for (uint32_t k = 0; k < n && !ret; k++) {
		const struct hd_collective_send send =
			hd_collective_send(&i->plan, member, lane, k);
		uint32_t op;

		ret = add(s, HD_GOAL_SEND, hd_collective_bytes(&i->plan, &send),
			  group->members[send.to], i->tag + send.number * lanes + lane, COLLECTIVES,
			  &op);
		if (!ret)
			ret = wait_for(s, op, *last);
		if (!ret && send.needs)
			ret = wait_for(s, op, came[send.on][send.needs - 1]);
		*last = op;
	}
	return ret;
}

/* The part of member @member in an operation, between @place->begins and @place->ends. */
static int add_part(struct scheduler *s, const struct group *group, const struct instance *i,
		    uint32_t member, struct place *place)
{
	const unsigned lanes = hd_collective_lanes(&i->plan);
	uint32_t sends[HD_COLLECTIVE_LANES], receives[HD_COLLECTIVE_LANES];
	uint32_t *came[HD_COLLECTIVE_LANES], last[HD_COLLECTIVE_LANES];
	size_t n = 1;
	int ret = 0;

	for (unsigned l = 0; l < lanes; l++) {
		hd_collective_count(&i->plan, member, l, &sends[l], &receives[l]);
		n += receives[l];
	}
	if (n > s->came_allocated) {
		free(s->came);
		s->came = malloc(n * sizeof(*s->came));
		s->came_allocated = s->came ? n : 0;
		if (!s->came)
			return hd_error_nomem(s->err);
	}
	n = 0;
	for (unsigned l = 0; l < lanes && !ret; l++) {
		came[l] = s->came + n;
		n += receives[l];
		ret = add_receives(s, i, l, receives[l], place->begins, came[l]);
	}
	for (unsigned l = 0; l < lanes && !ret; l++) {
		last[l] = place->begins;
		ret = add_sends(s, group, i, member, l, sends[l], came, &last[l]);
	}
	if (!ret)
		ret = add(s, HD_GOAL_CALC, 0, 0, 0, NOTHING, &place->ends);
	for (unsigned l = 0; l < lanes && !ret; l++) {
		ret = wait_for(s, place->ends, last[l]);
		if (!ret && receives[l])
			ret = wait_for(s, place->ends, came[l][receives[l] - 1]);
	}
	return ret;
}

static int add_collective(struct scheduler *s, const struct hd_chakra_node *node,
			  struct place *place)
{
	struct group *group = &s->groups[node->group];
	uint32_t low = 0, high = group->n;
	int ret = add(s, HD_GOAL_CALC, 0, 0, 0, NOTHING, &place->begins);

	if (group->last != s->rank) {
		group->last = s->rank;
		group->next = 0;
	}
	place->ends = place->begins;
	if (ret || group->n < 2)
		return ret;
	while (high - low > 1) {
		const uint32_t middle = (low + high) / 2;

		if (group->members[middle] <= s->rank)
			low = middle;
		else
			high = middle;
	}
	return add_part(s, group, &group->instances[group->next++], low, place);
}

static int add_node(struct scheduler *s, const struct hd_chakra_node *node, struct place *place)
{
	int ret;

	place->id = node->id;
	if (node->type == HD_CHAKRA_COLLECTIVE)
		return add_collective(s, node, place);
	if ((node->type == HD_CHAKRA_SEND || node->type == HD_CHAKRA_RECEIVE) &&
	    node->peer >= s->goal->n_ranks)
		return refuse(s, s->rank, node->id, "its peer is no rank: there is no such file");
	if (node->type == HD_CHAKRA_SEND)
		ret = add(s, HD_GOAL_SEND, node->size, node->peer, node->tag, HOST, &place->begins);
	else if (node->type == HD_CHAKRA_RECEIVE)
		ret = add(s, HD_GOAL_RECV, node->size, node->peer, node->tag, HOST, &place->begins);
	else
		ret = add(s, HD_GOAL_CALC, node->size, 0, 0,
			  !node->size    ? NOTHING
			  : node->is_cpu ? HOST
					 : ACCELERATOR,
			  &place->begins);
	place->ends = place->begins;
	return ret;
}

static int compare_places(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	return (a->id > b->id) - (a->id < b->id);
}

static int compare_id(const void *id, const void *other)
{
	const uint64_t a = *(const uint64_t *)id, b = ((const struct place *)other)->id;

	return (a > b) - (a < b);
}

/* The waits of the nodes of @file, whose places are sorted. */
static int add_waits(struct scheduler *s, uint32_t file, size_t n)
{
	const struct hd_chakra *trace = s->trace;
	int ret;

	for (size_t i = 1; i < n; i++)
		if (s->places[i].id == s->places[i - 1].id)
			return refuse(s, s->rank, s->places[i].id, "it is there twice");
	for (size_t i = trace->first[file]; i < trace->first[file + 1]; i++) {
		const struct hd_chakra_node *node = &trace->nodes[i];
		const struct place *own =
			bsearch(&node->id, s->places, n, sizeof(*own), compare_id);

		for (size_t j = node->first + (s->has_control ? 0 : node->n_control);
		     j < node->first + node->n; j++) {
			const struct place *on =
				bsearch(&trace->waits[j], s->places, n, sizeof(*on), compare_id);

			/* traces are parts of runs: they wait for nodes before their beginning */
			if (!on)
				continue;
			ret = wait_for(s, own->begins, on->ends);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int add_rank(struct scheduler *s, uint32_t rank)
{
	const uint32_t file = file_of(s, rank);
	const size_t first = s->trace->first[file], n = s->trace->first[file + 1] - first;
	int ret = 0;

	s->rank = rank;
	for (size_t i = 0; i < n && !ret; i++) {
		s->line = (uint32_t)(i + 1);
		ret = add_node(s, &s->trace->nodes[first + i], &s->places[i]);
	}
	if (ret)
		return ret;
	qsort(s->places, n, sizeof(*s->places), compare_places);
	return add_waits(s, file, n);
}

static int make(struct scheduler *s)
{
	const struct hd_chakra *trace = s->trace;
	int ret = 0;

	s->groups = calloc(trace->groups.n_symbols + (size_t)1, sizeof(*s->groups));
	s->places = malloc((trace->n + 1) * sizeof(*s->places));
	if (!s->groups || !s->places)
		return hd_error_nomem(s->err);
	for (uint32_t rank = 0; rank < s->goal->n_ranks && !ret; rank++) {
		const uint32_t file = file_of(s, rank);

		for (size_t i = trace->first[file]; i < trace->first[file + 1] && !ret; i++)
			if (trace->nodes[i].type == HD_CHAKRA_COLLECTIVE)
				ret = note(s, rank, &trace->nodes[i]);
	}
	for (uint32_t g = 0; g < trace->groups.n_symbols; g++)
		s->groups[g].last = HD_NONE;
	if (!ret)
		ret = plan(s);
	for (uint32_t rank = 0; rank < s->goal->n_ranks && !ret; rank++)
		ret = add_rank(s, rank);
	return ret ? ret : hd_goal_done(s->goal, s->file, s->err);
}

static int schedule(const struct hd_chakra *trace, const char *file, uint32_t n_ranks,
		    const char *algorithm, bool has_control, struct hd_goal *goal,
		    struct hd_error *err)
{
	struct scheduler s = { .trace = trace,
			       .file = file,
			       .algorithm = algorithm,
			       .goal = goal,
			       .err = err,
			       .has_control = has_control };
	int ret = hd_goal_init(goal, trace->n_files == 1 ? n_ranks : trace->n_files, err);

	if (!ret)
		ret = make(&s);
	for (uint32_t g = 0; s.groups && g < trace->groups.n_symbols; g++) {
		free(s.groups[g].members);
		free(s.groups[g].instances);
	}
	free(s.groups);
	free(s.places);
	free(s.came);
	return ret;
}

int hd_chakra_schedule(const struct hd_chakra *trace, const char *file, uint32_t n_ranks,
		       const char *algorithm, struct hd_goal *goal, struct hd_error *err)
{
	struct hd_error first = { 0 };
	int ret = schedule(trace, file, n_ranks, algorithm, true, goal, &first);

	/* those of PyTorch are which call is within which, and loops with the others */
	if (ret == HD_EPARSE) {
		hd_goal_free(goal);
		return schedule(trace, file, n_ranks, algorithm, false, goal, err);
	}
	if (ret && err)
		*err = first;
	return ret;
}
