// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "intent/rule_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "support/ini.h"
#include "support/text.h"

/* A thousand rules take 200 KB. */
#define MOST_BYTES ((size_t)4 << 20)

#define MOST_NUMBER 1000000
#define MOST_FACTOR 1e6

/* The keys of rules. */
enum rule_key {
	KEY_FROM,
	KEY_TO,
	KEY_LIDS,
	KEY_TOGETHER,
	KEY_SPINES,
	KEY_REACHABLE,
	KEY_MAX_HOPS,
	KEY_MIN_HOPS,
	KEY_AVOID,
	KEY_VIA,
	KEY_STAY_IN,
	KEY_SL,
	KEY_DISJOINT,
	KEY_MIN_SPINES,
	KEY_SURVIVE,
	KEY_MAX_LOAD,
	KEY_MAX_FLOWS,
	N_RULE_KEYS
};

static const char *const rule_keys[N_RULE_KEYS + 1] = {
	"from",     "to",         "lids",    "together", "spines",    "reachable",
	"max_hops", "min_hops",   "avoid",   "via",      "stay_in",   "sl",
	"disjoint", "min_spines", "survive", "max_load", "max_flows", NULL,
};

/* The keys of sets: those of terms, and one more. */
enum { KEY_AT_LEAST = HD_N_TERMS, N_SET_KEYS };

static const char *const set_keys[N_SET_KEYS + 1] = {
	"nodes", "sets", "kind",   "rail",    "group",    "level",
	"port",  "leaf", "except", "without", "at_least", NULL,
};

static const char *const demand_words[HD_N_DEMANDS] = {
	[HD_DEMAND_REACHABLE] = "reachable",  [HD_DEMAND_ISOLATED] = "reachable",
	[HD_DEMAND_MAX_HOPS] = "max_hops",    [HD_DEMAND_MIN_HOPS] = "min_hops",
	[HD_DEMAND_AVOID] = "avoid",          [HD_DEMAND_VIA] = "via",
	[HD_DEMAND_STAY_IN_RAIL] = "stay_in", [HD_DEMAND_STAY_IN_GROUP] = "stay_in",
	[HD_DEMAND_STAY_IN_SET] = "stay_in",  [HD_DEMAND_SLS] = "sl",
	[HD_DEMAND_DISJOINT] = "disjoint",    [HD_DEMAND_REDUNDANT] = "survive",
	[HD_DEMAND_MAX_LOAD] = "max_load",    [HD_DEMAND_MAX_FLOWS] = "max_flows",
};

enum place { BEFORE_ANY, IN_SET, IN_RULE };

struct reader {
	struct hd_rules *rules;
	enum place place;
	uint32_t given;               /* bits of keys of this section */
	unsigned lines[N_RULE_KEYS];  /* of the keys of this rule */
	unsigned min_spines, survive; /* of this rule: a number, a mask of parts */
	uint32_t room_sets, room_terms, room_rules, room_demands;
};

#define fail(item, err, ...) hd_error_at(err, HD_EPARSE, (item)->file, (item)->line, __VA_ARGS__)

const char *hd_demand_word(const struct hd_demand *demand)
{
	if (demand->kind == HD_DEMAND_REDUNDANT && !demand->parts)
		return "min_spines";
	return demand_words[demand->kind];
}

/* Makes room for one more of @n things of @size at *@list. */
static int grow(void *list, uint32_t n, uint32_t *room, size_t size, struct hd_error *err)
{
	void **at = list, *larger;

	if (n < *room)
		return 0;
	larger = realloc(*at, (*room ? 2 * (size_t)*room : 16) * size);
	if (!larger)
		return hd_error_nomem(err);
	*at = larger;
	*room = *room ? 2 * *room : 16;
	return 0;
}

static bool is_name(const char *text)
{
	return *text && strlen(text) < HD_RULE_NAME &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "-_.")] == '\0';
}

static int add_set(struct reader *reader, const char *name, unsigned line, struct hd_error *err)
{
	struct hd_rules *rules = reader->rules;
	struct hd_rule_set *set;
	int ret = grow(&rules->sets, rules->n_sets, &reader->room_sets, sizeof(*set), err);

	if (ret)
		return ret;
	set = &rules->sets[rules->n_sets++];
	*set = (struct hd_rule_set){ .line = line, .first_term = rules->n_terms, .at_least = 1 };
	strcpy(set->name, name);
	return 0;
}

