// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is wrong in descriptions of systems (.ibnl) and in topology files is told, with its line. */
#include "tests/unit/unit.h"

#include "fabric/fabric.h"
#include "fabric/ibnl.h"
#include "fabric/topo_file.h"

#define BOX "TOPSYSTEM Box\nNODE SW 2 CHIP U1\n1 -4x-10G-> P1\n2 -> P2\n"

struct complaint {
	const char *text;
	unsigned line;
	const char *words;
};

static int parse_system(const char *text, struct hd_ibnl **ibnl, struct hd_error *err)
{
	memset(err, 0, sizeof(*err));
	return hd_ibnl_parse("box.ibnl", text, strlen(text), ibnl, err);
}

static void assert_complaint(const struct hd_error *err, const struct complaint *wanted)
{
	if (err->line != wanted->line || !strstr(err->text, wanted->words))
		fail_msg("'%s': line %u: %s", wanted->text, err->line, err->text);
}

static void systems_that_are_wrong(void **state)
{
	static const struct complaint cases[] = {
		{ "TOPSYSTEM\n", 1, "a system without a name" },
		{ "NODE SW 8 CHIP U1\n", 1, "expected SYSTEM or TOPSYSTEM" },
		{ "TOPSYSTEM Box\nNODE SW 8 CHIP\n", 2, "expected 'NODE" },
		{ "TOPSYSTEM Box\nNODE SW 0 CHIP U1\n", 2, "expected 'NODE" },
		{ "TOPSYSTEM Box\nNODE SW 8x CHIP U1\n", 2, "expected 'NODE" },
		{ "TOPSYSTEM Box\nNODE RT 8 CHIP U1\n", 2, "expected 'NODE" },
		{ "TOPSYSTEM Box\nSUBSYSTEM BOARD\n", 2, "expected 'SUBSYSTEM" },
		{ BOX "NODE CA 1 CHIP U1\n", 5, "the name is that of line 2" },
		{ "1 -> P1\n", 1, "neither a system, a node nor a link" },
		{ "TOPSYSTEM Box\n1 -> P1\n", 2, "neither a system, a node nor a link" },
		{ BOX "1 -> P1 2 3\n", 5, "neither a system, a node nor a link" },
		{ BOX "1 -4y-> P1\n", 5, "neither a system, a node nor a link" },
		{ BOX "1 -4x-11G-> P1\n", 5, "neither a system, a node nor a link" },
		{ "SYSTEM Box\n", 0, "0 TOPSYSTEMs" },
		{ BOX BOX, 0, "2 TOPSYSTEMs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_ibnl *ibnl;
		struct hd_error err;

		assert_int_equal(parse_system(cases[i].text, &ibnl, &err), HD_EPARSE);
		assert_null(ibnl);
		assert_complaint(&err, &cases[i]);
	}
}

static int parse_cables(const char *system, const char *cables, struct hd_fabric **fabric,
			struct hd_error *err)
{
	struct hd_ibnl *ibnl;
	int ret;

	assert_hd_ok(parse_system(system, &ibnl, err), *err);
	ret = hd_topo_file_parse_with("site.topo", cables, strlen(cables), &ibnl, 1, fabric, err);
	hd_ibnl_free(ibnl);
	return ret;
}

static void assert_refused(const char *system, const struct complaint *wanted, int code)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_int_equal(parse_cables(system, wanted->text, &fabric, &err), code);
	assert_complaint(&err, wanted);
}

static void cables_that_are_wrong(void **state)
{
	static const struct complaint cases[] = {
		{ " P1 -> Box b P1\n", 1, "a cable before the first system" },
		{ "Box\n", 1, "neither a system" },
		{ "Box a CFG\n", 1, "neither a system" },
		{ "Box a\n P9 -> Box b P1\n", 2, "'a' has no plug 'P9'" },
		{ "Box a\n P1 -> Box b P9\n", 2, "'b' has no plug 'P9'" },
		{ "Box a\n P1 -> Box b P1\n P1 -> Box c P1\n", 3, "port 1 as well as to" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(BOX, &cases[i], HD_EPARSE);
}

/* Whoever can do without the type tells this from other errors. */
static void types_that_are_not_there(void **state)
{
	static const struct complaint cases[] = {
		{ "Crate a\n", 1, "no .ibnl file of systems 'Crate'" },
		{ "Box a\n P1 -> Crate b P1\n", 2, "no .ibnl file of systems 'Crate'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(BOX, &cases[i], HD_ENOTFOUND);
}

/* What only shows when a system is put together is told of the line of its description. */
static void systems_that_cannot_be_built(void **state)
{
	static const struct {
		const char *system;
		struct complaint complaint;
	} cases[] = {
		{ BOX "3 -> P3\n",
		  { "Box a\n P1 -> Box b P1\n", 5, "is no port of a node with 2" } },
		{ BOX "x -> P3\n", { "Box a\n P1 -> Box b P1\n", 5, "'x' is no port" } },
		{ BOX "1 -> U9 1\n", { "Box a\n P1 -> Box b P1\n", 5, "there is no 'U9' here" } },
		{ BOX "1 -> U1 9\n", { "Box a\n P1 -> Box b P1\n", 5, "'9' is no port" } },
		{ BOX "SUBSYSTEM BOARD b\n",
		  { "Box a\n P1 -> Box b P1\n", 5, "there is no SYSTEM 'BOARD'" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(cases[i].system, &cases[i].complaint, HD_EPARSE);
}

/*
 * A cable's width and speed count first, then those of the slower plug; 4x where nothing is told.
 */
static void links_have_the_width_and_speed_that_are_told(void **state)
{
	const struct hd_port *ports;
	struct hd_fabric *fabric;
	struct hd_error err;

	(void)state;
	assert_hd_ok(parse_cables(BOX, "Box a\n P1 -> Box b P1\n P2 -12x-5G-> Box b P2\n", &fabric,
				  &err),
		     err);
	assert_int_equal(fabric->n_nodes, 2);
	ports = &fabric->ports[hd_port_index(fabric, 0, 0)];
	assert_int_equal(ports[1].width, 4);
	assert_int_equal(ports[1].speed, HD_QDR);
	assert_int_equal(ports[2].width, 12);
	assert_int_equal(ports[2].speed, HD_DDR);
	hd_fabric_free(fabric);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(systems_that_are_wrong),
		cmocka_unit_test(cables_that_are_wrong),
		cmocka_unit_test(types_that_are_not_there),
		cmocka_unit_test(systems_that_cannot_be_built),
		cmocka_unit_test(links_have_the_width_and_speed_that_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
