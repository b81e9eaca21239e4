// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The six neighbours in a box of hosts, one after the other. */
#include <stdlib.h>

#include "sim/traffic/pattern.h"
#include "sim/traffic/stencil.h"
#include "support/error.h"

struct stencil {
	uint32_t lengths[3];
	uint32_t neighbours[]; /* [host][HD_STENCIL], the first n of each */
};

static unsigned directions(const struct stencil *s)
{
	return 2 * ((s->lengths[0] > 1) + (s->lengths[1] > 1) + (s->lengths[2] > 1));
}

void hd_stencil_box(uint32_t n, uint32_t lengths[3])
{
	uint64_t least = UINT64_MAX;

	for (uint32_t c = 1; (uint64_t)c * c * c <= n; c++) {
		if (n % c)
			continue;
		for (uint32_t b = c; (uint64_t)b * b <= n / c; b++) {
			uint32_t a = n / c / b;

			if (n / c % b || (uint64_t)a + b + c >= least)
				continue;
			least = (uint64_t)a + b + c;
			lengths[0] = a;
			lengths[1] = b;
			lengths[2] = c;
		}
	}
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts, lengths[3] = { 1, 1, 1 }, stride = 1;
	struct stencil *s;
	unsigned dimensions = 3, next = 0;
	int ret = 0;

	if (hd_params_get(setup->params, "dims"))
		ret = hd_params_shape(setup->params, "dims", n, 3, lengths, &dimensions, err);
	else
		hd_stencil_box(n, lengths);
	if (ret)
		return ret;
	if (n < 2)
		return hd_error_set(err, HD_EINVAL, "there is one host only");
	*data = s = malloc(sizeof(*s) + (size_t)n * HD_STENCIL * sizeof(s->neighbours[0]));
	if (!s)
		return hd_error_nomem(err);
	for (unsigned i = 0; i < 3; i++)
		s->lengths[i] = lengths[i];
	for (unsigned i = 0; i < 3; stride *= lengths[i++]) {
		uint32_t span = stride * lengths[i];

		if (lengths[i] == 1)
			continue;
		for (uint32_t host = 0; host < n; host++) {
			uint32_t base = host - host % span, within = host % span;

			s->neighbours[host * HD_STENCIL + next] = base + (within + stride) % span;
			s->neighbours[host * HD_STENCIL + next + 1] =
				base + (within + span - stride) % span;
		}
		next += 2;
	}
	return 0;
}

static uint32_t destination(const void *data, struct hd_source *source)
{
	const struct stencil *s = data;
	uint32_t turn = (uint32_t)source->turn;

	source->turn = turn + 1 < directions(s) ? turn + 1 : 0;
	return s->neighbours[source->host * HD_STENCIL + turn];
}

static const struct hd_option options[] = {
	{ "dims", NULL, "hosts", "lengths of the box, \"6x4x3\"; as near a cube as can be" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_stencil = {
	.policy = { .name = "stencil",
		    .summary = "to the six neighbours in a periodic box in turn",
		    .reference = "Maglione-Mathey et al., DLA in OpenSM, section 5.2",
		    .options = options },
	.policy.n_bare = 1,
	.init = init,
	.free = free,
	.destination = destination,
};
