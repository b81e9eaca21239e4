// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How many flows share the busiest link between switches where every host sends to one other: for
 * all shifts (host i to i + s modulo N, in the order of the fabric), and for random permutations.
 *
 *	bench_permutations SNAPSHOT [PERMUTATIONS [SEED]]
 *
 * SNAPSHOT is what `heddle show` reads, OpenSM's dumps too. Prints JSON: `shift_worst` is the most
 * of any shift, `shift_mean` the mean over shifts of the most of each, `shift_free` how many shifts
 * have no two flows on a link, `permutation_*` the same of random ones (1,000, seed 1), `lost` the
 * ordered pairs of hosts without a path.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/reading.h"
#include "support/error.h"
#include "support/random.h"
#include "tables/snapshot.h"

#define MOST_HOPS 64 /* a flow that has taken as many links goes in circles */

struct study {
	const struct hd_tables *tables;
	uint32_t n;
	uint32_t *hosts;  /* ports of end nodes */
	uint32_t *load;   /* [port] flows of the permutation that leave it... */
	uint32_t *loaded; /* ...and which of them have some */
	uint32_t n_loaded;
	uint64_t lost;
};

/* The most of some permutations. */
struct most {
	uint32_t worst, n, n_free;
	uint64_t sum;
};

/* The flow from host @from to @to; returns the most flows on a link that it takes. */
static uint32_t add_flow(struct study *study, uint32_t from, uint32_t to)
{
	const struct hd_fabric *fabric = study->tables->fabric;
	uint32_t lid = fabric->ports[study->hosts[to]].lid, most = 0;
	uint32_t at = fabric->ports[fabric->ports[study->hosts[from]].peer].node;

	for (unsigned hops = 0; hops < MOST_HOPS; hops++) {
		unsigned number = hd_lft(study->tables, at)[lid];
		uint32_t port, peer;

		if (number == 0 || number > fabric->nodes[at].n_ports)
			break;
		port = hd_port_index(fabric, at, number);
		peer = fabric->ports[port].peer;
		if (peer == study->hosts[to])
			return most;
		if (peer == HD_NONE || fabric->ports[peer].node >= fabric->n_switches)
			break;
		at = fabric->ports[peer].node;
		if (!study->load[port])
			study->loaded[study->n_loaded++] = port;
		if (++study->load[port] > most)
			most = study->load[port];
	}
	study->lost++;
	return most;
}

/* @order: where each host sends to; NULL: @shift further */
static void add_permutation(struct study *study, const uint32_t *order, uint32_t shift,
			    struct most *most)
{
	uint32_t worst = 0;

	for (uint32_t i = 0; i < study->n; i++) {
		uint32_t to = order ? order[i] : (i + shift) % study->n;
		uint32_t flows = to == i ? 0 : add_flow(study, i, to);

		if (flows > worst)
			worst = flows;
	}
	while (study->n_loaded)
		study->load[study->loaded[--study->n_loaded]] = 0;
	most->n++;
	most->sum += worst;
	most->n_free += worst <= 1;
	if (worst > most->worst)
		most->worst = worst;
}

static double mean(const struct most *most)
{
	return most->n ? (double)most->sum / most->n : 0;
}

static void *allocate(size_t n)
{
	void *memory = calloc(n + 1, sizeof(uint32_t));

	if (!memory)
		exit(2);
	return memory;
}

int main(int argc, char **argv)
{
	uint32_t n_random = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
	struct hd_reading how = { 0 };
	struct hd_random random;
	struct hd_snapshot *snapshot;
	struct most shifts = { 0 }, randoms = { 0 };
	struct study study = { 0 };
	struct hd_error err;
	char text[1200];
	uint32_t *order;
	uint64_t lost;

	if (argc < 2 || argc > 4) {
		fprintf(stderr, "usage: bench_permutations SNAPSHOT [PERMUTATIONS [SEED]]\n");
		return 2;
	}
	if (hd_snapshot_read(argv[1], NULL, &how, &snapshot, &err)) {
		fprintf(stderr, "bench_permutations: %s\n",
			hd_error_format(&err, text, sizeof(text)));
		return 2;
	}
	study.tables = snapshot->tables;
	study.hosts = allocate(snapshot->fabric->n_ports);
	study.load = allocate(snapshot->fabric->n_ports);
	study.loaded = allocate(snapshot->fabric->n_ports);
	hd_for_each_port(port, snapshot->fabric) {
		const struct hd_port *p = &snapshot->fabric->ports[port];

		if (p->node >= snapshot->fabric->n_switches && p->peer != HD_NONE && p->lid &&
		    snapshot->fabric->ports[p->peer].node < snapshot->fabric->n_switches)
			study.hosts[study.n++] = port;
	}
	for (uint32_t shift = 1; shift < study.n; shift++)
		add_permutation(&study, NULL, shift, &shifts);
	lost = study.lost;
	order = allocate(study.n);
	hd_random_init(&random, argc > 3 ? strtoul(argv[3], NULL, 10) : 1, 0);
	for (uint32_t i = 0; i < n_random; i++) {
		hd_random_permutation(&random, study.n, order);
		add_permutation(&study, order, 0, &randoms);
	}
	printf("{ \"hosts\": %" PRIu32 ", \"lost\": %" PRIu64 ", \"shift_worst\": %" PRIu32
	       ", \"shift_mean\": %.3f, \"shift_free\": %" PRIu32
	       ", \"permutation_worst\": %" PRIu32 ", \"permutation_mean\": %.3f }\n",
	       study.n, lost, shifts.worst, mean(&shifts), shifts.n_free, randoms.worst,
	       mean(&randoms));
	free(order);
	free(study.hosts);
	free(study.load);
	free(study.loaded);
	hd_snapshot_free(snapshot);
	return 0;
}
