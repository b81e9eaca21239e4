// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/shape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "support/options.h"
#include "support/text.h"

int hd_shape_begin(struct hd_shape *shape, uint64_t n_switches, uint64_t n_hosts,
		   uint64_t switch_ports, struct hd_error *err)
{
	*shape = (struct hd_shape){ .err = err };
	if (switch_ports > HD_MAX_PORTS)
		return hd_error_set(err, HD_ERANGE,
				    "%" PRIu64 " ports on a switch, but a switch has at most %d",
				    switch_ports, HD_MAX_PORTS);
	if (n_switches >= UINT32_MAX || n_hosts >= UINT32_MAX)
		return hd_error_set(err, HD_ERANGE,
				    "more hosts or switches than the %u unicast LIDs", HD_MAX_LID);
	if (n_switches + n_hosts > HD_MAX_LID)
		return hd_error_set(err, HD_ERANGE,
				    "%" PRIu64 " hosts + %" PRIu64 " switches = %" PRIu64
				    " LIDs, but there are %u unicast LIDs",
				    n_hosts, n_switches, n_hosts + n_switches, HD_MAX_LID);
	shape->n_switches = (uint32_t)n_switches;
	shape->builder = hd_builder_new();
	return shape->builder ? 0 : hd_error_nomem(err);
}

void hd_shape_add_switch(struct hd_shape *shape, unsigned n_ports, const char *format, ...)
{
	char name[64];
	struct hd_node_spec spec = {
		.type = HD_SWITCH,
		.guid = HD_SWITCH_GUID + shape->n_added,
		.sysimg_guid = HD_SWITCH_GUID + shape->n_added,
		.n_ports = n_ports,
		.name = name,
	};
	va_list args;
	uint32_t id;

	if (shape->ret)
		return;
	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	shape->ret = hd_builder_add(shape->builder, &spec, &id, shape->err);
	shape->n_added++;
}

static void link_ports(struct hd_shape *shape, uint32_t id, unsigned port, uint32_t peer_id,
		       unsigned peer_port)
{
	const uint32_t ids[] = { id, peer_id };
	const unsigned numbers[] = { port, peer_port };

	if (shape->ret)
		return;
	shape->ret = hd_builder_link(shape->builder, id, port, peer_id, peer_port, shape->err);
	for (int end = 0; end < 2 && !shape->ret; end++) {
		struct hd_port *linked = hd_builder_port(shape->builder, ids[end], numbers[end]);

		linked->width = 4;
		linked->speed = HD_HDR;
	}
}

/* Adds the next end node, @prefix and its number and @suffix; returns its id. */
static uint32_t add_end_node(struct hd_shape *shape, unsigned n_ports, const char *prefix,
			     const char *suffix)
{
	char name[64];
	uint64_t guid = HD_HOST_GUID + (uint64_t)HD_HOST_GUID_STEP * shape->n_hosts;
	struct hd_node_spec spec = {
		.type = HD_CA,
		.guid = guid,
		.sysimg_guid = guid,
		.n_ports = n_ports,
		.name = name,
	};
	uint32_t id = 0;

	if (shape->ret)
		return 0;
	snprintf(name, sizeof(name), "%s%05u%s", prefix, (unsigned)shape->n_hosts, suffix);
	shape->ret = hd_builder_add(shape->builder, &spec, &id, shape->err);
	shape->n_hosts++;
	return id;
}

void hd_shape_add_host(struct hd_shape *shape, uint32_t switch_id, unsigned port)
{
	link_ports(shape, switch_id, port, add_end_node(shape, 1, "H-", ""), 1);
}

uint32_t hd_shape_add_adapter(struct hd_shape *shape, unsigned n_ports)
{
	return add_end_node(shape, n_ports, "H-", "");
}

void hd_shape_add_aggregation(struct hd_shape *shape, uint32_t switch_id, unsigned port)
{
	link_ports(shape, switch_id, port, add_end_node(shape, 1, "A-", " Aggregation Node"), 1);
}

