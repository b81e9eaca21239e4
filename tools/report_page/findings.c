// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is wrong, worst first, and what is good. */
#include <inttypes.h>
#include <string.h>

#include "tools/report_page/sections.h"

static void say_verdict(const struct hd_report_facts *facts, const char *whose,
			const struct hd_check_result *result, struct hd_doc *doc)
{
	char summary[2048];

	hd_doc_finding(doc, result->failure == HD_CHECK_NOT_COVERED ? HD_DOC_ODD : HD_DOC_BAD,
		       "%s: %s", whose,
		       hd_check_summary(result, facts->fabric, summary, sizeof(summary)));
}

/* Whether both verdicts are the same in words. */
static bool are_alike(const struct hd_report_facts *facts)
{
	char hosts[2048], all[2048];

	return strcmp(hd_check_summary(&facts->results[HD_CHECK_HOSTS], facts->fabric, hosts,
				       sizeof(hosts)),
		      hd_check_summary(&facts->results[HD_CHECK_ALL], facts->fabric, all,
				       sizeof(all))) == 0;
}

/* Why there are no tables: what the last engine said. */
static void say_unserved(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_served_by *by = &facts->served_by;
	const char *why = by->unknown;

	if (!why[0] && by->choices.n)
		why = by->served[by->choices.n - 1].refusal;
	if (!why[0] && !facts->n_links)
		why = "there is no link to route over";
	hd_doc_finding(doc, HD_DOC_BAD, "No engine serves this fabric%s%s", why[0] ? ": " : "",
		       why);
}

static void find_in_tables(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_check_result *all = &facts->results[HD_CHECK_ALL];
	const struct hd_check_result *hosts = &facts->results[HD_CHECK_HOSTS];

	if (!facts->tables)
		say_unserved(facts, doc);
	if (!facts->is_proved && facts->tables)
		hd_doc_finding(doc, HD_DOC_BAD, "The tables cannot be proved: %s", facts->no_proof);
	if (!facts->is_proved)
		return;
	if (hosts->failure != HD_CHECK_SOUND && are_alike(facts)) {
		say_verdict(facts, "Packets between hosts, and packets from or to switches", hosts,
			    doc);
		return;
	}
	if (hosts->failure != HD_CHECK_SOUND)
		say_verdict(facts, "Packets between hosts", hosts, doc);
	if (all->failure != HD_CHECK_SOUND)
		say_verdict(facts, "Packets of hosts and switches together", all, doc);
}

static void find_in_cables(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_survey *survey = &facts->survey;
	const struct hd_fabric *fabric = facts->fabric;
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE], rate[16], usual[16];

	if (survey->n_parts > 1)
		hd_doc_finding(doc, HD_DOC_BAD,
			       "The fabric is in %" PRIu32
			       " parts without a path between them, the largest of %" PRIu32
			       " switches.",
			       survey->n_parts, survey->largest_part);
	if (facts->slow.n) {
		uint32_t port = facts->slow.list[0].port;

		hd_doc_finding(
			doc, HD_DOC_ODD,
			"Slow links: %" PRIu32
			" came up slower than those beside them, the first %s - %s: %s, "
			"not %s. The cause may be a bad cable or a setting of a port.",
			facts->slow.n, hd_port_label(fabric, port, one, sizeof(one)),
			hd_port_label(fabric, fabric->ports[port].peer, other, sizeof(other)),
			hd_slow_links_rate(fabric, port, rate, sizeof(rate)),
			hd_slow_links_rate(fabric, facts->slow.list[0].usual, usual,
					   sizeof(usual)));
	}
	if (survey->n_without_lid)
		hd_doc_finding(doc, HD_DOC_ODD,
			       "Ports that are linked and have no LID: %" PRIu32 ".",
			       survey->n_without_lid);
	if (survey->n_unlinked)
		hd_doc_finding(doc, HD_DOC_ODD, "Ports of end nodes without a link: %" PRIu32 ".",
			       survey->n_unlinked);
}

static bool find_in_shape(const struct hd_fields *shape, struct hd_doc *doc)
{
	bool any = false;

	for (size_t i = 0; i < shape->n; i++) {
		const struct hd_field *field = &shape->list[i];

		if (!field->is_gap)
			continue;
		hd_doc_finding(doc, HD_DOC_ODD, "The topology has gaps: %s %s", field->label,
			       field->text);
		any = true;
	}
	return any;
}

static void find_bridges(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_fabric *fabric = facts->fabric;
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];
	uint32_t n = 0, worst = HD_NONE;

	for (uint32_t i = 0; i < facts->n_links; i++) {
		uint32_t port = facts->links[i];

		n += facts->cut[port] > 0;
		if (facts->cut[port] && (worst == HD_NONE || facts->cut[port] > facts->cut[worst]))
			worst = port;
	}
	if (n)
		hd_doc_finding(
			doc, HD_DOC_ODD,
			"%" PRIu32 " link%s between switches ha%s no alternative. If %s - %s "
			"fails, %" PRIu32 " end node%s cut off.",
			n, n == 1 ? "" : "s", n == 1 ? "s" : "ve",
			hd_port_label(fabric, worst, one, sizeof(one)),
			hd_port_label(fabric, fabric->ports[worst].peer, other, sizeof(other)),
			facts->cut[worst], facts->cut[worst] == 1 ? " is" : "s are");
}

