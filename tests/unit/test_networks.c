// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What hosts with several LIDs know: their path SLs, their lanes, which network waits less, the
 * page.
 */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/estimate.h"
#include "host/page.h"
#include "tests/unit/spec_fabric.h"
#include "tests/unit/tables_case.h"

#define TEXT(text) (text), sizeof(text) - 1

static struct hd_own_sls sls;

static void test_own_sls(void **state)
{
	static const char text[] = "# port 0x0000000000000011 lid 4 lmc 1\n"
				   "# port 0x21 lid 6 lmc 1\n"
				   "# made by hand\n"
				   "0x10 6 1\n0x10 7 3\r\n"
				   "\n"
				   "0x20 4 2\n0x20 5 15\n= 0x30\n";
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_own_sls_parse(&sls, "f", TEXT(text), 0x10, 0x11, &err), err);
	assert_true(sls.has_source && sls.has_ports);
	assert_int_equal(sls.lid, 4);
	assert_int_equal(sls.sl[6], 1);
	assert_int_equal(sls.sl[7], 3);
	assert_int_equal(sls.sl[4], HD_OWN_NO_SL);
	assert_int_equal(hd_own_sls_base(&sls, 7), 6);
	assert_int_equal(hd_own_sls_base(&sls, 8), 0);
	assert_int_equal(hd_own_sls_base(&sls, 70000), 0);
	/* a source like another one, known by its port or its node; no LIDs of its own */
	assert_hd_ok(hd_own_sls_parse(&sls, "f", TEXT(text), 0x30, 0x31, &err), err);
	assert_int_equal(sls.sl[5], 15);
	assert_int_equal(sls.sl[6], HD_OWN_NO_SL);
	assert_int_equal(sls.lid, 0);
	assert_hd_ok(hd_own_sls_parse(&sls, "f", TEXT(text), 0x50, 0x20, &err), err);
	assert_int_equal(sls.sl[4], 2);
	assert_hd_ok(hd_own_sls_parse(&sls, "f", TEXT(text), 0x50, 0x51, &err), err);
	assert_false(sls.has_source);
}

static void test_own_sls_refused(void **state)
{
	static const struct {
		const char *text, *says;
		unsigned line;
	} cases[] = {
		{ "0x1 2", "expected '0xGUID LID SL'", 1 },
		{ "\n0x1 2 3 4", "expected '0xGUID LID SL'", 2 },
		{ "0x1 2 16", "SL 16 is not in 0..15", 1 },
		{ "0x1 0 0", "LID 0 is no unicast LID", 1 },
		{ "0x1 49152 0", "LID 49152 is no unicast LID", 1 },
		{ "= 0x1", "'=' before any source's SLs", 1 },
		{ "0x1 2 3\n=", "expected '= 0xGUID'", 2 },
		{ "# port 0x1", "expected '# port 0xGUID lid N lmc M'", 1 },
		{ "# port 0x1 lid 3 lmc 1", "no port can have LID 3 with LMC 1", 1 },
		{ "# port 0x1 lid 0 lmc 1", "no port can have LID 0 with LMC 1", 1 },
		{ "# port 0x1 lid 49024 lmc 8", "no port can have LID 49024 with LMC 8", 1 },
		{ "# port 0x1 lid 2 lmc 1\n# port 0x2 lid 3 lmc 0", "LID 3 has two ports", 2 },
	};
	struct hd_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(hd_own_sls_parse(&sls, "file", cases[i].text,
						  strlen(cases[i].text), 1, 2, &err),
				 HD_EPARSE);
		assert_string_equal(err.text, cases[i].says);
		assert_string_equal(err.file, "file");
		assert_int_equal(err.line, cases[i].line);
	}
}

