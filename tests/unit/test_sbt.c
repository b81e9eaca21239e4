// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What schedulers in turn, SBT and DTable give classes that always have packets. */
#include "tests/unit/unit.h"

#include <math.h>

#include "vlarb/dtable_form.h"
#include "vlarb/dtable_port.h"
#include "vlarb/sbt.h"

/* The classes of the paper: VO, VI, CL, BE, BK; packets in units of 64 bytes. */
#define CLASSES 5

static const uint64_t parts[CLASSES] = { 10, 30, 50, 5, 5 };
static const uint32_t own_packets[CLASSES] = { 2, 4, 8, 16, 16 };
static const uint32_t equal_packets[CLASSES] = { 16, 16, 16, 16, 16 };
static const uint32_t percents[CLASSES] = { 10, 30, 50, 5, 5 };
static const double configured[CLASSES] = { .1, .3, .5, .05, .05 };

/* Table 7: two VLs for each class, where BE and BK have the same. */
static const uint8_t two_vls[8] = { 0, 0, 1, 1, 2, 2, 3, 3 };

static void get_weights(const uint32_t *packets, uint32_t *weights)
{
	struct hd_sbt_share classes[CLASSES];

	for (unsigned c = 0; c < CLASSES; c++)
		classes[c] = (struct hd_sbt_share){ parts[c], packets[c] };
	hd_sbt_weights(classes, CLASSES, weights);
}

static void weights_of_shares(void **state)
{
	static const uint32_t by_length[CLASSES] = { 16, 24, 20, 1, 1 };
	static const uint32_t in_lowest_terms[CLASSES] = { 2, 6, 10, 1, 1 };
	const struct hd_sbt_share thirds[] = { { 4, 1 }, { 8, 1 } };
	const struct hd_sbt_share odd[] = { { 1, 4093 }, { 1, 4091 }, { 1, 4079 } };
	uint32_t weights[CLASSES];

	hd_sbt_weights(thirds, 2, weights);
	assert_int_equal(weights[0], 1);
	assert_int_equal(weights[1], 2);
	get_weights(own_packets, weights);
	assert_memory_equal(weights, by_length, sizeof(by_length));
	get_weights(equal_packets, weights);
	assert_memory_equal(weights, in_lowest_terms, sizeof(in_lowest_terms));
	/* what has no small weights has the nearest ones */
	hd_sbt_weights(odd, 3, weights);
	for (unsigned c = 0; c < 3; c++)
		assert_true(fabs(weights[c] * odd[c].packet / (65535. * 4079) - 1) < 2e-5);
}

/* Table 2: 52 are left of the 55 after three packets. */
static void a_row_of_table_2(void **state)
{
	const struct hd_sbt sbt = {
		.n_vls = 2, .n_entries = 2, .weights = { 55, 45 }, .class_of = { 0, 1 }
	};
	struct hd_sbt_port port;

	hd_sbt_begin(&sbt, &port);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(hd_sbt_serve(&sbt, &port, 3), 0);
	assert_int_equal(port.left[0], 52);
	assert_int_equal(port.left[1], 45);
}

/* Shares of the link that classes get whose VLs always have packets. */
static void serve_sbt(const struct hd_sbt *sbt, const uint32_t *packets, double *shares)
{
	const unsigned n = 1000000;
	uint64_t sent[CLASSES] = { 0 }, all = 0;
	uint32_t vls = (1u << sbt->n_vls) - 1;
	unsigned heads[32] = { 0 };
	struct hd_sbt_port port;

	hd_sbt_begin(sbt, &port);
	for (unsigned i = 0; i < n; i++) {
		unsigned vl = hd_sbt_serve(sbt, &port, vls), class = sbt->class_of[vl];

		/* where BE and BK have the same VLs their packets alternate */
		if (sbt->n_vls == 8 && class == 3)
			class += heads[vl]++ % 2;
		sent[class] += packets[class];
		all += packets[class];
	}
	for (unsigned c = 0; c < CLASSES; c++)
		shares[c] = (double)sent[c] / (double)all;
}

