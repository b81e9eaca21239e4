// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the model keeps its state in says the same as what it was made of. */
#include "tests/unit/model_case.h"

#include "sim/hosts/backlog.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/model/model_network.h"
#include "tables/forwarding.h"
#include "sim/model/state.h"
#include "sim/model/verify.h"

/* Local numbers of switches' ports, as the model gives them. */
struct locals {
	uint8_t *of; /* [fabric ports] */
	uint8_t *n;  /* [switch] */
};

static struct locals number(const struct hd_fabric *fabric)
{
	struct locals locals = { malloc(fabric->n_ports), calloc(fabric->n_switches, 1) };

	assert_non_null(locals.of);
	assert_non_null(locals.n);
	memset(locals.of, HD_HOP_NONE, fabric->n_ports);
	hd_for_each_switch(s, fabric)
		hd_for_each_number(i, fabric, s)
			if (hd_peer_node(fabric, s, i) != HD_NONE)
				locals.of[hd_port_index(fabric, s, i)] = locals.n[s]++;
	return locals;
}

/* Every entry for a host's LID and every row between linked ports. */
static void compare(const struct hd_tables *tables, const struct hd_forwarding *f,
		    const struct locals *locals)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric) {
		unsigned n_ports = fabric->nodes[s].n_ports;
		const uint8_t *local = locals->of + hd_port_index(fabric, s, 0);

		hd_for_each_port(p, fabric) {
			const struct hd_port *port = &fabric->ports[p];

			if (hd_is_switch(fabric, port->node) || !port->lid)
				continue;
			for (unsigned i = 0; i < 1u << port->lmc; i++) {
				unsigned number = hd_lft(tables, s)[port->lid + i];

				assert_int_equal(hd_forwarding_hop(f, s, (uint16_t)(port->lid + i)),
						 number && number <= n_ports ? local[number]
									     : HD_HOP_NONE);
			}
		}
		for (unsigned in = 1; in <= n_ports; in++)
			for (unsigned out = 1; out <= n_ports; out++)
				if (local[in] != HD_HOP_NONE && local[out] != HD_HOP_NONE)
					assert_true(
						hd_forwarding_row(f, s, locals->n[s], local[in],
								  local[out]) ==
						tables->sl2vl[hd_sl2vl_index(tables, s, in, out)]);
	}
}

