// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * GOAL in LogGOPSim's binary form, in little endian: a cookie of 8 bytes, from whose end offsets
 * count; the number of ranks, the largest cpu and nic; for each rank where it begins and ends. A
 * rank has the number of its nodes and of those that wait for none; these; its nodes; numbers of
 * nodes that nodes refer to.
 */
#include <endian.h>
#include <inttypes.h>
#include <string.h>

#include "sim/traffic/goal.h"
#include "support/error.h"

#define COOKIE 4223
#define OFFSET 8 /* of offsets */
#define HEADER (OFFSET + 6)
#define NODE   39

/* A node's bytes. */
enum {
	DEPENDENCIES = 0,
	TYPE = 4,
	PEER = 5,
	SIZE = 9,
	TAG = 17,
	CPU = 21,
	NIC = 22,
	DEPENDENTS = 23,
	FIRST_DEPENDENT = 27,
	STARTS = 31,
	FIRST_START = 35,
};

static uint64_t load64(const char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

static uint32_t load32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

bool hd_goal_is_binary(const char *data, size_t size)
{
	return size >= 8 && load64(data) == COOKIE;
}

/* A rank's bytes. */
struct part {
	const char *file, *nodes, *appendix;
	uint32_t rank, n_nodes;
	uint64_t n_appendix;
	struct hd_error *err;
};

static int refuse(const struct part *part, const char *what)
{
	return hd_error_at(part->err, HD_EPARSE, part->file, 0, "rank %u: %s", part->rank, what);
}

/* Finds the parts of a rank between @begin and @end of @data. */
static int divide(struct part *part, const char *data, uint64_t begin, uint64_t end)
{
	uint64_t left = end - begin, n_roots;

	if (left < 8)
		return refuse(part, "it is cut off");
	part->n_nodes = load32(data + begin);
	n_roots = load32(data + begin + 4);
	left -= 8;
	if (n_roots > left / 4)
		return refuse(part, "it is cut off within the operations that wait for none");
	left -= 4 * n_roots;
	if (part->n_nodes > left / NODE)
		return refuse(part, "it is cut off within its operations");
	left -= (uint64_t)NODE * part->n_nodes;
	part->nodes = data + begin + 8 + 4 * n_roots;
	part->appendix = part->nodes + (uint64_t)NODE * part->n_nodes;
	part->n_appendix = left / 4;
	return 0;
}

/* The @n operations from @first of the appendix wait for @on, of the numbers from @base. */
static int add_waits(const struct part *part, struct hd_goal *goal, uint32_t base, uint32_t on,
		     uint32_t first, uint32_t n, bool for_start)
{
	if (!n)
		return 0;
	if (first > part->n_appendix || n > part->n_appendix - first)
		return refuse(part, "an operation refers to what is beyond its end");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t op = load32(part->appendix + 4 * ((uint64_t)first + i));
		int ret;

		if (op >= part->n_nodes)
			return refuse(part, "an operation that waits is not there");
		ret = hd_goal_wait(goal, base + op, base + on, for_start, part->err);
		if (ret)
			return ret;
	}
	return 0;
}

static int read_nodes(const struct part *part, struct hd_goal *goal)
{
	const uint32_t base = goal->n;
	int ret = 0;

	for (uint32_t i = 0; i < part->n_nodes && !ret; i++) {
		const char *node = part->nodes + (uint64_t)NODE * i;
		const struct hd_goal_op op = {
			.size = load64(node + SIZE),
			.peer = load32(node + PEER),
			.tag = load32(node + TAG),
			.rank = part->rank,
			.line = i + 1,
			.type = (uint8_t)node[TYPE],
			.cpu = (uint8_t)node[CPU],
			.nic = (uint8_t)node[NIC],
		};

		if (op.type < HD_GOAL_SEND || op.type > HD_GOAL_CALC)
			return refuse(part, "an operation is none of send, recv, calc");
		if (op.cpu == UINT8_MAX || op.nic == UINT8_MAX)
			return refuse(part, "an operation has cpu or nic 255");
		ret = hd_goal_add(goal, &op, part->err);
	}
	for (uint32_t i = 0; i < part->n_nodes && !ret; i++) {
		const char *node = part->nodes + (uint64_t)NODE * i;

		ret = add_waits(part, goal, base, i, load32(node + FIRST_DEPENDENT),
				load32(node + DEPENDENTS), false);
		if (!ret)
			ret = add_waits(part, goal, base, i, load32(node + FIRST_START),
					load32(node + STARTS), true);
	}
	return ret;
}

/* What nodes say of how many they wait for is true. */
static int check_counts(const struct part *part, const struct hd_goal *goal)
{
	for (uint32_t i = 0; i < part->n_nodes; i++)
		if (load32(part->nodes + (uint64_t)NODE * i + DEPENDENCIES) !=
		    goal->n_on[goal->first[part->rank] + i])
			return refuse(part, "an operation waits for more or fewer others than it "
					    "says");
	return 0;
}

static int find_part(const char *file, const char *data, size_t size, uint32_t rank,
		     struct part *part, struct hd_error *err)
{
	const char *entry = data + HEADER + 16 * (uint64_t)rank;
	const uint64_t begin = load64(entry), end = load64(entry + 8);

	*part = (struct part){ .file = file, .rank = rank, .err = err };
	if (begin > end || end > size - OFFSET)
		return refuse(part, "it is beyond the end of the file");
	return divide(part, data + OFFSET, begin, end);
}

