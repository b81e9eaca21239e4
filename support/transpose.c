// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/transpose.h"

#define BLOCK 64 /* bytes of a cache line */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

void hd_transpose(const uint8_t *in, size_t in_stride, size_t n_rows, size_t n_columns,
		  uint8_t *out, size_t out_stride)
{
	for (size_t r = 0; r < n_rows; r += BLOCK) {
		size_t r_end = smaller(r + BLOCK, n_rows);

		for (size_t c = 0; c < n_columns; c += BLOCK) {
			size_t c_end = smaller(c + BLOCK, n_columns);

			for (size_t i = c; i < c_end; i++)
				for (size_t k = r; k < r_end; k++)
					out[i * out_stride + k] = in[k * in_stride + i];
		}
	}
}
