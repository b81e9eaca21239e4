// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/report_page/sections.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tools/diff_fields.h"
#include "tools/service.h"
#include "tools/verdict.h"

#define MOST_ROWS 100 /* of a table: the page has the rest in its picture */
#define BUSIEST   20
#define WORST     20

const char *hd_report_origin(const struct hd_report_facts *facts, char *buffer, size_t size)
{
	const struct hd_served_by *by = &facts->served_by;
	const struct hd_provenance *made = facts->snapshot ? &facts->snapshot->provenance : NULL;

	if (made && made->engine)
		snprintf(buffer, size, "The tables are those of the snapshot, made by engine %s.",
			 made->engine);
	else if (made)
		snprintf(buffer, size, "The tables are those of the snapshot.");
	else if (facts->tables)
		snprintf(buffer, size,
			 "This is a fabric without tables. Engine heddle routed it here, by engine "
			 "%s, %sand no device holds these tables.",
			 by->choices.list[by->first].name,
			 facts->has_new_lids ? "with LIDs as OpenSM would give them, " : "");
	else
		snprintf(buffer, size, "This is a fabric without tables, and no engine serves it.");
	return buffer;
}

static void say_fabric(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	struct hd_fields fields = { 0 };

	hd_doc_section(doc, "fabric", "Fabric and topology");
	hd_survey_tell(facts->fabric, &facts->survey, &fields);
	hd_shapes_tell(facts->fabric, &facts->shapes, &fields);
	hd_doc_fields(doc, &fields);
}

static void add_link(const struct hd_report_facts *facts, uint32_t port, struct hd_columns *columns)
{
	char label[HD_LABEL_SIZE];

	hd_columns_add(columns, "%s", hd_port_label(facts->fabric, port, label, sizeof(label)));
	hd_columns_add(columns, "%s",
		       hd_port_label(facts->fabric, facts->fabric->ports[port].peer, label,
				     sizeof(label)));
}

static void say_more(struct hd_doc *doc, size_t n, size_t shown)
{
	if (n > shown)
		hd_doc_line(doc, "The table has the first %zu of %zu.", shown, n);
}

/* A pair of ends; those of a missing cable have the ports that they may have. */
static void add_pair(const struct hd_gaps *gaps, const struct hd_place_pair *pair, bool is_missing,
		     struct hd_columns *columns)
{
	char label[HD_END_LABEL_SIZE];

	for (unsigned end = 0; end < 2; end++)
		hd_columns_add(columns, "%s",
			       is_missing ? hd_end_label(&gaps->ports, pair->ends, end, label)
					  : hd_place_label(gaps->plan, gaps->ports.now,
							   &pair->ends[end], label));
}

static void say_missing(const struct hd_gaps *gaps, struct hd_doc *doc)
{
	const struct hd_differences *differences = &gaps->differences;
	struct hd_columns columns;
	uint32_t n = 0;

	if (!gaps->n_missing)
		return;
	hd_doc_section(doc, "missing", "Missing cables");
	hd_doc_line(doc, "The topology is %s.", gaps->shape);
	hd_columns_init(&columns, 2, 0);
	hd_columns_titles(&columns, "from", "to");
	for (uint32_t i = 0; i < differences->n_findings && n < MOST_ROWS; i++) {
		const struct hd_finding *finding = &differences->findings[i];

		if (finding->kind != HD_MISSING)
			continue;
		n++;
		add_pair(gaps, &differences->planned[finding->first_planned], true, &columns);
	}
	hd_doc_table(doc, &columns);
	say_more(doc, gaps->n_missing, MOST_ROWS);
}

static void say_odd(const struct hd_gaps *gaps, struct hd_doc *doc)
{
	const struct hd_differences *differences = &gaps->differences;
	struct hd_columns columns;
	uint32_t n = 0;

	if (!gaps->n_odd)
		return;
	hd_doc_section(doc, "odd", "Odd cables");
	hd_doc_line(doc, "heddle plan --inferred says where they should be.");
	hd_columns_init(&columns, 2, 0);
	hd_columns_titles(&columns, "from", "to");
	for (uint32_t i = 0; i < differences->n_findings && n < MOST_ROWS; i++) {
		const struct hd_finding *finding = &differences->findings[i];

		if (!hd_is_odd(finding))
			continue;
		n++;
		for (uint32_t k = 0; k < finding->n_present; k++)
			add_pair(gaps, &differences->present[finding->first_present + k], false,
				 &columns);
	}
	hd_doc_table(doc, &columns);
	say_more(doc, gaps->n_odd, MOST_ROWS);
}

