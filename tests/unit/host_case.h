/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hosts with two LIDs, each on its own VL, and the packets of one host. */
#ifndef HD_TESTS_HOST_CASE_H
#define HD_TESTS_HOST_CASE_H

#include "tests/unit/model_case.h"

/* Intervals with a few packets; counters that do not reach their highest value. */
static inline void set_policy(struct setting *s, const struct hd_host_policy *policy)
{
	s->options.host_policy = policy;
	s->options.host.interval = 2000;
	s->options.host.unit_words = 16;
	s->options.host.delay = 100;
}

/*
 * Two switches with 4 hosts each, hosts with two LIDs: packets to a base LID have SL 0 and VL 0,
 * packets to the other LID SL 1 and VL 1.
 */
static inline void make_two_vls(struct setting *s, const struct hd_host_policy *policy)
{
	struct hd_tables *t;

	make_lmc(s, "mesh:2,p=4", "minhop", 1, 16, 4);
	t = s->tables;
	hd_for_each_port(port, s->fabric) {
		const struct hd_port *p = &s->fabric->ports[port];

		for (unsigned i = 0; p->lid && i < 1u << p->lmc; i++)
			t->sl_rows[p->lid + i] = (uint8_t)i;
	}
	for (size_t row = 0; row < t->sl2vl_first[s->fabric->n_nodes]; row++)
		t->sl2vl[row] = hd_row_identity(8);
	hd_for_each_port(port, s->fabric)
		t->vlarb_of_port[port] = HD_NONE; /* the engine's arbitration is only for VL 0 */
	s->options.admittance = &hd_admittance_destination;
	s->options.injection = 2;
	set_policy(s, policy);
	s->options.buffering = &hd_buffering_voq;
}

/* Takes @vl out of the VL arbitration of the host at @host_port, so that it never sends on @vl. */
static inline void block(struct setting *s, uint32_t host_port, unsigned vl)
{
	struct hd_vlarb vlarb = { .n_low = 1, .low = { { (uint8_t)(1 - vl), 64 } } };
	struct hd_error err = { 0 };

	assert_hd_ok(hd_tables_set_vlarb(s->tables, host_port, &vlarb, &err), err);
	s->tables->has_vlarb = true;
	s->options.arbiter = &hd_arbiter_vl;
}

static inline bool nothing(void *context, uint32_t from, struct hd_message *message)
{
	(void)context;
	(void)from;
	(void)message;
	return false;
}

/* The packets that arrived, in order. */
struct log {
	size_t n;
	uint32_t to[4096];
};

static inline void note(void *context, uint64_t now, const struct hd_message *message,
			uint64_t entered, unsigned hops)
{
	struct log *log = context;

	(void)now;
	(void)entered;
	(void)hops;
	assert_true(log->n < sizeof(log->to) / sizeof(log->to[0]));
	log->to[log->n++] = message->to;
}

/*
 * Makes the model; host 0 has @n[i] packets for host 4 + i, those for one after those for another.
 */
static inline void load_host(struct setting *s, struct log *log, const unsigned n[4])
{
	const struct hd_model_user user = { .next = nothing, .delivered = note, .context = log };
	struct hd_error err = { 0 };

	log->n = 0;
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < n[i]; k++)
			hd_model_inject(s->model, &(struct hd_message){ .to = 4 + i, .size = 16 });
}

static inline void run_until(struct setting *s, uint64_t until)
{
	struct hd_error err = { 0 };

	assert_hd_ok(hd_model_run(s->model, until, &err), err);
	check_census(s);
}

static inline uint32_t first_host_port(const struct setting *s)
{
	return hd_port_index(s->fabric, s->fabric->n_switches, 1);
}

#endif
