// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Class files (heddle-classes(5)). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/duration.h"
#include "support/divisor.h"
#include "support/error.h"
#include "support/ini.h"
#include "support/text.h"
#include "tables/classes.h"
#include "tables/dumps.h"

/* The largest denominator that shares have in common. */
#define MOST_COMMON ((uint64_t)1 << 40)

/* A class file of 16 classes takes 2 KB. */
#define MOST_BYTES ((size_t)1 << 20)

/* The keys of a class. */
enum {
	KEY_SHARE,
	KEY_PACKET,
	KEY_WAIT,
	KEY_DISTANCE,
	KEY_LANES,
	KEY_QUEUES,
	KEY_PRIORITY,
	KEY_LIMIT,
	KEY_SL,
	KEY_DEFAULT,
	N_KEYS
};

static const char *const keys[N_KEYS] = { "share",  "packet",   "wait",  "distance", "lanes",
					  "queues", "priority", "limit", "sl",       "default" };

#define MOST_DISTANCE 1024

struct reader {
	struct hd_classes *classes;
	uint16_t given[HD_MAX_CLASSES]; /* bits of keys */
	bool has_default;
};

#define fail(item, err, ...) hd_error_at(err, HD_EPARSE, (item)->file, (item)->line, __VA_ARGS__)

static bool is_name(const char *text)
{
	return *text && text[0] != '.' && strlen(text) < HD_CLASS_NAME &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "-_.")] == '\0';
}

static int begin_class(struct reader *reader, const struct hd_ini_item *item, struct hd_error *err)
{
	struct hd_classes *classes = reader->classes;
	const char *name = item->section;
	struct hd_class *class;

	if (strncmp(name, "class", 5) != 0 || (name[5] != ' ' && name[5] != '\t'))
		return fail(item, err, "'[%s]': sections of a class file are [class NAME]", name);
	name += 5 + strspn(name + 5, " \t");
	if (!is_name(name))
		return fail(item, err,
			    "'%s': the name of a class has 1 to %d letters, digits, '-', '_' "
			    "and '.'",
			    name, HD_CLASS_NAME - 1);
	for (unsigned c = 0; c < classes->n; c++)
		if (strcmp(classes->list[c].name, name) == 0)
			return fail(item, err, "class %s once more, after line %u", name,
				    classes->list[c].line);
	if (classes->n == HD_MAX_CLASSES)
		return fail(item, err, "more than %d classes, of which each needs an SL",
			    HD_MAX_CLASSES);
	class = &classes->list[classes->n++];
	*class = (struct hd_class){ .packet = HD_CLASS_PACKET_MAX,
				    .first_sl = HD_NO_SL,
				    .line = item->line };
	strcpy(class->name, name);
	strcpy(class->shares, name);
	return 0;
}

/* "10%", "12.5%" or "1/3". */
static bool scan_share(const char *text, struct hd_class *class)
{
	const char *at = text, *end = text + strlen(text);
	uint64_t whole, of = 100;
	uint32_t common;

	if (!hd_scan_number(&at, end, 10, HD_CLASS_MOST_OF, &whole))
		return false;
	if (*at == '/') {
		at++;
		if (!hd_scan_number(&at, end, 10, HD_CLASS_MOST_OF, &of) || *at)
			return false;
	} else {
		if (*at == '.')
			for (at++; *at >= '0' && *at <= '9' && of < HD_CLASS_MOST_OF; at++) {
				whole = 10 * whole + (uint64_t)(*at - '0');
				of *= 10;
			}
		if (strcmp(at, "%") != 0)
			return false;
	}
	if (!whole || !of || whole > of)
		return false;
	common = (uint32_t)hd_divisor(whole, of);
	class->share = (uint32_t)whole / common;
	class->of = (uint32_t)of / common;
	return true;
}