static void say_slow(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_slow_links *slow = &facts->slow;
	struct hd_columns columns;
	char rate[16];

	if (!slow->n)
		return;
	hd_doc_section(doc, "slow", "Slow links");
	hd_columns_init(&columns, 4, 0);
	hd_columns_titles(&columns, "from", "to", "rate", "beside it");
	for (uint32_t i = 0; i < slow->n && i < MOST_ROWS; i++) {
		add_link(facts, slow->list[i].port, &columns);
		hd_columns_add(
			&columns, "%s",
			hd_slow_links_rate(facts->fabric, slow->list[i].port, rate, sizeof(rate)));
		hd_columns_add(
			&columns, "%s",
			hd_slow_links_rate(facts->fabric, slow->list[i].usual, rate, sizeof(rate)));
	}
	hd_doc_table(doc, &columns);
	say_more(doc, slow->n, MOST_ROWS);
}

static void say_engine(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_served_by *by = &facts->served_by;
	struct hd_fields fields = { 0 };
	char text[512];

	hd_doc_section(doc, "engine", "Engine");
	hd_doc_field(doc, "tables", "%s", hd_report_origin(facts, text, sizeof(text)));
	hd_served_by_tell(by, &fields);
	hd_doc_fields(doc, &fields);
	/* where it made the tables of the snapshot, the verdict says so */
	if (by->first < by->choices.n && by->served[by->first].busiest)
		hd_doc_field(doc, "its tables", "sound; %s",
			     hd_served_describe(&by->served[by->first], text, sizeof(text)));
	for (unsigned i = 0; i < by->first && i < by->choices.n; i++)
		hd_doc_field(doc, "refuses", "%s: %s", by->choices.list[i].name,
			     by->served[i].refusal);
	if (by->first < by->choices.n)
		hd_doc_line(
			doc,
			"Engine heddle takes the engine above. heddle topo --engines compares all "
			"engines that serve the fabric.");
}

static void say_witness(const struct hd_report_facts *facts, const struct hd_check_result *result,
			struct hd_doc *doc)
{
	char text[2 * HD_LABEL_SIZE + 128];
	struct hd_columns columns;
	bool has_findings = false;

	for (int failure = HD_CHECK_NO_PATH; failure < HD_CHECK_CREDIT_LOOP; failure++)
		has_findings |= result->found[failure].n > 0;
	if (has_findings) {
		hd_doc_line(doc, "A flow for each kind of failure:");
		hd_verdict_bad_flows(result, facts->fabric, &columns);
		hd_doc_table(doc, &columns);
	}
	if (result->n_loop) {
		hd_doc_line(doc, "%s",
			    hd_verdict_loop_text(result, facts->fabric, text, sizeof(text)));
		hd_verdict_loop(result, facts->fabric, &columns);
		hd_doc_table(doc, &columns);
	}
	if (result->n_witness) {
		hd_doc_line(doc, "%s", HD_VERDICT_CYCLE);
		hd_verdict_cycle(result, facts->fabric, &columns);
		hd_doc_table(doc, &columns);
	}
}

static void say_verdict(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_check_result *all = &facts->results[HD_CHECK_ALL];
	const struct hd_check_result *hosts = &facts->results[HD_CHECK_HOSTS];
	struct hd_fields fields = { 0 };
	char text[2048];

	hd_doc_section(doc, "verdict", "Verdict on the tables");
	if (!facts->is_proved) {
		hd_doc_line(doc, "There is no verdict.%s%s", facts->no_proof[0] ? " " : "",
			    facts->no_proof);
		return;
	}
	hd_doc_field(doc, "hosts", "%s",
		     hosts->failure == HD_CHECK_SOUND
			     ? "sound"
			     : hd_check_summary(hosts, facts->fabric, text, sizeof(text)));
	hd_doc_field(doc, "with switches", "%s",
		     all->failure == HD_CHECK_SOUND
			     ? "sound"
			     : hd_check_summary(all, facts->fabric, text, sizeof(text)));
	hd_doc_field(doc, "reachable", "%s", hd_verdict_reachable(all));
	hd_verdict_tell_resources(all, &fields);
	hd_doc_fields(doc, &fields);
	if (all->vlarb_gap.n)
		hd_doc_field(doc, "not known",
			     "VL arbitration of %" PRIu32
			     " ports: the proof takes it to serve all VLs",
			     all->vlarb_gap.n);
	say_witness(facts, hosts->failure == HD_CHECK_SOUND ? all : hosts, doc);
}

