// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Traffic on the emulated fabric: what it sees of the tables, what it counts, how it begins and
 * ends.
 */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "host/page.h"
#include "simfabric/emulator/links.h"
#include "simfabric/emulator/power.h"
#include "simfabric/haul/counters.h"
#include "simfabric/haul/haul.h"
#include "simfabric/haul/links.h"
#include "simfabric/haul/view.h"
#include "simfabric/traffic/traffic.h"
#include "tables/dumps.h"
#include "tests/unit/emulator_case.h"

#define DRAGONFLY "dragonfly:a=4,p=2,h=2"
#define MS        UINT64_C(1000000)

static struct hd_haul_view *view_of(const struct emulator_case *c)
{
	struct hd_haul_view *view;
	struct hd_error err;

	assert_hd_ok(hd_haul_view_new(c->emulator, &view, &err), err);
	return view;
}

/* Port @number of the switch @node. */
static uint32_t switch_port(const struct emulator_case *c, uint32_t node, unsigned number)
{
	return hd_port_index(c->fabric, node, number);
}

static uint32_t first_host(const struct emulator_case *c)
{
	return hd_port_index(c->fabric, c->fabric->n_switches, 1);
}

static struct hd_vl_counters *lanes(const struct emulator_case *c, uint32_t port)
{
	return &c->emulator->counters[port * (size_t)HD_EMULATOR_VLS];
}

static void test_view_is_what_was_programmed(void **state)
{
	struct emulator_case c;
	struct hd_haul_view *view;
	const struct hd_vlarb *vlarb;

	(void)state;
	emulator_case_new(&c, DRAGONFLY, "dla", 1, NULL);
	c.emulator->ports[switch_port(&c, 3, 2)].vl_high_limit = 7;
	view = view_of(&c);
	assert_int_equal(view->fabric.top_lid, c.fabric->top_lid);
	assert_int_equal(view->fabric.n_links, c.fabric->n_links);
	hd_for_each_port(p, c.fabric) {
		assert_int_equal(view->fabric.ports[p].peer, c.fabric->ports[p].peer);
		assert_int_equal(view->fabric.ports[p].lid, c.fabric->ports[p].lid);
		assert_int_equal(view->fabric.ports[p].lmc, c.fabric->ports[p].lmc);
	}
	for (uint32_t lid = 0; lid <= c.fabric->top_lid; lid++)
		assert_memory_equal(&view->fabric.lids[lid], &c.fabric->lids[lid],
				    offsetof(struct hd_lid, via_port) + 1);
	assert_memory_equal(view->tables->lft, c.tables->lft,
			    c.fabric->n_switches * c.tables->lft_stride);
	hd_for_each_port(p, c.fabric) {
		const struct hd_port *port = &c.fabric->ports[p];
		size_t row;

		if (port->peer == HD_NONE || !hd_is_switch(c.fabric, port->node))
			continue;
		row = hd_sl2vl_index(c.tables, port->node, 1, port->number);
		assert_true(view->tables->sl2vl[row] == c.tables->sl2vl[row]);
	}
	vlarb = &view->tables->vlarbs[view->tables->vlarb_of_port[switch_port(&c, 3, 2)]];
	assert_int_equal(vlarb->high_limit, 7);
	assert_int_equal(vlarb->n_high, 8);
	assert_int_equal(vlarb->high[0].weight, 4);
	assert_int_equal(vlarb->low[3].vl, 3);
	hd_haul_view_set_sl(view, 5);
	assert_int_equal(hd_path_sl(view->tables, first_host(&c), 9), 5);
	hd_haul_view_free(view);
	emulator_case_free(&c);
}

static void test_view_of_a_fabric_without_a_manager(void **state)
{
	struct emulator_case c;
	struct hd_haul_view *view;

	(void)state;
	emulator_case_new(&c, DRAGONFLY, NULL, 0, NULL);
	view = view_of(&c);
	assert_int_equal(view->fabric.top_lid, 0);
	assert_int_equal(view->fabric.n_links, 0);
	hd_haul_view_free(view);
	emulator_case_free(&c);
}

