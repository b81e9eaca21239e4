// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/graph500_equations.h"

#include <math.h>

#define FITTED_LEVELS 4
#define TERMS         10

/*
 * Our fit, by `bench/kronecker.py`: with x = ln dr, s = scale - 18, f = log2(edgefactor / 16), the
 * terms are 1, x, s, f, x^2, x s, x f, s^2, s f, f^2. Their sum is, for the mean, the logarithm of
 * E / (left - E) of levels 1 to 4, where `left` is what levels before have left over; for the
 * deviation, the logarithm of deviation / mean. Levels behind them take what is left.
 */
static const double fitted_share[FITTED_LEVELS][TERMS] = {
	{ -8.06867, 1.05774, -0.463858, 0.0212388, -0.0200964, 0.00916016, -0.00126933,
	  -0.000786623, 0.000132731, -1.87558e-05 },
	{ -1.74564, 0.963301, -0.226899, 0.332462, -0.0270118, -0.00634083, 0.0532916, 0.00498239,
	  -0.0296477, 0.0311695 },
	{ 3.92007, 0.710413, -0.169593, 1.47974, -0.0536749, 0.000188921, -0.171463, -0.044144,
	  0.0142251, -0.294638 },
	{ 7.52327, -1.0916, 0.324186, -0.0393863, 0.00488249, 0.0121588, -0.31658, -0.0592562,
	  0.145274, -0.259824 },
};

static const double fitted_deviation[FITTED_LEVELS][TERMS] = {
	{ 0.941452, -0.460245, 0.0584609, -0.0142716, -0.0215517, 0.0113995, 0.0040691, -0.00273922,
	  -0.000934756, -0.00950115 },
	{ 1.13161, -1.61958, 0.343536, -0.390932, 0.0971284, -0.07029, 0.0445319, -0.00110917,
	  -0.00790595, -0.0145965 },
	{ -1.21024, -0.00126033, -0.131313, 0.235806, -0.0361996, 0.0128216, -0.0135667, -0.008921,
	  -0.00183464, -0.0139925 },
	{ 0.606904, -0.610561, -0.0399622, 0.0643993, 0.0206047, -0.00685302, 0.0105111, -0.012123,
	  0.0036911, 0.00160484 },
};

/* The same of the logarithm of a vertex' degree where that is not 0: terms 1, s, f. */
static const double fitted_root[2][3] = {
	{ 2.00718, -0.0342268, 0.377084 },
	{ 1.66097, 0.0104283, 0.136823 },
};

double hd_graph500_edges(const struct hd_graph500_graph *graph)
{
	return exp2(graph->scale + 1) * graph->edgefactor;
}

double hd_graph500_queries(const struct hd_graph500_graph *graph, double n)
{
	return hd_graph500_edges(graph) * (n - 1) / (n * n);
}

void hd_graph500_coefficients(const struct hd_graph500_graph *graph, unsigned level,
			      struct hd_graph500_coefficients *c)
{
	const double s = graph->scale, fe = graph->edgefactor, l = level;
	const double from_centre = l - 2.8;

	c->a = -0.133 + 0.0046 * s + exp(0.01257 * fe - 0.1829 * s - exp(1.75 - 0.7 * l));
	c->b = 2 - l * (0.91 + 0.002 * fe - 0.012 * s);
	c->c = exp(1 + (1 + 0.004 * fe) * (-0.81 + 0.8411 * log(s)) *
			       exp(-from_centre * from_centre / 30));
	c->d = 0.002 * s - 0.14 - (0.015 * s - 0.285) * (0.56 + 0.033 * fe) * (l - 1);
	c->f = 0.97 - (l - 1) * (4.438 - 0.168 * s) * (0.83 + 0.01 * fe);
	c->g = ((2.1 + l) * (5.35 + 0.093 * s) - 13.625) * (1.23 - (2.9 + 0.69 * l) / fe);
	c->h = exp2(l) * (0.011 + 0.00012 * fe) * exp(1.7 - s / 10);
	c->j = 1 - exp((1 - 0.012 * fe) * (9.55 - 1.3 * l - s * (0.6 - 0.1 * l)));
	c->k = 13 * (0.062 * s - 0.046) * (2 - 0.24 * l) - c->j;
}

