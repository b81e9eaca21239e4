// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Some hosts send to a few, all others to all alike; in the two forms that papers use. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"

enum { BACKGROUND, HOTSPOT };

struct hotspot {
	uint32_t n_hosts, n_sources, n_spots;
	uint32_t n_others; /* destinations of the background */
	double rate;       /* of the sources; negative: the load */
	uint32_t at;       /* the spot; HD_NONE: random */
	bool exclude;      /* the spots are no destinations of the background */
	uint32_t *order;   /* [host] sources, then the rest, then spots */
	uint32_t *place;   /* [host] index in order */
};

/* "DLA in OpenSM": 6 of 100 at full rate. "OSHA, SASHA": 25 of 100 at the rate of all. */
static const struct form {
	const char *name;
	unsigned percent;
	bool one_spot;
	double rate;
	bool exclude;
} forms[] = {
	{ "dla", 6, false, 1, false },
	{ "osha", 25, true, -1, true },
};

static void release(void *data)
{
	struct hotspot *h = data;

	free(h->order);
	free(h->place);
	free(h);
}

static int read_sources(const struct hd_params *params, const struct form *form, uint32_t n_hosts,
			uint32_t *sources, struct hd_error *err)
{
	const char *text = hd_params_get(params, "sources");
	uint64_t number;
	double share;
	int ret;

	if (!text) {
		number = (uint64_t)n_hosts * form->percent / 100;
		*sources = number ? (uint32_t)number : 1;
		return 0;
	}
	if (!strchr(text, '%')) {
		ret = hd_params_number(params, "sources", 1, n_hosts - 1, &number, err);
		*sources = ret ? 0 : (uint32_t)number;
		return ret;
	}
	ret = hd_params_decimal(params, "sources", 0, 1, &share, err);
	if (ret)
		return ret;
	*sources = (uint32_t)floor(n_hosts * share + 1e-9); /* 6% of 150 are 9 */
	return *sources ? 0
			: hd_error_set(err, HD_ERANGE, "sources: %s of %u hosts are none", text,
				       n_hosts);
}

static int read_options(const struct hd_pattern_setup *setup, struct hotspot *h,
			struct hd_error *err)
{
	const struct hd_params *params = setup->params;
	const char *name = hd_params_get(params, "form");
	const struct form *form = forms;
	uint64_t spots = 1, number = 0;
	int ret;

	while (form < forms + sizeof(forms) / sizeof(forms[0]) && strcmp(form->name, name) != 0)
		form++;
	if (form == forms + sizeof(forms) / sizeof(forms[0]))
		return hd_error_set(err, HD_EINVAL, "form: '%s' is neither dla nor osha", name);
	if (h->n_hosts < 2)
		return hd_error_set(err, HD_EINVAL, "there is one host only");
	ret = read_sources(params, form, h->n_hosts, &h->n_sources, err);
	if (ret)
		return ret;
	if (hd_params_get(params, "destinations"))
		ret = hd_params_number(params, "destinations", 1, h->n_hosts - 1, &spots, err);
	else if (!form->one_spot)
		while (spots < 31 && 2ull << spots <= h->n_sources)
			spots++;
	h->n_spots = (uint32_t)spots;
	h->rate = form->rate;
	if (!ret && hd_params_get(params, "rate")) {
		if (strcmp(hd_params_get(params, "rate"), "load") == 0)
			h->rate = -1;
		else
			ret = hd_params_decimal(params, "rate", 0, 1, &h->rate, err);
	}
	h->at = HD_NONE;
	if (!ret && hd_params_get(params, "at")) {
		ret = hd_params_number(params, "at", 0, h->n_hosts - 1, &number, err);
		if (!ret && h->n_spots != 1)
			ret = hd_error_set(err, HD_EINVAL, "at: there are %u destinations",
					   h->n_spots);
		h->at = (uint32_t)number;
	}
	h->exclude = form->exclude;
	if (!ret && hd_params_get(params, "exclude"))
		ret = hd_params_bool(params, "exclude", &h->exclude, err);
	if (!ret && (uint64_t)h->n_sources + h->n_spots > h->n_hosts)
		ret = hd_error_set(err, HD_EINVAL,
				   "%u sources and %u destinations are more than %u hosts",
				   h->n_sources, h->n_spots, h->n_hosts);
	return ret;
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts;
	struct hotspot *h = calloc(1, sizeof(*h));
	int ret;

	if (!h)
		return hd_error_nomem(err);
	*data = h;
	h->n_hosts = n;
	ret = read_options(setup, h, err);
	if (ret)
		return ret;
	h->order = malloc(n * sizeof(*h->order));
	h->place = malloc(n * sizeof(*h->place));
	if (!h->order || !h->place)
		return hd_error_nomem(err);
	hd_random_permutation(setup->random, n, h->order);
	for (uint32_t i = 0; i + 1 < n; i++)
		if (h->order[i] == h->at) {
			h->order[i] = h->order[n - 1];
			h->order[n - 1] = h->at;
		}
	for (uint32_t i = 0; i < n; i++)
		h->place[h->order[i]] = i;
	h->n_others = h->exclude ? n - h->n_spots : n;
	return 0;
}

static uint32_t class_of(const void *data, uint32_t host)
{
	const struct hotspot *h = data;

	return h->place[host] < h->n_sources ? HOTSPOT : BACKGROUND;
}

static double load(const void *data, uint32_t class, double load_of_all)
{
	const struct hotspot *h = data;

	return class == HOTSPOT && h->rate >= 0 ? h->rate : load_of_all;
}

static uint32_t destination(const void *data, struct hd_source *source)
{
	const struct hotspot *h = data;
	uint32_t place = h->place[source->host], to;

	if (place < h->n_sources)
		return h->order[h->n_hosts - 1 - hd_random_below(&source->random, h->n_spots)];
	if (place >= h->n_others)
		return h->order[hd_random_below(&source->random, h->n_others)];
	to = hd_random_below(&source->random, h->n_others - 1);
	return h->order[to + (to >= place)];
}

static const struct hd_option options[] = {
	{ "form", "dla", "", "dla or osha: what the options below are when not given" },
	{ "sources", NULL, "hosts",
	  "random hosts that send to the spots, or \"6%\"; dla 6%, osha 25%" },
	{ "destinations", NULL, "hosts", "random spots; dla log2 of the sources, osha 1" },
	{ "at", NULL, "", "number of the host that is the one spot; default: a random one" },
	{ "rate", NULL, "", "what a source offers, 0 .. 1 or \"load\"; dla 1, osha load" },
	{ "exclude", NULL, "", "whether all others leave the spots out; dla no, osha yes" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_hotspot = {
	.policy = { .name = "hotspot",
		    .summary = "some hosts to a few, the others to all alike",
		    .reference = "Maglione-Mathey et al., DLA in OpenSM, section 5.2; Yebenes et "
				 "al., OSHA and SASHA, section 5.3",
		    .options = options },
	.policy.n_bare = 1,
	.classes = { "background", "hotspot" },
	.init = init,
	.free = release,
	.class_of = class_of,
	.load = load,
	.destination = destination,
};
