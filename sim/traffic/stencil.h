/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef HD_TRAFFIC_STENCIL_H
#define HD_TRAFFIC_STENCIL_H

#include <stdint.h>

#define HD_STENCIL 6 /* neighbours */

/* The box of @n hosts with the least sum of @lengths, longest side first. */
void hd_stencil_box(uint32_t n, uint32_t lengths[3]);

#endif