static int take_packet(const struct hd_ini_item *item, struct hd_class *class, struct hd_error *err)
{
	uint64_t bytes;

	if (hd_parse_number(item->value, "packet", 1, UINT32_MAX, &bytes, NULL))
		return fail(item, err, "packet: '%s' is no number of bytes", item->value);
	if (bytes > 64 * HD_CLASS_PACKET_MAX)
		return fail(item, err, "packet: %" PRIu64 " bytes are more than the MTU, %d", bytes,
			    64 * HD_CLASS_PACKET_MAX);
	/* weights count what is begun of 64 bytes */
	class->packet = (uint8_t)((bytes + 63) / 64);
	class->has_packet = true;
	return 0;
}

/* "3", or "3-5": the first SL, and how many SLs a class has. */
static int take_sl(struct reader *reader, const struct hd_ini_item *item, struct hd_class *class,
		   struct hd_error *err)
{
	const char *at = item->value, *end = at + strlen(at);
	uint64_t first, last;

	if (!hd_scan_number(&at, end, 10, HD_MAX_SLS - 1, &first))
		return fail(item, err, "sl: '%s' is not an SL from 0 to 15", item->value);
	last = first;
	if (*at == '-') {
		at++;
		if (!hd_scan_number(&at, end, 10, HD_MAX_SLS - 1, &last) || last < first)
			return fail(item, err, "sl: '%s' is not FIRST-LAST", item->value);
		if (reader->classes->n_sls && reader->classes->n_sls != last - first + 1)
			return fail(item, err, "sl: %u SLs, where another class has %u",
				    (unsigned)(last - first + 1), reader->classes->n_sls);
		reader->classes->n_sls = (unsigned)(last - first + 1);
	}
	if (*at)
		return fail(item, err, "sl: '%s' is not an SL from 0 to 15", item->value);
	for (unsigned c = 0; c + 1 < reader->classes->n; c++) {
		const unsigned other = reader->classes->list[c].first_sl;
		const unsigned n = reader->classes->n_sls ? reader->classes->n_sls : 1;

		if (other != HD_NO_SL && other < last + 1 && first < other + n)
			return fail(item, err, "classes %s and %s both claim SL %u",
				    reader->classes->list[c].name, class->name,
				    (unsigned)(first > other ? first : other));
	}
	class->first_sl = (uint8_t)first;
	return 0;
}

/* Units of 4 KiB, the same for all classes that have one. */
static int take_limit(struct reader *reader, const struct hd_ini_item *item, struct hd_error *err)
{
	uint64_t limit;

	if (hd_parse_number(item->value, "limit", 0, HD_CLASS_NO_LIMIT, &limit, NULL))
		return fail(item, err, "limit: '%s' is not a number of 4 KiB, 0 to %d", item->value,
			    HD_CLASS_NO_LIMIT - 1);
	if (limit == HD_CLASS_NO_LIMIT)
		return fail(item, err,
			    "limit: %d is no limit: classes of low priority would have nothing",
			    HD_CLASS_NO_LIMIT);
	if (reader->classes->limit != HD_CLASS_NO_LIMIT && reader->classes->limit != limit)
		return fail(item, err, "limit: %u, where another class has %u: ports have one",
			    (unsigned)limit, reader->classes->limit);
	reader->classes->limit = (uint8_t)limit;
	return 0;
}

static int take_default(struct reader *reader, const struct hd_ini_item *item, struct hd_error *err)
{
	if (strcmp(item->value, "no") == 0)
		return 0;
	if (strcmp(item->value, "yes") != 0)
		return fail(item, err, "default: '%s' is neither yes nor no", item->value);
	if (reader->has_default)
		return fail(item, err, "classes %s and %s are both the default",
			    reader->classes->list[reader->classes->fallback].name,
			    reader->classes->list[reader->classes->n - 1].name);
	reader->has_default = true;
	reader->classes->fallback = reader->classes->n - 1;
	return 0;
}