/* Equations 2.9 and 2.10. */
static double f1(const struct hd_graph500_graph *graph, unsigned level, double x)
{
	struct hd_graph500_coefficients c;

	hd_graph500_coefficients(graph, level, &c);
	return c.d * x * x + c.f * x + c.g;
}

static double f2(const struct hd_graph500_graph *graph, unsigned level, double x)
{
	struct hd_graph500_coefficients c;

	hd_graph500_coefficients(graph, level, &c);
	return c.k / exp(c.h * x) + c.j;
}

static struct hd_graph500_law printed_level(const struct hd_graph500_graph *graph, double x,
					    unsigned level, double left)
{
	struct hd_graph500_coefficients c;
	double deviation;

	hd_graph500_coefficients(graph, level, &c);
	if (level == 1)
		deviation = f1(graph, 1, x);
	else if (level == 2)
		deviation = fmax(f1(graph, 1, x), f1(graph, 2, x));
	else if (level == 3)
		deviation = fmax(f1(graph, 2, x), f2(graph, 4, x));
	else
		deviation = f2(graph, level, x);
	return (struct hd_graph500_law){ fmin(exp(c.a * x * x + c.b * x + c.c), left),
					 exp(deviation) };
}

static double sum_terms(const double factors[TERMS], double x, double s, double f)
{
	const double terms[TERMS] = { 1, x, s, f, x * x, x * s, x * f, s * s, s * f, f * f };
	double sum = 0;

	for (unsigned i = 0; i < TERMS; i++)
		sum += factors[i] * terms[i];
	return sum;
}

static double density(const struct hd_graph500_graph *graph)
{
	return log2(graph->edgefactor / 16);
}

static struct hd_graph500_law fitted_level(const struct hd_graph500_graph *graph, double x,
					   unsigned level, double left)
{
	const double s = graph->scale - 18, f = density(graph);
	double mean;

	if (level > FITTED_LEVELS)
		return (struct hd_graph500_law){ left, 0 };
	mean = left / (1 + exp(-sum_terms(fitted_share[level - 1], x, s, f)));
	return (struct hd_graph500_law){ mean, mean * exp(sum_terms(fitted_deviation[level - 1], x,
								    s, f)) };
}

struct hd_graph500_law hd_graph500_level(enum hd_graph500_set set,
					 const struct hd_graph500_graph *graph, double degree,
					 unsigned level, double left)
{
	return set == HD_GRAPH500_PRINTED ? printed_level(graph, log(degree), level, left)
					  : fitted_level(graph, log(degree), level, left);
}

double hd_graph500_level_queries(double edges, double n)
{
	return edges / n * ((n - 1) / n);
}

struct hd_graph500_sent hd_graph500_messages(double queries, double n, double coalescing)
{
	struct hd_graph500_sent sent = { .queries = queries };

	if (!(queries > 0))
		return sent;
	/* 1 - (1 - 1 / n)^q without cancellation */
	sent.destinations = -n * expm1(queries * log1p(-1 / n));
	sent.messages = ceil(queries / coalescing / sent.destinations) * sent.destinations;
	return sent;
}

struct hd_graph500_law hd_graph500_root(enum hd_graph500_set set,
					const struct hd_graph500_graph *graph)
{
	const double s = graph->scale, f = density(graph);

	if (set == HD_GRAPH500_PRINTED)
		return (struct hd_graph500_law){ s * log(0.3604) + 1.0661704 * s, 0.079313065 * s };
	return (struct hd_graph500_law){
		fitted_root[0][0] + fitted_root[0][1] * (s - 18) + fitted_root[0][2] * f,
		fitted_root[1][0] + fitted_root[1][1] * (s - 18) + fitted_root[1][2] * f,
	};
}

double hd_graph500_injection(double packet, double query, double coalescing)
{
	return packet / (query * coalescing);
}

struct hd_graph500_range hd_graph500_range(enum hd_graph500_set set)
{
	return set == HD_GRAPH500_PRINTED ? (struct hd_graph500_range){ 16, 25, 16, 64 }
					  : (struct hd_graph500_range){ 15, 20, 8, 64 };
}
