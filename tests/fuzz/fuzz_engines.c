// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any small fabric, and any engine: the engine refuses it, or gives tables that hd_check() finds
 * sound - of minhop, that every LID is reached - and, asked again with one of AGAIN inputs, gives
 * the same tables.
 *
 * The first byte chooses a shape (0: none), the second the LMC and the engine, and then, two bytes
 * at a time: with no shape, switches to link; with one, links to take out, or two links to exchange
 * ends of.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "engines/engine.h"
#include "fabric/builder.h"
#include "fabric/lids.h"
#include "support/error.h"
#include "topologies/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const shapes[] = {
	"dragonfly:a=3,p=1,h=1",
	"dragonfly:a=2,p=2,h=1",
	"dragonfly:a=4,p=1,h=2,g=5",
	"dragonfly:a=4,p=1,h=1,g=2",
	"kns:k=4,n=2",
	"kns:k=3,n=2",
	"torus:4x4",
	"torus:5x3",
	"torus:3x3x3",
	"torus:6",
	"mesh:3x4",
	"hyperx:3x3",
	"tree:k=2,n=3",
};
#define N_SHAPES (sizeof(shapes) / sizeof(shapes[0]))
#define PORTS    24
#define N_LMCS   3
#define AGAIN    8

/* Up to 12 switches with up to 3 hosts each, linked as the bytes say, trunks and loops included. */
static struct hd_builder *from_nothing(const uint8_t *data, size_t size)
{
	struct hd_builder *builder = hd_builder_new();
	unsigned n = size ? 1 + data[0] % 12 : 1, next[12] = { 0 };
	uint32_t id;

	if (!builder)
		abort();
	for (unsigned s = 0; s < n; s++) {
		const struct hd_node_spec spec = { .type = HD_SWITCH,
						   .guid = 0x100 + s,
						   .n_ports = PORTS };

		hd_builder_add(builder, &spec, &id, NULL);
	}
	for (unsigned s = 0; s < n; s++)
		for (unsigned h = 0; h < (size > 1 ? (data[1] >> (s % 4 * 2)) % 4u : 1); h++) {
			const struct hd_node_spec spec = { .type = HD_CA,
							   .guid = 0x10000 + 0x10 * s + h,
							   .n_ports = 1 };

			hd_builder_add(builder, &spec, &id, NULL);
			hd_builder_link(builder, s, ++next[s], id, 1, NULL);
		}
	for (size_t i = 2; i + 1 < size; i += 2) {
		unsigned a = data[i] % n, b = data[i + 1] % n;

		if (next[a] + 1 + (a == b) > PORTS || next[b] + 1 > PORTS)
			continue;
		next[a]++;
		next[b]++;
		hd_builder_link(builder, a, next[a] - (a == b), b, next[b], NULL);
	}
	return builder;
}

static uint32_t list_links(const struct hd_fabric *fabric, uint32_t *links)
{
	uint32_t n = 0;

	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && peer > p && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node))
			links[n++] = p;
	}
	return n;
}

/* A perfect shape with links taken out, or their ends exchanged. */
static struct hd_builder *from_shape(const char *spec, const uint8_t *data, size_t size)
{
	struct hd_builder *builder;
	struct hd_fabric *fabric;
	uint32_t *links, n;
	bool *without;

	if (hd_topology_build(spec, &fabric, NULL))
		abort();
	links = malloc(fabric->n_ports * sizeof(*links));
	without = calloc(fabric->n_ports, sizeof(*without));
	if (!links || !without)
		abort();
	n = list_links(fabric, links);
	for (size_t i = 0; i + 1 < size; i += 2)
		without[links[data[i] % n]] = without[links[data[i + 1] % 128 % n]] = true;
	if (hd_builder_copy(fabric, NULL, without, &builder, NULL))
		abort();
	for (size_t i = 0; i + 1 < size; i += 2) {
		const struct hd_port *a = &fabric->ports[links[data[i] % n]];
		const struct hd_port *b = &fabric->ports[links[data[i + 1] % 128 % n]];

		/* a port that is linked already keeps its link */
		if (data[i + 1] >= 128 && a != b)
			hd_builder_link(builder, a->node, a->number, b->node, b->number, NULL);
	}
	free(links);
	free(without);
	hd_fabric_free(fabric);
	return builder;
}

static void fail(const char *engine, const char *what)
{
	fprintf(stderr, "%s: %s\n", engine, what);
	abort();
}

/* Engines that route what they can of a fabric in parts, and do not say so. */
static bool may_leave_out(const struct hd_engine *engine)
{
	return strcmp(engine->policy.name, "minhop") == 0 ||
	       strcmp(engine->policy.name, "updn") == 0;
}

static void try_engine(const struct hd_engine *engine, const struct hd_fabric *fabric, bool again)
{
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables, *second;
	struct hd_check_result result;
	struct hd_error err = { 0 };
	char text[512];
	int ret = hd_route(engine, fabric, &request, &tables, &err);

	if (ret) {
		if (ret != HD_EREFUSED || !err.text[0])
			fail(engine->policy.name, "neither routes nor refuses");
		return;
	}
	if (hd_check(tables, NULL, &result, &err))
		fail(engine->policy.name, err.text);
	if (!(result.failure == HD_CHECK_NO_PATH && may_leave_out(engine)) &&
	    !(result.failure == HD_CHECK_CREDIT_LOOP &&
	      strcmp(engine->policy.name, "minhop") == 0) &&
	    result.failure != HD_CHECK_SOUND)
		fail(engine->policy.name, hd_check_summary(&result, fabric, text, sizeof(text)));
	hd_check_clear(&result);
	if (again) {
		if (hd_route(engine, fabric, &request, &second, &err))
			fail(engine->policy.name, "refuses the second time");
		if (memcmp(tables->lft, second->lft, fabric->n_switches * tables->lft_stride) != 0)
			fail(engine->policy.name, "gives other tables the second time");
		hd_tables_free(second);
	}
	hd_tables_free(tables);
}

/* By the input alone, so that an input that fails does so again. */
static bool tries_again(const uint8_t *data, size_t size)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += data[i];
	return sum % AGAIN == 0;
}

static const struct hd_engine *engine_of(unsigned number)
{
	size_t n = 0;

	while (hd_engine_at(n))
		n++;
	return hd_engine_at(number % n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_builder *builder;
	struct hd_fabric *bare, *fabric;
	unsigned shape;

	if (size < 2 || size > 66)
		return 0;
	shape = data[0] % (N_SHAPES + 1);
	builder = shape ? from_shape(shapes[shape - 1], data + 2, size - 2)
			: from_nothing(data + 2, size - 2);
	if (hd_builder_finish(builder, &bare, NULL))
		abort();
	if (hd_fabric_assign_lids(bare, HD_NONE, data[1] % N_LMCS, &fabric, NULL) == 0) {
		try_engine(engine_of(data[1] / N_LMCS), fabric, tries_again(data, size));
		hd_fabric_free(fabric);
	}
	hd_fabric_free(bare);
	return 0;
}
