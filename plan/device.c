// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "support/text.h"

#define PORTS_PER_CAGE 2

/* @word in small or large letters. */
static bool scan_any_case(struct hd_span *text, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(text->end - text->begin) < length ||
	    strncasecmp(text->begin, word, length) != 0)
		return false;
	text->begin += length;
	return true;
}

static bool scan_count(struct hd_span *text, uint64_t most, unsigned *count)
{
	uint64_t number;

	if (!hd_scan_number(&text->begin, text->end, 10, most, &number) || !number)
		return false;
	*count = (unsigned)number;
	return true;
}

static bool is_at_end(const struct hd_span *text)
{
	return text->begin == text->end;
}

/* "7", "P7", "Port 7", "1/16/1" */
static bool scan_number(struct hd_span text, unsigned *number)
{
	unsigned cage, port;

	if (scan_any_case(&text, "port"))
		hd_scan_blanks(&text.begin, text.end);
	else
		scan_any_case(&text, "p");
	if (!scan_count(&text, HD_MAX_PORTS, number))
		return false;
	if (is_at_end(&text))
		return true;
	if (*number != 1 || !scan_any_case(&text, "/") ||
	    !scan_count(&text, HD_MAX_PORTS / PORTS_PER_CAGE, &cage) ||
	    !scan_any_case(&text, "/") || !scan_count(&text, PORTS_PER_CAGE, &port) ||
	    !is_at_end(&text))
		return false;
	*number = (cage - 1) * PORTS_PER_CAGE + port;
	return true;
}

/* "Blade 2_Port 1/5", "L2/U1/P5", "L2/P5" */
static bool scan_leaf(struct hd_span text, unsigned *leaf, unsigned *unit, unsigned *number)
{
	*unit = 1;
	if (scan_any_case(&text, "blade ")) {
		if (!scan_count(&text, 999, leaf) || !scan_any_case(&text, "_port ") ||
		    !scan_count(&text, 99, unit) || !scan_any_case(&text, "/"))
			return false;
		return scan_count(&text, HD_MAX_PORTS, number) && is_at_end(&text);
	}
	if (!scan_any_case(&text, "l") || !scan_count(&text, 999, leaf) ||
	    !scan_any_case(&text, "/"))
		return false;
	if (scan_any_case(&text, "u") &&
	    (!scan_count(&text, 99, unit) || !scan_any_case(&text, "/")))
		return false;
	return scan_any_case(&text, "p") && scan_count(&text, HD_MAX_PORTS, number) &&
	       is_at_end(&text);
}

/* Names of adapters are a word with a number: mlx5_0, ibp3s0f0, HCA-1. */
static bool is_adapter(struct hd_span text)
{
	bool has_digit = false;

	if (is_at_end(&text) || !isalpha((unsigned char)*text.begin))
		return false;
	for (; text.begin < text.end; text.begin++) {
		if (!isalnum((unsigned char)*text.begin) && *text.begin != '_' &&
		    *text.begin != '-')
			return false;
		has_digit |= isdigit((unsigned char)*text.begin) != 0;
	}
	return has_digit;
}

/* "mlx5_0/P1", "mlx5_0/Port 1", "ibp3s0f0": an adapter, and its port. */
static bool scan_adapter(struct hd_span text, struct hd_span *adapter, unsigned *number)
{
	const char *slash = memchr(text.begin, '/', (size_t)(text.end - text.begin));

	*adapter = (struct hd_span){ text.begin, slash ? slash : text.end };
	*number = 1;
	if (!is_adapter(*adapter))
		return false;
	return !slash || scan_number((struct hd_span){ slash + 1, text.end }, number);
}

/* "U1": the only chip of a system, whose name the system has. */
static bool is_unit(struct hd_span text)
{
	unsigned number;

	return scan_any_case(&text, "u") && scan_count(&text, 99, &number) && is_at_end(&text);
}

bool hd_device_port(struct hd_span device, struct hd_span port, struct hd_device_port *end)
{
	size_t length = (size_t)(device.end - device.begin);
	struct hd_span adapter;
	unsigned leaf, unit;
	int extra = 0;

	*end = (struct hd_device_port){ .kind = HD_DEVICE_UNKNOWN };
	if (!length || length > HD_MAX_NAME)
		return false;
	memcpy(end->node, device.begin, length);
	if (scan_number(port, &end->number))
		return true;
	if (scan_leaf(port, &leaf, &unit, &end->number)) {
		end->kind = HD_DEVICE_SWITCH;
		extra = snprintf(end->node + length, sizeof(end->node) - length, "/L%02u/U%u", leaf,
				 unit);
	} else if (scan_adapter(port, &adapter, &end->number)) {
		end->kind = HD_DEVICE_END_NODE;
		if (!is_unit(adapter))
			extra = snprintf(end->node + length, sizeof(end->node) - length, " %.*s",
					 (int)(adapter.end - adapter.begin), adapter.begin);
		else
			end->kind = HD_DEVICE_UNKNOWN;
	} else {
		return false;
	}
	return length + (size_t)extra <= HD_MAX_NAME;
}

void hd_device_key(const char *name, char *key)
{
	const char *system = strncasecmp(name, "mf0;", 4) == 0 ? name + 4 : NULL;
	const char *colon = system ? strchr(system, ':') : NULL;
	const char *slash = colon ? strchr(colon, '/') : NULL;
	size_t length;

	if (colon)
		snprintf(key, HD_MAX_NAME + 1, "%.*s%s", (int)(colon - system), system,
			 slash ? slash : "");
	else
		snprintf(key, HD_MAX_NAME + 1, "%s", name);
	for (char *at = key; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	length = strlen(key);
	/* a director's chips keep their board */
	if (length > 3 && strcmp(key + length - 3, "/u1") == 0 && !strstr(key, "/l") &&
	    !strstr(key, "/s"))
		key[length - 3] = '\0';
}
