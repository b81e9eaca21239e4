// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Histories: what is refused says where and why, what is taken is proved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/history.h"
#include "support/error.h"

#define MOST (1 << 16) /* bytes: small fabrics, whose proofs are quick */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_say(int ret, const struct hd_error *err)
{
	if (err->code != ret || !*err->text || strchr(err->text, '\n') ||
	    (ret == HD_EPARSE && !*err->file))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct hd_history_proof proof = { .name = "input" };
	struct hd_history_verdict verdict = { .n_records = 0 };
	struct hd_history_reader *reader;
	struct hd_error err = { 0 };
	FILE *stream;
	int ret;

	if (!size || size > MOST)
		return 0;
	stream = fmemopen((void *)data, size, "r");
	if (!stream)
		abort();
	ret = hd_history_open(stream, "input", &reader, &err);
	if (!ret)
		ret = hd_history_prove(reader, &proof, &verdict, &err);
	if (ret)
		must_say(ret, &err);
	else if (verdict.n_unsound > verdict.n_states || verdict.n_sets > verdict.n_records ||
		 verdict.n_looping + verdict.n_cyclic < verdict.n_unsound)
		abort();
	hd_history_verdict_clear(&verdict);
	hd_history_close(reader);
	return 0;
}
