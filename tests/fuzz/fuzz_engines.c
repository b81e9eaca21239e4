// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any small fabric (tests/fuzz/odd_fabric.h), any engine, and any request: the engine refuses, or
 * gives tables that hd_check() finds sound - of minhop, that every LID is reached - and their loads
 * can be counted. Some inputs ask again, and the same tables come; or for the fabric without a link
 * or switch: with the lanes of the tables before, and sound, too; or by a baseline, which changes
 * nothing.
 *
 * Bytes: shape of the fabric; engine and LMC; layer rule and VLs; queues; option of the engine;
 * LIDs, service classes, VL arbitration and what follows; then the fabric's own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"
#include "check/load.h"
#include "engines/baseline_routes.h"
#include "engines/engine.h"
#include "fabric/distances.h"
#include "fabric/faults.h"
#include "fabric/netfile.h"
#include "sl2vl/lanes.h"
#include "support/error.h"
#include "support/options.h"
#include "tables/classes.h"
#include "tests/fuzz/odd_fabric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define N_LMCS   3
#define AGAIN    8 /* one of so many inputs asks for the same again */
#define MOST     72
#define HEADER   6
#define FEW_PORT 400 /* of fabrics that are also routed with failures */

/* Options of engines; a value that ends with '=' is a file, which bytes fill. */
static const struct {
	const char *engine, *pair;
} options[] = {
	{ "any", "vls=4" },           { "any", "vls=0" },
	{ "any", "ar=yes" },          { "dmodc", "ar=yes" },
	{ "dmodc", "no_hosts=" },     { "dfplus", "ar=minimal" },
	{ "dfplus", "ar=valiant" },   { "dfplus", "minimal=off" },
	{ "dfval", "minimal=off" },   { "dfval", "groups=" },
	{ "dla", "ar=trunks" },       { "dla", "ar=owners" },
	{ "dla", "groups=" },         { "d3r", "groups=" },
	{ "hdor", "ties=up" },        { "hdor", "ar=negative-first" },
	{ "hdor", "ar=minimal" },     { "hdor", "order=yx" },
	{ "hdor", "order=x+y+x-y-" }, { "hdor", "coordinates=" },
	{ "osha", "coordinates=" },   { "sasha", "coordinates=" },
	{ "parx", "coordinates=" },   { "layered", "longer=0" },
	{ "layered", "longer=3" },    { "updn", "ar=yes" },
};
#define N_OPTIONS (sizeof(options) / sizeof(options[0]))

static const char *const class_files[] = {
	"[class a]\nshare = 30%\n[class b]\nshare = 70%\ndefault = yes\n",
	"[class a]\nshare = 10%\nqueues = dbbm:2\n[class b]\nshare = 90%\ndefault = yes\n",
};

/* What one input asks for. */
struct question {
	const struct hd_engine *engine;
	const struct hd_fabric *fabric;
	struct hd_route_request request;
	struct hd_params *params;
	struct hd_classes classes;
	char queues[32], path[32];
	const char *option;
	bool is_plain; /* nothing but the engine is chosen */
	const uint8_t *data;
	size_t size;
};

/* Also says how to ask the command for the same. */
static void fail(const struct question *q, const struct hd_fabric *fabric, const char *what)
{
	hd_netfile_write(q->fabric, stderr, NULL);
	if (fabric != q->fabric)
		hd_netfile_write(fabric, stderr, NULL);
	fprintf(stderr, "%s%s%s, layers %s, queues %s, VLs %u, classes %u, VL arbitration %u: %s\n",
		q->engine->policy.name, q->option ? ":" : "", q->option ? q->option : "",
		q->request.layers ? q->request.layers : "-",
		q->request.queues ? q->request.queues : "-", q->request.max_vls, q->classes.n,
		(unsigned)q->request.vlarb, what);
	abort();
}

static const struct hd_engine *engine_of(unsigned number)
{
	size_t n = 0;

	while (hd_engine_at(n))
		n++;
	return hd_engine_at(number % n);
}

