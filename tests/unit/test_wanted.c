// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What sweeps make of fabrics: tables that are proved and can be programmed, or a refusal. */
#include "tests/unit/unit.h"

#include "fabric/fabric_changed.h"
#include "manager/wanted.h"
#include "support/clock.h"
#include "support/random.h"
#include "tables/classes.h"
#include "tests/unit/mixing.h"
#include "tests/unit/proof.h"
#include "tests/unit/spec_fabric.h"

static const struct hd_site_qos plain = {
	.is_used = true,
	.all.high_limit = -1,
	.ca.high_limit = -1,
	.sw0.high_limit = -1,
	.swe.high_limit = -1,
	.rtr.high_limit = -1,
	.defaults = { "0,1,2,3", "0:4", "0:0,1:4,2:4,3:4,4:4,5:4,6:4,7:4", 0 },
};

/* A site with one engine, and what it was told. */
struct site {
	struct hd_plugin_options options;
	struct hd_wanted_request request;
	struct hd_site_qos qos;
	struct hd_absent_nodes absent;
	unsigned n_told;
};

static void told(void *context, const char *line)
{
	struct site *site = context;

	assert_string_not_equal(line, "");
	site->n_told++;
}

static void complain(void *context, const char *text)
{
	(void)context;
	fail_msg("%s", text);
}

/* A sweep that has found @fabric, which is taken over. */
static struct hd_wanted swept(struct hd_fabric *fabric)
{
	struct hd_wanted wanted = { .fabric = fabric };

	assert_non_null(fabric);
	wanted.rooms = calloc(fabric->n_ports, sizeof(*wanted.rooms));
	hd_for_each_port(p, fabric)
		wanted.rooms[p] = (struct hd_vlarb_room){ .low = 64, .high = 64 };
	return wanted;
}

static void begin(struct site *site, const char *engine, const char *options)
{
	struct hd_error err;
	size_t i = 0;

	*site = (struct site){ .qos = plain };
	assert_hd_ok(hd_plugin_options_parse(options, true, &site->options, complain, NULL, &err),
		     err);
	while (hd_engine_at(i) != hd_engine_find(engine))
		i++;
	site->request = (struct hd_wanted_request){
		.begin = hd_seconds(),
		.engine = hd_engine_at(i),
		.settings = &site->options.engines[i],
		.qos = &site->qos,
		.absent = &site->absent,
		.tell = told,
		.context = site,
	};
}

static void end(struct site *site)
{
	hd_absent_nodes_forget(&site->absent);
	hd_plugin_options_clear(&site->options);
}

static void tables_are_proved_and_described(void **state)
{
	struct hd_wanted wanted = swept(build_fabric("dragonfly:a=4,p=2,h=2", 0));
	struct site site;
	struct hd_error err;
	char text[640];

	(void)state;
	begin(&site, "dla", "");
	assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
	assert_sound(wanted.goal, "dla");
	assert_ptr_equal(wanted.goal, wanted.tables);
	assert_false(wanted.has_site_lanes);
	/* its lanes are the same for all SLs */
	assert_true(wanted.any_sl);
	assert_string_equal(wanted.chosen->policy.name, "dla");
	hd_wanted_describe(&wanted, site.request.engine, text, sizeof(text));
	assert_ptr_equal(strstr(text, "36 switches, top LID "), text);
	assert_non_null(strstr(text, wanted.summary));
	hd_wanted_describe(&wanted, NULL, text, sizeof(text));
	assert_ptr_equal(strstr(text, "dla routes: 36 switches"), text);
	hd_wanted_discard(&wanted);
	end(&site);
}

/* An engine that takes others tells why the ones before did not serve. */
static void another_engine_is_chosen(void **state)
{
	struct hd_wanted wanted = swept(build_fabric("dragonfly:a=4,p=2,h=2", 0));
	struct site site;
	struct hd_error err;

	(void)state;
	begin(&site, "heddle", "");
	site.qos.is_used = false;
	assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
	assert_in_range(site.n_told, 1, 20);
	assert_ptr_not_equal(wanted.chosen, site.request.engine);
	/* one lane is all that there is */
	assert_int_equal(hd_tables_sls_used(wanted.tables), 1);
	assert_sound(wanted.goal, "heddle");
	hd_wanted_discard(&wanted);
	end(&site);
}

