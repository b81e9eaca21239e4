// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/ranks.h"

#include "support/error.h"

void hd_ranks_begin(struct hd_ranks *ranks)
{
	for (unsigned i = 0; i < ranks->n; i++)
		hd_bytes_empty(&ranks->out[i]);
}

void hd_ranks_tell(struct hd_ranks *ranks)
{
	const struct hd_bytes *own = &ranks->out[ranks->rank];

	for (unsigned i = 0; i < ranks->n; i++)
		if (i != ranks->rank)
			hd_bytes_put(&ranks->out[i], own->data, own->n);
	ranks->exchange(ranks);
}

uint32_t hd_ranks_value(struct hd_ranks *ranks, unsigned from, uint32_t value)
{
	hd_ranks_begin(ranks);
	hd_bytes_put(&ranks->out[ranks->rank], &value, sizeof(value));
	hd_ranks_tell(ranks);
	if (from != ranks->rank)
		hd_bytes_get(&ranks->in[from], &value, sizeof(value));
	return value;
}

void hd_ranks_error(struct hd_ranks *ranks, unsigned from, struct hd_error *err)
{
	hd_ranks_begin(ranks);
	hd_bytes_put(&ranks->out[ranks->rank], err, sizeof(*err));
	hd_ranks_tell(ranks);
	if (from != ranks->rank)
		hd_bytes_get(&ranks->in[from], err, sizeof(*err));
}

int hd_ranks_agree(struct hd_ranks *ranks, int ret, struct hd_error *err)
{
	unsigned failed;
	int first = ret;

	if (!ranks)
		return ret;
	failed = ret ? ranks->rank : ranks->n;
	hd_ranks_begin(ranks);
	hd_bytes_put(&ranks->out[ranks->rank], &ret, sizeof(ret));
	hd_ranks_tell(ranks);
	for (unsigned from = ranks->n; from-- > 0;) {
		int theirs = ret;

		if (from != ranks->rank)
			hd_bytes_get(&ranks->in[from], &theirs, sizeof(theirs));
		if (theirs) {
			failed = from;
			first = theirs;
		}
	}
	if (failed < ranks->n)
		hd_ranks_error(ranks, failed, err);
	return first;
}

void hd_ranks_greatest(struct hd_ranks *ranks, uint8_t *values, size_t n)
{
	hd_ranks_begin(ranks);
	hd_bytes_put(&ranks->out[ranks->rank], values, n);
	hd_ranks_tell(ranks);
	for (unsigned from = 0; from < ranks->n; from++) {
		const uint8_t *theirs = (const uint8_t *)ranks->in[from].data;

		if (from == ranks->rank || ranks->in[from].n < n)
			continue;
		for (size_t i = 0; i < n; i++)
			values[i] = theirs[i] > values[i] ? theirs[i] : values[i];
	}
}

bool hd_ranks_least(struct hd_ranks *ranks, uint8_t *values, size_t n, bool changed)
{
	hd_ranks_begin(ranks);
	hd_bytes_put(&ranks->out[ranks->rank], &changed, sizeof(changed));
	hd_bytes_put(&ranks->out[ranks->rank], values, n);
	hd_ranks_tell(ranks);
	for (unsigned from = 0; from < ranks->n; from++) {
		const uint8_t *theirs;
		bool also;

		if (from == ranks->rank || ranks->in[from].n < n + sizeof(also))
			continue;
		hd_bytes_get(&ranks->in[from], &also, sizeof(also));
		changed |= also;
		theirs = (const uint8_t *)ranks->in[from].data + ranks->in[from].at;
		for (size_t i = 0; i < n; i++)
			values[i] = theirs[i] < values[i] ? theirs[i] : values[i];
	}
	return changed;
}
