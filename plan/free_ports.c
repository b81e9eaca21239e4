// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/free_ports.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define MOST_SWITCHES 3 /* of a group that a label names */
#define LEAST_AROUND  3 /* switches around another one, for a port to be likely */

int hd_free_ports_find(const struct hd_cable_plan *plan, const struct hd_fabric *now,
		       const struct hd_differences *differences, struct hd_free_ports *ports)
{
	*ports = (struct hd_free_ports){
		.plan = plan,
		.now = now,
		.is_free = calloc(now->n_ports + (size_t)1, sizeof(*ports->is_free)),
	};
	if (!ports->is_free)
		return HD_ENOMEM;
	hd_for_each_port(p, now)
		ports->is_free[p] = now->ports[p].number && now->ports[p].peer == HD_NONE;
	for (uint32_t i = 0; i < differences->n_findings; i++) {
		const struct hd_finding *finding = &differences->findings[i];
		const struct hd_place_pair *present = &differences->present[finding->first_present];

		if (finding->kind == HD_SLOW || finding->kind == HD_NARROW)
			continue;
		for (uint32_t k = 0; k < 2 * finding->n_present; k++) {
			const struct hd_place *place = &present[k / 2].ends[k % 2];

			ports->is_free[hd_port_index(now, place->present, place->port)] = true;
		}
	}
	return 0;
}

void hd_free_ports_clear(struct hd_free_ports *ports)
{
	free(ports->is_free);
	*ports = (struct hd_free_ports){ 0 };
}

unsigned hd_free_ports_next(const struct hd_free_ports *ports, uint32_t s, unsigned number)
{
	while (++number <= ports->now->nodes[s].n_ports)
		if (ports->is_free[hd_port_index(ports->now, s, number)])
			return number;
	return 0;
}

bool hd_free_ports_is_likely(const struct hd_free_ports *ports, uint32_t s, uint32_t other,
			     unsigned number)
{
	const struct hd_fabric *now = ports->now;
	uint32_t n = 0, n_same = 0, before = HD_NONE;

	if (!ports->is_free[hd_port_index(now, s, number)])
		return false;
	hd_for_each_number(theirs, now, other) {
		uint32_t peer = now->ports[hd_port_index(now, other, theirs)].peer, at;

		at = peer == HD_NONE ? HD_NONE : now->ports[peer].node;
		if (at == HD_NONE || at == s || !hd_is_switch(now, at))
			continue;
		/* parallel cables count once, as they are mostly in adjacent ports */
		n += at != before;
		n_same += now->ports[peer].number == number;
		before = at;
	}
	return n >= LEAST_AROUND && 2 * n_same >= n;
}

/* Whether @s has a free port, and fewer cables to other groups than others; some: but not none. */
static bool has_room(const struct hd_free_ports *ports, uint32_t s, bool some)
{
	uint32_t n = ports->plan->n_global[s];

	return n < ports->plan->most_global && (n || !some) && hd_free_ports_next(ports, s, 0);
}

static uint32_t next_of_group(const struct hd_free_ports *ports, uint32_t group, uint32_t s,
			      bool some)
{
	for (s = s == HD_NONE ? 0 : s + 1; s < ports->now->n_switches; s++)
		if (ports->plan->group[s] == group && has_room(ports, s, some))
			return s;
	return HD_NONE;
}

uint32_t hd_free_ports_next_switch(const struct hd_free_ports *ports, const struct hd_place *place,
				   uint32_t s)
{
	bool some;

	if (place->group == HD_NONE)
		return s == HD_NONE ? place->present : HD_NONE;
	/* the leaves of a group have no cables to other groups */
	some = next_of_group(ports, place->group, HD_NONE, true) != HD_NONE;
	return next_of_group(ports, place->group, s, some);
}

/* Text that is cut at @size bytes. */
struct text {
	char *buffer;
	size_t size, length;
};

static void __attribute__((format(printf, 2, 3))) append(struct text *text, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(text->buffer + text->length, text->size - text->length, format, list);
	va_end(list);
	text->length += strlen(text->buffer + text->length);
}

/* The next port of @s that is to be told, after @number: a likely one if there are such. */
static unsigned next_told(const struct hd_free_ports *ports, uint32_t s, uint32_t likely_to,
			  unsigned number)
{
	do
		number = hd_free_ports_next(ports, s, number);
	while (number && likely_to != HD_NONE &&
	       !hd_free_ports_is_likely(ports, s, likely_to, number));
	return number;
}

/* "[one of 5, 7-9]" for the free ports of @s to @other; "" if there are none. */
static const char *numbers(const struct hd_free_ports *ports, uint32_t s, uint32_t other,
			   char *buffer, size_t size)
{
	struct text text = { buffer, size, 0 };
	unsigned first = hd_free_ports_next(ports, s, 0), last;
	bool is_one = !first || !hd_free_ports_next(ports, s, first);

	*buffer = '\0';
	if (!first)
		return buffer;
	if (is_one || (other != HD_NONE && !next_told(ports, s, other, 0)))
		other = HD_NONE;
	append(&text, is_one ? "[" : other == HD_NONE ? "[one of " : "[likely ");
	for (first = next_told(ports, s, other, 0); first;) {
		for (last = first; next_told(ports, s, other, last) == last + 1;)
			last++;
		append(&text, "%u", first);
		if (last > first)
			append(&text, "%s%u", last > first + 1 ? "-" : ", ", last);
		first = next_told(ports, s, other, last);
		append(&text, first ? ", " : "]");
	}
	return buffer;
}

/* The number of switches that @place may be on, at most @most. */
static uint32_t count_switches(const struct hd_free_ports *ports, const struct hd_place *place,
			       uint32_t most)
{
	uint32_t n = 0, s = HD_NONE;

	while (n < most && (s = hd_free_ports_next_switch(ports, place, s)) != HD_NONE)
		n++;
	return n;
}

const char *hd_end_label(const struct hd_free_ports *ports, const struct hd_place pair[2],
			 unsigned end, char *buffer)
{
	const struct hd_place *place = &pair[end];

	uint32_t n = place->port ? 0 : count_switches(ports, place, MOST_SWITCHES + 1), s = HD_NONE;
	struct text text = { buffer, HD_END_LABEL_SIZE, 0 };
	char label[2 * HD_LABEL_SIZE], of[HD_LABEL_SIZE];

	if (!n || n > MOST_SWITCHES)
		return hd_place_label(ports->plan, ports->now, place, buffer);
	*buffer = '\0';
	if (n > 1)
		append(&text, "one of ");
	while ((s = hd_free_ports_next_switch(ports, place, s)) != HD_NONE) {
		numbers(ports, s, pair[!end].present, of, sizeof(of));
		append(&text, "%s%s", hd_ports_label(ports->now, s, of, label, sizeof(label)),
		       --n ? ", " : "");
	}
	return buffer;
}
