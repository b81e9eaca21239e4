/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef HD_TRAFFIC_ZIPF_H
#define HD_TRAFFIC_ZIPF_H

#include <stdint.h>

/* Equation 4 of osha-sasha-dbbq: the probability of each of @n ranks at exponent @s in @shares. */
void hd_zipf_shares(double s, uint32_t n, double *shares);

#endif
