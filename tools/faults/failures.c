// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/faults/failures.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/faults.h"
#include "support/error.h"
#include "support/random.h"
#include "support/text.h"
#include "tools/open_input.h"

/*
 * Random streams of their own, so that the choice of links does not depend on the number of
 * switches.
 */
enum stream { STREAM_LINKS, STREAM_SWITCHES };

struct selection {
	uint32_t *chosen;
	size_t n;
};

/* Moves @n of the @n_candidates candidates, chosen at random, to the front. */
static int choose(struct selection *selection, size_t n_candidates, const char *text,
		  const char *what, uint64_t seed, enum stream stream, struct hd_error *err)
{
	struct hd_random random;
	uint64_t n;
	int ret = hd_parse_number(text, what, 0, n_candidates, &n, err);

	if (ret)
		return ret;
	hd_random_init(&random, seed, stream);
	for (size_t i = 0; i < n; i++) {
		size_t j = i + hd_random_below(&random, (uint32_t)(n_candidates - i));
		uint32_t swap = selection->chosen[i];

		selection->chosen[i] = selection->chosen[j];
		selection->chosen[j] = swap;
	}
	selection->n = n;
	return 0;
}

static int choose_links(const struct hd_fabric *fabric, const char *text, uint64_t seed,
			struct selection *selection, struct hd_error *err)
{
	size_t n = 0;

	selection->chosen = malloc((fabric->n_links + (size_t)1) * sizeof(*selection->chosen));
	if (!selection->chosen)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric)
		if (hd_is_switch_link(fabric, p) && fabric->ports[p].peer > p)
			selection->chosen[n++] = p;
	return choose(selection, n, text, "links between switches to fail", seed, STREAM_LINKS,
		      err);
}

static int choose_switches(const struct hd_fabric *fabric, const char *text, uint64_t seed,
			   struct selection *selection, struct hd_error *err)
{
	selection->chosen = malloc((fabric->n_switches + (size_t)1) * sizeof(*selection->chosen));
	if (!selection->chosen)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric)
		selection->chosen[s] = s;
	return choose(selection, fabric->n_switches, text, "switches to fail", seed,
		      STREAM_SWITCHES, err);
}

/* "NAME[PORT]" as an index in ports[]. Changes @item. */
static int find_link(const struct hd_fabric *fabric, char *item, uint32_t *port,
		     struct hd_error *err)
{
	size_t length = strlen(item);
	char *bracket = strrchr(item, '[');
	unsigned number;
	uint32_t node;
	int ret;

	if (!bracket || bracket == item || item[length - 1] != ']')
		return hd_error_set(err, HD_EINVAL, "'%s' is not NODE[PORT]", item);
	item[length - 1] = '\0';
	*bracket = '\0';
	ret = hd_fabric_find(fabric, item, &node, err);
	if (!ret)
		ret = hd_input_port_number(fabric, node, bracket + 1, &number, err);
	if (ret)
		return ret;
	*port = hd_port_index(fabric, node, number);
	if (fabric->ports[*port].peer == HD_NONE)
		return hd_error_set(err, HD_EINVAL, "port %u of '%s' has no link", number, item);
	return 0;
}

/* The end of the item at @text: names may have commas, so that an item with a port ends at "],". */
static char *item_end(char *text, bool with_port)
{
	char *end = with_port ? strstr(text, "],") : strchr(text, ',');

	if (!end)
		return text + strlen(text);
	return with_port ? end + 1 : end;
}

static int add_listed(const struct hd_fabric *fabric, char *item, bool with_port,
		      struct selection *selection, struct hd_error *err)
{
	uint32_t *grown = realloc(selection->chosen, (selection->n + 1) * sizeof(*grown));
	int ret;

	if (!grown)
		return hd_error_nomem(err);
	selection->chosen = grown;
	if (with_port)
		ret = find_link(fabric, item, &grown[selection->n], err);
	else
		ret = hd_input_switch(fabric, item, &grown[selection->n], err);
	selection->n += ret == 0;
	return ret;
}

static int select_listed(const struct hd_fabric *fabric, const char *text, bool with_port,
			 struct selection *selection, struct hd_error *err)
{
	char *copy = strdup(text);
	char *item = copy;
	bool more = true;
	int ret = 0;

	if (!copy)
		return hd_error_nomem(err);
	/*
	 * an empty list is an error like any other: a script may have forgotten to set a variable
	 */
	while (!ret && more) {
		char *end = item_end(item, with_port);

		more = *end == ',';
		*end = '\0';
		ret = add_listed(fabric, item, with_port, selection, err);
		item = end + 1;
	}
	free(copy);
	return ret;
}

static bool is_count(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

int hd_failures_apply(struct hd_fabric **fabric, const char *links, const char *switches,
		      uint64_t seed, struct hd_error *err)
{
	struct selection failed_links = { 0 }, failed_switches = { 0 };
	struct hd_fabric *rest = NULL;
	int ret = 0;

	if (links && is_count(links))
		ret = choose_links(*fabric, links, seed, &failed_links, err);
	else if (links)
		ret = select_listed(*fabric, links, true, &failed_links, err);
	if (!ret && switches && is_count(switches))
		ret = choose_switches(*fabric, switches, seed, &failed_switches, err);
	else if (!ret && switches)
		ret = select_listed(*fabric, switches, false, &failed_switches, err);
	if (!ret)
		ret = hd_fabric_without(*fabric, failed_links.chosen, failed_links.n,
					failed_switches.chosen, failed_switches.n, &rest, err);
	if (!ret && !rest->n_nodes) {
		hd_fabric_free(rest);
		ret = hd_error_set(err, HD_EINVAL, "every switch fails: nothing is left");
	}
	if (!ret) {
		hd_fabric_free(*fabric);
		*fabric = rest;
	}
	free(failed_links.chosen);
	free(failed_switches.chosen);
	return ret;
}
