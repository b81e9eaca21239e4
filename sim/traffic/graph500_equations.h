/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The messages of processes of Graph500's breadth-first search: equations 2.1 to 2.20 of chapter 2
 * of P. Fuentes' thesis, as printed; and equations of our own for the edges of a level, fitted to
 * searches of Kronecker graphs (bench/kronecker.c), because the printed ones cannot be right
 * (docs/traffic.md). Levels count from 0, the root's.
 */
#ifndef HD_TRAFFIC_GRAPH500_EQUATIONS_H
#define HD_TRAFFIC_GRAPH500_EQUATIONS_H

enum hd_graph500_set {
	HD_GRAPH500_FITTED,
	HD_GRAPH500_PRINTED,
};

struct hd_graph500_graph {
	double scale;      /* binary logarithm of the number of vertices */
	double edgefactor; /* edges per vertex */
};

/* A normal distribution, of a value or of its logarithm. */
struct hd_graph500_law {
	double mean, deviation;
};

/* Coefficients of level l >= 1 as printed: equations 2.6 to 2.8 and 2.11 to 2.16. */
struct hd_graph500_coefficients {
	double a, b, c; /* of the logarithm of the mean */
	double d, f, g; /* of that of the deviation, f1 */
	double h, j, k; /* the same, f2 */
};

/* The average messages of one process on a level. */
struct hd_graph500_sent {
	double queries;      /* q, equation 2.2 */
	double destinations; /* n', equation 2.3 */
	double messages;     /* m, equation 2.4 */
};

/* Edges that a search explores, from both ends: 2^(s + 1) fe. */
double hd_graph500_edges(const struct hd_graph500_graph *graph);

/* Queries of each of @n processes in a whole search: equation 2.1. */
double hd_graph500_queries(const struct hd_graph500_graph *graph, double n);

void hd_graph500_coefficients(const struct hd_graph500_graph *graph, unsigned level,
			      struct hd_graph500_coefficients *coefficients);

/*
 * The edges of @level >= 1 of a search whose root has @degree edges and which has @left edges to
 * explore; the mean does not exceed @left. Printed: equations 2.5, 2.9, 2.10, 2.17.
 */
struct hd_graph500_law hd_graph500_level(enum hd_graph500_set set,
					 const struct hd_graph500_graph *graph, double degree,
					 unsigned level, double left);

/* For @queries of each of @n processes, if a message holds @coalescing of them. */
struct hd_graph500_sent hd_graph500_messages(double queries, double n, double coalescing);

/* q of a level of @edges, equation 2.2. */
double hd_graph500_level_queries(double edges, double n);

/* The logarithm of the root's degree. Printed: equations 2.18 and 2.19. */
struct hd_graph500_law hd_graph500_root(enum hd_graph500_set set,
					const struct hd_graph500_graph *graph);

/*
 * The probability that a process sends a phit in a cycle, equation 2.20: @packet is the time that a
 * message of @coalescing queries takes on the link, @query the time of a query. Above 1, the link
 * limits.
 */
double hd_graph500_injection(double packet, double query, double coalescing);

/* Scales and edgefactors that a set was fitted to. */
struct hd_graph500_range {
	double scale_min, scale_max, edgefactor_min, edgefactor_max;
};

struct hd_graph500_range hd_graph500_range(enum hd_graph500_set set);

#endif
