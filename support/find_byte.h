/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds a byte among 64: a set of places is a word. */
#ifndef HD_SUPPORT_FIND_BYTE_H
#define HD_SUPPORT_FIND_BYTE_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HD_FIND_BYTES 64

/* The places of @row, of HD_FIND_BYTES bytes, with @value. */
static inline uint64_t hd_find_byte(const uint8_t *row, uint8_t value)
{
	uint64_t found = 0;
#ifdef __SSE2__
	const __m128i wanted = _mm_set1_epi8((char)value);

	for (unsigned i = 0; i < HD_FIND_BYTES; i += 16) {
		const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(row + i));

		found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)) << i;
	}
#else
	for (unsigned i = 0; i < HD_FIND_BYTES; i++)
		found |= (uint64_t)(row[i] == value) << i;
#endif
	return found;
}

#endif