static uint32_t find_set(const struct hd_rules *rules, const char *name)
{
	for (uint32_t s = 0; s < rules->n_sets; s++)
		if (strcmp(rules->sets[s].name, name) == 0)
			return s;
	return HD_NONE;
}

static struct hd_term *add_term(struct reader *reader, enum hd_term_kind kind, unsigned line,
				struct hd_error *err)
{
	struct hd_rules *rules = reader->rules;
	struct hd_term *term;

	if (grow(&rules->terms, rules->n_terms, &reader->room_terms, sizeof(*term), err))
		return NULL;
	rules->sets[rules->n_sets - 1].n_terms++;
	term = &rules->terms[rules->n_terms++];
	*term = (struct hd_term){ .kind = kind, .line = line, .set = HD_NONE };
	return term;
}

static struct hd_demand *add_demand(struct reader *reader, enum hd_demand_kind kind, unsigned line,
				    struct hd_error *err)
{
	struct hd_rules *rules = reader->rules;
	struct hd_demand *demand;

	if (grow(&rules->demands, rules->n_demands, &reader->room_demands, sizeof(*demand), err))
		return NULL;
	rules->rules[rules->n_rules - 1].n_demands++;
	demand = &rules->demands[rules->n_demands++];
	*demand = (struct hd_demand){
		.kind = kind, .line = line, .rule = rules->n_rules - 1, .set = HD_NONE
	};
	return demand;
}

/* One key of the section's name: "set", "rule". NULL: the section is another one. */
static const char *name_after(const char *section, const char *word)
{
	const size_t length = strlen(word);

	if (strncmp(section, word, length) != 0 ||
	    (section[length] != ' ' && section[length] != '\t'))
		return NULL;
	return section + length + strspn(section + length, " \t");
}

static int check_name(const struct hd_ini_item *item, const char *name, struct hd_error *err)
{
	if (is_name(name))
		return 0;
	return fail(item, err, "'%s': a name has 1 to %d letters, digits, '-', '_' and '.'", name,
		    HD_RULE_NAME - 1);
}

static int begin_set(struct reader *reader, const struct hd_ini_item *item, const char *name,
		     struct hd_error *err)
{
	const struct hd_rules *rules = reader->rules;
	uint32_t other = find_set(rules, name);
	int ret = check_name(item, name, err);

	if (ret)
		return ret;
	if (strcmp(name, "rail") == 0 || strcmp(name, "group") == 0)
		return fail(item, err, "set %s: stay_in = %s has another meaning", name, name);
	if (other < HD_N_OWN_SETS)
		return fail(item, err, "set %s: every file has this set", name);
	if (other != HD_NONE)
		return fail(item, err, "set %s once more, after line %u", name,
			    rules->sets[other].line);
	reader->place = IN_SET;
	return add_set(reader, name, item->line, err);
}

/* Both of these keys make one demand: what is left after a failure. */
static int end_rule(struct reader *reader, struct hd_error *err)
{
	struct hd_demand *demand;
	unsigned line;

	if (reader->place != IN_RULE || (!reader->survive && !reader->min_spines))
		return 0;
	line = reader->lines[reader->survive ? KEY_SURVIVE : KEY_MIN_SPINES];
	demand = add_demand(reader, HD_DEMAND_REDUNDANT, line, err);
	if (!demand)
		return HD_ENOMEM;
	demand->number = reader->min_spines;
	demand->parts = reader->survive;
	return 0;
}

