// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dragonfly (Kim, Dally, Scott, Abts, 2008): groups of a switches; every switch has p hosts, local
 * links within the group and h global links to other groups. Ports of every switch, in this order:
 * 1 .. p hosts, local ports, h global ports.
 *
 * See docs/topologies.md.
 */
#include "topologies/topology.h"

#include <inttypes.h>
#include <string.h>

#include "support/error.h"
#include "support/options.h"
#include "support/text.h"
#include "topologies/global_links.h"
#include "topologies/shape.h"

enum local_shape {
	FULL,
	HYPERX,
	MESH,
	RING,
};

struct dragonfly_shape {
	uint32_t a, p, h, g;
	struct hd_global_links links;
	enum local_shape local;
	uint32_t width, height; /* of a HyperX or mesh group */
	uint32_t n_local;       /* local ports of a switch */
};

static const struct hd_option options[] = {
	{ "a", NULL, "switches", "switches of a group (default 2h, balanced)" },
	{ "p", NULL, "hosts", "hosts of a switch (default h, balanced)" },
	{ "h", "2", "links", "global links of a switch" },
	{ "g", NULL, "groups",
	  "groups, at most a*h + 1 (the default); fewer make trunked global links" },
	HD_GLOBAL_LINKS_OPTION,
	{ "local", "full", "",
	  "links of a group: full, hyperx:WxH or mesh:WxH (W*H = a), or ring" },
	{ 0 },
};

/* Ports that a mesh takes along a dimension of @size. */
static uint32_t mesh_ports(uint32_t size)
{
	return size < 3 ? size - 1 : 2;
}

static int parse_local(const char *text, struct dragonfly_shape *shape, struct hd_error *err)
{
	const char *at = text, *end = text + strlen(text);
	uint32_t sizes[HD_MAX_DIMENSIONS];
	unsigned n_sizes;
	bool is_mesh;
	int ret;

	if (strcmp(text, "full") == 0) {
		shape->local = FULL;
		shape->n_local = shape->a - 1;
		return 0;
	}
	if (strcmp(text, "ring") == 0) {
		shape->local = RING;
		shape->n_local = shape->a < 3 ? shape->a - 1 : 2;
		return 0;
	}
	is_mesh = hd_scan_word(&at, end, "mesh:");
	if (!is_mesh && !hd_scan_word(&at, end, "hyperx:"))
		return hd_error_set(err, HD_EINVAL,
				    "local: '%s' is not full, hyperx:WxH, mesh:WxH or ring", text);
	ret = hd_shape_parse_sizes(at, "local", 1, HD_MAX_LID, sizes, &n_sizes, err);
	if (ret)
		return ret;
	if (n_sizes != 2 || (uint64_t)sizes[0] * sizes[1] != shape->a)
		return hd_error_set(err, HD_EINVAL, "local: '%s' is not %s:WxH with W*H = a = %u",
				    text, is_mesh ? "mesh" : "hyperx", (unsigned)shape->a);
	shape->local = is_mesh ? MESH : HYPERX;
	shape->width = sizes[0];
	shape->height = sizes[1];
	shape->n_local = is_mesh ? mesh_ports(shape->width) + mesh_ports(shape->height)
				 : shape->width - 1 + shape->height - 1;
	return 0;
}

static int parse(const struct hd_params *params, struct dragonfly_shape *shape,
		 struct hd_error *err)
{
	uint64_t top;
	int ret = hd_shape_number(params, "h", 0, HD_MAX_PORTS, &shape->h, err);

	shape->a = shape->h ? 2 * shape->h : 1;
	shape->p = shape->h;
	if (!ret && hd_params_is_set(params, "a"))
		ret = hd_shape_number(params, "a", 1, HD_MAX_LID, &shape->a, err);
	if (!ret && hd_params_is_set(params, "p"))
		ret = hd_shape_number(params, "p", 0, HD_MAX_PORTS, &shape->p, err);
	if (ret)
		return ret;
	top = (uint64_t)shape->a * shape->h + 1;
	shape->g = (uint32_t)top;
	if (hd_params_is_set(params, "g"))
		ret = hd_shape_number(params, "g", 1, UINT32_MAX, &shape->g, err);
	if (!ret && shape->g > top)
		ret = hd_error_set(err, HD_ERANGE,
				   "g=%u groups, but a*h + 1 = %u*%u + 1 = %" PRIu64
				   " is the most that can be linked to one another",
				   (unsigned)shape->g, (unsigned)shape->a, (unsigned)shape->h, top);
	if (!ret)
		ret = hd_global_links_parse(params, shape->a, shape->h, shape->g, &shape->links,
					    err);
	if (!ret)
		ret = parse_local(hd_params_get(params, "local"), shape, err);
	return ret;
}

