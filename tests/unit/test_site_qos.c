// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a site says of lanes and classes, and what becomes of that. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "manager/class_file.h"
#include "manager/site_lanes.h"
#include "support/random.h"
#include "tables/classes.h"
#include "tests/unit/mixing.h"
#include "tests/unit/proof.h"
#include "tests/unit/spec_fabric.h"

static const struct hd_site_qos nothing_set = {
	.is_used = true,
	.all.high_limit = -1,
	.ca.high_limit = -1,
	.sw0.high_limit = -1,
	.swe.high_limit = -1,
	.rtr.high_limit = -1,
	.defaults = { "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7", "0:4,1:0,2:0",
		      "0:0,1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4", 0 },
};

static void assert_names(const struct hd_site_qos *qos, const char *expected)
{
	char *names = hd_site_qos_names(qos);

	assert_string_equal(names, expected);
	free(names);
}

static void options_that_are_set_are_named(void **state)
{
	struct hd_site_qos qos = nothing_set;

	(void)state;
	assert_names(&qos, "");
	/* defaults and empty words count as not given */
	qos.all = qos.defaults;
	qos.ca.sl2vl = "";
	assert_names(&qos, "");
	qos.swe.sl2vl = "0,0";
	qos.ca.high_limit = 3;
	qos.rtr.vlarb_low = "0:1";
	assert_names(&qos, "qos_ca_high_limit, qos_swe_sl2vl, qos_rtr_vlarb_low");
	qos.is_used = false;
	assert_names(&qos, "");
}

static void assert_says(const struct hd_site_outcome *outcome, const char *expected)
{
	char *text = hd_site_describe(outcome);

	assert_string_equal(text, expected);
	free(text);
}

#define HINT " (event_plugin_options classes=FILE gives classes their shares, heddle-classes(5))"

static void what_is_without_effect_is_said(void **state)
{
	struct hd_site_outcome outcome = { .options = "", .sls = "", .remark = "" };

	(void)state;
	assert_says(&outcome, "");
	outcome.options = "o";
	outcome.sls = "s";
	assert_says(&outcome, "has SL2VL tables, VL arbitration and path SLs of its own; without "
			      "effect: o, s" HINT);
	outcome.any_sl = true;
	assert_says(&outcome, "has SL2VL tables and VL arbitration of its own; without effect: o; "
			      "on the same lanes as other SLs: s" HINT);
	outcome.has_classes = true;
	assert_says(&outcome, "has SL2VL tables and VL arbitration of its own; without effect: o");
	outcome.options = "";
	assert_says(&outcome, "");
	outcome.options = "o";
	outcome.has_site_lanes = true;
	outcome.remark = "; r";
	assert_says(&outcome,
		    "needs one lane, and uses those of the site, proved with all SLs: o; r");
	outcome.is_unchecked = true;
	assert_says(&outcome,
		    "needs one lane, and uses those of the site, not proved (check=off): o; r");
}

/* Tables with the lanes of @qos; NULL: the engine's own. */
static struct hd_tables *make(const struct hd_tables *routed, const struct hd_site_qos *qos,
			      char remark[800])
{
	struct hd_vlarb_room *rooms = calloc(routed->fabric->n_ports, sizeof(*rooms));
	const struct hd_site_lanes_request request = { .qos = qos, .rooms = rooms };
	struct hd_tables *lanes;
	struct hd_error err;

	hd_for_each_port(p, routed->fabric)
		rooms[p] = (struct hd_vlarb_room){ .low = 32, .high = 16 };
	assert_hd_ok(hd_site_lanes(routed, &request, &lanes, remark, 800, &err), err);
	free(rooms);
	return lanes;
}

static void one_lane_takes_the_lanes_of_the_site(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=2,n=2", 0);
	struct hd_tables *routed = route_by(fabric, "dmodc"), *lanes;
	struct hd_site_qos qos = nothing_set;
	char remark[800];

	(void)state;
	assert_null(make(routed, &qos, remark));
	qos.swe.sl2vl = "3,2,1,0,15";
	lanes = make(routed, &qos, remark);
	assert_non_null(lanes);
	/* the rest of a short list is VL 0; VL 15 drops whatever a port operates */
	assert_int_equal(lanes->sl2vl[hd_sl2vl_index(lanes, 0, 1, 2)], 0xf0123);
	assert_int_equal(lanes->sl2vl[hd_sl2vl_host_index(lanes, fabric->n_switches, 1)] & 0xffff,
			 0x3210);
	assert_non_null(strstr(remark, "; not for all SLs"));
	assert_memory_equal(lanes->lft, routed->lft, fabric->n_switches * routed->lft_stride);
	hd_tables_free(lanes);
	/* SL 0 is that of all paths: without it nothing arrives, and the engine's lanes stay */
	qos.swe.sl2vl = "15,1";
	assert_null(make(routed, &qos, remark));
	assert_string_not_equal(remark, "");
	hd_tables_free(routed);
	hd_fabric_free(fabric);
}