/* What keys of one rule say about one another. */
static int check_rule(const struct reader *reader, struct hd_error *err)
{
	const struct hd_rules *rules = reader->rules;
	const struct hd_rule *rule;
	const char *file = rules->file;

	if (reader->place != IN_RULE)
		return 0;
	rule = &rules->rules[rules->n_rules - 1];
	if (rules->demands[rule->first_demand].kind == HD_DEMAND_ISOLATED && rule->n_demands > 1)
		return hd_error_at(err, HD_EPARSE, file, reader->lines[KEY_REACHABLE],
				   "rule %s: paths that must not arrive have no other demands",
				   rule->name);
	if (rule->base_lids && reader->given >> KEY_DISJOINT & 1)
		return hd_error_at(err, HD_EPARSE, file, reader->lines[KEY_DISJOINT],
				   "rule %s: disjoint compares all LIDs of a port, lids = base has "
				   "one",
				   rule->name);
	if (rule->spines != HD_NONE && !reader->min_spines)
		return hd_error_at(err, HD_EPARSE, file, reader->lines[KEY_SPINES],
				   "rule %s: spines goes with min_spines", rule->name);
	if (rule->together && !reader->min_spines && !reader->survive)
		return hd_error_at(err, HD_EPARSE, file, reader->lines[KEY_TOGETHER],
				   "rule %s: together goes with survive and min_spines",
				   rule->name);
	return 0;
}

static int begin_rule(struct reader *reader, const struct hd_ini_item *item, const char *name,
		      struct hd_error *err)
{
	struct hd_rules *rules = reader->rules;
	struct hd_rule *rule;
	int ret = check_name(item, name, err);

	for (uint32_t r = 0; !ret && r < rules->n_rules; r++)
		if (strcmp(rules->rules[r].name, name) == 0)
			ret = fail(item, err, "rule %s once more, after line %u", name,
				   rules->rules[r].line);
	if (!ret)
		ret = grow(&rules->rules, rules->n_rules, &reader->room_rules, sizeof(*rule), err);
	if (ret)
		return ret;
	rule = &rules->rules[rules->n_rules++];
	*rule = (struct hd_rule){ .line = item->line,
				  .from = HD_SET_HOSTS,
				  .to = HD_SET_HOSTS,
				  .spines = HD_NONE,
				  .first_demand = rules->n_demands };
	strcpy(rule->name, name);
	reader->place = IN_RULE;
	return add_demand(reader, HD_DEMAND_REACHABLE, item->line, err) ? 0 : HD_ENOMEM;
}

static int begin_section(struct reader *reader, const struct hd_ini_item *item,
			 struct hd_error *err)
{
	const char *set = name_after(item->section, "set");
	const char *rule = name_after(item->section, "rule");
	int ret = end_rule(reader, err);

	if (!ret)
		ret = check_rule(reader, err);
	if (ret)
		return ret;
	reader->given = 0;
	reader->min_spines = reader->survive = 0;
	if (set)
		return begin_set(reader, item, set, err);
	if (rule)
		return begin_rule(reader, item, rule, err);
	return fail(item, err, "'[%s]': sections of a rule file are [set NAME] and [rule NAME]",
		    item->section);
}

/* The place of @key in @keys; fails with a list of them. */
static int find_key(const struct hd_ini_item *item, const char *const *keys, const char *owner,
		    unsigned *key, struct hd_error *err)
{
	char list[256];
	size_t length = 0;

	for (*key = 0; keys[*key]; (*key)++)
		if (strcmp(keys[*key], item->key) == 0)
			return 0;
	for (unsigned k = 0; keys[k]; k++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
					   k ? ", " : "", keys[k]);
	return fail(item, err, "%s have no key '%s': %s", owner, item->key, list);
}

/* The index of @value among @words, ended by NULL. */
static int take_word(const struct hd_ini_item *item, const char *const *words, unsigned *index,
		     struct hd_error *err)
{
	char list[128] = "";
	size_t length = 0;

	for (*index = 0; words[*index]; (*index)++)
		if (strcmp(words[*index], item->value) == 0)
			return 0;
	for (unsigned w = 0; words[w]; w++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
					   w ? ", " : "", words[w]);
	return fail(item, err, "%s: '%s' is none of these: %s", item->key, item->value, list);
}

static int take_number(const struct hd_ini_item *item, uint32_t min, uint32_t max, uint32_t *number,
		       struct hd_error *err)
{
	uint64_t value;

	if (hd_parse_number(item->value, item->key, min, max, &value, NULL))
		return fail(item, err, "%s: '%s' is not a number from %" PRIu32 " to %" PRIu32,
			    item->key, item->value, min, max);
	*number = (uint32_t)value;
	return 0;
}