/* What the writer of path-sl.dump writes is what hosts read, LID by LID. */
static void test_own_sls_are_those_of_the_tables(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables;
	struct hd_error err;
	char *text;
	size_t size;

	(void)state;
	assert_non_null(fabric);
	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	text = tables_case_write(&hd_dump_path_sl, tables, &size);
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];

		assert_hd_ok(hd_own_sls_parse(&sls, "f", text, size, fabric->nodes[port->node].guid,
					      port->guid, &err),
			     err);
		hd_for_each_lid(lid, fabric)
			if (fabric->lids[lid].port != HD_NONE)
				assert_int_equal(sls.sl[lid],
						 hd_path_sl(tables, fabric->endports[i], lid));
	}
	free(text);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Two networks of two lanes each: SLs and VLs 0, 1 and 2, 3. */
static const char two[] =
	"# port 0x11 lid 2 lmc 1\n# port 0x21 lid 4 lmc 1\n# port 0x31 lid 6 lmc 1\n"
	"0x10 2 9\n0x10 3 9\n0x10 4 0\n0x10 5 2\n0x10 6 1\n0x10 7 3\n0x10 8 7\n";

static struct hd_lanes find(const struct hd_own_port *port, const char *says)
{
	struct hd_lanes lanes = { 0 };
	struct hd_error err;
	int ret = hd_lanes_find(&lanes, port, &sls, &err);

	if (says) {
		assert_int_equal(ret, HD_EINVAL);
		assert_string_equal(err.text, says);
	} else {
		assert_hd_ok(ret, err);
	}
	return lanes;
}

static void test_lanes(void **state)
{
	struct hd_own_port port = {
		.lid = 2, .lmc = 1, .is_active = true, .sl2vl = 0xFEDCBA9876543210
	};
	struct hd_lanes lanes;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_own_sls_parse(&sls, "f", TEXT(two), 0x10, 0x11, &err), err);
	lanes = find(&port, NULL);
	assert_int_equal(lanes.n, 2);
	/* neither the port's own LIDs nor that of a switch count */
	assert_int_equal(lanes.vls[0], 0x3);
	assert_int_equal(lanes.vls[1], 0xC);
	assert_int_equal(lanes.sls[1], 0xC);
	assert_false(lanes.are_shared);
	/* SL 2 on VL 1, SL 3 dropped */
	port.sl2vl = 0xF110;
	lanes = find(&port, NULL);
	assert_int_equal(lanes.vls[1], 0x2);
	assert_true(lanes.are_shared);
	port.lmc = 0;
	find(&port, "the port has one LID (LMC 0): there is nothing to choose");
	port.lmc = 2;
	find(&port, "path SLs of another LMC: 1, and the port has 2");
	port.lmc = 1;
	port.lid = 12;
	find(&port, "path SLs of other LIDs: the port had 2, and has 12 now");
	port.is_active = false;
	find(&port, "the port is not active, or has no LID: no subnet manager");
	port.is_active = true;
	assert_hd_ok(hd_own_sls_parse(&sls, "f", TEXT("0x10 4 0\n"), 0x10, 0x11, &err), err);
	find(&port, "path SLs without lines '# port': of LMC 0, or older than them");
	assert_hd_ok(hd_own_sls_parse(&sls, "f", TEXT("0x90 4 0\n"), 0x10, 0x11, &err), err);
	find(&port, "no path SLs of this port");
}

static const struct hd_lanes lanes_of_two = { .n = 2, .vls = { 0x3, 0xC } };

static unsigned choose(struct hd_estimate *estimate, uint16_t a, uint16_t b, uint16_t c, uint16_t d)
{
	const uint16_t waited[HD_LANES] = { a, b, c, d, 9, 9 };

	return hd_estimate_choose(estimate, &lanes_of_two, waited);
}

