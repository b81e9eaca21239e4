// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/traffic/carried_options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/printable.h"

/* Keys that scenarios do not have, or have in another section. */
enum own_key { TIME, SEED, SL, PATH_SL, PAGES, RATE, N_OWN };

static const struct hd_scenario_key own_keys[N_OWN] = {
	[TIME] = { .name = "time", .kind = HD_VALUE_TIME },
	[SEED] = { .name = "seed", .kind = HD_VALUE_COUNT, .max = 0x1p53 },
	[SL] = { .name = "sl", .kind = HD_VALUE_COUNT, .max = HD_MAX_SLS - 1 },
	[PATH_SL] = { .name = "path_sl", .kind = HD_VALUE_TEXT },
	[PAGES] = { .name = "pages", .kind = HD_VALUE_TEXT },
	[RATE] = { .name = "rate", .kind = HD_VALUE_SHARE, .min = 1e-9, .max = 1 },
};

struct parser {
	struct hd_carried_options *options;
	bool is_set[N_OWN];
	char *rest; /* the text that was not read yet; cut into words in place */
	struct hd_error *err;
};

/* The next word without its quotes, which may keep blanks; NULL: there is none. */
static char *next_word(struct parser *parser)
{
	char *from = parser->rest, *to, *word;
	bool quoted = false;

	while (isspace((unsigned char)*from))
		from++;
	word = to = from;
	for (; *from && (quoted || !isspace((unsigned char)*from)); from++) {
		if (*from == '"')
			quoted = !quoted;
		else
			*to++ = *from;
	}
	parser->rest = *from ? from + 1 : from;
	*to = '\0';
	return from == word ? NULL : word;
}

static int set_own(struct parser *parser, enum own_key key, const char *value)
{
	struct hd_carried_options *options = parser->options;
	struct hd_quantity quantity;
	struct hd_error cause;

	if (parser->is_set[key])
		return hd_error_set(parser->err, HD_EINVAL, "%s is given twice",
				    own_keys[key].name);
	parser->is_set[key] = true;
	if (hd_quantity_parse(&own_keys[key], HD_CLOCK_TIME, value, &quantity, &cause))
		return hd_error_set(parser->err, cause.code, "%s: %s", own_keys[key].name,
				    cause.text);
	switch (key) {
	case TIME:
		options->end = quantity.whole;
		return quantity.whole
			       ? 0
			       : hd_error_set(parser->err, HD_ERANGE, "time: '%s' is none", value);
	case SEED:
		options->seed = quantity.whole;
		return 0;
	case SL:
		options->sl = (unsigned)quantity.whole;
		return 0;
	case PATH_SL:
		options->path_sls = strdup(value);
		return options->path_sls ? 0 : hd_error_nomem(parser->err);
	case PAGES:
		options->pages = strdup(value);
		return options->pages ? 0 : hd_error_nomem(parser->err);
	default:
		options->rate = quantity.real;
		return 0;
	}
}

static int set_scenario(struct parser *parser, enum hd_key key, const char *value)
{
	struct hd_scenario *scenario = parser->options->scenario;
	int ret;

	if (scenario->keys[key].is_set)
		return hd_error_set(parser->err, HD_EINVAL, "%s is given twice",
				    hd_scenario_keys[key].name);
	ret = hd_scenario_set(scenario, key, value, parser->err);
	if (!ret && scenario->keys[key].list.n != 1)
		return hd_error_set(parser->err, HD_EINVAL, "%s: '%s' is several values",
				    hd_scenario_keys[key].name, value);
	return ret;
}

/* Scenarios have no agents. */
static int set_agents(struct parser *parser)
{
	struct hd_carried_options *options = parser->options;

	if (options->agents || options->scenario->keys[HD_HOST_POLICY].is_set)
		return hd_error_set(parser->err, HD_EINVAL, "%s is given twice",
				    hd_scenario_keys[HD_HOST_POLICY].name);
	options->agents = true;
	return 0;
}

static int set_pair(struct parser *parser, char *pair)
{
	char *equals = strchr(pair, '=');
	enum hd_key key;

	if (!equals || equals == pair)
		return hd_error_set(parser->err, HD_EINVAL, "'%s' is not KEY=VALUE", pair);
	*equals = '\0';
	for (unsigned own = SEED; own < N_OWN; own++)
		if (strcmp(pair, own_keys[own].name) == 0)
			return set_own(parser, own, equals + 1);
	key = hd_scenario_key_find(pair);
	if (key < HD_LINK_BANDWIDTH || key > HD_TRAFFIC_PHASES)
		return hd_error_set(parser->err, HD_EINVAL, "traffic has no key '%s'", pair);
	if (key == HD_LINK_RATES)
		return hd_error_set(parser->err, HD_EINVAL,
				    "rates: links of a class are as fast as the slowest of them");
	if (key == HD_SWITCH_BUBBLE)
		return hd_error_set(parser->err, HD_EINVAL,
				    "bubble: switches of InfiniBand have no bubble flow control");
	if (key == HD_HOST_POLICY && strcmp(equals + 1, hd_host_agent.policy.name) == 0)
		return set_agents(parser);
	if (key == HD_HOST_POLICY && parser->options->agents)
		return set_agents(parser);
	return set_scenario(parser, key, equals + 1);
}