static void test_forwarding_is_that_of_the_tables(void **state)
{
	static const char *const cases[][3] = {
		{ "dragonfly:a=4,p=2,h=2", "dla", "0" }, { "dragonfly:a=4,p=2,h=2", "dfval", "2" },
		{ "kns:k=4,n=2", "osha", "1" },          { "torus:4x4", "hdor", "0" },
		{ "tree:k=4,n=2", "updn", "0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_error err = { 0 };
		struct hd_forwarding f;
		struct locals locals;
		struct hd_random random;
		struct setting s;

		make_lmc(&s, cases[i][0], cases[i][1], (unsigned)atoi(cases[i][2]), 8, 4);
		locals = number(s.fabric);
		hd_random_init(&random, 3, i);
		/* as they are, and with entries and rows that nothing explains */
		for (unsigned changes = 0; changes <= 200; changes += 50) {
			uint32_t n = s.fabric->n_switches * (uint32_t)s.tables->lft_stride;
			uint32_t rows = (uint32_t)s.tables->sl2vl_first[s.fabric->n_switches];

			for (unsigned k = 0; k < changes; k++) {
				s.tables->lft[hd_random_below(&random, n)] =
					(uint8_t)hd_random_below(&random, 256);
				s.tables->sl2vl[hd_random_below(&random, rows)] =
					hd_random_u32(&random);
			}
			assert_hd_ok(hd_forwarding_new(&f, s.tables, locals.of, locals.n, &err),
				     err);
			compare(s.tables, &f, &locals);
			if (!changes)
				assert_true(f.n_classes <= s.fabric->top_lid);
			hd_forwarding_free(&f);
		}
		free(locals.of);
		free(locals.n);
		finish(&s);
	}
}

/* Hosts of a switch that the others send the same way are one. */
static void test_what_is_alike_is_kept_once(void **state)
{
	struct hd_error err = { 0 };
	struct hd_forwarding f;
	struct locals locals;
	struct setting s;

	(void)state;
	make(&s, "dragonfly:a=4,p=2,h=2", "dla", 8, 4);
	locals = number(s.fabric);
	assert_hd_ok(hd_forwarding_new(&f, s.tables, locals.of, locals.n, &err), err);
	assert_int_equal(f.n_classes, s.fabric->n_switches);
	assert_true(f.n_rows < 8);
	hd_forwarding_free(&f);
	free(locals.of);
	free(locals.n);
	finish(&s);
}

static void test_backlogs_are_fifos(void **state)
{
	enum { FIFOS = 3 };
	struct hd_backlog_pool pool;
	struct hd_backlog fifos[FIFOS];
	uint64_t pushed[FIFOS] = { 0 }, popped[FIFOS] = { 0 };
	struct hd_random random;

	(void)state;
	hd_backlog_pool_init(&pool);
	hd_random_init(&random, 5, 0);
	for (unsigned i = 0; i < FIFOS; i++)
		hd_backlog_init(&fifos[i]);
	for (unsigned k = 0; k < 30000; k++) {
		unsigned i = hd_random_below(&random, FIFOS);
		bool grows = k / 5000 % 2 == 0;
		struct packet packet = {
			.message = { .time = pushed[i], .id = i, .to = 7, .size = 64, .tag = 3 },
			.dlid = 9,
			.sl = 2,
			.out_vl = 1
		};

		if (hd_random_below(&random, 4) < (grows ? 3 : 1)) {
			assert_true(hd_backlog_push(&pool, &fifos[i], &packet));
			pushed[i]++;
		} else if (pushed[i] == popped[i]) {
			assert_null(hd_backlog_first(&pool, &fifos[i]));
		} else {
			memset(&packet, 0xFF, sizeof(packet));
			hd_backlog_pop(&pool, &fifos[i], 5, &packet);
			assert_int_equal(packet.message.time, popped[i]++);
			assert_int_equal(packet.message.id, i);
			assert_int_equal(packet.message.from, 5);
			assert_int_equal(packet.message.to, 7);
			assert_int_equal(packet.message.size, 64);
			assert_int_equal(packet.message.tag, 3);
			assert_int_equal(packet.dlid, 9);
			assert_int_equal(packet.sl, 2);
			assert_int_equal(packet.out_vl, 1);
			assert_int_equal(packet.hops, 0);
			assert_int_equal(packet.next, HD_NONE);
		}
	}
	hd_backlog_pool_free(&pool);
}

/* All that was delivered, and when, as a number; the order within a tick is no result. */
struct record {
	struct traffic *traffic;
	uint64_t hash;
};

static bool next_recorded(void *context, uint32_t from, struct hd_message *message)
{
	return next(((struct record *)context)->traffic, from, message);
}

static void record(void *context, uint64_t now, const struct hd_message *message, uint64_t entered,
		   unsigned hops)
{
	struct record *r = context;
	const uint64_t said[] = { now, message->time, message->from, message->to, entered, hops };
	uint64_t hash = 1;

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		hash = (hash ^ said[i]) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
	r->hash += hash;
	r->traffic->delivered++;
}

static uint64_t delivered_with(struct setting *s, enum hd_look_ahead look_ahead, double load)
{
	struct record r = { &s->traffic, 1 };
	const struct hd_model_user user = { .next = next_recorded,
					    .delivered = record,
					    .context = &r };
	struct hd_error err = { 0 };

	s->options.look_ahead = look_ahead;
	begin(s, load, 300);
	hd_model_free(s->model);
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
	assert_hd_ok(hd_model_run(s->model, s->traffic.stop, &err), err);
	check_census(s);
	hd_model_free(s->model);
	s->model = NULL;
	free(s->traffic.random);
	free(s->traffic.time);
	free(s->traffic.arrived);
	s->traffic.random = NULL;
	s->traffic.time = s->traffic.arrived = NULL;
	return r.hash;
}

static void test_looking_ahead_and_the_machine_change_nothing(void **state)
{
	static const struct {
		const char *spec, *engine;
		const struct hd_switch_model *model;
		bool voq, damq;
		const struct hd_allocator *allocator;
		unsigned iterations;
	} cases[] = {
		{ "dragonfly:a=4,p=2,h=2", "dla", &hd_switch_iq, true, false, NULL, 0 },
		{ "dragonfly:a=4,p=2,h=2", "dla", &hd_switch_iq, false, false, NULL, 0 },
		{ "dragonfly:a=4,p=2,h=2", "dla", &hd_switch_iq, true, true, NULL, 1 },
		{ "dragonfly:a=4,p=2,h=2", "dla", &hd_switch_cioq, true, false, &hd_allocator_input,
		  1 },
		/* one VL, and more than machines are compiled for */
		{ "tree:k=3,n=3", "updn", &hd_switch_iq, true, false, NULL, 0 },
		{ "tree:k=3,n=3", "updn", &hd_switch_cioq, true, false, NULL, 0 },
		{ "dragonfly:a=4,p=2,h=2", "df-sssp", &hd_switch_iq, true, false, NULL, 0 },
		{ "dragonfly:a=4,p=2,h=2", "df-sssp", &hd_switch_cioq, true, false, NULL, 0 },
		/* more ports than a word has bits */
		{ "kns:k=70,n=1", "updn", &hd_switch_iq, true, false, NULL, 0 },
		{ "kns:k=70,n=1", "updn", &hd_switch_cioq, true, false, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned buffer = 1; buffer <= 8; buffer *= 8) {
			struct setting s;
			uint64_t with, delivered;

			make(&s, cases[i].spec, cases[i].engine, 8, buffer);
			s.options.model = cases[i].model;
			s.options.buffering = cases[i].voq ? &hd_buffering_voq : NULL;
			s.options.damq = cases[i].damq;
			s.options.damq_reserved = 0.25;
			s.options.speedup = 2;
			s.options.allocator = cases[i].allocator;
			s.options.iterations = cases[i].iterations;
			s.options.count_waits = false;
			s.traffic.poisson = true;
			if (s.options.damq)
				for (unsigned c = 0; c < HD_LINK_CLASSES; c++)
					s.options.links[c].buffer *= 4;
			with = delivered_with(&s, HD_LOOK_AHEAD_ALWAYS, 1);
			delivered = s.traffic.delivered;
			assert_true(delivered > 1000);
			s.traffic.delivered = 0;
			assert_true(with == delivered_with(&s, HD_LOOK_AHEAD_NEVER, 1));
			assert_int_equal(s.traffic.delivered, delivered);
			assert_true(with == delivered_with(&s, HD_LOOK_AHEAD_ARRIVALS, 1));
			s.options.machine = HD_MACHINE_GENERAL;
			s.options.count_waits = true;
			assert_true(with == delivered_with(&s, HD_LOOK_AHEAD_NEVER, 1));
			finish(&s);
		}
	}
}

/* Whether some head that wants @out is to leave on another VL than it is on. */
static bool goes_to_another_vl(const struct hd_model *model, uint32_t out)
{
	const struct crossbar *crossbar = hd_crossbar(model, hd_switch_of(model, out));

	for (unsigned in = 0; in < crossbar->n_ports; in++)
		for (unsigned vl = 0; vl < model->n_vls; vl++) {
			const struct queue *queue =
				hd_queue(model, hd_first_port(model, hd_switch_of(model, out)) + in,
					 vl, out);

			if (queue->head != HD_NONE && hd_head(model, queue)->out == out &&
			    hd_head(model, queue)->out_vl != vl)
				return true;
		}
	return false;
}

/* A model that stops is sound, and one whose masks are tampered with is not. */
static void test_verifying(void **state)
{
	struct setting s;
	char what[512];
	uint32_t out = 0;

	(void)state;
	make(&s, "dragonfly:a=4,p=2,h=2", "dla", 8, 2);
	s.traffic.poisson = true;
	begin(&s, 1, 300);
	for (uint64_t t = 1; t <= 20; t++) {
		struct hd_error err = { 0 };

		assert_hd_ok(hd_model_run(s.model, t * s.traffic.stop / 20, &err), err);
		assert_true(hd_model_verify(s.model, what, sizeof(what)));
	}
	while (!hd_is_wanted(s.model, out))
		out++;
	hd_heads(s.model, hd_sender(s.model, out))[0]++;
	assert_false(hd_model_verify(s.model, what, sizeof(what)));
	assert_non_null(strstr(what, "the count of heads"));
	hd_heads(s.model, hd_sender(s.model, out))[0]--;
	hd_wanted(hd_crossbar(s.model, hd_switch_of(s.model, out)), 1)[0] ^=
		bit_of(hd_local(s.model, out));
	assert_false(hd_model_verify(s.model, what, sizeof(what)));
	hd_wanted(hd_crossbar(s.model, hd_switch_of(s.model, out)), 1)[0] ^=
		bit_of(hd_local(s.model, out));
	*hd_requests(s.model, hd_sender(s.model, out)) ^= 1;
	assert_false(hd_model_verify(s.model, what, sizeof(what)));
	*hd_requests(s.model, hd_sender(s.model, out)) ^= 1;
	hd_sender(s.model, out)->credits[0] += 1000;
	assert_false(hd_model_verify(s.model, what, sizeof(what)));
	hd_sender(s.model, out)->credits[0] -= 1000;
	/* what heads need is said without them (contenders.h) */
	s.model->buffers.one_size++;
	assert_false(hd_model_verify(s.model, what, sizeof(what)));
	assert_non_null(strstr(what, "the size that all have"));
	s.model->buffers.one_size--;
	for (out = 0; !goes_to_another_vl(s.model, out);)
		out++;
	hd_sender(s.model, out)->changes_vls = false;
	assert_false(hd_model_verify(s.model, what, sizeof(what)));
	assert_non_null(strstr(what, "goes on on another VL"));
	hd_sender(s.model, out)->changes_vls = true;
	assert_true(hd_model_verify(s.model, what, sizeof(what)));
	finish(&s);
}

/* Lanes are those that packets between hosts can be on; line switches' own are not in the model. */
static void test_lanes_are_those_of_hosts(void **state)
{
	static const struct {
		const char *spec, *engine;
		unsigned lmc, tables, model;
	} cases[] = {
		{ "kns:k=4,n=2", "hdor", 0, 2, 1 },  { "kns:k=3,n=3", "hdor", 0, 2, 1 },
		{ "kns:k=4,n=2", "sasha", 1, 2, 2 }, { "dragonfly:a=4,p=2,h=2", "dla", 0, 2, 2 },
		{ "torus:5x5", "hdor", 0, 2, 2 },    { "torus:5x5", "osha", 1, 4, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned top = 0;
		struct setting s;

		make_lmc(&s, cases[i].spec, cases[i].engine, cases[i].lmc, 8, 4);
		begin(&s, 0.5, 10);
		for (size_t k = 0; k < s.model->network.forwarding.n_rows; k++) {
			unsigned vl = hd_row_top_vl(s.model->network.forwarding.rows[k], 0xFFFF);

			top = vl > top ? vl : top;
		}
		assert_int_equal(top + 1, cases[i].tables);
		assert_int_equal(s.model->n_vls, cases[i].model);
		assert_int_equal(s.model->used_vls, cases[i].model);
		finish(&s);
	}
}

/*
 * Static buffers of VCs that nobody uses are no difference; those that somebody does must be there.
 */
static void test_vcs_by_class_of_link(void **state)
{
	const struct hd_model_user user = { .next = next_recorded };
	struct hd_error err = { 0 };
	struct setting s;
	uint64_t plain;

	(void)state;
	make(&s, "dragonfly:a=4,p=2,h=2", "dla", 8, 4);
	s.traffic.poisson = true;
	plain = delivered_with(&s, HD_LOOK_AHEAD_NEVER, 1);
	s.options.links[HD_LINK_TERMINAL].vcs = 1;
	s.options.links[HD_LINK_LOCAL].vcs = HD_MAX_VCS;
	s.options.links[HD_LINK_GLOBAL].vcs = 1;
	assert_true(plain == delivered_with(&s, HD_LOOK_AHEAD_NEVER, 1));
	s.options.links[HD_LINK_LOCAL].vcs = 1;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_EINVAL);
	assert_hd_says(err, "the tables use VL 1 at G0S0[3], and links within groups have 1 VCs");
	s.options.links[HD_LINK_LOCAL].vcs = HD_MAX_VCS + 1;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_ERANGE);
	finish(&s);
}

