// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/chakra.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/chakra.pb-c.h"
#include "support/error.h"
#include "support/memory.h"

#define MOST_MESSAGE ((size_t)16 << 20) /* bytes of a node */
#define MOST_MICROS  (HD_GOAL_TIME / 1000)
#define MOST_TAG     ((uint64_t)INT32_MAX)
#define MOST_PEER    ((uint64_t)INT32_MAX)
#define OPERATIONS   10

struct reader {
	const char *file;
	struct hd_chakra *trace;
	const HdChakra__Node *from;
	struct hd_error *err;
};

static int refuse(const struct reader *r, const char *what)
{
	return hd_error_at(r->err, HD_EPARSE, r->file, 0, "node %" PRIu64 ": %s", r->from->id,
			   what);
}

static bool from_real(double value, uint64_t *number)
{
	*number = value >= 0 && value < 0x1p63 ? (uint64_t)value : 0;
	return (double)*number == value;
}

static bool from_signed(int64_t value, uint64_t *number)
{
	*number = (uint64_t)value;
	return value >= 0;
}

/* The number that an attribute is, whatever type its writer gave it. */
static bool number_of(const HdChakra__Attribute *a, uint64_t *number)
{
	switch (a->value_case) {
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_DOUBLE:
		return from_real(a->as_double, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_FLOAT:
		return from_real((double)a->as_float, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_INT32:
		return from_signed(a->as_int32, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_INT64:
		return from_signed(a->as_int64, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_SINT32:
		return from_signed(a->as_sint32, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_SINT64:
		return from_signed(a->as_sint64, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_SFIXED32:
		return from_signed(a->as_sfixed32, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_SFIXED64:
		return from_signed(a->as_sfixed64, number);
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_UINT32:
		*number = a->as_uint32;
		return true;
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_UINT64:
		*number = a->as_uint64;
		return true;
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_FIXED32:
		*number = a->as_fixed32;
		return true;
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_FIXED64:
		*number = a->as_fixed64;
		return true;
	case HD_CHAKRA__ATTRIBUTE__VALUE_AS_BOOL:
		*number = a->as_bool;
		return true;
	default:
		return false;
	}
}

/* The last attribute @name; NULL: there is none. */
static const HdChakra__Attribute *find(const HdChakra__Node *node, const char *name)
{
	for (size_t i = node->n_attr; i-- > 0;)
		if (strcmp(node->attr[i]->name, name) == 0)
			return node->attr[i];
	return NULL;
}

/*
 * The number of attribute @name, in 0 .. @max; @fallback where it is missing, unless that is more.
 */
static int read_number(const struct reader *r, const char *name, uint64_t max, uint64_t fallback,
		       uint64_t *value)
{
	const HdChakra__Attribute *a = find(r->from, name);

	*value = fallback;
	if (!a && fallback <= max)
		return 0;
	if (a && number_of(a, value) && *value <= max)
		return 0;
	return hd_error_at(r->err, HD_EPARSE, r->file, 0,
			   a ? "node %" PRIu64 ": attribute %s is no number up to %" PRIu64
			     : "node %" PRIu64 ": attribute %s, a number up to %" PRIu64
			       ", is missing",
			   r->from->id, name, max);
}

/* The number of the process group; "" without one. */
static int read_group(const struct reader *r, uint32_t *group)
{
	const HdChakra__Attribute *a = find(r->from, "pg_name");
	const char *name = "";

	if (a && a->value_case == HD_CHAKRA__ATTRIBUTE__VALUE_AS_STRING)
		name = a->as_string;
	*group = hd_symbols_intern(&r->trace->groups, name, strlen(name) + 1);
	return *group == UINT32_MAX ? hd_error_nomem(r->err) : 0;
}

static int read_message(const struct reader *r, struct hd_chakra_node *node)
{
	const bool is_send = node->type == HD_CHAKRA_SEND;
	uint64_t peer = 0, tag = 0;
	int ret = read_number(r, "comm_size", HD_GOAL_BYTES, UINT64_MAX, &node->size);

	if (!ret)
		ret = read_number(r, is_send ? "comm_dst" : "comm_src", MOST_PEER, UINT64_MAX,
				  &peer);
	if (!ret)
		ret = read_number(r, "comm_tag", MOST_TAG, 0, &tag);
	node->peer = (uint32_t)peer;
	node->tag = (uint32_t)tag;
	return ret;
}

static int read_collective(const struct reader *r, struct hd_chakra_node *node)
{
	uint64_t operation = 0;
	int ret = read_number(r, "comm_type", OPERATIONS - 1, UINT64_MAX, &operation);

	node->operation = (uint8_t)operation;
	if (!ret)
		ret = read_number(r, "comm_size", HD_GOAL_BYTES,
				  operation == OPERATIONS - 1 ? 0 : UINT64_MAX, &node->size);
	return ret ? ret : read_group(r, &node->group);
}

static int add_waits(const struct reader *r, const uint64_t *ids, size_t n)
{
	struct hd_chakra *trace = r->trace;

	for (size_t i = 0; i < n; i++) {
		uint64_t *waits = hd_make_room(trace->waits, trace->n_waits,
					       &trace->waits_allocated, sizeof(*waits));

		if (!waits)
			return hd_error_nomem(r->err);
		trace->waits = waits;
		waits[trace->n_waits++] = ids[i];
	}
	return 0;
}

static int read_node(const struct reader *r)
{
	struct hd_chakra *trace = r->trace;
	struct hd_chakra_node node = { .id = r->from->id, .first = trace->n_waits };
	struct hd_chakra_node *nodes;
	uint64_t is_cpu;
	int ret;

	if (r->from->type < 0 || r->from->type >= HD_CHAKRA_TYPES)
		return refuse(r, "its type is none that there is");
	node.type = (uint8_t)r->from->type;
	ret = read_number(r, "is_cpu_op", 1, 0, &is_cpu);
	node.is_cpu = is_cpu;
	/* the call of an operation, which only takes the processor's time */
	if (node.is_cpu && node.type == HD_CHAKRA_COLLECTIVE && !find(r->from, "comm_type"))
		node.type = HD_CHAKRA_COMPUTE;
	if (!ret && node.type == HD_CHAKRA_COLLECTIVE) {
		ret = read_collective(r, &node);
	} else if (!ret && (node.type == HD_CHAKRA_SEND || node.type == HD_CHAKRA_RECEIVE)) {
		ret = read_message(r, &node);
	} else if (!ret && node.type >= HD_CHAKRA_LOAD) {
		if (r->from->duration_micros > MOST_MICROS)
			ret = refuse(r, "its duration is too long");
		node.size = r->from->duration_micros * 1000;
	}
	if (!ret)
		ret = add_waits(r, r->from->ctrl_deps, r->from->n_ctrl_deps);
	node.n_control = trace->n_waits - node.first;
	if (!ret)
		ret = add_waits(r, r->from->data_deps, r->from->n_data_deps);
	if (ret)
		return ret;
	node.n = trace->n_waits - node.first;
	nodes = hd_make_room(trace->nodes, trace->n, &trace->allocated, sizeof(*nodes));
	if (!nodes)
		return hd_error_nomem(r->err);
	trace->nodes = nodes;
	nodes[trace->n++] = node;
	return 0;
}

/* The length before the next message; false: it is none, or goes beyond the end. */
static bool read_length(const uint8_t **at, const uint8_t *end, size_t *length)
{
	*length = 0;
	for (unsigned shift = 0; shift < 35 && *at < end; shift += 7) {
		const uint8_t byte = *(*at)++;

		*length |= (size_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return *length <= (size_t)(end - *at);
	}
	return false;
}

int hd_chakra_parse(const char *file, const char *data, size_t size, struct hd_chakra *trace,
		    struct hd_error *err)
{
	const uint8_t *at = (const uint8_t *)data, *end = at + size;
	struct reader r = { .file = file, .trace = trace, .err = err };
	size_t *first = realloc(trace->first, (trace->n_files + (size_t)2) * sizeof(*first));
	bool is_first = true;
	int ret = 0;

	if (!first)
		return hd_error_nomem(err);
	trace->first = first;
	first[trace->n_files] = trace->n;
	while (at < end && !ret) {
		HdChakra__Node *node;
		size_t length;

		if (!read_length(&at, end, &length))
			return hd_error_at(err, HD_EPARSE, file, 0,
					   "it is cut off, or no Chakra trace");
		if (length > MOST_MESSAGE)
			return hd_error_at(err, HD_EPARSE, file, 0, "a node has more than 16 MiB");
		at += length;
		if (is_first) { /* about the file */
			is_first = false;
			continue;
		}
		node = hd_chakra__node__unpack(NULL, length, at - length);
		if (!node)
			return hd_error_at(
				err, HD_EPARSE, file, 0, "what follows node %" PRIu64 " is no node",
				trace->n > first[trace->n_files] ? trace->nodes[trace->n - 1].id
								 : 0);
		r.from = node;
		ret = read_node(&r);
		hd_chakra__node__free_unpacked(node, NULL);
	}
	if (!ret && is_first)
		ret = hd_error_at(err, HD_EPARSE, file, 0, "it is empty");
	if (!ret)
		first[++trace->n_files] = trace->n;
	return ret;
}