/* Flows on links between switches, by VL. */
static void say_vls(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_load *load = &facts->load;
	struct hd_columns columns;

	hd_columns_init(&columns, 4, 0xF);
	hd_columns_titles(&columns, "VL", "links that use it", "flows of all", "of the busiest");
	for (unsigned vl = 0; vl < load->n_vls; vl++) {
		uint64_t sum = 0;
		uint32_t n = 0, most = 0;

		hd_for_each_port(p, facts->fabric) {
			uint32_t flows = load->flows[p * (size_t)load->n_vls + vl];

			if (!flows || !hd_is_switch_link(facts->fabric, p))
				continue;
			n++;
			sum += flows;
			most = flows > most ? flows : most;
		}
		hd_columns_add(&columns, "%u", vl);
		hd_columns_add(&columns, "%" PRIu32, n);
		hd_columns_add(&columns, "%" PRIu64, sum);
		hd_columns_add(&columns, "%" PRIu32, most);
	}
	hd_doc_table(doc, &columns);
}

static void say_lanes(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_provenance *made = facts->snapshot ? &facts->snapshot->provenance : NULL;

	if (!facts->has_load)
		return;
	hd_doc_section(doc, "lanes", "Lanes");
	if (facts->is_proved)
		hd_doc_field(doc, "in use", "%u SLs, %u VLs", facts->results[HD_CHECK_ALL].sls,
			     facts->results[HD_CHECK_ALL].vls);
	if (made && made->layers && *made->layers)
		hd_doc_field(doc, "layer rule", "%s", made->layers);
	if (made && made->queues && *made->queues)
		hd_doc_field(doc, "queue rule", "%s", made->queues);
	hd_doc_line(doc, "Links between switches, each direction by itself:");
	say_vls(facts, doc);
}

/* The port of a link, and its flows. */
struct busy {
	uint32_t port;
	uint64_t flows; /* by rate */
};

static int compare_busy(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->flows != y->flows)
		return x->flows > y->flows ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static void table_busiest(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	struct busy *busy = malloc((2 * (size_t)facts->n_links + 1) * sizeof(*busy));
	struct hd_columns columns;
	char rate[16];
	size_t n = 0;

	doc->failed |= !busy;
	if (!busy)
		return;
	for (uint32_t i = 0; i < facts->n_links; i++) {
		uint32_t port = facts->links[i], peer = facts->fabric->ports[port].peer;

		busy[n++] = (struct busy){ port, hd_report_flows(facts, port) };
		busy[n++] = (struct busy){ peer, hd_report_flows(facts, peer) };
	}
	qsort(busy, n, sizeof(*busy), compare_busy);
	hd_columns_init(&columns, facts->rates_differ ? 5 : 4, 8);
	if (facts->rates_differ)
		hd_columns_titles(&columns, "from", "to", "rate", "flows", "by rate");
	else
		hd_columns_titles(&columns, "from", "to", "rate", "flows");
	for (size_t i = 0; i < n && i < BUSIEST; i++) {
		add_link(facts, busy[i].port, &columns);
		hd_columns_add(&columns, "%s",
			       hd_slow_links_rate(facts->fabric, busy[i].port, rate, sizeof(rate)));
		hd_columns_add(&columns, "%" PRIu32, facts->flows[busy[i].port]);
		if (facts->rates_differ)
			hd_columns_add(&columns, "%" PRIu64, busy[i].flows);
	}
	hd_doc_table(doc, &columns);
	free(busy);
}

static void say_load(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_load *load = &facts->load;

	if (!facts->has_load)
		return;
	hd_doc_section(doc, "load", "Load");
	hd_doc_line(doc, "A flow is what one host sends to another: one from every port of an end "
			 "node to every other.");
	hd_doc_field(doc, "flows", "%" PRIu64 " arrive, %" PRIu64 " do not", load->n_flows,
		     load->n_lost);
	if (load->n_uncovered)
		hd_doc_field(doc, "not covered", "%" PRIu64 ", by switches without a table",
			     load->n_uncovered);
	if (!facts->n_links)
		return;
	if (facts->rates_differ)
		hd_doc_line(doc, "By rate, the flows of a link count as many times as the fastest "
				 "link between switches is faster.");
	hd_doc_field(doc, "busiest link", "%" PRIu64 " flows%s; the mean is %.1f", facts->most,
		     facts->rates_differ ? " by rate" : "", facts->mean);
	hd_doc_line(doc, "The busiest links:");
	table_busiest(facts, doc);
}