/* Writes what @pair wants into one file, which stays open. */
static void write_file(const char *pair, const struct hd_fabric *fabric, const uint8_t *data,
		       size_t size, char *path, size_t room)
{
	static int fd = -1;
	char text[8192];
	size_t n = 0;

	if (fd < 0)
		fd = memfd_create("option", 0);
	for (uint32_t i = 0; i < fabric->n_nodes && n + 64 < sizeof(text); i++) {
		const unsigned byte = size ? data[i % size] : 0;
		const uint64_t guid = fabric->nodes[i].guid;
		int added = 0;

		if (hd_is_switch(fabric, i) != (*pair != 'n'))
			continue;
		if (*pair == 'g')
			added = sprintf(text + n, "0x%" PRIx64 " %u\n", guid, byte % 4);
		else if (*pair == 'c')
			added = sprintf(text + n, "0x%" PRIx64 " %" PRIu32 " %" PRIu32 "\n", guid,
					(i + byte / 128) % 4, i / 4);
		else if (byte % 2)
			added = sprintf(text + n, "0x%" PRIx64 "\n", guid);
		n += (size_t)added;
	}
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, text, n, 0) != (ssize_t)n)
		abort();
	snprintf(path, room, "/proc/self/fd/%d", fd);
}

static void set_option(struct question *q, const char *pair, const struct hd_fabric *fabric)
{
	char text[64], path[32] = "";
	const size_t n = strlen(pair);

	if (pair[n - 1] == '=')
		write_file(pair, fabric, q->data + HEADER, q->size - HEADER, path, sizeof(path));
	snprintf(text, sizeof(text), "%s%s", pair, path);
	q->params = hd_params_new(q->engine->policy.options);
	if (!q->params || hd_params_set_pair(q->params, "engine", text, NULL))
		abort();
	q->request.params = q->params;
	q->option = pair;
	q->is_plain = false;
}

/* One of the engine's options, or none. */
static void choose_option(struct question *q, const struct hd_fabric *fabric)
{
	unsigned n = 0, which;

	for (size_t i = 0; i < N_OPTIONS; i++)
		n += strcmp(options[i].engine, q->engine->policy.name) == 0;
	which = q->data[4] % (n + 1);
	for (size_t i = 0; which && i < N_OPTIONS; i++)
		if (strcmp(options[i].engine, q->engine->policy.name) == 0 && !--which)
			set_option(q, options[i].pair, fabric);
}

/* One of the engine's layer rules; a number of VLs. */
static void choose_layers(struct question *q)
{
	static const uint8_t vls[] = { 0, 1, 2, 3, 4, 8, 15, 0 };
	const unsigned n_vls = vls[q->data[2] / 32];
	unsigned n = 0;

	while (q->engine->layer_rules[n])
		n++;
	if (q->data[2] % 32 % (n + 1))
		q->request.layers = q->engine->layer_rules[q->data[2] % 32 % (n + 1) - 1];
	q->request.max_vls = n_vls;
	q->is_plain = q->is_plain && !q->data[2];
}

static void choose_queues(struct question *q)
{
	size_t n = 0, which;

	while (hd_queue_rules.policies[n])
		n++;
	which = q->data[3] % (n + 1);
	if (!which)
		return;
	snprintf(q->queues, sizeof(q->queues), "%s:%u", hd_queue_rules.policies[which - 1]->name,
		 1u + q->data[3] / (unsigned)(n + 1) % 5);
	q->request.queues = q->queues;
	q->is_plain = false;
}

static void choose_shares(struct question *q)
{
	const unsigned which = q->data[5] / 4 % 4;

	q->request.vlarb = (enum hd_vlarb_policy)(q->data[5] / 16 % 3);
	if (which < 2)
		return;
	if (hd_classes_parse("classes", class_files[which - 2], strlen(class_files[which - 2]),
			     &q->classes, NULL))
		abort();
	q->request.classes = &q->classes;
	q->is_plain = false;
}

/* Engines that route what they can of a fabric in parts, and do not say so. */
static bool may_leave_out(const struct hd_engine *engine)
{
	return strcmp(engine->policy.name, "minhop") == 0 ||
	       strcmp(engine->policy.name, "updn") == 0;
}