/*
 * With DAMQ they share what they would have alone: a flow on one VL gets all but the others'
 * reserve.
 */
static void test_vcs_share_a_buffer(void **state)
{
	(void)state;
	for (unsigned vcs = 1; vcs <= 8; vcs *= 2) {
		const struct hd_model_user user = { .next = next_recorded };
		struct hd_error err = { 0 };
		struct setting s;
		uint32_t port;

		make(&s, "mesh:2", "hdor", 8, 4);
		s.options.damq = true;
		s.options.damq_reserved = 0.25;
		for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
			s.options.links[i].vcs = vcs;
		assert_hd_ok(hd_model_new(s.tables, &s.options, &user, &s.model, &err), err);
		port = s.model->injection.hosts[0].port;
		assert_int_equal(hd_model_room(s.model, port, 0),
				 8 * 4 / 4 + vcs * (8 * 4 - 8 * 4 / 4));
		finish(&s);
	}
}

/*
 * A list of DAMQ has a pointer for each slot of its memory, of as many bits as tell the slots
 * apart. Its share of the memory, in percent.
 */
static double pointers(unsigned memory, unsigned slot, unsigned bits)
{
	const unsigned slots = memory / slot;

	assert_in_range(bits, 32 - (unsigned)__builtin_clz(slots - 1), 8 * sizeof(slots));
	return 100.0 * slots * bits / 8 / memory;
}

