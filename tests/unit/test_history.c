// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Histories: what the emulator writes is read back, and every state of it is proved as the check of
 * that state alone says.
 */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "check/check.h"
#include "simfabric/emulator/power.h"
#include "simfabric/traffic/fabric_view.h"
#include "tests/unit/history_case.h"

#define DRAGONFLY "dragonfly:a=4,p=2,h=2"

static struct hd_history_verdict prove(const struct history_case *s)
{
	return history_case_prove(s, 0);
}

static void begin(struct history_case *s, const char *spec, const char *engine)
{
	history_case_new(s, spec, engine);
	history_case_begin(s);
}

static void test_a_loop_that_is_planted(void **state)
{
	struct hd_history_verdict verdict;
	struct history_case s;
	unsigned old[2], back;
	uint32_t other;
	uint16_t lid;

	(void)state;
	begin(&s, DRAGONFLY, "dla");
	verdict = prove(&s);
	assert_int_equal(verdict.n_records, 1);
	assert_int_equal(verdict.n_states, 1);
	assert_int_equal(verdict.n_unsound, 0);

	/* two switches of a group, and a host of another one */
	other = hd_peer_node(s.c.fabric, 0, 3);
	back = s.c.fabric->ports[s.c.fabric->ports[hd_port_index(s.c.fabric, 0, 3)].peer].number;
	lid = s.c.fabric->ports[hd_port_index(s.c.fabric, s.c.fabric->n_nodes - 1, 1)].lid;
	old[0] = s.c.emulator->switches[0].lft[lid];
	old[1] = s.c.emulator->switches[other].lft[lid];
	history_case_set_entry(&s, 0, lid, 3);
	history_case_set_entry(&s, other, lid, back);
	history_case_set_entry(&s, 0, lid, old[0]);
	history_case_set_entry(&s, other, lid, old[1]);
	/* what changes nothing is a record, and no state */
	history_case_set_entry(&s, other, lid, old[1]);
	verdict = prove(&s);
	assert_int_equal(verdict.n_records, 6);
	assert_int_equal(verdict.n_sets, 5);
	assert_int_equal(verdict.n_states, 1 + 4 - (old[0] == 3) * 2 - (old[1] == back) * 2);
	assert_true(verdict.n_looping >= 1);
	assert_int_equal(verdict.first.kind, HD_HISTORY_SET);
	assert_string_equal(verdict.first.what, "LinearForwardingTable 0x1");
	history_case_free(&s);
}

/* What the check says of what nodes hold now. */
static void check_now(const struct history_case *s, bool *loops, bool *is_cyclic)
{
	struct hd_check_options options = { .all_sls = true };
	struct hd_check_result result;
	struct hd_carried_view *view;
	struct hd_error err;
	bool *failed;

	assert_hd_ok(hd_carried_view_new(s->c.emulator, &view, &err), err);
	view->tables->has_vlarb = false;
	options.before = view->tables; /* what is lost takes channels, too */
	options.failed = failed = history_case_failed(&view->fabric);
	assert_hd_ok(hd_check(view->tables, &options, &result, &err), err);
	*loops = result.found[HD_CHECK_FORWARD_LOOP].n > 0;
	*is_cyclic = result.n_witness > 0;
	hd_check_clear(&result);
	free(failed);
	hd_carried_view_free(view);
}

/* Gives the rows of packets that leave @node by @out, or come in there, VL 15. */
static void drop_rows(struct hd_tables *tables, uint32_t node, unsigned number)
{
	if (!hd_is_switch(tables->fabric, node)) {
		tables->sl2vl[hd_sl2vl_host_index(tables, node, number)] = hd_row_all(HD_VL_DROP);
		return;
	}
	for (unsigned other = 0; other <= tables->fabric->nodes[node].n_ports; other++) {
		tables->sl2vl[hd_sl2vl_index(tables, node, other, number)] = hd_row_all(HD_VL_DROP);
		tables->sl2vl[hd_sl2vl_index(tables, node, number, other)] = hd_row_all(HD_VL_DROP);
	}
}

/*
 * Entries that lead to no active link lead nowhere, and rows of packets to or from none are of no
 * packets: which of them it is makes no state.
 */
static struct hd_carried_view *seen(const struct history_case *s)
{
	struct hd_carried_view *view;
	struct hd_error err;

	assert_hd_ok(hd_carried_view_new(s->c.emulator, &view, &err), err);
	hd_for_each_switch(node, &view->fabric)
		for (size_t lid = 0; lid < view->tables->lft_stride; lid++) {
			uint8_t *out = hd_lft(view->tables, node) + lid;

			if (*out && (*out > view->fabric.nodes[node].n_ports ||
				     hd_peer_node(&view->fabric, node, *out) == HD_NONE))
				*out = HD_NO_PATH;
		}
	hd_for_each_node(node, &view->fabric)
		hd_for_each_number(number, &view->fabric, node)
			if (hd_peer_node(&view->fabric, node, number) == HD_NONE)
				drop_rows(view->tables, node, number);
	return view;
}