/* A set that stands before this line. */
static int take_set(const struct reader *reader, const struct hd_ini_item *item, const char *name,
		    uint32_t *set, struct hd_error *err)
{
	*set = find_set(reader->rules, name);
	/* a set is not made of itself */
	if (reader->place == IN_SET && *set == reader->rules->n_sets - 1)
		*set = HD_NONE;
	if (*set == HD_NONE)
		return fail(item, err, "%s: no [set %s] before this line", item->key, name);
	return 0;
}

/* A number, or two with '-' between them. */
static bool scan_range(const char *text, uint32_t *low, uint32_t *high)
{
	const char *at = text, *end = text + strlen(text);
	uint64_t first, last;

	if (!hd_scan_number(&at, end, 10, MOST_NUMBER, &first))
		return false;
	last = first;
	if (*at == '-') {
		at++;
		if (!hd_scan_number(&at, end, 10, MOST_NUMBER, &last))
			return false;
	}
	*low = (uint32_t)first;
	*high = (uint32_t)last;
	return at == end && first <= last;
}

static int take_term(struct reader *reader, const struct hd_ini_item *item, enum hd_term_kind kind,
		     const char *text, struct hd_error *err)
{
	static const char *const kinds[] = { "switch", "host", "router" };
	struct hd_term *term = add_term(reader, kind, item->line, err);

	if (!term)
		return HD_ENOMEM;
	switch (kind) {
	case HD_TERM_SETS:
	case HD_TERM_WITHOUT:
		return take_set(reader, item, text, &term->set, err);
	case HD_TERM_KIND:
		for (uint32_t k = 0; k < 3; k++)
			if (strcmp(kinds[k], text) == 0) {
				term->low = term->high = k;
				return 0;
			}
		return fail(item, err, "kind: '%s' is none of these: host, switch, router", text);
	case HD_TERM_RAIL:
	case HD_TERM_GROUP:
	case HD_TERM_LEVEL:
	case HD_TERM_PORT:
		if (scan_range(text, &term->low, &term->high))
			return 0;
		return fail(item, err, "%s: '%s' is neither a number nor FIRST-LAST", item->key,
			    text);
	default:
		term->text = strdup(text);
		return term->text ? 0 : hd_error_nomem(err);
	}
}

/* Each part of the value between commas is a term. */
static int take_terms(struct reader *reader, const struct hd_ini_item *item, enum hd_term_kind kind,
		      struct hd_error *err)
{
	char *list = strdup(item->value), *rest = list, *part;
	int ret = list ? 0 : hd_error_nomem(err);

	while (!ret && (part = strsep(&rest, ","))) {
		size_t length;

		part += strspn(part, " \t");
		length = strlen(part);
		while (length && (part[length - 1] == ' ' || part[length - 1] == '\t'))
			part[--length] = '\0';
		ret = *part ? take_term(reader, item, kind, part, err)
			    : fail(item, err, "%s: '%s' has an empty part", item->key, item->value);
	}
	free(list);
	return ret;
}

static int take_of_set(struct reader *reader, const struct hd_ini_item *item, struct hd_error *err)
{
	struct hd_rule_set *set = &reader->rules->sets[reader->rules->n_sets - 1];
	unsigned key;
	int ret = find_key(item, set_keys, "sets", &key, err);

	if (ret)
		return ret;
	if (key != KEY_AT_LEAST)
		return take_terms(reader, item, key, err);
	if (reader->given >> key & 1)
		return fail(item, err, "%s once more", item->key);
	reader->given |= 1u << key;
	return take_number(item, 0, MOST_NUMBER, &set->at_least, err);
}

static int take_factor(const struct hd_ini_item *item, double *factor, struct hd_error *err)
{
	char *end;

	*factor = strtod(item->value, &end);
	if (*end || end == item->value || !isfinite(*factor) || *factor < 1 ||
	    *factor > MOST_FACTOR)
		return fail(item, err, "max_load: '%s' is not a factor from 1: 1.5", item->value);
	return 0;
}

