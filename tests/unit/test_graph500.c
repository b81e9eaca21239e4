// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The equations of the Graph500 model. */
#include "tests/unit/traffic_case.h"

#include "sim/traffic/graph500_equations.h"

/* Logarithms, and all else that is an exponent: as exact as the numbers below are given. */
#define EXACT 1e-5

/*
 * The equations as printed, computed apart from this program (the specification of chapter 2, table
 * C.3); logarithms of mean and deviation for roots of 1 and of 100 edges, means not cut off.
 */
static const struct {
	double scale, edgefactor;
	unsigned level;
	double a, b, c, mean_1, mean_100, deviation_1, deviation_100;
} printed[] = {
	{ 17, 16, 2, -0.041596, 0.524000, 13.990263, 13.990263, 15.521217, 14.237396, 10.124329 },
	{ 17, 16, 3, -0.027826, -0.214000, 14.461047, 14.461047, 12.885426, 14.237396, 9.936097 },
	{ 17, 16, 4, -0.016339, -0.952000, 13.399928, 13.399928, 8.669289, 13.628160, 4.551193 },
	{ 17, 16, 5, -0.008930, -1.690000, 11.294582, 11.294582, 3.322451, 10.483200, -0.120419 },
	{ 18, 40, 1, -0.046672, 1.226000, 14.701632, 14.701632, 19.357768, 9.292353, 11.553779 },
	{ 18, 40, 2, -0.035331, 0.452000, 17.129029, 17.129029, 18.461283, 17.039728, 11.889804 },
	{ 18, 40, 3, -0.019824, -0.322000, 17.777982, 17.777982, 15.874707, 17.039728, 11.889804 },
	{ 18, 40, 4, -0.006889, -1.096000, 16.319097, 16.319097, 11.125741, 14.466400, 4.734523 },
	{ 18, 40, 5, 0.001455, -1.870000, 13.467678, 13.467678, 4.886860, 11.128000, 0.549274 },
	{ 22, 16, 1, -0.030545, 1.322000, 15.021267, 15.021267, 20.461524, 9.354927, 11.786013 },
	{ 22, 16, 2, -0.026509, 0.644000, 17.535552, 17.535552, 19.939090, 16.072402, 14.082299 },
	{ 22, 16, 3, -0.020991, -0.034000, 18.208533, 18.208533, 17.606790, 17.819360, 14.082299 },
	{ 22, 16, 4, -0.016388, -0.712000, 16.696090, 16.696090, 13.069656, 17.819360, 10.020317 },
	{ 22, 16, 5, -0.013419, -1.390000, 13.745122, 13.745122, 7.059345, 13.707200, 3.643156 },
};

/* The fitted set by the factors that bench/kronecker.py prints, computed there. */
static const struct {
	double scale, edgefactor, degree;
	unsigned level;
	double mean, deviation; /* logarithms */
} fitted[] = {
	{ 17, 16, 1, 1, 7.643142, 8.523393 },     { 17, 16, 1, 2, 13.536064, 14.323029 },
	{ 17, 16, 1, 3, 15.032474, 13.944626 },   { 17, 16, 1, 4, 10.986162, 11.620905 },
	{ 17, 16, 100, 1, 12.006468, 10.257657 }, { 17, 16, 100, 2, 15.120754, 10.832834 },
	{ 17, 16, 100, 3, 12.739929, 10.819525 }, { 17, 16, 100, 4, 6.452916, 4.744457 },
	{ 18, 40, 1, 1, 8.817727, 9.723710 },     { 18, 40, 1, 2, 15.355118, 15.944437 },
	{ 18, 40, 1, 3, 16.602115, 15.679142 },   { 18, 40, 1, 4, 11.239917, 11.934757 },
	{ 18, 40, 100, 1, 13.228329, 11.582517 }, { 18, 40, 100, 2, 16.780092, 12.241926 },
	{ 18, 40, 100, 3, 13.842461, 12.063388 }, { 18, 40, 100, 4, 6.778341, 5.162408 },
	{ 22, 16, 1, 1, 8.778238, 9.909706 },     { 22, 16, 1, 2, 16.067909, 18.555917 },
	{ 22, 16, 1, 3, 18.565179, 16.686951 },   { 22, 16, 1, 4, 16.029404, 16.282491 },
	{ 22, 16, 100, 1, 13.387032, 12.151921 }, { 22, 16, 100, 2, 18.440507, 14.235143 },
	{ 22, 16, 100, 3, 17.258209, 14.842653 }, { 22, 16, 100, 4, 12.545030, 10.297119 },
};

