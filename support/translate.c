// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/translate.h"

void hd_translate_portable(const uint8_t *keys, size_t n, const uint8_t table[256], uint8_t *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = table[keys[i]];
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Two look-ups of 128 entries each; the key's top bit chooses. */
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) static void translate_vbmi(
	const uint8_t *keys, size_t n, const uint8_t table[256], uint8_t *out)
{
	const __m512i part[] = { _mm512_loadu_si512(table), _mm512_loadu_si512(table + 64),
				 _mm512_loadu_si512(table + 128), _mm512_loadu_si512(table + 192) };

	for (size_t i = 0; i < n; i += 64) {
		__m512i key = _mm512_loadu_si512(keys + i);
		__m512i low = _mm512_permutex2var_epi8(part[0], key, part[1]);
		__m512i high = _mm512_permutex2var_epi8(part[2], key, part[3]);

		_mm512_storeu_si512(out + i,
				    _mm512_mask_blend_epi8(_mm512_movepi8_mask(key), low, high));
	}
}

void hd_translate(const uint8_t *keys, size_t n, const uint8_t table[256], uint8_t *out)
{
	if (__builtin_cpu_supports("avx512vbmi"))
		translate_vbmi(keys, n, table, out);
	else
		hd_translate_portable(keys, n, table, out);
}
#else
void hd_translate(const uint8_t *keys, size_t n, const uint8_t table[256], uint8_t *out)
{
	hd_translate_portable(keys, n, table, out);
}
#endif
