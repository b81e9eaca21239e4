// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Traffic on the emulated fabric that is lost, stands or turns in circles, by tables and links that
 * change under it.
 */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/power.h"
#include "tests/unit/carried_case.h"

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

	*p = (struct pair){ .trace = "/tmp/heddle-carried-XXXXXX" };
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
	struct hd_carried_status status;
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
	struct hd_carried_status status;
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
	struct hd_carried_status status;
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
	struct hd_carried_status status;
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
	struct hd_carried_status status;
	struct hd_error err;
	struct pair p;

	(void)state;
	begin_pair(&p);
	/* nobody sends to it; it comes back, and gets what was meant for it from then on */
	assert_true(hd_link_unplug(p.emulator, p.to));
	assert_hd_ok(start(&p.s, p.text, true, &err), err);
	hd_emulator_advance(p.emulator, p.emulator->now + 3 * MS);
	status = hd_carried_status(p.s.carried);
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
	struct hd_carried_status status;
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
	status = hd_carried_status(s.carried);
	assert_int_equal(status.state, HD_CARRIED_RUNNING);
	assert_int_equal(status.tables, 1);
	assert_true(status.delivered > 0);

	/* what changes nothing for packets */
	s.c.emulator->changes++;
	for (unsigned i = 0; i < 50; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	assert_int_equal(hd_carried_status(s.carried).tables, 1);

	/* a host is lost */
	assert_true(hd_link_unplug(s.c.emulator, host));
	for (unsigned i = 0; i < 50; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_carried_status(s.carried);
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
	assert_int_equal(hd_carried_status(s.carried).n_up, 69);

	assert_int_equal(start(&s, "uniform 0.2", false, &err), HD_EINVAL);
	assert_hd_says(err, "there is traffic already");
	assert_true(hd_carried_stop(s.carried));
	status = wait_for_end(&s, 2 * MS);
	assert_int_equal(status.lost, 0);
	assert_true(status.dropped > 0);
	assert_false(hd_carried_stop(s.carried));
	finish(&s);
}

/* Simulated time goes by real time, whatever the tables do meanwhile. */
static void test_rate(void **state)
{
	struct hd_carried_status status;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	assert_hd_ok(start(&s, "uniform 0.1 rate=0.001", false, &err), err);
	for (unsigned i = 0; i < 100; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_carried_status(s.carried);
	assert_int_equal(status.real, 200 * MS);
	assert_int_equal(status.simulated, 200 * MS);
	finish(&s);
}

static void test_deadlock_is_told(void **state)
{
	struct hd_carried_status status;
	struct scene s;

	(void)state;
	begin(&s, DRAGONFLY, "minhop");
	status = carry(&s, "10ms uniform 1 buffer=\"1 packets\"");
	assert_int_equal(status.state, HD_CARRIED_OVER);
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
	struct hd_carried_status status;
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
static struct hd_carried_status go_on(const struct scene *s, unsigned slices)
{
	struct hd_carried_status status;

	for (unsigned i = 0; i < slices; i++)
		hd_emulator_advance(s->c.emulator, s->c.emulator->now + 2 * MS);
	status = hd_carried_status(s->carried);
	check_census(&status);
	return status;
}

/* Two switches send packets to one another for a while; what is left of them arrives afterwards. */
static void test_a_loop_that_is_mended(void **state)
{
	struct hd_carried_status before, status;
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
	assert_true(hd_carried_stop(s.carried));
	status = wait_for_end(&s, 2 * MS);
	assert_string_equal(status.trouble, "");
	assert_int_equal(status.generated, status.delivered + status.dropped);
	finish(&s);
}

/*
 * What waits for a link that fails is lost with it, at once what comes later; counted at the port.
 */
static void test_a_link_that_fails(void **state)
{
	struct hd_carried_status status;
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
	assert_true(hd_carried_stop(s.carried));
	status = wait_for_end(&s, 2 * MS);
	assert_string_equal(status.trouble, "");
	assert_int_equal(status.lost, 0);
	finish(&s);
}

/*
 * Packets, and words of them, that left by one end of a link and were not received at the other
 * one.
 */
static void sum_lost_on_links(const struct emulator_case *c, uint64_t *packets, uint64_t *words)
{
	*packets = *words = 0;
	hd_for_each_port(p, c->fabric) {
		const uint32_t peer = c->fabric->ports[p].peer;

		for (unsigned vl = 0; peer != HD_NONE && vl < HD_EMULATOR_VLS; vl++) {
			*packets += lanes(c, p)[vl].xmit_packets - lanes(c, peer)[vl].rcv_packets;
			*words += lanes(c, p)[vl].xmit_data - lanes(c, peer)[vl].rcv_data;
		}
	}
}

/* Links fail before their ports counted anything; what was on them is received nowhere. */
static void test_links_that_fail_early(void **state)
{
	struct hd_carried_status status;
	uint64_t packets, words;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	assert_hd_ok(start(&s, "uniform 0.9 packet=1KiB", false, &err), err);
	go_on(&s, 5);
	for (uint32_t node = 0; node < 8; node++)
		hd_link_unplug(s.c.emulator, switch_port(&s.c, node, 4));
	go_on(&s, 5);
	assert_true(hd_carried_stop(s.carried));
	status = wait_for_end(&s, 2 * MS);
	assert_true(status.broken > 0);
	sum_lost_on_links(&s.c, &packets, &words);
	assert_int_equal(packets, status.broken);
	assert_int_equal(words, status.broken * 256);
	finish(&s);
}

/* What waits at hosts has a bound, however long they offer more than the fabric takes. */
static void test_what_waits_is_bounded(void **state)
{
	struct hd_carried_status status;
	struct hd_error err;
	struct scene s;

	(void)state;
	begin(&s, "mesh:2,p=10", "minhop");
	assert_hd_ok(start(&s, "hotspot:sources=19,destinations=1 0 rate=1", false, &err), err);
	for (unsigned i = 0; i < 200; i++)
		hd_emulator_advance(s.c.emulator, s.c.emulator->now + 2 * MS);
	status = hd_carried_status(s.carried);
	assert_true(status.simulated > UINT64_C(1000000000));
	assert_in_range(status.queued + status.under_way, 19 * HD_CARRIED_WINDOW / 2,
			19 * (HD_CARRIED_WINDOW + 20));
	/* the spot's link was never idle for long */
	assert_true((double)status.delivered * 32 * 2560 > 0.98 * (double)status.simulated);
	assert_true(hd_carried_stop(s.carried));
	assert_int_equal(wait_for_end(&s, 2 * MS).lost, 0);
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		cmocka_unit_test(test_links_that_fail_early),
		cmocka_unit_test(test_what_waits_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