int hd_goal_parse_binary(const char *file, const char *data, size_t size, uint32_t most,
			 struct hd_goal *goal, struct hd_error *err)
{
	struct part part;
	uint32_t n;
	int ret = 0;

	*goal = (struct hd_goal){ 0 };
	if (!hd_goal_is_binary(data, size))
		return hd_error_at(err, HD_EPARSE, file, 0, "it does not begin with the number %u",
				   COOKIE);
	if (size > HD_GOAL_FILE_MAX)
		return hd_error_at(err, HD_EPARSE, file, 0, "more than 1 GiB");
	n = size < HEADER ? 0 : load32(data + OFFSET);
	if (size < HEADER || n > (size - HEADER) / 16)
		return hd_error_at(err, HD_EPARSE, file, 0, "it is cut off before its ranks");
	if (!n)
		return hd_error_at(err, HD_EPARSE, file, 0, "there are no ranks");
	if (n > most)
		return hd_error_at(err, HD_EPARSE, file, 0, "there are %u ranks, but room for %u",
				   n, most);
	ret = hd_goal_init(goal, n, err);
	for (uint32_t rank = 0; rank < n && !ret; rank++) {
		ret = find_part(file, data, size, rank, &part, err);
		/* parts that overlap would make many operations of few bytes */
		if (!ret && (uint64_t)goal->n + part.n_nodes > size / NODE)
			ret = refuse(&part, "it shares bytes with others");
		if (!ret)
			ret = read_nodes(&part, goal);
		if (!ret && goal->n_waits > size / 4)
			ret = refuse(&part, "operations share what they refer to");
	}
	if (!ret)
		ret = hd_goal_done(goal, file, err);
	for (uint32_t rank = 0; rank < n && !ret; rank++) {
		ret = find_part(file, data, size, rank, &part, err);
		if (!ret)
			ret = check_counts(&part, goal);
	}
	return ret;
}

static void put8(FILE *file, uint8_t value)
{
	fputc(value, file);
}

static void put32(FILE *file, uint32_t value)
{
	value = htole32(value);
	fwrite(&value, sizeof(value), 1, file);
}

static void put64(FILE *file, uint64_t value)
{
	value = htole64(value);
	fwrite(&value, sizeof(value), 1, file);
}

/* Waits for the end of @op, or for its start. */
static uint32_t count_waits(const struct hd_goal *goal, uint32_t op, bool for_start)
{
	uint32_t n = 0;

	for (size_t i = goal->first_wait[op]; i < goal->first_wait[op + 1]; i++)
		n += !(goal->waits[i].op & HD_GOAL_START) == !for_start;
	return n;
}

static void put_waits(const struct hd_goal *goal, uint32_t op, uint32_t first, bool for_start,
		      FILE *file)
{
	for (size_t i = goal->first_wait[op]; i < goal->first_wait[op + 1]; i++)
		if (!(goal->waits[i].op & HD_GOAL_START) == !for_start)
			put32(file, (goal->waits[i].op & ~HD_GOAL_START) - first);
}

static uint32_t count_roots(const struct hd_goal *goal, uint32_t rank)
{
	uint32_t n = 0;

	for (uint32_t i = goal->first[rank]; i < goal->end[rank]; i++)
		n += !goal->n_on[i];
	return n;
}

static void write_rank(const struct hd_goal *goal, uint32_t rank, FILE *file)
{
	const uint32_t first = goal->first[rank], end = goal->end[rank];
	uint32_t at = 0; /* in the appendix */

	put32(file, end - first);
	put32(file, count_roots(goal, rank));
	for (uint32_t i = first; i < end; i++)
		if (!goal->n_on[i])
			put32(file, i - first);
	for (uint32_t i = first; i < end; i++) {
		const struct hd_goal_op *op = &goal->ops[i];
		const uint32_t dependents = count_waits(goal, i, false);
		const uint32_t starts = count_waits(goal, i, true);

		put32(file, goal->n_on[i]);
		put8(file, op->type);
		put32(file, op->peer);
		put64(file, op->size);
		put32(file, op->tag);
		put8(file, op->cpu);
		put8(file, op->nic);
		put32(file, dependents);
		put32(file, at);
		at += dependents;
		put32(file, starts);
		put32(file, at);
		at += starts;
	}
	for (uint32_t i = first; i < end; i++) {
		put_waits(goal, i, first, false, file);
		put_waits(goal, i, first, true, file);
	}
}

void hd_goal_write_binary(const struct hd_goal *goal, FILE *file)
{
	uint64_t at = HEADER - OFFSET + 16 * (uint64_t)goal->n_ranks;
	uint8_t cpu = 0, nic = 0;

	for (uint32_t i = 0; i < goal->n; i++) {
		cpu = goal->ops[i].cpu > cpu ? goal->ops[i].cpu : cpu;
		nic = goal->ops[i].nic > nic ? goal->ops[i].nic : nic;
	}
	put64(file, COOKIE);
	put32(file, goal->n_ranks);
	put8(file, cpu);
	put8(file, nic);
	for (uint32_t rank = 0; rank < goal->n_ranks; rank++) {
		const uint32_t first = goal->first[rank], end = goal->end[rank];
		const uint64_t n_waits = end ? goal->first_wait[end] - goal->first_wait[first] : 0;

		put64(file, at);
		at += 8 + 4 * (uint64_t)count_roots(goal, rank) + NODE * (uint64_t)(end - first) +
		      4 * n_waits;
		put64(file, at);
	}
	for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
		write_rank(goal, rank, file);
}