static void assert_shares(const double *shares, const double *wanted, double tolerance)
{
	for (unsigned c = 0; c < CLASSES; c++)
		if (!(fabs(shares[c] - wanted[c]) <= tolerance))
			fail_msg("class %u has %.5f, not %.5f", c, shares[c], wanted[c]);
}

static struct hd_sbt one_vl_each(bool is_literal, const uint32_t *weights)
{
	struct hd_sbt sbt = { .is_literal = is_literal, .n_vls = CLASSES, .n_entries = CLASSES };

	for (unsigned c = 0; c < CLASSES; c++) {
		sbt.weights[c] = weights[c];
		sbt.class_of[c] = (uint8_t)c;
	}
	return sbt;
}

/* RR is SBT with equal weights. */
static void in_turn(void **state)
{
	static const double fifths[CLASSES] = { .2, .2, .2, .2, .2 };
	const struct hd_sbt sbt = one_vl_each(false, (uint32_t[]){ 20, 20, 20, 20, 20 });
	double shares[CLASSES];

	serve_sbt(&sbt, equal_packets, shares);
	assert_shares(shares, fifths, 1e-6);
}

/*
 * With Table 7 eight VLs have packets and no weight in the end, and five entries are waited for:
 * weights never come back, and VLs go in turn. BE and BK have 5 + 5 in one row, or 20 + 20.
 */
static void literal_with_two_vls(void **state)
{
	static const uint32_t weights[][4] = { { 10, 30, 50, 10 }, { 20, 20, 20, 40 } };
	double shares[CLASSES];

	for (unsigned i = 0; i < 2; i++) {
		struct hd_sbt sbt = { .is_literal = true, .n_vls = 8, .n_entries = CLASSES };

		memcpy(sbt.weights, weights[i], sizeof(weights[i]));
		memcpy(sbt.class_of, two_vls, sizeof(two_vls));
		serve_sbt(&sbt, equal_packets, shares);
		assert_shares(shares, (double[]){ .25, .25, .25, .125, .125 }, 1e-3);
		serve_sbt(&sbt, own_packets, shares);
		assert_shares(shares, (double[]){ .0667, .1333, .2667, .2667, .2667 }, 1e-3);
	}
}

/* Weights come back after a packet that no weight is counted for: a fifth of it is each class's. */
static void literal_with_one_vl(void **state)
{
	double shares[CLASSES];
	struct hd_sbt sbt;

	sbt = one_vl_each(true, percents);
	serve_sbt(&sbt, equal_packets, shares);
	assert_shares(shares, (double[]){ .101, .299, .497, .0515, .0515 }, 1e-4);
}

static void repaired(void **state)
{
	uint32_t weights[CLASSES];
	double shares[CLASSES];
	struct hd_sbt sbt;

	sbt = one_vl_each(false, percents);
	serve_sbt(&sbt, equal_packets, shares);
	assert_shares(shares, configured, 1e-4);
	get_weights(own_packets, weights);
	sbt = one_vl_each(false, weights);
	serve_sbt(&sbt, own_packets, shares);
	assert_shares(shares, configured, 1e-4);
	/* with two VLs each, BE and BK in one row */
	sbt.n_vls = 8;
	sbt.weights[3] = 2;
	memcpy(sbt.class_of, two_vls, sizeof(two_vls));
	serve_sbt(&sbt, own_packets, shares);
	assert_shares(shares, configured, 1e-4);
}

/* A class that has nothing to send leaves its part to others, in proportion, and that for good. */
static void idle_class(void **state)
{
	uint64_t sent[CLASSES] = { 0 };
	struct hd_sbt_port port;
	struct hd_sbt sbt;

	for (unsigned literal = 0; literal < 2; literal++) {
		memset(sent, 0, sizeof(sent));
		sbt = one_vl_each(literal, percents);
		hd_sbt_begin(&sbt, &port);
		for (unsigned i = 0; i < 100000; i++)
			sent[hd_sbt_serve(&sbt, &port, 0x1b)]++; /* CL is idle */
		/* Algorithm 1 waits for CL's weight, which stays: the others go in turn */
		assert_true(fabs((double)sent[1] / 100000 - (literal ? .25 : .6)) < 2e-3);
	}
}

