// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Several patterns at once. Each packet draws its part, by the parts' shares; a host that sends
 * nothing in a part draws among the others.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"

#define PARTS 16

/* Shares in whole numbers: what a host draws is the same on every machine. */
#define ONE 0x40000000u

/* How far from 1 the sum of shares may be: thirds are 0.333. */
#define ROUNDING 0.0015

struct part {
	const struct hd_pattern_kind *kind;
	void *data;
	double share;
	uint32_t weight;
};

struct mix {
	unsigned n_parts;
	struct part parts[PARTS];
	uint64_t *turns; /* [host * n_parts + part], as in struct hd_source */
};

static void release(void *data)
{
	struct mix *mix = data;

	for (unsigned i = 0; i < mix->n_parts; i++)
		if (mix->parts[i].data)
			mix->parts[i].kind->free(mix->parts[i].data);
	free(mix->turns);
	free(mix);
}

static bool is_silent(const struct part *part, uint32_t host)
{
	return part->kind->class_of && part->kind->class_of(part->data, host) == HD_NONE;
}

static char *without_blanks(char *text)
{
	size_t length;

	text += strspn(text, " \t");
	length = strlen(text);
	while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		text[--length] = '\0';
	return text;
}

/* Cuts "SPEC*SHARE" in place. */
static int read_share(char *text, struct part *part, struct hd_error *err)
{
	char *star = strrchr(text, '*'), *end;

	if (!star || star == text)
		return hd_error_set(err, HD_EINVAL, "'%s' is no SPEC*SHARE", text);
	*star++ = '\0';
	part->share = strtod(star, &end);
	if (end != star && *end == '%') {
		part->share /= 100;
		end++;
	}
	if (end == star || *end)
		return hd_error_set(err, HD_EINVAL, "the share of %s: '%s' is not a number", text,
				    star);
	if (!(part->share > 0 && part->share <= 1))
		return hd_error_set(err, HD_ERANGE, "the share of %s: %s is not above 0, up to 1",
				    text, star);
	return 0;
}

/* Packets of all parts share the load of the phase. */
static int check_load(const struct part *part, struct hd_error *err)
{
	const struct hd_pattern_kind *kind = part->kind;

	for (unsigned i = 0; kind->load && kind->classes[i] && i < HD_PATTERN_CLASSES; i++)
		if (kind->load(part->data, i, 0.25) < 0.25 ||
		    kind->load(part->data, i, 0.25) > 0.25)
			return hd_error_set(err, HD_EINVAL, "%s has a load of its own",
					    kind->policy.name);
	return 0;
}

static int make_part(const struct hd_pattern_setup *setup, char *text, struct part *part,
		     struct hd_error *err)
{
	struct hd_pattern_setup own = *setup;
	struct hd_params *params;
	int ret = read_share(text, part, err);

	if (!ret && strncmp(text, "mix", 3) == 0 && (!text[3] || text[3] == ':'))
		ret = hd_error_set(err, HD_EINVAL, "a mix is no part of a mix");
	if (!ret)
		ret = hd_pattern_parse(text, &part->kind, &params, err);
	if (ret)
		return ret;
	own.params = params;
	ret = part->kind->replay || part->kind->begin
		      ? hd_error_set(err, HD_EINVAL, "%s has times of its own",
				     part->kind->policy.name)
		      : part->kind->init(&own, &part->data, err);
	hd_params_free(params);
	if (ret)
		hd_traffic_name_error(&part->kind->policy, ret, err);
	return ret ? ret : check_load(part, err);
}

static int weigh(struct mix *mix, struct hd_error *err)
{
	double sum = 0;

	for (unsigned i = 0; i < mix->n_parts; i++)
		sum += mix->parts[i].share;
	if (fabs(sum - 1) > ROUNDING)
		return hd_error_set(err, HD_EINVAL, "the shares of its parts add up to %g, not 1",
				    sum);
	for (unsigned i = 0; i < mix->n_parts; i++) {
		struct part *part = &mix->parts[i];

		part->weight = (uint32_t)(part->share / sum * ONE);
		part->weight += !part->weight;
	}
	return 0;
}

/* Parts by "+", in place. */
static int make_parts(const struct hd_pattern_setup *setup, struct mix *mix, char *text,
		      struct hd_error *err)
{
	while (text) {
		char *item = without_blanks(strsep(&text, "+"));
		int ret;

		if (mix->n_parts == PARTS)
			return hd_error_set(err, HD_ERANGE, "more than %d parts", PARTS);
		ret = make_part(setup, item, &mix->parts[mix->n_parts++], err);
		if (ret)
			return ret;
	}
	return weigh(mix, err);
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	const char *parts = hd_params_get(setup->params, "parts");
	struct mix *mix = calloc(1, sizeof(*mix));
	char *text = strdup(parts ? parts : "");
	int ret;

	*data = mix;
	ret = mix && text ? make_parts(setup, mix, text, err) : hd_error_nomem(err);
	free(text);
	if (ret)
		return ret;
	mix->turns =
		calloc(setup->setting->n_hosts * (size_t)mix->n_parts + 1, sizeof(*mix->turns));
	return mix->turns ? 0 : hd_error_nomem(err);
}

static uint32_t class_of(const void *data, uint32_t host)
{
	const struct mix *mix = data;

	for (unsigned i = 0; i < mix->n_parts; i++)
		if (!is_silent(&mix->parts[i], host))
			return 0;
	return HD_NONE;
}

/* Which part the next packet of @source is of; it is silent in none but all of them. */
static unsigned draw(const struct mix *mix, struct hd_source *source)
{
	uint32_t weights[PARTS] = { 0 }, total = 0, number;
	unsigned i = 0;

	for (unsigned k = 0; k < mix->n_parts; k++) {
		weights[k] = is_silent(&mix->parts[k], source->host) ? 0 : mix->parts[k].weight;
		total += weights[k];
	}
	number = hd_random_below(&source->random, total);
	while (number >= weights[i])
		number -= weights[i++];
	return i;
}

static uint32_t destination(const void *data, struct hd_source *source)
{
	const struct mix *mix = data;
	unsigned part = draw(mix, source);
	uint64_t *turn = &mix->turns[source->host * (size_t)mix->n_parts + part];
	uint32_t to;

	source->turn = *turn;
	to = mix->parts[part].kind->destination(mix->parts[part].data, source);
	*turn = source->turn;
	return to;
}

static const struct hd_option options[] = {
	{ "parts", NULL, "",
	  "SPEC*SHARE+SPEC*SHARE..., patterns with their options; shares, 0.5 or 50%, add up to "
	  "1" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_mix = {
	.policy = { .name = "mix",
		    .summary = "several patterns: each packet draws its own, by shares",
		    .options = options },
	.policy.is_text = true,
	.init = init,
	.free = release,
	.class_of = class_of,
	.destination = destination,
};