static void lanes_that_cannot_be_programmed_are_refused(void **state)
{
	struct hd_wanted wanted = swept(build_fabric("dragonfly:a=4,p=2,h=2", 0));
	struct site site;
	struct hd_error err;

	(void)state;
	begin(&site, "dla", "");
	site.qos.is_used = false;
	assert_int_equal(hd_wanted_compute(&wanted, &site.request, &err), HD_EREFUSED);
	assert_hd_says(err, "it needs SL2VL tables, which OpenSM programs only with QoS");
	hd_wanted_discard(&wanted);
	end(&site);
}

/* OpenSM programs the LFTs beside private ones: they are proved by themselves. */
static void private_lfts_are_left_out(void **state)
{
	struct hd_wanted wanted = swept(build_fabric("dragonflyplus:leaves=2,g=3", 0));
	struct hd_error err = { 0 };
	struct site site;

	(void)state;
	begin(&site, "dfplus", "dfplus.ar=valiant");
	assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
	assert_null(wanted.tables->ar);
	assert_sound(wanted.goal, "dfplus");
	hd_wanted_discard(&wanted);
	end(&site);
	/* nor does a subnet manager take them that takes sets */
	wanted = swept(build_fabric("dragonflyplus:leaves=2,g=3", 0));
	begin(&site, "dfplus", "dfplus.ar=valiant");
	site.request.takes_sets = true;
	assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
	assert_null(wanted.tables->ar);
	hd_wanted_discard(&wanted);
	end(&site);
}

/* Sets are part of what is proved where the subnet manager programs them, and there alone. */
static void sets_are_kept_where_they_are_programmed(void **state)
{
	(void)state;
	for (int takes_sets = 0; takes_sets < 2; takes_sets++) {
		struct hd_wanted wanted = swept(build_fabric("tree:k=2,n=3", 0));
		struct hd_error err = { 0 };
		struct site site;

		begin(&site, "updn", "updn.ar=yes");
		site.request.takes_sets = takes_sets;
		assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
		assert_int_equal(wanted.tables->ar != NULL, takes_sets);
		hd_wanted_discard(&wanted);
		end(&site);
	}
}

static void loops_are_refused_unless_unchecked(void **state)
{
	struct hd_wanted wanted = swept(build_fabric("torus:4x4,p=1", 0));
	struct site site;
	struct hd_error err;

	(void)state;
	begin(&site, "minhop", "minhop.layers=single");
	assert_int_equal(hd_wanted_compute(&wanted, &site.request, &err), HD_EREFUSED);
	assert_hd_says(err, "credit loop");
	hd_wanted_discard(&wanted);
	end(&site);
	wanted = swept(build_fabric("torus:4x4,p=1", 0));
	begin(&site, "minhop", "minhop.layers=single minhop.check=off");
	assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
	assert_string_equal(wanted.summary, "not checked");
	hd_wanted_discard(&wanted);
	end(&site);
}

static void one_lane_serves_any_sl(void **state)
{
	struct hd_wanted wanted = swept(build_fabric("tree:k=2,n=3", 0));
	struct site site;
	struct hd_error err;

	(void)state;
	begin(&site, "dmodc", "");
	assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
	assert_true(wanted.any_sl);
	assert_false(wanted.has_site_lanes);
	hd_wanted_discard(&wanted);
	wanted = swept(build_fabric("tree:k=2,n=3", 0));
	site.qos.all.sl2vl = "1,0,1,0";
	assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
	assert_true(wanted.any_sl);
	assert_true(wanted.has_site_lanes);
	assert_sound(wanted.goal, "lanes of the site");
	hd_wanted_discard(&wanted);
	end(&site);
}

/*
 * Links fail and return, sweep by sweep: what is wanted is sound every time, and hosts keep their
 * path SLs where the sweep says so.
 */
