// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/transpose.h"

#include <endian.h>
#include <string.h>

#define BLOCK 64 /* bytes of a cache line */
#define WORD  8  /* bytes of a word; so many words are transposed in registers */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static uint64_t get(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return le64toh(word);
}

static void put(uint8_t *at, uint64_t word)
{
	word = htole64(word);
	memcpy(at, &word, sizeof(word));
}

/* Exchanges the parts of @a above @lower, of @bits bits each, with the lower parts of @b. */
static void exchange(uint64_t *a, uint64_t *b, unsigned bits, uint64_t lower)
{
	const uint64_t differ = (*a >> bits ^ *b) & lower;

	*b ^= differ;
	*a ^= differ << bits;
}

/* Transposes WORD rows of WORD bytes: the quarters of the square, the quarters of these, bytes. */
static void transpose_words(const uint8_t *in, size_t in_stride, uint8_t *out, size_t out_stride)
{
	uint64_t row[WORD];

	for (unsigned i = 0; i < WORD; i++)
		row[i] = get(in + i * in_stride);
	for (unsigned i = 0; i < 4; i++)
		exchange(&row[i], &row[i + 4], 32, UINT64_C(0x00000000FFFFFFFF));
	for (unsigned i = 0; i < WORD; i += 4) {
		exchange(&row[i], &row[i + 2], 16, UINT64_C(0x0000FFFF0000FFFF));
		exchange(&row[i + 1], &row[i + 3], 16, UINT64_C(0x0000FFFF0000FFFF));
	}
	for (unsigned i = 0; i < WORD; i += 2)
		exchange(&row[i], &row[i + 1], 8, UINT64_C(0x00FF00FF00FF00FF));
	for (unsigned i = 0; i < WORD; i++)
		put(out + i * out_stride, row[i]);
}

/* Transposes at most BLOCK rows and columns. */
static void transpose_block(const uint8_t *in, size_t in_stride, size_t n_rows, size_t n_columns,
			    uint8_t *out, size_t out_stride)
{
	const size_t whole_rows = n_rows / WORD * WORD, whole_columns = n_columns / WORD * WORD;

	for (size_t c = 0; c < whole_columns; c += WORD)
		for (size_t r = 0; r < whole_rows; r += WORD)
			transpose_words(in + r * in_stride + c, in_stride, out + c * out_stride + r,
					out_stride);
	for (size_t c = 0; c < n_columns; c++)
		for (size_t r = c < whole_columns ? whole_rows : 0; r < n_rows; r++)
			out[c * out_stride + r] = in[r * in_stride + c];
}

void hd_transpose(const uint8_t *in, size_t in_stride, size_t n_rows, size_t n_columns,
		  uint8_t *out, size_t out_stride)
{
	for (size_t r = 0; r < n_rows; r += BLOCK)
		for (size_t c = 0; c < n_columns; c += BLOCK)
			transpose_block(in + r * in_stride + c, in_stride,
					smaller(BLOCK, n_rows - r), smaller(BLOCK, n_columns - c),
					out + c * out_stride + r, out_stride);
}