static void find_in_failures(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_fault_study *study = &facts->study;
	uint64_t n_refused = study->n[HD_FAULT_REFUSED], n_unsound = study->n[HD_FAULT_UNSOUND];

	if (!facts->has_study)
		return;
	if (n_unsound)
		hd_doc_finding(doc, HD_DOC_BAD,
			       "After the failure of one link, the tables of engine %s are not "
			       "sound: %" PRIu64 " of %" PRIu64 " links tried.",
			       facts->engine->policy.name, n_unsound, study->n_sets);
	if (n_refused)
		hd_doc_finding(doc, HD_DOC_ODD,
			       "After the failure of one link, engine %s refuses the fabric: "
			       "%" PRIu64 " of %" PRIu64
			       " links tried. Engine heddle then takes another one.",
			       facts->engine->policy.name, n_refused, study->n_sets);
}

static void find_since(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_report_since *since = &facts->since;

	if (!since->snapshot)
		return;
	if (since->n_gone)
		hd_doc_finding(doc, HD_DOC_ODD,
			       "%" PRIu32 " link%s between switches, there in %s, %s gone.",
			       since->n_gone, since->n_gone == 1 ? "" : "s", facts->request->since,
			       since->n_gone == 1 ? "is" : "are");
	if (since->n_rates)
		hd_doc_finding(doc, HD_DOC_ODD,
			       "%" PRIu32 " link%s between switches ha%s another rate than in %s.",
			       since->n_rates, since->n_rates == 1 ? "" : "s",
			       since->n_rates == 1 ? "s" : "ve", facts->request->since);
	if (since->has_diff && since->diff.pairs_lost)
		hd_doc_finding(doc, HD_DOC_BAD,
			       "%" PRIu64 " pairs of hosts were connected in %s, and are not now.",
			       since->diff.pairs_lost, facts->request->since);
}

static void praise(const struct hd_report_facts *facts, bool has_gaps, struct hd_doc *doc)
{
	const struct hd_fault_study *study = &facts->study;
	bool is_known = facts->shapes.dragonfly || facts->shapes.grid || facts->shapes.plus ||
			facts->shapes.tree || facts->shapes.low;

	if (facts->is_proved && facts->results[HD_CHECK_HOSTS].failure == HD_CHECK_SOUND)
		hd_doc_finding(doc, HD_DOC_GOOD,
			       "Proved: every host reaches every other, there is no forwarding "
			       "loop, and no "
			       "credit loop is possible between hosts%s.",
			       facts->results[HD_CHECK_ALL].failure == HD_CHECK_SOUND
				       ? ", nor with switches' management ports"
				       : "");
	if (is_known && !has_gaps)
		hd_doc_finding(doc, HD_DOC_GOOD, "The topology is complete: nothing is missing.");
	if (!facts->slow.n && facts->fabric->n_links)
		hd_doc_finding(
			doc, HD_DOC_GOOD,
			"No link is slower than those beside it, as far as rates are known.");
	if (facts->has_study && study->n[HD_FAULT_ROUTED] &&
	    study->n[HD_FAULT_ROUTED] + study->n[HD_FAULT_DISCONNECTED] == study->n_sets)
		hd_doc_finding(doc, HD_DOC_GOOD,
			       "Engine %s routes around every link tried that leaves the fabric "
			       "connected (%" PRIu64 " of %" PRIu64 " links), and each result is "
			       "proved.",
			       facts->engine->policy.name, study->n_sets, (uint64_t)facts->n_links);
	if (facts->since.has_diff && hd_diff_is_empty(&facts->since.diff))
		hd_doc_finding(doc, HD_DOC_GOOD, "Nothing changed since %s.",
			       facts->request->since);
}

/* The worst first; equals keep their order. */
static void sort_findings(struct hd_doc_item *items, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k && items[k].level < items[k - 1].level; k--) {
			struct hd_doc_item item = items[k];

			items[k] = items[k - 1];
			items[k - 1] = item;
		}
}

void hd_report_findings(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	struct hd_fields shape = { 0 };
	size_t first;
	bool has_gaps;

	hd_shapes_tell(facts->fabric, &facts->shapes, &shape);
	hd_doc_section(doc, "wrong", "What is wrong");
	first = doc->n;
	find_in_tables(facts, doc);
	find_in_cables(facts, doc);
	has_gaps = find_in_shape(&shape, doc);
	find_bridges(facts, doc);
	find_in_failures(facts, doc);
	find_since(facts, doc);
	sort_findings(doc->items + first, doc->n - first);
	if (doc->n == first)
		hd_doc_line(doc, "Nothing was found.");
	hd_doc_section(doc, "good", "What is good");
	first = doc->n;
	praise(facts, has_gaps, doc);
	if (doc->n == first)
		hd_doc_line(doc, "None of the good signs that heddle looks for.");
	doc->failed |= shape.failed;
	hd_fields_clear(&shape);
}