static int take(void *user, const struct hd_ini_item *item, struct hd_error *err)
{
	struct reader *reader = user;
	struct hd_class *class;
	unsigned key = 0;
	uint64_t number;

	if (!item->key)
		return begin_class(reader, item, err);
	if (!reader->classes->n)
		return fail(item, err, "'%s' before any [class NAME]", item->key);
	class = &reader->classes->list[reader->classes->n - 1];
	while (key < N_KEYS && strcmp(keys[key], item->key) != 0)
		key++;
	if (key == N_KEYS)
		return fail(item, err,
			    "classes have no key '%s': share, packet, wait, distance, lanes, "
			    "queues, priority, limit, sl, default",
			    item->key);
	if (reader->given[reader->classes->n - 1] >> key & 1)
		return fail(item, err, "%s once more", item->key);
	reader->given[reader->classes->n - 1] |= (uint16_t)(1u << key);
	switch (key) {
	case KEY_SHARE:
		if (!scan_share(item->value, class))
			return fail(item, err,
				    "share: '%s' is no part of a link: 10%%, 12.5%%, 1/3",
				    item->value);
		return 0;
	case KEY_PACKET:
		return take_packet(item, class, err);
	case KEY_WAIT:
		if (hd_parse_duration(item->value, "wait", &class->wait, NULL) || !class->wait)
			return fail(item, err, "wait: '%s' is no time: 1us, 250ns", item->value);
		return 0;
	case KEY_DISTANCE:
		if (hd_parse_number(item->value, "distance", 1, MOST_DISTANCE, &number, NULL))
			return fail(item, err, "distance: '%s' is not a number of entries, 1 to %d",
				    item->value, MOST_DISTANCE);
		class->distance = (uint16_t)number;
		return 0;
	case KEY_LANES:
		if (!is_name(item->value))
			return fail(item, err, "lanes: '%s' is no name", item->value);
		strcpy(class->shares, item->value);
		return 0;
	case KEY_QUEUES:
		if (!*item->value || strlen(item->value) >= sizeof(class->queues))
			return fail(item, err, "queues: '%s' is no queue rule: single, dbbm:4",
				    item->value);
		strcpy(class->queues, item->value);
		return 0;
	case KEY_PRIORITY:
		class->high = strcmp(item->value, "high") == 0;
		if (!class->high && strcmp(item->value, "low") != 0)
			return fail(item, err, "priority: '%s' is neither high nor low",
				    item->value);
		return 0;
	case KEY_LIMIT:
		return take_limit(reader, item, err);
	case KEY_SL:
		return take_sl(reader, item, class, err);
	default:
		return take_default(reader, item, err);
	}
}

static void number_lanes(struct hd_classes *classes)
{
	classes->n_lanes = 0;
	for (unsigned c = 0; c < classes->n; c++) {
		unsigned other = 0;

		while (strcmp(classes->list[other].shares, classes->list[c].shares) != 0)
			other++;
		classes->list[c].lanes =
			other < c ? classes->list[other].lanes : (uint8_t)classes->n_lanes++;
	}
}

/* Classes that share lanes have one queue rule; those that say nothing have what another says. */
static int check_queues(struct hd_classes *classes, const char *name, struct hd_error *err)
{
	for (unsigned c = 0; c < classes->n; c++)
		for (unsigned other = 0; other < classes->n; other++) {
			struct hd_class *a = &classes->list[c], *b = &classes->list[other];

			if (a->lanes != b->lanes || !a->queues[0])
				continue;
			if (b->queues[0] && strcmp(a->queues, b->queues) != 0)
				return hd_error_at(err, HD_EPARSE, name, b->line,
						   "classes %s and %s share lanes, and have other "
						   "queues: %s, %s",
						   a->name, b->name, a->queues, b->queues);
			if (!b->queues[0])
				strcpy(b->queues, a->queues);
		}
	return 0;
}