/* Changes one thing at a time: the view shows it, and differs from the one before. */
static void test_view_shows_every_change(void **state)
{
	struct emulator_case c;
	struct hd_haul_view *before, *view;
	uint32_t link, host;
	size_t row;

	(void)state;
	emulator_case_new(&c, DRAGONFLY, "dla", 0, NULL);
	link = switch_port(&c, 0, 3);
	host = first_host(&c);
	row = c.emulator->sl2vl_first[2] + 3 * 8 + 1;
	before = view_of(&c);
	for (unsigned step = 0; step < 9; step++) {
		const struct hd_fabric *f;

		view = view_of(&c);
		assert_true(hd_haul_view_equal(view, before));
		hd_haul_view_free(view);
		switch (step) {
		case 0:
			c.emulator->switches[1].lft[5] = HD_NO_PATH;
			break;
		case 1:
			c.emulator->switches[2].linear_fdb_top = 9;
			break;
		case 2:
			c.emulator->sl2vl[row] = hd_row_set(c.emulator->sl2vl[row], 3, 1);
			break;
		case 3:
			c.emulator->ports[switch_port(&c, 2, 3)].operational_vls = 1;
			break;
		case 4:
			c.emulator->ports[link].vl_high_limit++;
			break;
		case 5:
			c.emulator->ports[host].lmc = 1;
			break;
		case 6:
			c.emulator->ports[host].lid = HD_MAX_LID;
			break;
		case 7:
			c.emulator->ports[link].state = HD_PORT_ARMED;
			break;
		default:
			assert_true(hd_node_off(c.emulator, 5));
		}
		view = view_of(&c);
		assert_false(hd_haul_view_equal(view, before));
		f = &view->fabric;
		if (step == 1) {
			assert_int_not_equal(hd_lft(view->tables, 2)[9], HD_NO_PATH);
			assert_int_equal(hd_lft(view->tables, 2)[10], HD_NO_PATH);
		} else if (step == 3) {
			assert_int_equal(hd_row_vl(view->tables->sl2vl[row], 3), HD_VL_DROP);
			assert_int_equal(hd_link_vls(f, switch_port(&c, 2, 3)), 1);
		} else if (step == 6) {
			/* with LMC 1 it would exceed what there is */
			assert_int_equal(f->ports[host].lid, 0);
		} else if (step == 7) {
			assert_int_equal(f->ports[link].peer, HD_NONE);
			assert_int_equal(f->ports[c.fabric->ports[link].peer].peer, HD_NONE);
			assert_int_equal(f->n_links, c.fabric->n_links - 1);
		} else if (step == 8) {
			assert_int_equal(hd_peer_node(f, 5, 1), HD_NONE);
		}
		hd_haul_view_free(before);
		before = view;
	}
	hd_haul_view_free(before);
	emulator_case_free(&c);
}

static void test_rates_of_links(void **state)
{
	struct emulator_case c;
	uint32_t ticks[HD_LINK_CLASSES];

	(void)state;
	emulator_case_new(&c, DRAGONFLY, "dla", 0, NULL);
	/* HDR: 200 Gbit/s */
	hd_haul_unit_ticks(c.emulator, NULL, ticks);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		assert_int_equal(ticks[i], 2560);
	c.emulator->ports[first_host(&c)].speed_ext_active = 0;
	hd_haul_unit_ticks(c.emulator, NULL, ticks);
	assert_int_equal(ticks[HD_LINK_TERMINAL], 16000);
	assert_int_equal(ticks[HD_LINK_LOCAL], 2560);
	assert_int_equal(hd_haul_mtu(c.emulator), 2048);
	c.emulator->ports[first_host(&c)].neighbor_mtu = 1;
	assert_int_equal(hd_haul_mtu(c.emulator), 256);
	emulator_case_free(&c);
}

/* A fabric under traffic. */
struct scene {
	struct emulator_case c;
	struct hd_haul *haul;
	char sls[64]; /* a file of the engine's path SLs */
};

static void begin_lmc(struct scene *s, const char *spec, const char *engine, unsigned lmc)
{
	struct hd_error err;
	FILE *file;
	int fd;

	*s = (struct scene){ .sls = "/tmp/heddle-haul-XXXXXX" };
	emulator_case_new(&s->c, spec, engine, lmc, NULL);
	s->haul = hd_haul_new(s->c.emulator);
	assert_non_null(s->haul);
	fd = mkstemp(s->sls);
	assert_true(fd >= 0);
	file = fdopen(fd, "w");
	assert_non_null(file);
	if (engine)
		assert_hd_ok(hd_dump_path_sl.write(s->c.tables, file, &err), err);
	fclose(file);
}

static void begin(struct scene *s, const char *spec, const char *engine)
{
	begin_lmc(s, spec, engine, 0);
}

static void finish(struct scene *s)
{
	unlink(s->sls);
	hd_haul_free(s->haul);
	emulator_case_free(&s->c);
}

static int start(struct scene *s, const char *text, bool limited, struct hd_error *err)
{
	struct hd_haul_options options;
	int ret = hd_haul_options_parse(text, limited, hd_haul_mtu(s->c.emulator), &options, err);

	return ret ? ret : hd_haul_start(s->haul, &options, err);
}

static void check_census(const struct hd_haul_status *status)
{
	assert_true(status->generated == status->queued + status->under_way + status->delivered +
						 status->dropped + status->lost);
}

/* Lets the emulator's time pass, @step at once, until there is no traffic any more. */
static struct hd_haul_status wait_for_end(struct scene *s, uint64_t step)
{
	struct hd_haul_status status = hd_haul_status(s->haul);

	for (unsigned i = 0; hd_haul_is_on(status.state); i++) {
		assert_true(i < 100000);
		hd_emulator_advance(s->c.emulator, s->c.emulator->now + step);
		status = hd_haul_status(s->haul);
		check_census(&status);
	}
	assert_int_equal(status.queued + status.under_way, 0);
	return status;
}

static struct hd_haul_status carry(struct scene *s, const char *text)
{
	struct hd_error err;

	assert_hd_ok(start(s, text, true, &err), err);
	return wait_for_end(s, 2 * MS);
}

/* What hosts sent, received, and what links carried from one end to the other. */
struct sums {
	uint64_t sent, received, words_sent, words_received;
};

static struct sums sum_up(const struct emulator_case *c)
{
	struct sums sums = { 0 };