/* The local port, from 0, of switch @s of a fully connected set towards @t. */
static uint32_t towards(uint32_t s, uint32_t t)
{
	return t < s ? t : t - 1;
}

static void link_local(struct hd_shape *out, const struct dragonfly_shape *shape, uint32_t group,
		       uint32_t s, uint32_t t, uint32_t port, uint32_t peer_port)
{
	uint32_t base = group * shape->a;

	hd_shape_link(out, base + s, shape->p + 1 + port, base + t, shape->p + 1 + peer_port);
}

/*
 * Links along each dimension: port 0 to the next switch and port 1 from the previous one; of two
 * switches, one port.
 */
static void link_mesh(struct hd_shape *out, const struct dragonfly_shape *shape, uint32_t group,
		      uint32_t s)
{
	const uint32_t w = shape->width, across = mesh_ports(w);

	if (s % w + 1 < w)
		link_local(out, shape, group, s, s + 1, 0, across - 1);
	if (s + w < shape->a)
		link_local(out, shape, group, s, s + w, across,
			   across + mesh_ports(shape->height) - 1);
}

static void link_group(struct hd_shape *out, const struct dragonfly_shape *shape, uint32_t group)
{
	uint32_t a = shape->a, w = shape->width;

	for (uint32_t s = 0; s < a; s++) {
		switch (shape->local) {
		case FULL:
			for (uint32_t t = s + 1; t < a; t++)
				link_local(out, shape, group, s, t, towards(s, t), towards(t, s));
			break;
		case RING: /* port 0 to the next switch, port 1 from the previous one; of two
			      switches, one link */
			if (s + 1 < a)
				link_local(out, shape, group, s, s + 1, 0, a == 2 ? 0 : 1);
			else if (a > 2)
				link_local(out, shape, group, s, 0, 0, 1);
			break;
		case MESH: /* the row first, then the column */
			link_mesh(out, shape, group, s);
			break;
		case HYPERX: /* the row first, then the column */
			for (uint32_t x = s % w + 1; x < w; x++)
				link_local(out, shape, group, s, s / w * w + x, towards(s % w, x),
					   towards(x, s % w));
			for (uint32_t y = s / w + 1; y < shape->height; y++)
				link_local(out, shape, group, s, y * w + s % w,
					   w - 1 + towards(s / w, y), w - 1 + towards(y, s / w));
			break;
		}
	}
}

/* What link_global() needs. */
struct making {
	struct hd_shape *out;
	const struct dragonfly_shape *shape;
};

static void link_global(void *context, uint32_t group, uint32_t j, uint32_t peer_group,
			uint32_t peer_j)
{
	const struct making *making = context;
	const struct dragonfly_shape *shape = making->shape;
	uint32_t first = shape->p + shape->n_local + 1;

	hd_shape_link(making->out, group * shape->a + j / shape->h, first + j % shape->h,
		      peer_group * shape->a + peer_j / shape->h, first + peer_j % shape->h);
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct dragonfly_shape shape = { 0 };
	struct hd_shape out;
	struct making making = { &out, &shape };
	uint64_t n_switches, ports;
	int ret = parse(params, &shape, err);

	if (ret)
		return ret;
	n_switches = (uint64_t)shape.a * shape.g;
	ports = (uint64_t)shape.p + shape.n_local + shape.h;
	ret = hd_shape_begin(&out, n_switches, n_switches * shape.p, ports, err);
	if (ret)
		return ret;
	for (uint32_t group = 0; group < shape.g; group++)
		for (uint32_t s = 0; s < shape.a; s++)
			hd_shape_add_switch(&out, (unsigned)ports, "G%0*uS%0*u",
					    hd_shape_digits(shape.g), (unsigned)group,
					    hd_shape_digits(shape.a), (unsigned)s);
	for (uint32_t i = 0; i < n_switches; i++)
		for (uint32_t port = 1; port <= shape.p; port++)
			hd_shape_add_host(&out, i, port);
	for (uint32_t group = 0; group < shape.g; group++)
		link_group(&out, &shape, group);
	if (!out.ret)
		out.ret = hd_global_links_lay(&shape.links, link_global, &making, err);
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_dragonfly = {
	.policy.name = "dragonfly",
	.policy.summary = "groups of switches; links join every two groups",
	.example = "dragonfly:a=4,p=2,h=2",
	.policy.options = options,
	.build = build,
};