/*
 * What DAMQ costs (Fuentes' thesis, chapter 5): 4 KiB in phits of 8 bytes take 512 pointers of
 * 9 bits, 576 bytes; in packets of 8 phits 64, which need 6 bits and have 8 there. A port of 128
 * phits with two VCs that keeps a quarter for them keeps two packets for each, and six with three
 * quarters; what is left is for either.
 */
static void test_what_damq_costs(void **state)
{
	static const struct {
		double reserved;
		unsigned own, most; /* packets of 8 phits */
	} ports[] = { { 0, 0, 16 }, { 0.25, 2, 14 }, { 0.5, 4, 12 }, { 0.75, 6, 10 }, { 1, 8, 8 } };

	(void)state;
	assert_true(pointers(4096, 8, 9) * 4096 / 100 == 576);
	assert_true(pointers(4096, 8, 9) == 14.0625);
	assert_true(pointers(4096, 64, 8) == 1.5625);
	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		const struct hd_model_user user = { .next = next_recorded };
		struct hd_error err = { 0 };
		struct setting s;
		uint32_t port;

		make(&s, "mesh:2", "hdor", 8, 8);
		s.options.damq = true;
		s.options.damq_reserved = ports[i].reserved;
		for (unsigned k = 0; k < HD_LINK_CLASSES; k++)
			s.options.links[k].vcs = 2;
		assert_int_equal(s.options.links[HD_LINK_LOCAL].buffer * 2, 128);
		assert_hd_ok(hd_model_new(s.tables, &s.options, &user, &s.model, &err), err);
		port = s.model->injection.hosts[0].port;
		assert_int_equal(hd_sender(s.model, port)->credits[1], 8 * ports[i].own);
		assert_int_equal(hd_model_room(s.model, port, 0), 8 * ports[i].most);
		/* one VC takes all that it can have: the other still has its own */
		hd_model_use(s.model, port, 0, 8 * ports[i].most);
		assert_int_equal(hd_model_room(s.model, port, 0), 0);
		assert_int_equal(hd_model_room(s.model, port, 1), 8 * ports[i].own);
		hd_model_give_back(s.model, port, 0, 8 * ports[i].most);
		assert_int_equal(hd_model_room(s.model, port, 1), 8 * ports[i].most);
		finish(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forwarding_is_that_of_the_tables),
		cmocka_unit_test(test_what_is_alike_is_kept_once),
		cmocka_unit_test(test_backlogs_are_fifos),
		cmocka_unit_test(test_verifying),
		cmocka_unit_test(test_lanes_are_those_of_hosts),
		cmocka_unit_test(test_vcs_by_class_of_link),
		cmocka_unit_test(test_vcs_share_a_buffer),
		cmocka_unit_test(test_looking_ahead_and_the_machine_change_nothing),
		cmocka_unit_test(test_what_damq_costs),
	};

	return cmocka_run_group_tests_name("model state", tests, NULL, NULL);
}