/* The paper's section 4: the last interval alone. */
static void test_estimate_to_the_letter(void **state)
{
	struct hd_estimate estimate = { .memory = 0 };

	(void)state;
	assert_int_equal(choose(&estimate, 3, 4, 0, 8), 0);
	assert_int_equal(choose(&estimate, 3, 4, 0, 6), 1);
	assert_int_equal(estimate.reason, HD_WAITED_LESS);
	assert_false(estimate.saturated);
	/* it leaves the network that it is in, for an idle one, and comes back */
	assert_int_equal(choose(&estimate, 0, 0, 0, 1), 0);
	assert_int_equal(choose(&estimate, 1, 0, 0, 0), 1);
	/* ties alternate */
	assert_int_equal(choose(&estimate, 5, 0, 0, 5), 0);
	assert_int_equal(estimate.reason, HD_WAITED_ALIKE);
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(choose(&estimate, 0, 0, 0, 0), 1 - i % 2);
		assert_int_equal(estimate.reason, HD_NOTHING_WAITED);
	}
}

static void test_estimate_saturates(void **state)
{
	struct hd_estimate estimate = { .memory = 0 };

	(void)state;
	/* two lanes at their end wait more than one */
	assert_int_equal(choose(&estimate, 0xFFFF, 0xFFFF, 0xFFFF, 0), 1);
	assert_true(estimate.saturated);
	assert_int_equal(choose(&estimate, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF), 0);
	assert_int_equal(choose(&estimate, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF), 1);
	assert_int_equal(estimate.reason, HD_WAITED_ALIKE);
	/* one lane of each: what the others waited does not tell which waited less */
	assert_int_equal(choose(&estimate, 0xFFFF, 0, 0xFFFF, 9000), 0);
	assert_int_equal(choose(&estimate, 0xFFFF, 0, 0xFFFF, 9000), 1);
	assert_int_equal(estimate.reason, HD_WAITED_ALIKE);
}

/* Two networks whose counters stand still are no choice, whatever was known of them before. */
static void test_saturated_networks_alternate(void **state)
{
	for (unsigned memory = 0; memory <= 64; memory += 16) {
		struct hd_estimate estimate = { .memory = memory };
		unsigned last;

		(void)state;
		/* network 0 is by far the better one for a while */
		for (unsigned i = 0; i < 20; i++)
			last = choose(&estimate, 10, 0, i ? 0 : 60000, 0);
		for (unsigned i = 0; i < 100; i++) {
			const unsigned next = choose(&estimate, 0xFFFF, 0, 0xFFFF, 0);

			assert_int_equal(next, 1 - last);
			assert_int_equal(estimate.reason, HD_WAITED_ALIKE);
			last = next;
		}
		/* and the first interval that tells something decides again */
		assert_int_equal(choose(&estimate, 0xFFFF, 0, 0, 0), 1);
	}
}

/*
 * One lane never waits, the other does whenever it is used: all by the first, but for rare trials.
 */
static void test_estimate_remembers(void **state)
{
	struct hd_estimate estimate = { .memory = 16 };
	unsigned network = choose(&estimate, 100, 0, 30000, 0), trials = 0;

	(void)state;
	assert_int_equal(network, 0);
	for (unsigned i = 0; i < 1000; i++) {
		network = network ? choose(&estimate, 0, 0, 30000, 0)
				  : choose(&estimate, 100, 0, 0, 0);
		trials += network;
	}
	/* from about 7500, a quarter of a trial, to 100 it is 67 intervals */
	assert_in_range(trials, 5, 25);
	/* the better one becomes bad: soon the other */
	for (unsigned i = 0; i < 4; i++)
		network = choose(&estimate, 40000, 0, 0, 0);
	assert_int_equal(network, 1);
	/* nothing waits any more: in the end both alternate again */
	for (unsigned i = 0; i < 400; i++)
		choose(&estimate, 0, 0, 0, 0);
	assert_int_equal(estimate.reason, HD_NOTHING_WAITED);
	network = estimate.preferred;
	assert_int_equal(choose(&estimate, 0, 0, 0, 0), 1 - network);
}

static void test_network_without_lanes(void **state)
{
	const struct hd_lanes lanes = { .n = 4, .vls = { 0, 1, 0, 2 } };
	const uint16_t none[HD_LANES] = { 0 };
	struct hd_estimate estimate = { .memory = 16 };

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(hd_estimate_choose(&estimate, &lanes, none), i % 2 ? 3 : 1);
}