static void test_printed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		const struct hd_graph500_graph graph = { printed[i].scale, printed[i].edgefactor };
		struct hd_graph500_coefficients c;
		struct hd_graph500_law law;

		hd_graph500_coefficients(&graph, printed[i].level, &c);
		assert_near(c.a, printed[i].a, EXACT);
		assert_near(c.b, printed[i].b, EXACT);
		assert_near(c.c, printed[i].c, EXACT);
		law = hd_graph500_level(HD_GRAPH500_PRINTED, &graph, 1, printed[i].level, 1e300);
		assert_near(log(law.mean), printed[i].mean_1, EXACT);
		assert_near(log(law.deviation), printed[i].deviation_1, EXACT);
		law = hd_graph500_level(HD_GRAPH500_PRINTED, &graph, 100, printed[i].level, 1e300);
		assert_near(log(law.mean), printed[i].mean_100, EXACT);
		assert_near(log(law.deviation), printed[i].deviation_100, EXACT);
		law = hd_graph500_level(HD_GRAPH500_PRINTED, &graph, 100, printed[i].level, 7);
		assert_true(law.mean <= 7);
	}
}

static void test_fitted(void **state)
{
	double left = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(fitted) / sizeof(fitted[0]); i++) {
		const struct hd_graph500_graph graph = { fitted[i].scale, fitted[i].edgefactor };
		struct hd_graph500_law law;

		if (fitted[i].level == 1)
			left = hd_graph500_edges(&graph) - fitted[i].degree;
		law = hd_graph500_level(HD_GRAPH500_FITTED, &graph, fitted[i].degree,
					fitted[i].level, left);
		assert_near(log(law.mean), fitted[i].mean, EXACT);
		assert_near(log(law.deviation), fitted[i].deviation, EXACT);
		left -= law.mean;
		law = hd_graph500_level(HD_GRAPH500_FITTED, &graph, fitted[i].degree, 5, left);
		assert_near(law.mean, left, 0);
	}
}

/* Equation 2.1, and the messages that it gives each process. */
static void test_queries(void **state)
{
	const struct hd_graph500_graph large = { 26, 16 }, traced = { 25, 16 };

	(void)state;
	assert_near(hd_graph500_queries(&large, 64), 33030144, 1);
	assert_near(hd_graph500_queries(&large, 72), 29411910, 1);
	assert_near(hd_graph500_queries(&large, 160), 13337887, 1);
	assert_near(ceil(hd_graph500_queries(&traced, 128) / 256), 32512, 0);
}

/* Equations 2.2 to 2.4 for a level of 2^21 edges, and for one of 50 queries a process. */
static void test_messages(void **state)
{
	struct hd_graph500_sent sent;

	(void)state;
	sent = hd_graph500_messages(hd_graph500_level_queries(0x1p21, 72), 72, 256);
	assert_near(sent.queries, 28722.5679, 1e-4);
	assert_near(sent.destinations, 72, EXACT);
	assert_near(sent.messages, 144, EXACT);
	sent = hd_graph500_messages(50, 72, 256);
	assert_near(sent.destinations, 36.2213, 1e-4);
	assert_near(sent.messages, 36.2213, 1e-4);
	sent = hd_graph500_messages(0, 72, 256);
	assert_near(sent.messages, 0, 0);
}

/* Equation 2.20 for 4 KB at 40 Gb/s, and where link and process are even. */
static void test_injection(void **state)
{
	static const double bandwidths[] = { 5, 10, 20, 40, 100, 200 };
	static const double even[] = { 25.6, 12.8, 6.4, 3.2, 1.28, 0.64 };

	(void)state;
	assert_near(hd_graph500_injection(4096 * 8 / 40., 1.5, 256), 2.13333, EXACT);
	assert_near(hd_graph500_injection(4096 * 8 / 40., 15, 256), 0.213333, EXACT);
	for (unsigned i = 0; i < 6; i++)
		assert_near(hd_graph500_injection(4096 * 8 / bandwidths[i], even[i], 256), 1,
			    EXACT);
}

/* Equations 2.18 and 2.19. */
static void test_roots(void **state)
{
	static const struct {
		double scale, mean, deviation;
	} cases[] = { { 17, 0.77570, 1.34832 },
		      { 22, 1.00385, 1.74489 },
		      { 26, 1.18637, 2.06214 } };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct hd_graph500_graph graph = { cases[i].scale, 16 };
		struct hd_graph500_law law = hd_graph500_root(HD_GRAPH500_PRINTED, &graph);

		assert_near(law.mean, cases[i].mean, EXACT);
		assert_near(law.deviation, cases[i].deviation, EXACT);
	}
	assert_near(exp(hd_graph500_root(HD_GRAPH500_PRINTED,
					 &(const struct hd_graph500_graph){ 17, 16 })
				.mean),
		    2.172, 5e-4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printed),   cmocka_unit_test(test_fitted),
		cmocka_unit_test(test_queries),   cmocka_unit_test(test_messages),
		cmocka_unit_test(test_injection), cmocka_unit_test(test_roots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