/* "0, 2-3": a mask. */
static int take_sls(const struct hd_ini_item *item, uint32_t *mask, struct hd_error *err)
{
	char *list = strdup(item->value), *rest = list, *part;
	uint32_t low, high;
	int ret = list ? 0 : hd_error_nomem(err);

	*mask = 0;
	while (!ret && (part = strsep(&rest, ","))) {
		part += strspn(part, " \t");
		part[strcspn(part, " \t")] = '\0';
		if (!scan_range(part, &low, &high) || high > 15)
			ret = fail(item, err, "sl: '%s' is no list of SLs from 0 to 15: 0, 2-3",
				   item->value);
		for (uint32_t sl = low; !ret && sl <= high; sl++)
			*mask |= 1u << sl;
	}
	free(list);
	return ret;
}

static int take_parts(const struct hd_ini_item *item, unsigned *parts, struct hd_error *err)
{
	static const char *const words[] = { "link", "switch", "any", NULL };
	unsigned word;
	int ret = take_word(item, words, &word, err);

	if (!ret)
		*parts = word + 1; /* HD_PART_LINKS, HD_PART_SWITCHES, both */
	return ret;
}

static int take_disjoint(const struct hd_ini_item *item, unsigned *parts, struct hd_error *err)
{
	static const char *const words[] = { "links", "switches", NULL };
	unsigned word;
	int ret = take_word(item, words, &word, err);

	/* paths that share no switch share no link either, but for one between the last switches */
	if (!ret)
		*parts = word ? HD_PART_LINKS | HD_PART_SWITCHES : HD_PART_LINKS;
	return ret;
}

static int take_stay_in(struct reader *reader, const struct hd_ini_item *item,
			struct hd_demand *demand, struct hd_error *err)
{
	if (strcmp(item->value, "rail") == 0)
		demand->kind = HD_DEMAND_STAY_IN_RAIL;
	else if (strcmp(item->value, "group") == 0)
		demand->kind = HD_DEMAND_STAY_IN_GROUP;
	else
		return take_set(reader, item, item->value, &demand->set, err);
	return 0;
}

static int take_demand(struct reader *reader, const struct hd_ini_item *item, enum rule_key key,
		       struct hd_error *err)
{
	static const enum hd_demand_kind kinds[N_RULE_KEYS] = {
		[KEY_MAX_HOPS] = HD_DEMAND_MAX_HOPS,   [KEY_MIN_HOPS] = HD_DEMAND_MIN_HOPS,
		[KEY_AVOID] = HD_DEMAND_AVOID,         [KEY_VIA] = HD_DEMAND_VIA,
		[KEY_STAY_IN] = HD_DEMAND_STAY_IN_SET, [KEY_SL] = HD_DEMAND_SLS,
		[KEY_DISJOINT] = HD_DEMAND_DISJOINT,   [KEY_MAX_LOAD] = HD_DEMAND_MAX_LOAD,
		[KEY_MAX_FLOWS] = HD_DEMAND_MAX_FLOWS,
	};
	struct hd_demand *demand = add_demand(reader, kinds[key], item->line, err);

	if (!demand)
		return HD_ENOMEM;
	switch (key) {
	case KEY_AVOID:
	case KEY_VIA:
		return take_set(reader, item, item->value, &demand->set, err);
	case KEY_STAY_IN:
		return take_stay_in(reader, item, demand, err);
	case KEY_SL:
		return take_sls(item, &demand->number, err);
	case KEY_DISJOINT:
		return take_disjoint(item, &demand->parts, err);
	case KEY_MAX_LOAD:
		return take_factor(item, &demand->factor, err);
	default:
		return take_number(item, key == KEY_MAX_FLOWS, UINT32_MAX, &demand->number, err);
	}
}

static int take_reachable(struct reader *reader, const struct hd_ini_item *item,
			  const struct hd_rule *rule, struct hd_error *err)
{
	static const char *const words[] = { "yes", "no", NULL };
	struct hd_demand *demand = &reader->rules->demands[rule->first_demand];
	unsigned word;
	int ret = take_word(item, words, &word, err);

	if (!ret) {
		demand->kind = word ? HD_DEMAND_ISOLATED : HD_DEMAND_REACHABLE;
		demand->line = item->line;
	}
	return ret;
}