#define SECOND UINT64_C(1000000000)

/* What a reader that opens the page at @path takes from it. */
static int preferred(const char *path, uint64_t now)
{
	struct hd_networks_page seen;

	return hd_networks_read(path, &seen) ? hd_networks_preferred(&seen, now) : -1;
}

static void test_page(void **state)
{
	char directory[] = "/tmp/heddle-page.XXXXXX", path[64];
	struct hd_networks_page seen;
	struct hd_networks_page content = {
		.time = 100 * SECOND, .interval = SECOND, .n_networks = 2, .preferred = 1
	};
	struct hd_page page, other;
	struct hd_error err;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/run/networks", directory);
	assert_false(hd_networks_read(path, &seen));
	assert_hd_ok(hd_page_open(&page, path, &err), err);
	assert_true(hd_networks_read(path, &seen));
	assert_int_equal(preferred(path, 100 * SECOND), -1);
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	assert_int_equal(preferred(path, 100 * SECOND), 1);
	assert_int_equal(preferred(path, 99 * SECOND), 1);
	/* an interval, and one more */
	assert_int_equal(preferred(path, 102 * SECOND - 1), 1);
	assert_int_equal(preferred(path, 102 * SECOND), -1);
	content.preferred = HD_NETWORKS_ANY;
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	assert_int_equal(preferred(path, 100 * SECOND), -1);
	/* one writer */
	assert_int_equal(hd_page_open(&other, path, &err), HD_EIO);
	assert_string_equal(err.text, "another agent keeps it");
	content.preferred = 0;
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	hd_page_close(&page);
	assert_int_equal(preferred(path, 100 * SECOND), -1);
	/* the next agent's choice */
	assert_hd_ok(hd_page_open(&page, path, &err), err);
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	assert_int_equal(preferred(path, 100 * SECOND), 0);
	/* other files */
	assert_false(hd_networks_read("/dev/zero", &seen));
	assert_false(hd_networks_read("/dev/null", &seen));
	/* an agent that dies in the middle: nothing, and no waiting for ever */
	assert_int_equal(pwrite(page.file, "\1\0\0\0", 4, 0), 4);
	assert_int_equal(preferred(path, 100 * SECOND), -1);
	hd_page_close(&page);
	unlink(path);
	snprintf(path, sizeof(path), "%s/run", directory);
	rmdir(path);
	/* a directory is no page */
	assert_false(hd_networks_read(directory, &seen));
	rmdir(directory);
}

/* Of a page that somebody removes, replaces, truncates, or that must not grow. */
static void test_page_lost(void **state)
{
	char directory[] = "/tmp/heddle-page.XXXXXX", path[64], old[64];
	const struct hd_networks_page content = {
		.time = 100 * SECOND, .interval = SECOND, .n_networks = 2, .preferred = 1
	};
	struct rlimit limit, none;
	struct hd_page page;
	struct hd_error err;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/networks", directory);
	snprintf(old, sizeof(old), "%s/old", directory);
	assert_hd_ok(hd_page_open(&page, path, &err), err);
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	assert_false(hd_page_is_gone(&page));

	/* removed: another is made, and who has the first open sees that there is no agent */
	assert_int_equal(rename(path, old), 0);
	assert_true(hd_page_is_gone(&page));
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	assert_false(hd_page_is_gone(&page));
	assert_int_equal(preferred(old, 100 * SECOND), -1);
	assert_int_equal(preferred(path, 100 * SECOND), 1);

	/* what cannot be a page is in its place, then nothing */
	assert_int_equal(rename(path, old), 0);
	assert_int_equal(mkdir(path, 0755), 0);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(hd_page_write(&page, &content, &err), HD_EIO);
		assert_string_equal(err.text, "cannot open: Is a directory");
	}
	assert_int_equal(preferred(old, 100 * SECOND), -1);
	rmdir(path);
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	unlink(old);

	/* truncated: readers see none, and it grows again, if it may */
	for (off_t size = 0; size < (off_t)sizeof(content); size++) {
		assert_int_equal(truncate(path, size), 0);
		assert_int_equal(preferred(path, 100 * SECOND), -1);
	}
	assert_int_equal(truncate(path, 0), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_int_equal(hd_page_write(&page, &content, &err), HD_EIO);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_string_equal(err.text, "cannot write: File too large");
	assert_hd_ok(hd_page_write(&page, &content, &err), err);
	assert_int_equal(preferred(path, 100 * SECOND), 1);
	hd_page_close(&page);
	unlink(path);
	rmdir(directory);
}