static bool may_have_loops(const struct question *q)
{
	const char *loops_with = q->engine->loops_with;

	return strcmp(q->engine->policy.name, "minhop") == 0 ||
	       (loops_with && q->request.layers && strcmp(loops_with, q->request.layers) == 0);
}

/* Whether a switch that has a LID, or leads to one, does not reach another. */
static bool is_in_parts(const struct hd_fabric *fabric)
{
	uint32_t first = HD_NONE;
	uint8_t *distances;
	bool is_apart = false;

	if (hd_switch_distances(fabric, &distances, NULL))
		abort();
	hd_for_each_lid(lid, fabric) {
		const uint32_t s = fabric->lids[lid].via_switch;

		if (s == HD_NONE)
			continue;
		first = first == HD_NONE ? s : first;
		is_apart |= distances[first * fabric->n_switches + s] == HD_UNREACHABLE;
	}
	free(distances);
	return is_apart;
}

static void expect_sound(const struct question *q, const struct hd_tables *tables)
{
	struct hd_check_result result;
	struct hd_error err = { 0 };
	char text[512];

	if (hd_check(tables, NULL, &result, &err))
		fail(q, tables->fabric, err.text);
	if (!(result.failure == HD_CHECK_NO_PATH &&
	      (may_leave_out(q->engine) || is_in_parts(tables->fabric))) &&
	    !(result.failure == HD_CHECK_CREDIT_LOOP && may_have_loops(q)) &&
	    result.failure != HD_CHECK_SOUND)
		fail(q, tables->fabric,
		     hd_check_summary(&result, tables->fabric, text, sizeof(text)));
	hd_check_clear(&result);
}

static void expect_same(const struct question *q, const struct hd_tables *a,
			const struct hd_tables *b, const char *what)
{
	const struct hd_fabric *fabric = a->fabric;

	if (memcmp(a->lft, b->lft, fabric->n_switches * a->lft_stride) != 0 ||
	    memcmp(a->sl2vl, b->sl2vl, a->sl2vl_first[fabric->n_nodes] * sizeof(*a->sl2vl)) != 0)
		fail(q, fabric, what);
}

/* Routes, with what is to be proved about a refusal; NULL: it is refused. */
static struct hd_tables *route(const struct question *q, const struct hd_fabric *fabric,
			       const struct hd_route_request *request)
{
	struct hd_tables *tables;
	struct hd_error err = { 0 };
	const int ret = hd_route(q->engine, fabric, request, &tables, &err);

	if (!ret)
		return tables;
	if ((ret != HD_EREFUSED && (q->is_plain || ret == HD_ENOMEM)) || !err.text[0])
		fail(q, fabric, "neither routes nor refuses");
	return NULL;
}

static void count_load(const struct question *q, const struct hd_tables *tables)
{
	struct hd_error err = { 0 };
	struct hd_load load;

	if (hd_load_compute(tables, &load, &err))
		fail(q, tables->fabric, err.text);
	if (load.n_lost && !may_leave_out(q->engine) && !is_in_parts(tables->fabric))
		fail(q, tables->fabric, "flows are lost");
	hd_load_clear(&load);
}

static void ask_again(const struct question *q, const struct hd_tables *tables)
{
	struct hd_tables *second = route(q, tables->fabric, &q->request);

	if (!second)
		fail(q, tables->fabric, "refuses the second time");
	expect_same(q, tables, second, "gives other tables the second time");
	hd_tables_free(second);
}

/*
 * The fabric without a link, a trunk of two, or a switch, as bytes say; NULL: there is none left.
 */
static struct hd_fabric *take_out(const struct question *q, const struct hd_fabric *fabric,
				  bool links_only)
{
	const unsigned a = q->data[q->size - 1], b = q->data[q->size / 2];
	uint32_t *links = malloc(fabric->n_ports * sizeof(*links) + 1), n, out[2];
	const bool is_switch = !links_only && (a + b) % 3 == 0;
	struct hd_fabric *rest = NULL;

	if (!links)
		abort();
	n = odd_fabric_links(fabric, links);
	if (is_switch && fabric->n_switches > 1) {
		out[0] = a % fabric->n_switches;
		if (hd_fabric_without(fabric, NULL, 0, out, 1, &rest, NULL))
			abort();
	} else if (!is_switch && n) {
		out[0] = links[a % n];
		out[1] = links[b % n];
		if (hd_fabric_without(fabric, out, 2, NULL, 0, &rest, NULL))
			abort();
	}
	free(links);
	return rest;
}