static void say_classes(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	struct hd_fields fields = { 0 };

	if (!facts->tables || !facts->tables->classes)
		return;
	hd_doc_section(doc, "classes", "Service classes");
	hd_service_tell(facts->tables, &fields);
	hd_doc_fields(doc, &fields);
	hd_doc_line(doc, "heddle qos show has the guarantees and the bounds of these classes.");
}

const char *hd_report_failure(const struct hd_report_facts *facts, uint32_t port, char *buffer,
			      size_t size)
{
	const struct hd_fault_each *each;

	buffer[0] = '\0';
	if (facts->cut[port]) {
		snprintf(buffer, size, "cuts off %" PRIu32 " end node%s", facts->cut[port],
			 facts->cut[port] == 1 ? "" : "s");
		return buffer;
	}
	if (!facts->has_study || facts->tried[port] == HD_NONE)
		return buffer;
	each = &facts->study.each[facts->tried[port]];
	if (each->outcome == HD_FAULT_DISCONNECTED)
		snprintf(buffer, size, "cuts nodes off");
	else if (each->outcome == HD_FAULT_REFUSED)
		snprintf(buffer, size, "engine %s refuses the rest", facts->engine->policy.name);
	else if (each->outcome == HD_FAULT_UNSOUND)
		snprintf(buffer, size, "engine %s makes unsound tables",
			 facts->engine->policy.name);
	else
		snprintf(buffer, size,
			 "routed around and proved; the busiest link has %.2f times its flows, "
			 "%" PRIu64 " LFT entries change",
			 each->load, each->lft_entries);
	return buffer;
}

/* How bad the failure of a link is: the first that differs decides. All 0: nothing is wrong. */
struct ranked {
	uint32_t cut; /* end nodes */
	unsigned outcome;
	double load;
	uint64_t lft_entries;
	uint32_t port;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->cut != y->cut)
		return x->cut > y->cut ? -1 : 1;
	if (x->outcome != y->outcome)
		return x->outcome > y->outcome ? -1 : 1;
	if (x->load > y->load || x->load < y->load)
		return x->load > y->load ? -1 : 1;
	if (x->lft_entries != y->lft_entries)
		return x->lft_entries > y->lft_entries ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static struct ranked rank(const struct hd_report_facts *facts, uint32_t port)
{
	static const unsigned of_outcome[HD_N_FAULT_OUTCOMES] = {
		[HD_FAULT_DISCONNECTED] = 3, [HD_FAULT_UNSOUND] = 2, [HD_FAULT_REFUSED] = 1
	};
	struct ranked ranked = { .cut = facts->cut[port], .port = port };
	const struct hd_fault_each *each;

	if (!facts->has_study || facts->tried[port] == HD_NONE)
		return ranked;
	each = &facts->study.each[facts->tried[port]];
	ranked.outcome = of_outcome[each->outcome];
	ranked.load = each->load;
	ranked.lft_entries = each->lft_entries;
	return ranked;
}

static bool is_bad(const struct ranked *ranked)
{
	return ranked->cut || ranked->outcome || ranked->load > 0 || ranked->lft_entries;
}

static void table_worst(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	struct ranked *ranked = malloc((facts->n_links + (size_t)1) * sizeof(*ranked));
	struct hd_columns columns;
	char text[160];
	size_t n = 0;

	doc->failed |= !ranked;
	if (!ranked)
		return;
	for (uint32_t i = 0; i < facts->n_links; i++) {
		ranked[n] = rank(facts, facts->links[i]);
		n += is_bad(&ranked[n]);
	}
	qsort(ranked, n, sizeof(*ranked), compare_ranked);
	hd_columns_init(&columns, 3, 0);
	hd_columns_titles(&columns, "from", "to", "its failure");
	for (size_t i = 0; i < n && i < WORST; i++) {
		add_link(facts, ranked[i].port, &columns);
		hd_columns_add(&columns, "%s",
			       hd_report_failure(facts, ranked[i].port, text, sizeof(text)));
	}
	if (n) {
		hd_doc_line(doc, "The worst:");
		hd_doc_table(doc, &columns);
	} else {
		hd_columns_clear(&columns);
	}
	free(ranked);
}