	hd_for_each_port(p, c->fabric) {
		const struct hd_vl_counters *of = lanes(c, p);
		uint32_t peer = c->fabric->ports[p].peer;

		for (unsigned vl = 0; vl < HD_EMULATOR_VLS; vl++) {
			if (peer != HD_NONE) {
				assert_int_equal(of[vl].xmit_packets,
						 lanes(c, peer)[vl].rcv_packets);
				assert_int_equal(of[vl].xmit_data, lanes(c, peer)[vl].rcv_data);
			}
			if (hd_is_switch(c->fabric, c->fabric->ports[p].node))
				continue;
			sums.sent += of[vl].xmit_packets;
			sums.received += of[vl].rcv_packets;
			sums.words_sent += of[vl].xmit_data;
			sums.words_received += of[vl].rcv_data;
		}
	}
	return sums;
}

static void test_packets_are_conserved(void **state)
{
	struct scene s;
	struct hd_haul_status status;
	struct sums sums;
	char text[256];

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	snprintf(text, sizeof(text), "20us uniform 0.3 packet=1KiB path_sl=%s", s.sls);
	status = carry(&s, text);
	assert_int_equal(status.state, HD_HAUL_OVER);
	assert_string_equal(status.trouble, "");
	assert_int_equal(status.n_up, 72);
	assert_int_equal(status.tables, 1);
	assert_int_equal(status.dropped + status.lost, 0);
	/* 0.3 of 72 links of 200 Gbit/s, in 20 us: 10,547 packets of 1 KiB */
	assert_in_range(status.generated, 10000, 11100);
	sums = sum_up(&s.c);
	assert_int_equal(sums.sent, status.generated);
	assert_int_equal(sums.received, status.delivered);
	assert_int_equal(sums.words_sent, sums.sent * 256);
	assert_int_equal(sums.words_received, sums.received * 256);
	finish(&s);
}

/* Slices change nothing, nor how far the emulator's time goes at once. */
static void test_results_do_not_depend_on_slices(void **state)
{
	static const char traffic[] = "30us hotspot:sources=20,destinations=1 0.5 buffer=4KiB";
	const uint64_t steps[] = { 2 * MS, 100 * MS, 3 * MS };
	struct scene s[3];
	size_t n;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct hd_error err;

		begin(&s[i], "mesh:3,p=20", "minhop");
		assert_hd_ok(start(&s[i], traffic, true, &err), err);
		assert_int_equal(wait_for_end(&s[i], steps[i]).lost, 0);
	}
	n = s[0].c.fabric->n_ports;
	for (unsigned i = 1; i < 3; i++) {
		assert_memory_equal(s[i].c.emulator->counters, s[0].c.emulator->counters,
				    n * HD_EMULATOR_VLS * sizeof(struct hd_vl_counters));
		assert_memory_equal(s[i].c.emulator->xmit_waits, s[0].c.emulator->xmit_waits,
				    n * sizeof(uint64_t));
	}
	for (unsigned i = 0; i < 3; i++)
		finish(&s[i]);
}

/* The model and the traffic by themselves. */
struct alone {
	struct hd_traffic *traffic;
	uint64_t delivered;
};

static bool next_alone(void *context, uint32_t host, struct hd_message *message)
{
	struct alone *alone = context;

	return hd_traffic_next(alone->traffic, host, message);
}

static void delivered_alone(void *context, uint64_t now, const struct hd_message *message,
			    uint64_t entered, unsigned hops)
{
	struct alone *alone = context;

	(void)now;
	(void)message;
	(void)entered;
	(void)hops;
	alone->delivered++;
}

/*
 * Ports have counted what the model alone counts when it carries the same traffic by the same
 * tables.
 */
static void test_counts_are_the_models(void **state)
{
	struct scene s;
	struct hd_haul_options options;
	struct hd_traffic_setting setting;
	struct alone alone = { 0 };
	const struct hd_model_user user = { .next = next_alone,
					    .delivered = delivered_alone,
					    .context = &alone };
	struct hd_haul_status status;
	struct hd_model *model;
	uint32_t hosts[72];
	struct hd_error err;
	char text[256];

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	snprintf(
		text, sizeof(text),
		"20us uniform 0.2 packet=1KiB link.bandwidth=100Gbps seed=5 arbiter=age path_sl=%s",
		s.sls);
	status = carry(&s, text);
	assert_hd_ok(hd_haul_options_parse(text, true, 4096, &options, &err), err);
	options.setup.phases[0].until = options.end;
	options.setup.model.count_waits = true;
	assert_hd_ok(hd_model_new(s.c.tables, &options.setup.model, &user, &model, &err), err);
	for (uint32_t i = 0; i < 72; i++)
		hosts[i] = hd_model_host_port(model, i);
	setting = (struct hd_traffic_setting){ .fabric = s.c.fabric,
					       .n_hosts = 72,
					       .host_ports = hosts,
					       .unit_ticks = 5120,
					       .seed = 5 };
	assert_hd_ok(hd_traffic_new(&setting, options.setup.phases, 1, &alone.traffic, &err), err);
	assert_hd_ok(hd_model_run(model, UINT64_C(1) << 50, &err), err);
	assert_int_equal(alone.delivered, status.delivered);
	hd_for_each_port(p, s.c.fabric) {
		struct hd_model_counters all = hd_model_port_counters(model, p);

		assert_int_equal(s.c.emulator->xmit_waits[p],
				 (uint64_t)((double)all.wait * 16 / 5120));
		for (unsigned vl = 0; vl < 8; vl++) {
			struct hd_model_counters of = hd_model_counters(model, p, vl);

			assert_int_equal(lanes(&s.c, p)[vl].xmit_packets, of.packets);
			assert_int_equal(lanes(&s.c, p)[vl].xmit_data, of.units * 16);
			assert_int_equal(lanes(&s.c, p)[vl].xmit_wait,
					 (uint64_t)((double)of.wait * 16 / 5120));
		}
	}
	hd_model_free(model);
	hd_traffic_free(alone.traffic);
	hd_haul_options_clear(&options);
	finish(&s);
}