/* Classes that share lanes have one priority, and limits are for high priority. */
static int check_priorities(const struct reader *reader, const char *name, struct hd_error *err)
{
	const struct hd_classes *classes = reader->classes;

	for (unsigned c = 0; c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];

		if (reader->given[c] >> KEY_LIMIT & 1 && !class->high)
			return hd_error_at(err, HD_EPARSE, name, class->line,
					   "class %s has a limit, but no priority = high",
					   class->name);
		for (unsigned other = 0; other < c; other++)
			if (classes->list[other].lanes == class->lanes &&
			    classes->list[other].high != class->high)
				return hd_error_at(err, HD_EPARSE, name, class->line,
						   "classes %s and %s share lanes, and differ in "
						   "priority",
						   classes->list[other].name, class->name);
	}
	return 0;
}

/* The shares sum to a whole link. */
static int check_sum(const struct hd_classes *classes, const char *name, struct hd_error *err)
{
	uint64_t parts[HD_MAX_CLASSES], common = 1, sum = 0;

	for (unsigned c = 0; c < classes->n; c++) {
		const uint64_t of = classes->list[c].of;

		common = hd_multiple(common, of);
		if (common > MOST_COMMON)
			return hd_error_at(err, HD_EPARSE, name, classes->list[c].line,
					   "shares with a common denominator above 2^40");
	}
	common = hd_classes_parts(classes, parts);
	for (unsigned c = 0; c < classes->n; c++)
		sum += parts[c];
	if (sum != common)
		return hd_error_at(err, HD_EPARSE, name, classes->list[classes->n - 1].line,
				   "the shares of %u classes sum to %.6g%%, not to 100%%",
				   classes->n, 100 * (double)sum / (double)common);
	return 0;
}

int hd_classes_parse(const char *name, const char *text, size_t size, struct hd_classes *classes,
		     struct hd_error *err)
{
	struct reader reader = { .classes = classes };
	int ret;

	*classes = (struct hd_classes){ .error_port = HD_NONE, .limit = HD_CLASS_NO_LIMIT };
	ret = hd_ini_parse(name, text, size, take, &reader, err);
	if (ret)
		return ret;
	if (!classes->n)
		return hd_error_at(err, HD_EPARSE, name, 0, "no [class NAME] in this file");
	for (unsigned c = 0; c < classes->n; c++)
		if (!(reader.given[c] >> KEY_SHARE & 1))
			return hd_error_at(err, HD_EPARSE, name, classes->list[c].line,
					   "class %s has no share", classes->list[c].name);
	number_lanes(classes);
	ret = check_queues(classes, name, err);
	if (!ret)
		ret = check_priorities(&reader, name, err);
	return ret ? ret : check_sum(classes, name, err);
}

int hd_classes_read(const char *path, struct hd_classes *classes, struct hd_error *err)
{
	struct hd_text text;
	int ret = hd_text_read_file(path, MOST_BYTES, &text, err);

	if (ret)
		return ret;
	ret = hd_classes_parse(path, text.data, text.size, classes, err);
	hd_text_free(&text);
	return ret;
}

/* The class file beside dumps: classes with the SLs that they have there. */
static int parse_classes(struct hd_tables *tables, const char *name, const char *data, size_t size,
			 struct hd_error *err)
{
	struct hd_classes classes;
	int ret = hd_classes_parse(name, data, size, &classes, err);

	struct hd_error cause;

	if (ret)
		return ret;
	for (unsigned c = 0; c < classes.n; c++)
		if (classes.list[c].first_sl == HD_NO_SL)
			return hd_error_at(err, HD_EPARSE, name, classes.list[c].line,
					   "class %s has no SL", classes.list[c].name);
	if (hd_classes_assign(&classes, classes.n_sls ? classes.n_sls : 1, &cause))
		return hd_error_at(err, HD_EPARSE, name, 0, "%s", cause.text);
	return hd_tables_set_classes(tables, &classes, err);
}

static int write_classes(const struct hd_tables *tables, FILE *stream, struct hd_error *err)
{
	return tables->classes ? hd_classes_write(tables->classes, stream, err) : 0;
}

const struct hd_dump_format hd_dump_classes = {
	.name = "classes",
	.file = "classes.ini",
	.summary = "service classes with their SLs",
	.parse = parse_classes,
	.write = write_classes,
};