/* What a writer that cuts the file, too, writes: all of a page follows from its time. */
static struct hd_networks_page page_of(uint64_t time)
{
	struct hd_networks_page content = {
		.time = time,
		.interval = time * 3,
		.lid = (uint16_t)time,
		.n_networks = 128,
		.preferred = (uint8_t)(time % 128),
	};

	for (unsigned i = 0; i < HD_NETWORKS_VLS; i++)
		content.waited[i] = (uint16_t)(time * 7 + i);
	return content;
}

#define WRITINGS 20000

/* Returns what failed; NULL: nothing. */
static void *write_and_cut(void *context)
{
	const char *path = context;
	void *failed = NULL;
	struct hd_page page;

	if (hd_page_open(&page, path, NULL))
		return "opening";
	for (uint64_t time = 1; time <= WRITINGS && !failed; time++) {
		const struct hd_networks_page content = page_of(time);

		if (hd_page_write(&page, &content, NULL))
			failed = "writing";
		else if (time % 8 == 0 && truncate(path, (off_t)(time % sizeof(content))))
			failed = "cutting";
	}
	hd_page_close(&page);
	return failed;
}

/* A page that is written and cut while it is read: what is read was written so, whole. */
static void test_page_cut_while_read(void **state)
{
	char directory[] = "/tmp/heddle-page.XXXXXX", path[64];
	struct hd_networks_page seen;
	uint64_t last = 0;
	bool is_over = false;
	pthread_t writer;
	void *failed;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/networks", directory);
	assert_int_equal(pthread_create(&writer, NULL, write_and_cut, path), 0);
	while (!is_over) {
		struct hd_networks_page expected;

		is_over = pthread_tryjoin_np(writer, &failed) == 0;
		if (!hd_networks_read(path, &seen) || !seen.time)
			continue;
		assert_true(seen.time >= last);
		last = seen.time;
		expected = page_of(last);
		expected.magic = HD_NETWORKS_MAGIC;
		expected.sequence = seen.sequence;
		assert_memory_equal(&seen, &expected, sizeof(seen));
		assert_int_equal(hd_networks_preferred(&seen, last), last % 128);
	}
	assert_null(failed);
	assert_true(last > 0);
	unlink(path);
	rmdir(directory);
}

/* Readers come back after a part of the interval, a second where there is no page. */
static void test_page_again(void **state)
{
	struct hd_networks_page page = page_of(1600);

	(void)state;
	page.interval = SECOND / 10;
	assert_int_equal(hd_networks_again(&page), SECOND / 160);
	page.interval = UINT64_MAX;
	assert_int_equal(hd_networks_again(&page), SECOND / 16);
	page.interval = 0;
	assert_int_equal(hd_networks_again(&page), 50000);
	page.time = 0;
	assert_int_equal(hd_networks_again(&page), SECOND / 16);
	assert_int_equal(hd_networks_again(NULL), SECOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_sls),
		cmocka_unit_test(test_own_sls_refused),
		cmocka_unit_test(test_own_sls_are_those_of_the_tables),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_estimate_to_the_letter),
		cmocka_unit_test(test_estimate_saturates),
		cmocka_unit_test(test_saturated_networks_alternate),
		cmocka_unit_test(test_estimate_remembers),
		cmocka_unit_test(test_network_without_lanes),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_page_lost),
		cmocka_unit_test(test_page_cut_while_read),
		cmocka_unit_test(test_page_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