static void random_failures_are_swept(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonfly:a=3,p=1,h=1", 0);
	struct hd_wanted last = { .fabric = NULL };
	struct hd_random random;
	struct site site;
	unsigned n_kept = 0, n_stayed = 0;

	(void)state;
	hd_random_init(&random, 21, 0);
	begin(&site, "heddle", "");
	for (unsigned i = 0; i < 60; i++) {
		struct hd_wanted wanted = swept(fail_link(whole, hd_random_below(&random, 12)));
		struct hd_error err;
		bool stays;

		site.request.previous = last.tables;
		site.request.previous_by = last.chosen;
		stays = hd_wanted_stays(&last, &wanted, &site.request);
		assert_int_equal(stays, last.fabric && hd_same_fabric(last.fabric, wanted.fabric));
		assert_hd_ok(hd_wanted_compute(&wanted, &site.request, &err), err);
		assert_sound(wanted.goal, "a sweep");
		/* what stays is what would be made once more */
		if (stays) {
			assert_memory_equal(wanted.goal->lft, last.goal->lft,
					    whole->n_switches * last.goal->lft_stride);
			assert_memory_equal(wanted.goal->sl2vl, last.goal->sl2vl,
					    last.goal->sl2vl_first[whole->n_nodes] *
						    sizeof(*last.goal->sl2vl));
			assert_same_sls(wanted.tables, last.tables);
			n_stayed++;
		}
		if (last.tables && wanted.kept.is_kept) {
			assert_same_sls(wanted.tables, last.tables);
			n_kept++;
		}
		if (hd_absent_nodes_take(&site.absent, last.tables, last.fabric, wanted.fabric)) {
			last.tables = NULL;
			last.fabric = NULL;
		}
		hd_wanted_discard(&last);
		last = wanted;
	}
	assert_in_range(n_kept, 1, 60);
	assert_in_range(n_stayed, 1, 60);
	hd_wanted_discard(&last);
	end(&site);
	hd_fabric_free(whole);
}

/* Whatever is other than in the last sweep, all is made anew. */
static void what_is_asked_for_again_stays(void **state)
{
	struct hd_wanted last = swept(build_fabric("tree:k=2,n=3", 0)),
			 wanted = swept(build_fabric("tree:k=2,n=3", 0)), none = { .fabric = NULL };
	const struct hd_classes classes = { .n = 1 };
	struct site site;
	struct hd_error err;

	(void)state;
	begin(&site, "dmodc", "");
	assert_false(hd_wanted_stays(&none, &wanted, &site.request));
	assert_hd_ok(hd_wanted_compute(&last, &site.request, &err), err);
	assert_true(hd_wanted_stays(&last, &wanted, &site.request));
	wanted.rooms[3].high--;
	assert_false(hd_wanted_stays(&last, &wanted, &site.request));
	wanted.rooms[3].high++;
	wanted.fabric->ports[wanted.fabric->endports[1]].lmc++;
	assert_false(hd_wanted_stays(&last, &wanted, &site.request));
	wanted.fabric->ports[wanted.fabric->endports[1]].lmc--;
	wanted.fabric->names[wanted.fabric->nodes[2].name]++;
	assert_false(hd_wanted_stays(&last, &wanted, &site.request));
	wanted.fabric->names[wanted.fabric->nodes[2].name]--;
	site.qos.is_used = false;
	assert_false(hd_wanted_stays(&last, &wanted, &site.request));
	site.qos.is_used = true;
	site.qos.swe.vlarb_low = "0:1";
	assert_false(hd_wanted_stays(&last, &wanted, &site.request));
	site.qos.swe.vlarb_low = NULL;
	site.request.classes = &classes;
	assert_false(hd_wanted_stays(&last, &wanted, &site.request));
	site.request.classes = NULL;
	assert_true(hd_wanted_stays(&last, &wanted, &site.request));
	hd_wanted_discard(&wanted);
	hd_wanted_discard(&last);
	end(&site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_proved_and_described),
		cmocka_unit_test(another_engine_is_chosen),
		cmocka_unit_test(lanes_that_cannot_be_programmed_are_refused),
		cmocka_unit_test(private_lfts_are_left_out),
		cmocka_unit_test(sets_are_kept_where_they_are_programmed),
		cmocka_unit_test(loops_are_refused_unless_unchecked),
		cmocka_unit_test(one_lane_serves_any_sl),
		cmocka_unit_test(random_failures_are_swept),
		cmocka_unit_test(what_is_asked_for_again_stays),
	};

	return cmocka_run_group_tests_name("wanted", tests, NULL, NULL);
}