static void several_lanes_are_the_engines_own(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *routed = route_by(fabric, "dla");
	struct hd_site_qos qos = nothing_set;
	char remark[800];

	(void)state;
	qos.all.sl2vl = "0,0,0,0";
	assert_null(make(routed, &qos, remark));
	assert_string_equal(remark, "");
	hd_tables_free(routed);
	hd_fabric_free(fabric);
}

/*
 * Whatever a site writes: tables are sound by SL 0 and without loops by all, or they are not taken.
 */
static void random_options_are_sound_or_refused(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=2,n=2", 0);
	struct hd_tables *routed = route_by(fabric, "dmodc");
	struct hd_random random;
	unsigned n_taken = 0;

	(void)state;
	hd_random_init(&random, 11, 0);
	for (unsigned i = 0; i < 400; i++) {
		struct hd_site_qos qos = nothing_set;
		char sl2vl[200] = "", low[400] = "", remark[800];
		struct hd_tables *lanes;

		for (unsigned sl = 0; sl < 16; sl++)
			sprintf(sl2vl + strlen(sl2vl), "%u,", hd_random_below(&random, 17));
		for (unsigned n = hd_random_below(&random, 30); n; n--)
			sprintf(low + strlen(low), "%u:%u,", hd_random_below(&random, 20),
				hd_random_below(&random, 300));
		qos.all.sl2vl = sl2vl;
		if (i % 2)
			qos.ca.vlarb_low = low;
		qos.swe.vlarb_high = low + strlen(low) / 2;
		lanes = make(routed, &qos, remark);
		if (!lanes) {
			assert_string_not_equal(remark, "");
			continue;
		}
		n_taken++;
		assert_sound(lanes, sl2vl);
		assert_false(loops(lanes, &(struct hd_check_options){ .all_sls = true }));
		hd_tables_free(lanes);
	}
	assert_in_range(n_taken, 20, 399);
	hd_tables_free(routed);
	hd_fabric_free(fabric);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Classes of before stay while the file is bad; that is news once. */
static void classes_stay_while_the_file_is_bad(void **state)
{
	char path[] = "/tmp/heddle-classes-XXXXXX";
	struct hd_class_file file = { .classes = NULL };
	struct hd_error err;

	(void)state;
	close(mkstemp(path));
	write_file(path, "[class a] share = 3%\n");
	assert_int_equal(hd_class_file_read(&file, path, true, &err), HD_EREFUSED);
	assert_hd_says(err, "classes: ");
	assert_hd_ok(hd_class_file_read(&file, path, false, &err), err);
	assert_null(file.classes);
	assert_string_not_equal(file.complaint, "");
	write_file(path, "[class a] share = 30%\n[class b] share = 70%\n");
	assert_hd_ok(hd_class_file_read(&file, path, true, &err), err);
	assert_int_equal(file.classes->n, 2);
	assert_string_equal(file.complaint, "");
	write_file(path, "nonsense\n");
	for (unsigned i = 0; i < 3; i++) {
		assert_hd_ok(hd_class_file_read(&file, path, true, &err), err);
		assert_int_equal(file.is_news, i == 0);
		assert_int_equal(file.classes->n, 2);
	}
	unlink(path);
	assert_hd_ok(hd_class_file_read(&file, path, true, &err), err);
	assert_true(file.is_news);
	hd_class_file_clear(&file);
	assert_null(file.classes);
}

static void the_largest_class_is_found(void **state)
{
	struct hd_classes classes = { .n = 3 };

	(void)state;
	assert_null(hd_classes_find_largest(NULL));
	assert_null(hd_classes_find_largest(&classes));
	classes.list[0] = (struct hd_class){ .packet = 9 }; /* not given */
	classes.list[1] = (struct hd_class){ .packet = 4, .has_packet = true };
	classes.list[2] = (struct hd_class){ .packet = 3, .has_packet = true };
	assert_ptr_equal(hd_classes_find_largest(&classes), &classes.list[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_that_are_set_are_named),
		cmocka_unit_test(what_is_without_effect_is_said),
		cmocka_unit_test(one_lane_takes_the_lanes_of_the_site),
		cmocka_unit_test(several_lanes_are_the_engines_own),
		cmocka_unit_test(random_options_are_sound_or_refused),
		cmocka_unit_test(classes_stay_while_the_file_is_bad),
		cmocka_unit_test(the_largest_class_is_found),
	};

	return cmocka_run_group_tests_name("site QoS", tests, NULL, NULL);
}