/*
 * Two switches, 0 and 1, with two hosts each on ports 1 and 2, and the link between them on port 3.
 * Host 0 sends ten packets of 1 KiB to host 3, the second of switch 1.
 */
struct pair {
	struct scene s;
	struct hd_emulator *emulator;
	struct hd_error_counters *errors;
	uint32_t from, to, in, out; /* ports: of the hosts, and of switch 1 on the way */
	char trace[64], text[128];
};

static void begin_pair(struct pair *p)
{
	FILE *file;
	int fd;

	*p = (struct pair){ .trace = "/tmp/heddle-haul-XXXXXX" };
	begin(&p->s, "mesh:2,p=2", "minhop");
	p->emulator = p->s.c.emulator;
	p->errors = p->emulator->errors;
	p->from = hd_port_index(p->s.c.fabric, 2, 1);
	p->to = hd_port_index(p->s.c.fabric, 5, 1);
	p->in = switch_port(&p->s.c, 1, 3);
	p->out = switch_port(&p->s.c, 1, 2);
	fd = mkstemp(p->trace);
	assert_true(fd >= 0);
	file = fdopen(fd, "w");
	assert_non_null(file);
	for (unsigned i = 0; i < 10; i++)
		fprintf(file, "%u 0 3 1024\n", i * 1000000);
	fclose(file);
	snprintf(p->text, sizeof(p->text), "20us trace:%s 0", p->trace);
}

static void finish_pair(struct pair *p)
{
	finish(&p->s);
	unlink(p->trace);
}

/* Where switch 1 sends packets to host 3. */
static uint8_t *way_out(struct pair *p)
{
	return &p->emulator->switches[1].lft[p->s.c.fabric->ports[p->to].lid];
}

static void test_losses_without_an_entry(void **state)
{
	struct hd_haul_status status;
	struct pair p;

	(void)state;
	begin_pair(&p);
	*way_out(&p) = HD_NO_PATH;
	status = carry(&p.s, p.text);
	assert_int_equal(status.generated, 10);
	assert_int_equal(status.dropped, 10);
	assert_int_equal(status.unsent, 0);
	assert_int_equal(p.errors[p.in].rcv_switch_relay, 10);
	assert_int_equal(lanes(&p.s.c, p.from)->xmit_packets, 10);
	assert_int_equal(lanes(&p.s.c, p.in)->rcv_packets, 10);
	assert_int_equal(lanes(&p.s.c, p.in)->rcv_data, 10 * 256);
	assert_int_equal(lanes(&p.s.c, p.out)->xmit_packets, 0);
	finish_pair(&p);
}

static void test_losses_at_a_link_that_is_not_active(void **state)
{
	struct hd_haul_status status;
	struct pair p;
	uint32_t other;

	(void)state;
	begin_pair(&p);
	other = switch_port(&p.s.c, 1, 1);
	*way_out(&p) = 1;
	p.emulator->ports[other].state = HD_PORT_ARMED;
	/* it stands still at its end */
	p.errors[other].xmit_discards = 65530;
	status = carry(&p.s, p.text);
	assert_int_equal(status.n_up, 3);
	assert_int_equal(status.dropped, 10);
	assert_int_equal(p.errors[other].xmit_discards, 65535);
	assert_int_equal(p.errors[p.in].rcv_switch_relay, 0);
	finish_pair(&p);
}

static void test_losses_without_a_vl(void **state)
{
	struct hd_haul_status status;
	struct pair p;
	hd_sl2vl_row *row;

	(void)state;
	begin_pair(&p);
	/* SL 0 from port 3 to port 2 */
	row = &p.emulator->sl2vl[p.emulator->sl2vl_first[1] + 2 * 4 + 3];
	*row = hd_row_set(*row, 0, HD_VL_DROP);
	status = carry(&p.s, p.text);
	assert_int_equal(status.dropped, 10);
	assert_int_equal(p.errors[p.out].xmit_discards, 10);
	/* and in the adapter: nothing leaves it */
	row = &p.emulator->sl2vl[p.emulator->sl2vl_first[2] + 1];
	*row = hd_row_set(*row, 0, HD_VL_DROP);
	status = carry(&p.s, p.text);
	assert_int_equal(status.dropped, 10);
	assert_int_equal(status.unsent, 0);
	assert_int_equal(p.errors[p.from].xmit_discards, 10);
	assert_int_equal(lanes(&p.s.c, p.from)->xmit_packets, 10);
	finish_pair(&p);
}