/* Table 10, with 7 and 6 for VO after the correction, or 7 and 128 for CL before it. */
static struct hd_dtable_plan table_10(bool is_corrected)
{
	struct hd_dtable_form form = { .n = 128, .gmtu = 16, .w = 8, .k = 2 };
	static const unsigned distances[CLASSES] = { 2, 4, 8, 16, 16 };
	struct hd_dtable_class classes[CLASSES];
	struct hd_dtable_plan plan = { .n = 128, .n_vls = CLASSES };
	struct hd_dtable table;
	struct hd_error err;

	for (unsigned c = 0; c < CLASSES; c++) {
		classes[c] = (struct hd_dtable_class){ .name = "",
						       .distance = distances[c],
						       .mtu = own_packets[c],
						       .share = (uint32_t)parts[c],
						       .of = 100 };
		plan.packets[c] = own_packets[c];
		plan.class_of[c] = (uint8_t)c;
	}
	assert_hd_ok(hd_dtable_make(&form, classes, CLASSES, &table, &err), err);
	memcpy(plan.entries, table.entries, sizeof(plan.entries));
	for (unsigned i = 0; !is_corrected && i < plan.n; i++)
		plan.entries[i].weight = (uint32_t)classes[plan.entries[i].class].first_weight;
	return plan;
}

/* The least k and w for Table 10, as the paper has them; distances from shares. */
static void forms_for_shares(void **state)
{
	static const unsigned distances[CLASSES] = { 2, 4, 8, 16, 16 };
	static const unsigned by_shares[CLASSES] = { 8, 4, 2, 16, 16 };
	struct hd_dtable_class classes[HD_DTABLE_CLASSES] = { 0 };
	struct hd_dtable_form form = { 0 };
	struct hd_dtable table;
	struct hd_error err;

	for (unsigned given = 0; given < 2; given++) {
		for (unsigned c = 0; c < CLASSES; c++)
			classes[c] = (struct hd_dtable_class){ .name = "",
							       .distance = given ? distances[c] : 0,
							       .mtu = own_packets[c],
							       .share = (uint32_t)parts[c],
							       .of = 100 };
		form = (struct hd_dtable_form){ 0 };
		assert_hd_ok(hd_dtable_complete(&form, classes, CLASSES, &err), err);
		assert_int_equal(form.n, 128);
		assert_int_equal(form.gmtu, 16);
		assert_int_equal(form.k, 2);
		assert_int_equal(form.w, given ? 8 : 3);
		for (unsigned c = 0; c < CLASSES; c++)
			assert_int_equal(classes[c].distance, given ? distances[c] : by_shares[c]);
		assert_hd_ok(hd_dtable_make(&form, classes, CLASSES, &table, &err), err);
	}
	/* any number of classes, of shares alike or halved again and again */
	for (unsigned n = 1; n <= HD_DTABLE_CLASSES; n++)
		for (unsigned halves = 0; halves < 2; halves++) {
			for (unsigned c = 0; c < n; c++)
				classes[c] = (struct hd_dtable_class){
					.name = "",
					.mtu = 64,
					.share = halves && c + 1 < n ? 1u << (n - 1 - c) : 1,
					.of = halves ? (1u << n) - 1 : n,
				};
			form = (struct hd_dtable_form){ 0 };
			assert_hd_ok(hd_dtable_complete(&form, classes, n, &err), err);
			assert_hd_ok(hd_dtable_make(&form, classes, n, &table, &err), err);
			for (unsigned c = 0; c < n; c++)
				assert_true(fabs(classes[c].part -
						 (double)classes[c].share / classes[c].of) < .01);
		}
	/* distances that nothing has in common */
	for (unsigned c = 0; c < 3; c++)
		classes[c].distance = (unsigned[]){ 1024, 1023, 1021 }[c];
	form = (struct hd_dtable_form){ 0 };
	assert_int_equal(hd_dtable_complete(&form, classes, 3, &err), HD_EREFUSED);
}

