/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Transposes tables of bytes: LFTs are stored by switch, but some work goes by LID. */
#ifndef HD_SUPPORT_TRANSPOSE_H
#define HD_SUPPORT_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

/*
 * out[c * out_stride + r] = in[r * in_stride + c] for r < n_rows, c < n_columns. The two must not
 * overlap. In blocks, so that it costs little more than copying.
 */
void hd_transpose(const uint8_t *in, size_t in_stride, size_t n_rows, size_t n_columns,
		  uint8_t *out, size_t out_stride);

#endif