static void test_what_has_no_path_record_is_not_sent(void **state)
{
	const struct hd_error_counters none = { 0 };
	struct hd_haul_status status;
	struct pair p;
	FILE *file;
	char text[256];

	(void)state;
	begin_pair(&p);
	/* an SL to host 1 and none to others */
	file = fopen(p.s.sls, "w");
	assert_non_null(file);
	fprintf(file, "0x%016llx %u 0\n", (unsigned long long)p.s.c.fabric->nodes[2].guid,
		p.s.c.fabric->ports[hd_port_index(p.s.c.fabric, 3, 1)].lid);
	fclose(file);
	snprintf(text, sizeof(text), "%s path_sl=%s", p.text, p.s.sls);
	status = carry(&p.s, text);
	assert_int_equal(status.dropped, 10);
	assert_int_equal(status.unsent, 10);
	assert_int_equal(sum_up(&p.s.c).sent, 0);
	hd_for_each_port(port, p.s.c.fabric)
		assert_memory_equal(&p.errors[port], &none, sizeof(none));
	finish_pair(&p);
}

static void test_hosts_that_are_down(void **state)
{
	struct hd_haul_status status;
	struct hd_error err;
	struct pair p;

	(void)state;
	begin_pair(&p);
	/* nobody sends to it; it comes back, and gets what was meant for it from then on */
	assert_true(hd_link_unplug(p.emulator, p.to));
	assert_hd_ok(start(&p.s, p.text, true, &err), err);
	hd_emulator_advance(p.emulator, p.emulator->now + 3 * MS);
	status = hd_haul_status(p.s.haul);
	assert_int_equal(status.n_up, 3);
	assert_int_equal(wait_for_end(&p.s, 2 * MS).generated, 0);
	assert_true(hd_link_replug(p.emulator, p.to));
	p.emulator->ports[p.to].state = p.emulator->ports[p.out].state = HD_PORT_ACTIVE;
	assert_int_equal(carry(&p.s, p.text).delivered, 10);
	finish_pair(&p);
}