static void serve_dtable(const struct hd_dtable_plan *plan, uint32_t vls, double *shares)
{
	uint64_t sent[CLASSES] = { 0 }, all = 0;
	struct hd_dtable_port port;

	hd_dtable_begin(plan, &port);
	for (unsigned i = 0; i < 1000000; i++) {
		const unsigned class = plan->class_of[hd_dtable_serve(plan, &port, vls, vls)];

		hd_dtable_sent(&port, plan->packets[class]);
		sent[class] += plan->packets[class];
		all += plan->packets[class];
	}
	for (unsigned c = 0; c < CLASSES; c++)
		shares[c] = (double)sent[c] / (double)all;
}

static void tables_with_deficits(void **state)
{
	struct hd_dtable_plan plan = table_10(true);
	double shares[CLASSES];

	serve_dtable(&plan, 0x1f, shares);
	assert_shares(shares, configured, 1e-4);
	/* the part of an idle class is the others', in proportion */
	serve_dtable(&plan, 0x1b, shares);
	assert_shares(shares, (double[]){ .2, .6, 0, .1, .1 }, 1e-4);
	plan = table_10(false);
	serve_dtable(&plan, 0x1f, shares);
	assert_shares(shares, (double[]){ .10769, .3, .49231, .05, .05 }, 1e-4);
}

/* VLs of a class go in turn. */
static void vls_in_turn(void **state)
{
	struct hd_dtable_plan plan = table_10(true);
	unsigned sent[8] = { 0 };
	struct hd_dtable_port port;

	plan.n_vls = 8;
	memcpy(plan.class_of, two_vls, sizeof(two_vls));
	for (unsigned i = 0; i < plan.n; i++)
		plan.entries[i].class = plan.entries[i].class == 4 ? 3 : plan.entries[i].class;
	hd_dtable_begin(&plan, &port);
	for (unsigned i = 0; i < 100000; i++) {
		const unsigned vl = hd_dtable_serve(&plan, &port, 0xff, 0xff);

		hd_dtable_sent(&port, plan.packets[plan.class_of[vl]]);
		sent[vl]++;
	}
	for (unsigned vl = 0; vl < 8; vl += 2)
		assert_true(abs((int)sent[vl] - (int)sent[vl + 1]) <= 1);
}

/* A deficit stays when credits are lacking, and goes when there is no packet. */
static void deficits(void **state)
{
	struct hd_dtable_plan plan = { .n = 2,
				       .entries = { { 0, 7 }, { 1, 4 } },
				       .packets = { 2, 4 },
				       .n_vls = 2,
				       .class_of = { 0, 1 } };
	struct hd_dtable_port port;
	uint64_t sent[2] = { 0 };

	for (unsigned waits = 0; waits < 2; waits++) {
		hd_dtable_begin(&plan, &port);
		assert_int_equal(hd_dtable_serve(&plan, &port, 3, 3), 0);
		hd_dtable_sent(&port, 2);
		assert_int_equal(port.may_send, 5);
		/* class 0 cannot send; with @waits it has a packet */
		assert_int_equal(hd_dtable_serve(&plan, &port, 2, waits ? 3 : 2), 1);
		hd_dtable_sent(&port, 4);
		assert_int_equal(port.left[0], waits ? 5 : 0);
		assert_int_equal(hd_dtable_serve(&plan, &port, 3, 3), 0);
		assert_int_equal(port.may_send, waits ? 12 : 7);
	}
	/* packets that are longer than the plan says are made up for */
	hd_dtable_begin(&plan, &port);
	for (unsigned i = 0; i < 100000; i++) {
		const unsigned vl = hd_dtable_serve(&plan, &port, 3, 3);

		hd_dtable_sent(&port, 40);
		sent[vl] += 40;
	}
	assert_true(fabs((double)sent[0] / (double)(sent[0] + sent[1]) - 7. / 11) < 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_of_shares),
		cmocka_unit_test(a_row_of_table_2),
		cmocka_unit_test(in_turn),
		cmocka_unit_test(literal_with_two_vls),
		cmocka_unit_test(literal_with_one_vl),
		cmocka_unit_test(repaired),
		cmocka_unit_test(idle_class),
		cmocka_unit_test(forms_for_shares),
		cmocka_unit_test(tables_with_deficits),
		cmocka_unit_test(vls_in_turn),
		cmocka_unit_test(deficits),
	};

	return cmocka_run_group_tests_name("sbt", tests, NULL, NULL);
}