static int take_flag(const struct hd_ini_item *item, const char *no, const char *yes, bool *flag,
		     struct hd_error *err)
{
	const char *const words[] = { no, yes, NULL };
	unsigned word;
	int ret = take_word(item, words, &word, err);

	if (!ret)
		*flag = word == 1;
	return ret;
}

static int take_of_rule(struct reader *reader, const struct hd_ini_item *item, struct hd_error *err)
{
	struct hd_rule *rule = &reader->rules->rules[reader->rules->n_rules - 1];
	unsigned key;
	int ret = find_key(item, rule_keys, "rules", &key, err);

	if (ret)
		return ret;
	/* sets may be avoided one by one */
	if (reader->given >> key & 1 && key != KEY_AVOID && key != KEY_VIA)
		return fail(item, err, "%s once more", item->key);
	reader->given |= 1u << key;
	reader->lines[key] = item->line;
	switch (key) {
	case KEY_FROM:
		return take_set(reader, item, item->value, &rule->from, err);
	case KEY_TO:
		return take_set(reader, item, item->value, &rule->to, err);
	case KEY_SPINES:
		return take_set(reader, item, item->value, &rule->spines, err);
	case KEY_LIDS:
		return take_flag(item, "all", "base", &rule->base_lids, err);
	case KEY_TOGETHER:
		return take_flag(item, "no", "yes", &rule->together, err);
	case KEY_REACHABLE:
		return take_reachable(reader, item, rule, err);
	case KEY_MIN_SPINES:
		return take_number(item, 1, MOST_NUMBER, &reader->min_spines, err);
	case KEY_SURVIVE:
		return take_parts(item, &reader->survive, err);
	default:
		return take_demand(reader, item, key, err);
	}
}

static int take(void *user, const struct hd_ini_item *item, struct hd_error *err)
{
	struct reader *reader = user;

	if (!item->key)
		return begin_section(reader, item, err);
	if (reader->place == IN_SET)
		return take_of_set(reader, item, err);
	if (reader->place == IN_RULE)
		return take_of_rule(reader, item, err);
	return fail(item, err, "'%s' before any [set NAME] and [rule NAME]", item->key);
}

static int add_own_sets(struct reader *reader, struct hd_error *err)
{
	static const char *const names[HD_N_OWN_SETS] = { "hosts", "switches", "all" };
	int ret = 0;

	for (unsigned s = 0; !ret && s < HD_N_OWN_SETS; s++) {
		ret = add_set(reader, names[s], 0, err);
		if (!ret)
			reader->rules->sets[s].at_least = 0;
	}
	return ret;
}

int hd_rules_parse(const char *name, const char *text, size_t size, struct hd_rules **result,
		   struct hd_error *err)
{
	struct hd_rules *rules = calloc(1, sizeof(*rules));
	struct reader reader = { .rules = rules };
	int ret;

	*result = rules;
	if (!rules)
		return hd_error_nomem(err);
	rules->file = strdup(name);
	ret = rules->file ? add_own_sets(&reader, err) : hd_error_nomem(err);
	if (!ret)
		ret = hd_ini_parse(name, text, size, take, &reader, err);
	if (!ret)
		ret = end_rule(&reader, err);
	if (!ret)
		ret = check_rule(&reader, err);
	if (!ret && rules->n_rules == 0 && rules->n_sets == HD_N_OWN_SETS)
		ret = hd_error_at(err, HD_EPARSE, name, 0, "no [rule NAME] in this file");
	if (ret) {
		hd_rules_free(rules);
		*result = NULL;
	}
	return ret;
}

int hd_rules_read(const char *path, struct hd_rules **rules, struct hd_error *err)
{
	struct hd_text text;
	int ret = hd_text_read_file(path, MOST_BYTES, &text, err);

	*rules = NULL;
	if (ret)
		return ret;
	ret = hd_rules_parse(path, text.data, text.size, rules, err);
	hd_text_free(&text);
	return ret;
}

void hd_rules_free(struct hd_rules *rules)
{
	if (!rules)
		return;
	for (uint32_t t = 0; t < rules->n_terms; t++)
		free(rules->terms[t].text);
	free(rules->sets);
	free(rules->terms);
	free(rules->rules);
	free(rules->demands);
	free(rules->file);
	free(rules);
}
