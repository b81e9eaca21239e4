// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Histories: what is refused says where and why, what is taken is proved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/history_proof.h"
#include "support/error.h"

#define MOST (1 << 16)          /* bytes: small fabrics, whose proofs are quick */
#define LIFE UINT64_C(20000000) /* ns */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_say(int ret, const struct hd_error *err)
{
	if (err->code != ret || !*err->text || strchr(err->text, '\n') ||
	    (ret == HD_EPARSE && !*err->file))
		abort();
}

/* Proves the input with packets that live for @life ns; false: it is refused. */
static bool prove(const uint8_t *data, size_t size, uint64_t life,
		  struct hd_history_verdict *verdict)
{
	const struct hd_history_proof proof = { .name = "input", .life = life };
	FILE *stream = fmemopen((void *)data, size, "r");
	struct hd_history_reader *reader;
	struct hd_error err = { 0 };
	int ret;

	*verdict = (struct hd_history_verdict){ .n_records = 0 };
	if (!stream)
		abort();
	ret = hd_history_open(stream, "input", &reader, &err);
	if (!ret)
		ret = hd_history_prove(reader, &proof, verdict, &err);
	if (ret)
		must_say(ret, &err);
	hd_history_verdict_clear(verdict);
	hd_history_close(reader);
	return !ret;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_history_verdict alone, windows;
	bool is_read;

	if (!size || size > MOST)
		return 0;
	is_read = prove(data, size, 0, &alone);
	if (prove(data, size, LIFE, &windows) != is_read)
		abort();
	if (!is_read)
		return 0;
	if (alone.n_unsound > alone.n_states || alone.n_sets > alone.n_records ||
	    alone.n_looping + alone.n_cyclic < alone.n_unsound || alone.n_windows)
		abort();
	/* states are what they are, whatever else is asked about */
	if (windows.n_states != alone.n_states || windows.n_looping != alone.n_looping ||
	    windows.n_cyclic != alone.n_cyclic || windows.n_stretches != alone.n_stretches ||
	    windows.n_windows > windows.n_states || !windows.n_windows != !windows.n_states ||
	    windows.n_windows_unsound > windows.n_windows ||
	    windows.n_windows_again + windows.n_windows_anew > windows.n_windows)
		abort();
	return 0;
}