/* Whether packets can begin and end anywhere: of other tables nothing can be proved. */
static bool has_ends(const struct hd_fabric *fabric)
{
	hd_for_each_port(p, fabric)
		if (hd_is_end_port(fabric, p))
			return true;
	return false;
}

/* After a failure, with the lanes of @tables where they serve. */
static void ask_with_previous(const struct question *q, const struct hd_tables *tables)
{
	struct hd_route_request request = q->request;
	struct hd_fabric *rest = take_out(q, tables->fabric, false);
	struct hd_tables *after;

	if (!rest)
		return;
	request.previous = tables;
	request.previous_by = q->engine;
	if (has_ends(rest)) {
		after = route(q, rest, &request);
		if (after)
			expect_sound(q, after);
		hd_tables_free(after);
	}
	hd_fabric_free(rest);
}

/* Without links, by the baseline of the whole fabric and from nothing. */
static void ask_baseline(const struct question *q, const struct hd_fabric *fabric)
{
	struct hd_fabric *rest = take_out(q, fabric, true);
	struct hd_route_request request = q->request;
	struct hd_baseline_routes base = { 0 };
	struct hd_variant_routes variant = { .base = &base };
	struct hd_tables *whole, *fresh, *tables;

	if (!rest)
		return;
	request.baseline = &base;
	whole = route(q, fabric, &request);
	fresh = route(q, rest, &q->request);
	request.baseline = NULL;
	request.variant = &variant;
	tables = whole ? route(q, rest, &request) : NULL;
	if (whole && !tables != !fresh)
		fail(q, rest, "refuses by a baseline alone, or without it alone");
	if (tables)
		expect_same(q, tables, fresh, "gives other tables by a baseline");
	hd_tables_free(tables);
	hd_tables_free(fresh);
	hd_tables_free(whole);
	hd_variant_routes_clear(&variant);
	hd_baseline_routes_clear(&base);
	hd_fabric_free(rest);
}

/* By the input alone, so that an input that fails does so again. */
static bool tries_again(const uint8_t *data, size_t size)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += data[i];
	return sum % AGAIN == 0;
}

static void try_engine(struct question *q, const struct hd_fabric *fabric)
{
	const unsigned then = q->data[5] / 64;
	struct hd_tables *tables;

	q->fabric = fabric;
	choose_layers(q);
	choose_queues(q);
	choose_shares(q);
	choose_option(q, fabric);
	tables = route(q, fabric, &q->request);
	if (tables) {
		expect_sound(q, tables);
		if (then == 3)
			count_load(q, tables);
		if (tries_again(q->data, q->size))
			ask_again(q, tables);
		if (then == 1 && fabric->n_ports < FEW_PORT)
			ask_with_previous(q, tables);
	}
	if (then == 2 && fabric->n_ports < FEW_PORT)
		ask_baseline(q, fabric);
	hd_tables_free(tables);
	hd_params_free(q->params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct question q = { .is_plain = true, .data = data, .size = size };
	struct hd_fabric *bare, *fabric;

	if (size < HEADER || size > MOST)
		return 0;
#ifdef _OPENMP
	/* for so little work threads only wait for one another */
	omp_set_num_threads(1);
#endif
	q.engine = engine_of(data[1] / N_LMCS);
	bare = odd_fabric_new(data[0], data + HEADER, size - HEADER);
	fabric =
		odd_fabric_with_lids(bare, data[1] % N_LMCS, (enum odd_lids)(data[5] % ODD_N_LIDS));
	if (fabric && has_ends(fabric))
		try_engine(&q, fabric);
	hd_fabric_free(fabric);
	hd_fabric_free(bare);
	return 0;
}