static int check_agents(const struct parser *parser)
{
	const struct hd_carried_options *options = parser->options;

	if (options->pages && !options->agents)
		return hd_error_set(parser->err, HD_EINVAL,
				    "pages: only hosts with host.policy=agent look at them");
	return 0;
}

static int read_words(struct parser *parser, bool limited)
{
	static const enum hd_key positional[] = { HD_TRAFFIC_PATTERN, HD_TRAFFIC_LOAD };
	char *word;
	int ret = 0;

	if (limited) {
		word = next_word(parser);
		ret = word ? set_own(parser, TIME, word)
			   : hd_error_set(parser->err, HD_EINVAL, "for which time?");
	}
	for (unsigned i = 0; i < 2 && !ret; i++) {
		word = next_word(parser);
		ret = word ? set_scenario(parser, positional[i], word)
			   : hd_error_set(parser->err, HD_EINVAL, "%s",
					  i ? "at which load?" : "in which pattern?");
	}
	while (!ret && (word = next_word(parser)))
		ret = set_pair(parser, word);
	return ret;
}

/* Sets what depends on the fabric, unless it was given. */
static int set_defaults(struct parser *parser, unsigned mtu)
{
	const struct hd_scenario *scenario = parser->options->scenario;
	char size[32];
	int ret = 0;

	snprintf(size, sizeof(size), "%uB", mtu);
	if (!scenario->keys[HD_TRAFFIC_PACKET].is_set)
		ret = set_scenario(parser, HD_TRAFFIC_PACKET, size);
	if (!ret && !scenario->keys[HD_SWITCH_SCHEDULER].is_set &&
	    !scenario->keys[HD_SWITCH_ARBITER].is_set)
		ret = set_scenario(parser, HD_SWITCH_SCHEDULER, "vlarb");
	return ret;
}

static int check_packets(const struct parser *parser, unsigned mtu)
{
	const struct hd_setup *setup = &parser->options->setup;

	for (size_t i = 0; i < setup->n_phases; i++)
		if (setup->phases[i].deliveries)
			return hd_error_set(parser->err, HD_EINVAL,
					    "phases: on a fabric they end by their times");
	for (size_t i = 0; i < setup->n_phases; i++)
		if (setup->phases[i].size > mtu / HD_UNIT_BYTES)
			return hd_error_set(parser->err, HD_ERANGE,
					    "packets of %u bytes do not fit an MTU of %u",
					    setup->phases[i].size * HD_UNIT_BYTES, mtu);
	return 0;
}

int hd_carried_options_parse(const char *text, bool limited, unsigned mtu,
			     struct hd_carried_options *options, struct hd_error *err)
{
	char *copy = strdup(text);
	struct parser parser = { .options = options, .rest = copy, .err = err };
	int ret;

	*options = (struct hd_carried_options){
		.scenario = hd_scenario_new(),
		.seed = 1,
		.rate = limited ? 0 : HD_CARRIED_RATE,
		.end = UINT64_MAX,
		.text = strdup(text),
	};
	ret = copy && options->text && options->scenario ? 0 : hd_error_nomem(err);
	if (options->text)
		hd_make_printable(options->text);
	if (!ret)
		ret = read_words(&parser, limited);
	if (!ret)
		ret = set_defaults(&parser, mtu);
	if (!ret)
		ret = hd_scenario_finish(options->scenario, err);
	if (!ret)
		ret = check_agents(&parser);
	if (!ret)
		ret = hd_setup_make(options->scenario, 0, &options->setup, err);
	if (!ret && options->agents)
		options->setup.model.host_policy = &hd_host_agent;
	if (!ret)
		ret = check_packets(&parser, mtu);
	free(copy);
	if (ret)
		hd_carried_options_clear(options);
	return ret;
}

void hd_carried_options_clear(struct hd_carried_options *options)
{
	hd_setup_clear(&options->setup);
	hd_scenario_free(options->scenario);
	free(options->path_sls);
	free(options->pages);
	free(options->text);
	*options = (struct hd_carried_options){ 0 };
}
