// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Devices and ports as lists of cables spell them, and the lists. */
#include "tests/unit/unit.h"

#include "fabric/fabric.h"
#include "plan/device.h"
#include "plan/read_csv.h"
#include "plan/read_topo.h"
#include "support/text.h"

static struct hd_span span(const char *text)
{
	return (struct hd_span){ text, text + strlen(text) };
}

static void test_ports(void **state)
{
	static const struct {
		const char *port, *node;
		unsigned number;
		enum hd_device_kind kind;
	} cases[] = {
		{ "7", "sw", 7, HD_DEVICE_UNKNOWN },
		{ "P7", "sw", 7, HD_DEVICE_UNKNOWN },
		{ "Port 40", "sw", 40, HD_DEVICE_UNKNOWN },
		{ "PORT40", "sw", 40, HD_DEVICE_UNKNOWN },
		{ "1/1/1", "sw", 1, HD_DEVICE_UNKNOWN },
		{ "P1/16/1", "sw", 31, HD_DEVICE_UNKNOWN },
		{ "Port 1/32/2", "sw", 64, HD_DEVICE_UNKNOWN },
		{ "Blade 2_Port 1/5", "sw/L02/U1", 5, HD_DEVICE_SWITCH },
		{ "L12/U2/P36", "sw/L12/U2", 36, HD_DEVICE_SWITCH },
		{ "L3/P4", "sw/L03/U1", 4, HD_DEVICE_SWITCH },
		{ "mlx5_0/P1", "sw mlx5_0", 1, HD_DEVICE_END_NODE },
		{ "mlx5_1/Port 2", "sw mlx5_1", 2, HD_DEVICE_END_NODE },
		{ "ibp3s0f0", "sw ibp3s0f0", 1, HD_DEVICE_END_NODE },
		{ "U1/P2", "sw", 2, HD_DEVICE_UNKNOWN },
	};
	static const char *const bad[] = { "",        "0",       "255",
					   "1/2",     "2/1/1",   "1/1/3",
					   "1/1/1/1", "Blade 2", "Blade 2_Port 1",
					   "/P1",     "x/",      "L2/U1",
					   "-1",      "7 8" };
	struct hd_device_port end;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(hd_device_port(span("sw"), span(cases[i].port), &end));
		assert_string_equal(end.node, cases[i].node);
		assert_int_equal(end.number, cases[i].number);
		assert_int_equal(end.kind, cases[i].kind);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (hd_device_port(span("sw"), span(bad[i]), &end))
			fail_msg("'%s' is port %u of '%s'", bad[i], end.number, end.node);
	assert_false(hd_device_port(span(""), span("1"), &end));
}

static void test_keys(void **state)
{
	static const char *const cases[][2] = {
		{ "SW-1", "sw-1" },
		{ "MF0;DSM09-40IB1:MQM8700/U1", "dsm09-40ib1" },
		{ "MF0;core:CS8500/L02/U1", "core/l02/u1" },
		{ "core/L02/U1", "core/l02/u1" },
		{ "S-1/U1", "s-1" },
		{ "node-1 mlx5_0", "node-1 mlx5_0" },
		{ "MF0;no colon", "mf0;no colon" },
		{ "", "" },
	};
	char key[HD_MAX_NAME + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		hd_device_key(cases[i][0], key);
		assert_string_equal(key, cases[i][1]);
	}
}

static struct hd_fabric *read_csv(const char *text)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_true(hd_cable_csv_is(text, strlen(text)));
	assert_hd_ok(hd_csv_parse("list", text, strlen(text), &fabric, &err), err);
	return fabric;
}

/* What a list does not say: switches have many ports, or peers with as few as they have. */
static void test_kinds(void **state)
{
	struct hd_fabric *fabric = read_csv("a,3,b,1\na,4,c,1\na,5,d,2\n");

	(void)state;
	assert_int_equal(fabric->n_switches, 1);
	assert_int_equal(fabric->n_links, 3);
	hd_fabric_free(fabric);
	fabric = read_csv("a,1,b,1\nb,2,c,1\nc,2,a,2\n");
	assert_int_equal(fabric->n_switches, 3);
	hd_fabric_free(fabric);
	fabric = read_csv("A,1,b,1\nb,1,a,1\n\na,2,B,2\n");
	assert_int_equal(fabric->n_nodes, 2);
	assert_int_equal(fabric->n_links, 2);
	hd_fabric_free(fabric);
}

static void test_no_lists(void **state)
{
	static const char *const others[] = {
		"", "\n", "# x,1,y,2\n", "Switch 8 \"S-1\"\n", "a,b,c,d\n", "a,1\n", "vendid=0x0\n"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(hd_cable_csv_is(others[i], strlen(others[i])));
}

static void test_topo(void **state)
{
	static const char text[] = "T a\n  P1 -4x-50G-> T b P2\n  P3 -> HCA h mlx5_0/P1\n\nT b\n";
	struct hd_fabric *fabric;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_topo_cables_parse("t", text, strlen(text), &fabric, &err), err);
	assert_int_equal(fabric->n_switches, 2);
	assert_int_equal(fabric->n_nodes, 3);
	assert_int_equal(fabric->ports[hd_port_index(fabric, 0, 1)].width, 4);
	assert_int_equal(fabric->ports[hd_port_index(fabric, 0, 1)].speed, HD_HDR);
	assert_int_equal(fabric->ports[hd_port_index(fabric, 0, 3)].width, 0);
	assert_string_equal(hd_node_name(fabric, 2), "h mlx5_0");
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ports), cmocka_unit_test(test_keys),
		cmocka_unit_test(test_kinds), cmocka_unit_test(test_no_lists),
		cmocka_unit_test(test_topo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