/* Tables change while there is traffic: what is under way arrives, and the new ones count then. */
static void test_changes_under_traffic(void **state)
{
	struct hd_haul_status status;
	struct hd_error err;
	struct scene s;
	uint32_t host;
	uint64_t got;

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	host = first_host(&s.c);
	assert_hd_ok(start(&s, "uniform 0.2 packet=1KiB", false, &err), err);
	for (unsigned i = 0; i < 50; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_haul_status(s.haul);
	assert_int_equal(status.state, HD_HAUL_RUNNING);
	assert_int_equal(status.tables, 1);
	assert_true(status.delivered > 0);

	/* what changes nothing for packets */
	s.c.emulator->changes++;
	for (unsigned i = 0; i < 50; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	assert_int_equal(hd_haul_status(s.haul).tables, 1);

	/* a host is lost */
	assert_true(hd_link_unplug(s.c.emulator, host));
	for (unsigned i = 0; i < 50; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_haul_status(s.haul);
	check_census(&status);
	assert_int_equal(status.tables, 2);
	assert_int_equal(status.n_up, 71);
	assert_int_equal(status.lost, 0);
	got = lanes(&s.c, host)->rcv_packets + lanes(&s.c, host)[1].rcv_packets;
	assert_true(got > 0);
	for (unsigned i = 0; i < 50; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	assert_int_equal(got, lanes(&s.c, host)->rcv_packets + lanes(&s.c, host)[1].rcv_packets);

	/* a switch is rebooted: its hosts have no way until it is programmed again */
	assert_true(hd_node_off(s.c.emulator, 7));
	assert_true(hd_node_on(s.c.emulator, 7));
	for (unsigned i = 0; i < 50; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	assert_int_equal(hd_haul_status(s.haul).n_up, 69);

	assert_int_equal(start(&s, "uniform 0.2", false, &err), HD_EINVAL);
	assert_hd_says(err, "there is traffic already");
	assert_true(hd_haul_stop(s.haul));
	status = wait_for_end(&s, 2 * MS);
	assert_int_equal(status.lost, 0);
	assert_true(status.dropped > 0);
	assert_false(hd_haul_stop(s.haul));
	finish(&s);
}

/* Simulated time goes by real time, whatever the tables do meanwhile. */
static void test_rate(void **state)
{
	struct hd_haul_status status;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	assert_hd_ok(start(&s, "uniform 0.1 rate=0.001", false, &err), err);
	for (unsigned i = 0; i < 100; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_haul_status(s.haul);
	assert_int_equal(status.real, 200 * MS);
	assert_int_equal(status.simulated, 200 * MS);
	finish(&s);
}

static void test_deadlock_is_told(void **state)
{
	struct hd_haul_status status;
	struct scene s;

	(void)state;
	begin(&s, DRAGONFLY, "minhop");
	status = carry(&s, "10ms uniform 1 buffer=\"1 packets\"");
	assert_int_equal(status.state, HD_HAUL_OVER);
	assert_non_null(strstr(status.trouble, "deadlock of "));
	assert_non_null(strstr(status.trouble, "] VL 0, "));
	assert_true(status.lost > 0);
	/* it can be started again */
	assert_string_equal(carry(&s, "10us shift 0.01").trouble, "");
	finish(&s);
}

/* LFTs that send packets round in a circle: each is counted once, and lost after many links. */
static void test_circles_end(void **state)
{
	struct hd_haul_status status;
	struct pair p;

	(void)state;
	begin_pair(&p);
	*way_out(&p) = 3;
	status = carry(&p.s, p.text);
	assert_int_equal(status.generated, 10);
	assert_int_equal(status.looped, 10);
	assert_int_equal(status.circled, 10);
	assert_int_equal(status.dropped, 10);
	assert_int_equal(status.lost, 0);
	finish_pair(&p);
}

/* Lets the emulator go on for @slices, and returns what traffic did since it began. */
static struct hd_haul_status go_on(const struct scene *s, unsigned slices)
{
	struct hd_haul_status status;

	for (unsigned i = 0; i < slices; i++)
		hd_emulator_advance(s->c.emulator, s->c.emulator->now + 2 * MS);
	status = hd_haul_status(s->haul);
	check_census(&status);
	return status;
}

/* Two switches send packets to one another for a while; what is left of them arrives afterwards. */
static void test_a_loop_that_is_mended(void **state)
{
	struct hd_haul_status before, status;
	struct hd_error err;
	struct scene s;
	uint8_t *entries[2], kept[2];
	uint32_t link;
	uint16_t lid;

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	/* two switches of a group, and a host of another one that both send to elsewhere */
	link = switch_port(&s.c, 0, 3);
	lid = s.c.emulator->ports[s.c.fabric->nodes[s.c.fabric->n_nodes - 1].first_port + 1].lid;
	entries[0] = &s.c.emulator->switches[0].lft[lid];
	entries[1] = &s.c.emulator->switches[s.c.fabric->ports[s.c.fabric->ports[link].peer].node]
			      .lft[lid];
	assert_hd_ok(start(&s, "uniform 0.05 packet=1KiB", false, &err), err);
	before = go_on(&s, 100);
	assert_true(before.delivered > 0);
	assert_int_equal(before.looped, 0);
	for (unsigned i = 0; i < 2; i++)
		kept[i] = *entries[i];
	*entries[0] = 3;
	*entries[1] = s.c.fabric->ports[s.c.fabric->ports[link].peer].number;
	s.c.emulator->changes++;
	status = go_on(&s, 100);
	assert_int_equal(status.tables, 2);
	assert_true(status.looped > 0);
	assert_true(status.circled > 0);
	assert_true(status.circled <= status.looped);
	assert_int_equal(status.dropped, status.circled);
	for (unsigned i = 0; i < 2; i++)
		*entries[i] = kept[i];
	s.c.emulator->changes++;
	before = go_on(&s, 50);
	assert_int_equal(before.tables, 3);
	status = go_on(&s, 100);
	assert_int_equal(status.looped, before.looped);
	assert_true(hd_haul_stop(s.haul));
	status = wait_for_end(&s, 2 * MS);
	assert_string_equal(status.trouble, "");
	assert_int_equal(status.generated, status.delivered + status.dropped);
	finish(&s);
}

/* What waits for a link that fails is lost with it, at once what comes later; counted at the port. */
static void test_a_link_that_fails(void **state)
{
	struct hd_haul_status status;
	struct hd_error err;
	struct scene s;
	uint32_t link;

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	link = switch_port(&s.c, 0, 3);
	assert_hd_ok(start(&s, "uniform 0.9 packet=1KiB rate=0.001", false, &err), err);
	go_on(&s, 20);
	assert_true(hd_link_unplug(s.c.emulator, link));
	status = go_on(&s, 20);
	assert_int_equal(status.tables, 2);
	assert_true(status.dropped > status.broken);
	assert_int_equal(status.looped, 0);
	assert_int_equal(status.n_up, 72);
	assert_true(s.c.emulator->errors[link].xmit_discards > 0);
	assert_true(hd_link_replug(s.c.emulator, link));
	s.c.emulator->ports[link].state = HD_PORT_ACTIVE;
	s.c.emulator->ports[s.c.fabric->ports[link].peer].state = HD_PORT_ACTIVE;
	status = go_on(&s, 10);
	assert_int_equal(status.dropped, go_on(&s, 20).dropped);
	assert_true(hd_haul_stop(s.haul));
	status = wait_for_end(&s, 2 * MS);
	assert_string_equal(status.trouble, "");
	assert_int_equal(status.lost, 0);
	finish(&s);
}

/* What waits at hosts has a bound, however long they offer more than the fabric takes. */
static void test_what_waits_is_bounded(void **state)
{
	struct hd_haul_status status;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, "mesh:2,p=10", "minhop");
	assert_hd_ok(start(&s, "hotspot:sources=19,destinations=1 0 rate=1", false, &err), err);
	for (unsigned i = 0; i < 200; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_haul_status(s.haul);
	assert_true(status.simulated > UINT64_C(1000000000));
	assert_in_range(status.queued + status.under_way, 19 * HD_HAUL_WINDOW / 2,
			19 * (HD_HAUL_WINDOW + 20));
	/* the spot's link was never idle for long */
	assert_true((double)status.delivered * 32 * 2560 > 0.98 * (double)status.simulated);
	assert_true(hd_haul_stop(s.haul));
	assert_int_equal(wait_for_end(&s, 2 * MS).lost, 0);
	finish(&s);
}

/* Before there is a subnet manager there are no hosts to send to; then there are. */
static void test_traffic_before_the_subnet_is_up(void **state)
{
	struct hd_haul_status status;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, DRAGONFLY, NULL);
	assert_hd_ok(start(&s, "uniform 0.5", false, &err), err);
	for (unsigned i = 0; i < 10; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_haul_status(s.haul);
	assert_int_equal(status.state, HD_HAUL_RUNNING);
	assert_int_equal(status.n_up, 0);
	assert_int_equal(status.generated, 0);
	assert_true(hd_haul_stop(s.haul));
	wait_for_end(&s, 2 * MS);
	finish(&s);
}

static void test_requests_have_replies(void **state)
{
	struct hd_haul_status status;
	struct scene s;
	struct sums sums;

	(void)state;
	begin(&s, "mesh:2,p=4", "minhop");
	status = carry(&s, "20us uniform 0.2 reply=yes packet=256B");
	sums = sum_up(&s.c);
	assert_true(status.generated % 2 == 0);
	assert_int_equal(sums.received, status.generated);
	finish(&s);
}

/* Packets that host 0 sent on each of two VLs since the last call. */
static void count_lanes(const struct scene *s, uint64_t sent[2])
{
	static uint64_t before[2];
	const struct hd_vl_counters *vls = lanes(&s->c, first_host(&s->c));

	for (unsigned vl = 0; vl < 2; vl++) {
		sent[vl] = vls[vl].xmit_packets - before[vl];
		before[vl] = vls[vl].xmit_packets;
	}
}

static void carry_on(struct scene *s)
{
	for (unsigned i = 0; i < 100; i++)
		hd_emulator_advance(s->c.emulator, s->c.emulator->now + 2 * MS);
}

/* OSHA's networks are VLs 0 and 1. */
static void test_hosts_follow_agents(void **state)
{
	char directory[] = "/tmp/heddle-pages-XXXXXX", text[300], name[300];
	struct hd_networks_page content = { .interval = 1000 * MS,
					    .n_networks = 2,
					    .preferred = 0 };
	const struct hd_haul_tally *tallies;
	struct hd_page page;
	struct hd_error err;
	unsigned preferred;
	uint64_t sent[2];
	uint32_t node;
	struct scene s;

	(void)state;
	begin_lmc(&s, "kns:k=4,n=2", "osha", 1);
	node = s.c.fabric->n_switches;
	assert_non_null(mkdtemp(directory));
	snprintf(text, sizeof(text), "uniform 0.3 path_sl=%s host.policy=agent pages=%s", s.sls,
		 directory);
	assert_hd_ok(start(&s, text, false, &err), err);
	carry_on(&s);
	count_lanes(&s, sent);
	assert_true(sent[0] > 10 && sent[1] > 10);
	assert_in_range(sent[0], sent[1] - 2, sent[1] + 2);
	/* what is under way is counted after the word to change */
	assert_hd_ok(hd_haul_prefer(s.haul, node, 1, &err), err);
	carry_on(&s);
	count_lanes(&s, sent);
	carry_on(&s);
	count_lanes(&s, sent);
	assert_int_equal(sent[0], 0);
	assert_true(sent[1] > 20);
	assert_int_equal(hd_haul_tallies(s.haul, node, &preferred, &tallies), 1);
	assert_int_equal(preferred, 1);
	assert_string_equal(tallies[0].class, "all");
	assert_true(tallies[0].delivered > 40 && tallies[0].latency > tallies[0].delivered);
	/* a command goes before a page */
	snprintf(name, sizeof(name), "%s/%s", directory, hd_node_name(s.c.fabric, node));
	assert_hd_ok(hd_page_open(&page, name, &err), err);
	content.time = hd_networks_now();
	content.interval *= 1000;
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	for (unsigned i = 0; i < 6; i++)
		carry_on(&s);
	hd_haul_tallies(s.haul, node, &preferred, &tallies);
	assert_int_equal(preferred, 1);
	assert_hd_ok(hd_haul_prefer(s.haul, node, HD_HAUL_ANY, &err), err);
	hd_haul_tallies(s.haul, node, &preferred, &tallies);
	assert_int_equal(preferred, 0);
	carry_on(&s);
	count_lanes(&s, sent);
	carry_on(&s);
	count_lanes(&s, sent);
	assert_int_equal(sent[1], 0);
	/* the agent ends */
	hd_page_close(&page);
	carry_on(&s);
	hd_haul_tallies(s.haul, node, &preferred, &tallies);
	assert_int_equal(preferred, HD_HAUL_ANY);
	assert_int_equal(hd_haul_prefer(s.haul, 0, 1, &err), HD_EINVAL);
	hd_haul_stop(s.haul);
	wait_for_end(&s, 2 * MS);
	assert_int_equal(hd_haul_prefer(s.haul, node, 1, &err), HD_EINVAL);
	assert_int_equal(hd_haul_tallies(s.haul, node, &preferred, &tallies), 1);
	unlink(name);
	rmdir(directory);
	finish(&s);
}

static void test_what_is_refused(void **state)
{
	static const struct {
		const char *text, *says;
		int ret;
		bool limited;
	} cases[] = {
		{ "", "in which pattern?", HD_EINVAL, false },
		{ "uniform", "at which load?", HD_EINVAL, false },
		{ "", "for which time?", HD_EINVAL, true },
		{ "10 uniform 0.5", "time: '10' has no unit", HD_EINVAL, true },
		{ "0 uniform 0.5", "time: '0' is none", HD_ERANGE, true },
		{ "uniform 2", "traffic.load: ", HD_ERANGE, false },
		{ "uniform 0.1:0.5:0.1", "traffic.load: '0.1:0.5:0.1' is several values", HD_EINVAL,
		  false },
		{ "nonsense 0.5", "no traffic pattern 'nonsense'", HD_EINVAL, false },
		{ "uniform 0.5 what", "'what' is not KEY=VALUE", HD_EINVAL, false },
		{ "uniform 0.5 =3", "'=3' is not KEY=VALUE", HD_EINVAL, false },
		{ "uniform 0.5 foo=3", "traffic has no key 'foo'", HD_EINVAL, false },
		{ "uniform 0.5 run.measure=1ms", "traffic has no key 'run.measure'", HD_EINVAL,
		  false },
		{ "uniform 0.5 bubble=yes", "InfiniBand have no bubble flow control", HD_EINVAL,
		  false },
		{ "uniform 0.5 engine=dla", "traffic has no key 'engine'", HD_EINVAL, false },
		{ "uniform 0.5 time=1ms", "traffic has no key 'time'", HD_EINVAL, false },
		{ "uniform 0.5 load=0.4", "traffic.load is given twice", HD_EINVAL, false },
		{ "uniform 0.5 sl=1 sl=2", "sl is given twice", HD_EINVAL, false },
		{ "uniform 0.5 sl=16", "sl: 16 is out of range", HD_ERANGE, false },
		{ "uniform 0.5 seed=x", "seed: 'x' is not a number", HD_EINVAL, false },
		{ "uniform 0.5 rate=2", "rate: 2 is out of range", HD_ERANGE, false },
		{ "uniform 0.5 packet=4KiB", "packets of 4096 bytes do not fit an MTU of 2048",
		  HD_ERANGE, false },
		{ "uniform 0.5 buffer=64B", "a packet does not fit the buffer", HD_EINVAL, false },
		{ "uniform 0.5 arbiter=\"round robin\"", "no arbiter 'round robin'", HD_EINVAL,
		  false },
		{ "bitreverse 0.5", "bitreverse", HD_EINVAL, false },
		{ "uniform 0.5 path_sl=/nonexistent", "", HD_EIO, false },
		{ "trace:/nonexistent 0.5", "", HD_EIO, false },
		{ "uniform 0.5 host.policy=agent policy=agent", "host.policy is given twice",
		  HD_EINVAL, false },
		{ "uniform 0.5 policy=agent policy=first", "host.policy is given twice", HD_EINVAL,
		  false },
		{ "uniform 0.5 pages=/tmp", "pages: only hosts with host.policy=agent", HD_EINVAL,
		  false },
	};
	struct hd_haul_options options;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, "mesh:3x3", "minhop");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(start(&s, cases[i].text, cases[i].limited, &err), cases[i].ret);
		assert_hd_says(err, cases[i].says);
		assert_int_equal(hd_haul_status(s.haul).state, HD_HAUL_NONE);
	}
	assert_false(hd_haul_stop(s.haul));
	assert_hd_ok(hd_haul_options_parse("uniform 0.25 switch.buffer=\"4 packets\" seed=9 sl=3",
					   false, 1024, &options, &err),
		     err);
	assert_int_equal(options.setup.phases[0].size, 16);
	assert_int_equal(options.setup.model.links[HD_LINK_LOCAL].buffer, 64);
	assert_ptr_equal(options.setup.model.scheduler, &hd_scheduler_vlarb);
	assert_int_equal(options.seed, 9);
	assert_int_equal(options.sl, 3);
	assert_true(options.rate == HD_HAUL_RATE);
	assert_true(options.end == UINT64_MAX);
	hd_haul_options_clear(&options);
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_view_is_what_was_programmed),
		cmocka_unit_test(test_view_of_a_fabric_without_a_manager),
		cmocka_unit_test(test_view_shows_every_change),
		cmocka_unit_test(test_rates_of_links),
		cmocka_unit_test(test_packets_are_conserved),
		cmocka_unit_test(test_results_do_not_depend_on_slices),
		cmocka_unit_test(test_counts_are_the_models),
		cmocka_unit_test(test_losses_without_an_entry),
		cmocka_unit_test(test_losses_at_a_link_that_is_not_active),
		cmocka_unit_test(test_losses_without_a_vl),
		cmocka_unit_test(test_what_has_no_path_record_is_not_sent),
		cmocka_unit_test(test_hosts_that_are_down),
		cmocka_unit_test(test_changes_under_traffic),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_deadlock_is_told),
		cmocka_unit_test(test_circles_end),
		cmocka_unit_test(test_a_loop_that_is_mended),
		cmocka_unit_test(test_a_link_that_fails),
		cmocka_unit_test(test_what_waits_is_bounded),
		cmocka_unit_test(test_traffic_before_the_subnet_is_up),
		cmocka_unit_test(test_requests_have_replies),
		cmocka_unit_test(test_hosts_follow_agents),
		cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