/* Histories by chance: as many states with loops, and with cycles, as when each is checked. */
static void test_every_state_is_proved(void **state)
{
	static const char *const specs[] = { "torus:4x4", "mesh:3x3", "dragonfly:a=3,p=1,h=1" };
	static const char *const engines[] = { "hdor", "hdor", "dla" };

	(void)state;
	for (uint64_t seed = 0; seed < (HD_IS_SLOW ? 6 : 30); seed++) {
		struct hd_history_verdict verdict;
		uint64_t looping, cyclic, states = 1;
		struct hd_random random;
		struct history_case s;
		bool loops, is_cyclic;

		hd_random_init(&random, seed, 0);
		begin(&s, specs[seed % 3], engines[seed % 3]);
		check_now(&s, &loops, &is_cyclic);
		looping = loops;
		cyclic = is_cyclic;
		for (unsigned i = 0; i < 60; i++) {
			struct hd_carried_view *before = seen(&s), *after;

			history_case_change(&s, &random);
			after = seen(&s);
			check_now(&s, &loops, &is_cyclic);
			if (!hd_carried_view_equal(before, after)) {
				states++;
				looping += loops;
				cyclic += is_cyclic;
			}
			hd_carried_view_free(before);
			hd_carried_view_free(after);
		}
		verdict = prove(&s);
		assert_int_equal(verdict.n_states, states);
		assert_int_equal(verdict.n_looping, looping);
		assert_int_equal(verdict.n_cyclic, cyclic);
		history_case_free(&s);
	}
}

/* A switch that is turned off and on has lost its tables; a file that ends early can be read. */
static void test_a_killed_emulator(void **state)
{
	struct hd_history_verdict verdict, whole;
	struct hd_error err;
	struct history_case s;
	char path[96];
	FILE *file;
	long size;
	char *text;

	(void)state;
	begin(&s, "mesh:3x3", "hdor");
	assert_true(hd_node_off(s.c.emulator, 4));
	assert_true(hd_node_on(s.c.emulator, 4));
	history_case_set_entry(&s, 0, 3, 1);
	whole = prove(&s);
	assert_int_equal(whole.n_records, 4);
	assert_int_equal(whole.n_states, 4);
	file = fopen(s.path, "r");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = malloc((size_t)size);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	fclose(file);
	snprintf(path, sizeof(path), "%s-cut", s.path);
	for (long cut = size - 1; cut > size - 300 && cut > 0; cut -= 7) {
		file = fopen(path, "w");
		assert_non_null(file);
		fwrite(text, 1, (size_t)cut, file);
		fclose(file);
		assert_hd_ok(history_case_prove_file(path, 0, &verdict, &err), err);
		assert_true(verdict.n_records < whole.n_records);
	}
	unlink(path);
	free(text);
	history_case_free(&s);
}

/* Appends @line to a history, and expects @says of it. */
static void refuse(struct history_case *s, const char *line, const char *says)
{
	struct hd_history_verdict verdict;
	struct hd_error err;
	FILE *file = fopen(s->path, "r+");
	long size;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	fprintf(file, "%s\n", line);
	fclose(file);
	assert_int_equal(history_case_prove_file(s->path, 0, &verdict, &err), HD_EPARSE);
	assert_hd_says(err, says);
	assert_string_equal(err.file, "history");
	assert_true(err.line > 0);
	assert_int_equal(truncate(s->path, size), 0);
}

static void test_what_is_refused(void **state)
{
	char line[256];
	struct history_case s;
	unsigned long long guid, host;

	(void)state;
	begin(&s, "mesh:2x2", "hdor");
	guid = s.c.fabric->nodes[0].guid;
	host = s.c.fabric->nodes[s.c.fabric->n_switches].guid;
	refuse(&s, "what", "no record");
	refuse(&s, "begin 1.000000000 0", "the first record is 'begin', and no other is");
	refuse(&s, "on 1.0 0x1 0", "no record");
	refuse(&s, "on 1.000000000 0x77 0", "the fabric has no node 0x0000000000000077");
	snprintf(line, sizeof(line), "on 1.000000000 0x%llx 1\nlft 3 1 2", guid);
	refuse(&s, line, "whose change?");
	snprintf(line, sizeof(line), "on 1.000000000 0x%llx 2\nof 0x%llx\nlft 3 99 2", guid, guid);
	refuse(&s, line, "the node held");
	snprintf(line, sizeof(line), "on 1.000000000 0x%llx 2\nof 0x%llx\nlft 49152 1 2", guid,
		 guid);
	refuse(&s, line, "an LFT entry is LID and two ports");
	snprintf(line, sizeof(line), "on 1.000000000 0x%llx 2\nof 0x%llx\nlft 3 1 2", host, host);
	refuse(&s, line, "an adapter has no 'lft'");
	snprintf(line, sizeof(line), "on 1.000000000 0x%llx 2\nof 0x%llx\nport 77 lid 1 2", guid,
		 guid);
	refuse(&s, line, "'77' is no port of the node");
	snprintf(line, sizeof(line), "on 1.000000000 0x%llx 2\nof 0x%llx\nport 1 state 4 5", guid,
		 guid);
	refuse(&s, line, "state is 1 to 4");
	snprintf(line, sizeof(line), "on 1.000000000 0x%llx 2\nof 0x%llx\nsl2vl 1 1 0 1", guid,
		 guid);
	refuse(&s, line, "two rows of 16 digits");
	snprintf(line, sizeof(line), "set 1.000000000 0x%llx PortInfo 0x1 0", guid);
	refuse(&s, line, "a Set is GUID ATTRIBUTE MODIFIER STATUS CHANGES");
	history_case_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_loop_that_is_planted),
		cmocka_unit_test(test_every_state_is_proved),
		cmocka_unit_test(test_a_killed_emulator),
		cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