static void say_failures(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_fault_study *study = &facts->study;

	hd_doc_section(doc, "failures", "If a link fails");
	if (!facts->has_study)
		hd_doc_field(doc, "tried", "none: %s", facts->no_study);
	else if (study->sets.n_sample)
		hd_doc_field(doc, "tried",
			     "a sample: %" PRIu64 " links chosen at random of %" PRIu32
			     " between switches, seed %" PRIu64 ", with engine %s",
			     study->n_sets, facts->n_links, study->sets.seed,
			     facts->engine->policy.name);
	else
		hd_doc_field(doc, "tried", "all %" PRIu64 " links between switches, with engine %s",
			     study->n_sets, facts->engine->policy.name);
	if (facts->has_study) {
		hd_doc_field(doc, "routed around", "%" PRIu64 ", each proved",
			     study->n[HD_FAULT_ROUTED]);
		hd_doc_field(doc, "disconnected", "%" PRIu64, study->n[HD_FAULT_DISCONNECTED]);
		hd_doc_field(doc, "refused", "%" PRIu64, study->n[HD_FAULT_REFUSED]);
		if (study->n[HD_FAULT_UNSOUND])
			hd_doc_field(doc, "unsound", "%" PRIu64, study->n[HD_FAULT_UNSOUND]);
	}
	if (facts->has_study && study->n[HD_FAULT_ROUTED])
		hd_doc_field(doc, "busiest link",
			     "at most %.2f times the flows before, %.2f on average",
			     study->load.max, study->load.mean);
	table_worst(facts, doc);
}

static void say_gone(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_report_since *since = &facts->since;
	const struct hd_fabric *before = since->snapshot->fabric;
	struct hd_columns columns;
	char label[HD_LABEL_SIZE];

	if (!since->n_gone)
		return;
	hd_doc_line(doc, "Links between switches that are gone:");
	hd_columns_init(&columns, 2, 0);
	hd_columns_titles(&columns, "from", "to");
	for (uint32_t i = 0; i < since->n_gone && i < MOST_ROWS; i++) {
		hd_columns_add(&columns, "%s",
			       hd_port_label(before, since->gone[i], label, sizeof(label)));
		hd_columns_add(&columns, "%s",
			       hd_port_label(before, before->ports[since->gone[i]].peer, label,
					     sizeof(label)));
	}
	hd_doc_table(doc, &columns);
	say_more(doc, since->n_gone, MOST_ROWS);
}

static void say_come(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	const struct hd_report_since *since = &facts->since;
	struct hd_columns columns;
	size_t n = 0;

	if (!since->n_new && !since->n_rates)
		return;
	hd_doc_line(doc, "Links between switches that are new, or have another rate:");
	hd_columns_init(&columns, 3, 0);
	hd_columns_titles(&columns, "from", "to", "change");
	for (uint32_t i = 0; i < facts->n_links && n < MOST_ROWS; i++) {
		uint8_t change = since->change[facts->links[i]];

		if (change == HD_LINK_SAME)
			continue;
		add_link(facts, facts->links[i], &columns);
		hd_columns_add(&columns, "%s", change == HD_LINK_NEW ? "new" : "another rate");
		n++;
	}
	hd_doc_table(doc, &columns);
	say_more(doc, since->n_new + (size_t)since->n_rates, MOST_ROWS);
}

static void say_since(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	struct hd_fields fields = { 0 };

	if (!facts->since.snapshot)
		return;
	hd_doc_section(doc, "since", "What changed");
	hd_doc_field(doc, "since", "%s", facts->request->since);
	if (facts->since.has_diff) {
		hd_diff_tell(&facts->since.diff, &fields);
		hd_doc_fields(doc, &fields);
	}
	if (facts->since.no_diff[0])
		hd_doc_field(doc, "not compared", "%s", facts->since.no_diff);
	say_gone(facts, doc);
	say_come(facts, doc);
}

void hd_report_sections(const struct hd_report_facts *facts, struct hd_doc *doc)
{
	say_since(facts, doc);
	say_verdict(facts, doc);
	say_fabric(facts, doc);
	say_missing(&facts->gaps, doc);
	say_odd(&facts->gaps, doc);
	say_slow(facts, doc);
	say_engine(facts, doc);
	say_lanes(facts, doc);
	say_load(facts, doc);
	say_failures(facts, doc);
	say_classes(facts, doc);
}