void hd_shape_link(struct hd_shape *shape, uint32_t switch_id, unsigned port, uint32_t peer_id,
		   unsigned peer_port)
{
	link_ports(shape, switch_id, port, peer_id, peer_port);
}

void hd_shape_link_trunk(struct hd_shape *shape, uint32_t switch_id, unsigned port,
			 uint32_t peer_id, unsigned peer_port, unsigned trunk)
{
	for (unsigned i = 0; i < trunk; i++)
		link_ports(shape, switch_id, port + i, peer_id, peer_port + i);
}

int hd_shape_trunk(const struct hd_params *params, uint32_t *trunk, struct hd_error *err)
{
	return hd_shape_number(params, "trunk", 1, HD_MAX_PORTS, trunk, err);
}

int hd_shape_finish(struct hd_shape *shape, struct hd_fabric **fabric)
{
	*fabric = NULL;
	if (shape->ret) {
		hd_builder_free(shape->builder);
		return shape->ret;
	}
	return hd_builder_finish(shape->builder, fabric, shape->err);
}

void hd_shape_add_grid(struct hd_shape *shape, const char *prefix, const uint32_t *sizes,
		       unsigned n_sizes, unsigned n_ports)
{
	uint64_t n = 1;

	for (unsigned d = 0; d < n_sizes; d++)
		n *= sizes[d];
	for (uint64_t i = 0; i < n; i++) {
		char at[8 * HD_MAX_DIMENSIONS] = "";
		int length = 0;
		uint64_t rest = i;

		for (unsigned d = 0; d < n_sizes; d++) {
			length += snprintf(at + length, sizeof(at) - (size_t)length, "%s%0*u",
					   d ? "." : "", hd_shape_digits(sizes[d]),
					   (unsigned)(rest % sizes[d]));
			rest /= sizes[d];
		}
		hd_shape_add_switch(shape, n_ports, "%s%s", prefix, at);
	}
}

uint64_t hd_shape_product(uint64_t x, uint64_t y)
{
	const uint64_t beyond = UINT64_MAX >> 1;

	return y && x > beyond / y ? beyond : x * y;
}

int hd_shape_digits(uint64_t n)
{
	int digits = 1;

	for (uint64_t top = n ? n - 1 : 0; top >= 10; top /= 10)
		digits++;
	return digits;
}

int hd_shape_parse_sizes(const char *text, const char *what, uint32_t min, uint32_t max,
			 uint32_t sizes[HD_MAX_DIMENSIONS], unsigned *n_sizes, struct hd_error *err)
{
	const char *at = text;
	const char *end = text ? text + strlen(text) : NULL;

	*n_sizes = 0;
	if (!text)
		return hd_error_set(err, HD_EINVAL, "%s must be given, such as 4x4", what);
	for (;;) {
		uint64_t size;

		if (*n_sizes == HD_MAX_DIMENSIONS)
			return hd_error_set(err, HD_ERANGE, "%s: '%s' has more than %d dimensions",
					    what, text, HD_MAX_DIMENSIONS);
		if (!hd_scan_number(&at, end, 10, UINT32_MAX, &size))
			return hd_error_set(err, HD_EINVAL, "%s: '%s' is not sizes such as 4x4",
					    what, text);
		if (size < min || size > max)
			return hd_error_set(err, HD_ERANGE,
					    "%s: size %" PRIu64 " in '%s' is not in %u..%u", what,
					    size, text, (unsigned)min, (unsigned)max);
		sizes[(*n_sizes)++] = (uint32_t)size;
		if (at == end)
			return 0;
		if (*at++ != 'x')
			return hd_error_set(err, HD_EINVAL, "%s: '%s' is not sizes such as 4x4",
					    what, text);
	}
}

int hd_shape_number(const struct hd_params *params, const char *key, uint32_t min, uint32_t max,
		    uint32_t *value, struct hd_error *err)
{
	uint64_t number;
	int ret = hd_params_number(params, key, min, max, &number, err);

	if (!ret)
		*value = (uint32_t)number;
	return ret;
}
