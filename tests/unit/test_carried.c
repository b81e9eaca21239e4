// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Traffic on the emulated fabric: what is counted, how it begins and ends, what is refused. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "host/page.h"
#include "tests/unit/carried_case.h"

static void test_packets_are_conserved(void **state)
{
	struct scene s;
	struct hd_carried_status status;
	struct sums sums;
	char text[256];

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	snprintf(text, sizeof(text), "20us uniform 0.3 packet=1KiB path_sl=%s", s.sls);
	status = carry(&s, text);
	assert_int_equal(status.state, HD_CARRIED_OVER);
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
	struct hd_carried_options options;
	struct hd_traffic_setting setting;
	struct alone alone = { 0 };
	const struct hd_model_user user = { .next = next_alone,
					    .delivered = delivered_alone,
					    .context = &alone };
	struct hd_carried_status status;
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
	assert_hd_ok(hd_carried_options_parse(text, true, 4096, &options, &err), err);
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
	hd_carried_options_clear(&options);
	finish(&s);
}

/* Before there is a subnet manager there are no hosts to send to; then there are. */
static void test_traffic_before_the_subnet_is_up(void **state)
{
	struct hd_carried_status status;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, DRAGONFLY, NULL);
	assert_hd_ok(start(&s, "uniform 0.5", false, &err), err);
	for (unsigned i = 0; i < 10; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_carried_status(s.carried);
	assert_int_equal(status.state, HD_CARRIED_RUNNING);
	assert_int_equal(status.n_up, 0);
	assert_int_equal(status.generated, 0);
	assert_true(hd_carried_stop(s.carried));
	wait_for_end(&s, 2 * MS);
	finish(&s);
}

static void test_requests_have_replies(void **state)
{
	struct hd_carried_status status;
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
	const struct hd_carried_tally *tallies;
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
	assert_hd_ok(hd_carried_prefer(s.carried, node, 1, &err), err);
	carry_on(&s);
	count_lanes(&s, sent);
	carry_on(&s);
	count_lanes(&s, sent);
	assert_int_equal(sent[0], 0);
	assert_true(sent[1] > 20);
	assert_int_equal(hd_carried_tallies(s.carried, node, &preferred, &tallies), 1);
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
	hd_carried_tallies(s.carried, node, &preferred, &tallies);
	assert_int_equal(preferred, 1);
	assert_hd_ok(hd_carried_prefer(s.carried, node, HD_CARRIED_ANY, &err), err);
	hd_carried_tallies(s.carried, node, &preferred, &tallies);
	assert_int_equal(preferred, 0);
	carry_on(&s);
	count_lanes(&s, sent);
	carry_on(&s);
	count_lanes(&s, sent);
	assert_int_equal(sent[1], 0);
	/* somebody shortens the page; the agent writes it again */
	assert_int_equal(truncate(name, 0), 0);
	carry_on(&s);
	hd_carried_tallies(s.carried, node, &preferred, &tallies);
	assert_int_equal(preferred, HD_CARRIED_ANY);
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	for (unsigned i = 0; i < 6; i++)
		carry_on(&s);
	hd_carried_tallies(s.carried, node, &preferred, &tallies);
	assert_int_equal(preferred, 0);
	/* the agent ends */
	hd_page_close(&page);
	carry_on(&s);
	hd_carried_tallies(s.carried, node, &preferred, &tallies);
	assert_int_equal(preferred, HD_CARRIED_ANY);
	assert_int_equal(hd_carried_prefer(s.carried, 0, 1, &err), HD_EINVAL);
	hd_carried_stop(s.carried);
	wait_for_end(&s, 2 * MS);
	assert_int_equal(hd_carried_prefer(s.carried, node, 1, &err), HD_EINVAL);
	assert_int_equal(hd_carried_tallies(s.carried, node, &preferred, &tallies), 1);
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
	struct hd_carried_options options;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, "mesh:3x3", "minhop");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(start(&s, cases[i].text, cases[i].limited, &err), cases[i].ret);
		assert_hd_says(err, cases[i].says);
		assert_int_equal(hd_carried_status(s.carried).state, HD_CARRIED_NONE);
	}
	assert_false(hd_carried_stop(s.carried));
	assert_hd_ok(
		hd_carried_options_parse("uniform 0.25 switch.buffer=\"4 packets\" seed=9 sl=3",
					 false, 1024, &options, &err),
		err);
	assert_int_equal(options.setup.phases[0].size, 16);
	assert_int_equal(options.setup.model.links[HD_LINK_LOCAL].buffer, 64);
	assert_ptr_equal(options.setup.model.scheduler, &hd_scheduler_vlarb);
	assert_int_equal(options.seed, 9);
	assert_int_equal(options.sl, 3);
	assert_true(options.rate == HD_CARRIED_RATE);
	assert_true(options.end == UINT64_MAX);
	hd_carried_options_clear(&options);
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets_are_conserved),
		cmocka_unit_test(test_results_do_not_depend_on_slices),
		cmocka_unit_test(test_counts_are_the_models),
		cmocka_unit_test(test_traffic_before_the_subnet_is_up),
		cmocka_unit_test(test_requests_have_replies),
		cmocka_unit_test(test_hosts_follow_agents),
		cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
