// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ibdiagnet's files: what recorded ones look like, and what they must not. */
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <unistd.h>

#include "fabric/db_csv.h"
#include "fabric/error_counters.h"
#include "fabric/link_rate.h"
#include "fabric/netfile.h"
#include "fabric/reading.h"
#include "support/text.h"
#include "tables/ar.h"
#include "tables/slvl_row.h"
#include "tests/unit/same_fabric.h"
#include "tests/unit/tables_case.h"

/* The fabric of tables_case.h, without its SWITCHES. */
#define NODES                                                                                     \
	"START_NODES\n"                                                                           \
	"NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID\n" \
	"\"S1\",4,2,1,1,0x0,0x10,0x10\n"                                                          \
	"\"S2\",4,2,1,1,0x0,0x20,0x20\n"                                                          \
	"\"H1\",1,1,1,1,0x0,0x100,0x101\n"                                                        \
	"\"H2\",2,1,1,1,0x0,0x200,0x201\n"                                                        \
	"\"H3\",1,1,1,1,0x0,0x300,0x301\n"                                                        \
	"END_NODES\n"
#define PORTS                                                     \
	"START_PORTS\n"                                           \
	"NodeGuid,PortGuid,PortNum,LID,LMC,VLCap,OpVLs,CapMsk2\n" \
	"0x10,0x10,0,1,0,N/A,N/A,N/A\n"                           \
	"0x20,0x20,0,2,0,N/A,N/A,1083\n"                          \
	"0x100,0x101,1,4,1,4,4,N/A\n"                             \
	"0x200,0x201,1,6,0,4,4,N/A\n"                             \
	"0x200,0x202,2,7,0,4,0,N/A\n"                             \
	"0x300,0x301,1,8,0,N/A,N/A,N/A\n"                         \
	"END_PORTS\n"
#define LINKS                                                            \
	"START_LINKS\n"                                                  \
	"NodeGuid1,PortNum1,NodeGuid2,PortNum2\n"                        \
	"0x10,3,0x20,3\n0x10,4,0x20,4\n0x100,1,0x10,1\n0x10,2,0x200,1\n" \
	"0x20,2,0x200,2\n0x20,1,0x300,1\n"                               \
	"END_LINKS\n"
#define SWITCHES                       \
	"START_SWITCHES\n"             \
	"ENP0,NodeGUID,MCastFDBTop\n"  \
	"0,0x10,49183\n1,0x20,49183\n" \
	"END_SWITCHES\n"
#define WHOLE "# a comment\n\n" NODES "\n" PORTS SWITCHES LINKS

static int parse(const char *text, struct hd_fabric **fabric, struct hd_error *err)
{
	memset(err, 0, sizeof(*err));
	return hd_netfile_parse("text", text, strlen(text), NULL, fabric, err);
}

static struct hd_fabric *parse_well(const char *text)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_hd_ok(parse(text, &fabric, &err), err);
	return fabric;
}

static void sections_are_a_fabric(void **state)
{
	struct hd_fabric *fabric = parse_well(WHOLE), *wanted = tables_case_fabric();

	assert_null(fabric_difference(fabric, wanted));
	hd_fabric_free(fabric);
	hd_fabric_free(wanted);
}

static void order_and_form_do_not_matter(void **state)
{
	static const char *const texts[] = {
		"\xEF\xBB\xBF" NODES LINKS SWITCHES PORTS,
		NODES "START_VL_ARBITRATION_TABLE\nEND_VL_ARBITRATION_TABLE\n"
		      "START_PM_INFO\nx,y\n1,2,3\nNodeGuid1\nEND_PM_INFO\n" PORTS SWITCHES LINKS,
		/* other columns, other case, blanks, a comma at the end, CRLF */
		"START_NODES\r\nnodeguid , NodeType,New,NumPorts,NodeDesc\r\n"
		"0x10,2,,4,S1\r\n0x20,2,7,4,\"S2\"\r\n0x100,1,7,1,\"H1\",\r\n"
		"0x0000000000000200,1,N/A,2,H2\r\n# between rows\r\n0x300 , 1 , 7,1,H3\r\n"
		"END_NODES\r\n" PORTS SWITCHES LINKS,
	};
	struct hd_fabric *wanted = tables_case_fabric();

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct hd_fabric *fabric = parse_well(texts[i]);
		const char *difference = fabric_difference(fabric, wanted);

		if (difference)
			fail_msg("%zu: %s", i, difference);
		hd_fabric_free(fabric);
	}
	hd_fabric_free(wanted);
}

static void names_are_others_text(void **state)
{
	struct hd_fabric *fabric = parse_well(
		"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n\"a, \"b\" c\",1,1,0x1\n"
		"\"\",1,1,0x2\n\"N/A\",1,3,0x3\n\"MF0;leaf 1:MQM9700/U1\",65,2,0x4\nEND_NODES\n"
		"START_PORTS\nNodeGuid,PortNum\nEND_PORTS\nSTART_LINKS\n"
		"NodeGuid1,PortNum1,NodeGuid2,PortNum2\nEND_LINKS\n");

	assert_string_equal(hd_node_name(fabric, 0), "MF0;leaf 1:MQM9700/U1");
	assert_string_equal(hd_node_name(fabric, 1), "a, \"b\" c");
	assert_string_equal(hd_node_name(fabric, 2), "");
	assert_int_equal(fabric->nodes[0].n_ports, 65);
	assert_int_equal(fabric->nodes[3].type, HD_ROUTER);
	hd_fabric_free(fabric);
}

/* Codes of recorded files: 2052 and 2048 are NDR, 2 is 4x. */
static void rates_are_those_of_port_info(void **state)
{
	struct hd_fabric *fabric = parse_well(
		NODES "START_PORTS\nNodeGuid,PortNum,LinkWidthActv,LinkSpeedActv,VLCap,OpVLs\n"
		      "0x10,3,2,2052,4,2\n0x20,3,16,2048,4,N/"
		      "A\n0x10,4,1,16777216,9,9\nEND_PORTS\n" LINKS);
	const struct hd_port *ports = fabric->ports;

	assert_int_equal(ports[3].width, 4);
	assert_int_equal(ports[3].speed, HD_NDR);
	assert_int_equal(ports[3].vls, 2);
	assert_int_equal(ports[8].width, 2);
	assert_int_equal(ports[8].speed, HD_NDR);
	assert_int_equal(ports[8].vls, 8);
	assert_int_equal(ports[4].speed, HD_XDR);
	assert_int_equal(ports[4].vls, HD_DEFAULT_VLS);
	assert_int_equal(hd_db_csv_speed(4), HD_QDR);
	assert_int_equal(hd_db_csv_speed(0x10004), HD_FDR10);
	assert_int_equal(hd_db_csv_speed(0x200), HD_EDR);
	hd_fabric_free(fabric);
}

/* A port that is down keeps the LID that it had: another port may have it now. */
static void ports_without_links_have_no_lid(void **state)
{
	struct hd_fabric *fabric = parse_well(
		NODES
		"START_PORTS\nNodeGuid,PortGuid,PortNum,LID,LinkWidthActv\n"
		"0x200,0x909,1,7,2\n0x300,0x301,1,7,2\nEND_PORTS\n"
		"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x20,1,0x300,1\nEND_LINKS\n");

	assert_int_equal(fabric->n_links, 1);
	assert_int_equal(fabric->top_lid, 7);
	assert_int_equal(fabric->ports[fabric->lids[7].port].guid, 0x301);
	hd_fabric_free(fabric);
}

static void what_is_wrong_is_refused(void **state)
{
	static const struct {
		const char *text, *says;
		unsigned line;
	} wrong[] = {
		{ "START_NODES\n", "the file is cut short: END_NODES of line 1 is missing", 1 },
		{ "START_NODES\nEND_NODES\n", "section NODES has no heading", 2 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\nEND_NODES\n", "no node", 3 },
		{ "START_NODES\nNodeGUID,NodeType\nEND_NODES\n",
		  "section NODES has no column NumPorts", 2 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts,NumPorts\nEND_NODES\n",
		  "section NODES has a second column NumPorts", 2 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x1,2\nEND_NODES\n",
		  "2 values in a row of section NODES, which has 3 columns", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\nN/A,2,3\nEND_NODES\n",
		  "a row of section NODES without its NodeGUID", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x,2,3\nEND_NODES\n",
		  "NodeGUID is no number of at most", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x10000000000000000,2,3\nEND_NODES\n",
		  "NodeGUID is no number of at most", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x0,2,3\nEND_NODES\n",
		  "this node has no GUID", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x1,2,255\nEND_NODES\n",
		  "NumPorts is no number of at most 254: '255'", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x1,2,-1\nEND_NODES\n",
		  "NumPorts is no number of at most 254: '-1'", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x1,0,1\nEND_NODES\n", "node type 0",
		  3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x1,1,0\nEND_NODES\n", "port", 3 },
		{ "START_NODES\nNodeGUID,NodeType,NumPorts\n0x1,1,1\n0x1,2,3\nEND_NODES\n",
		  "GUID 0x0000000000000001 belongs to two nodes, the other on line 3", 4 },
		{ PORTS NODES LINKS, "section PORTS stands before section NODES", 3 },
		{ LINKS NODES PORTS, "section LINKS stands before section NODES", 3 },
		{ SWITCHES NODES PORTS LINKS, "section SWITCHES stands before section NODES", 3 },
		{ NODES LINKS, "the file has no section PORTS", 17 },
		{ NODES PORTS, "the file has no section LINKS", 17 },
		{ NODES NODES, "a second section NODES: the first is on line 1", 9 },
		{ NODES "START_LINKS\nSTART_PORTS\n",
		  "a section begins within section LINKS, whose END_LINKS is missing", 10 },
		{ NODES "END_LINKS\n", "END_LINKS without its START_LINKS", 9 },
		{ NODES PORTS "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,5,0x20,1\n",
		  "port 5 of 0x0000000000000010, which has 4 ports", 20 },
		{ NODES PORTS "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,0,0x20,1\n",
		  "no port 0 to link", 20 },
		{ NODES PORTS "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x10,1\n",
		  "linked to itself", 20 },
		{ NODES PORTS "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x20,1\n"
			      "0x10,1,0x20,2\n",
		  "as well as to", 21 },
		{ NODES PORTS "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x99,1\n",
		  "a link to node 0x0000000000000099, which is not in section NODES", 20 },
		{ NODES "START_PORTS\nNodeGuid,PortNum,LID\n0x10,0,1\n0x10,0,1\n",
		  "a second row of port 0 of 0x0000000000000010", 12 },
		{ NODES "START_PORTS\nNodeGuid,PortNum,LMC\n0x10,0,8\n",
		  "LMC is no number of at most 7: '8'", 11 },
		{ NODES "START_PORTS\nNodeGuid,PortNum,LID\n0x10,0,49152\n",
		  "LID 49152 is no unicast LID", 11 },
		{ NODES "START_PORTS\nNodeGuid,PortNum,LID\n0x10,0,1\n0x20,0,1\nEND_PORTS\n" LINKS,
		  "LID 1 belongs to ", 4 },
		{ NODES "some text\n", "a line between sections", 9 },
		{ WHOLE "START_PM_INFO\n", "the file is cut short: END_PM_INFO of line 35", 35 },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct hd_fabric *fabric;
		struct hd_error err;

		if (parse(wrong[i].text, &fabric, &err) != HD_EPARSE)
			fail_msg("%zu: taken", i);
		assert_null(fabric);
		if (!strstr(err.text, wrong[i].says) || err.line != wrong[i].line)
			fail_msg("%zu: %u: %s", i, err.line, err.text);
	}
}

/* Every cut of the file is refused, or told with a note. */
static void cuts_are_told(void **state)
{
	for (size_t size = 0; size < strlen(WHOLE) - 1; size++) {
		struct hd_fabric *fabric = NULL;
		struct hd_reading how = { 0 };
		struct hd_error err;

		assert_int_equal(hd_db_csv_parse("cut", WHOLE, size, &how, &fabric, &err),
				 HD_EPARSE);
		assert_null(fabric);
	}
}

static void oddities_are_noted(void **state)
{
	static const struct {
		const char *text, *note;
	} odd[] = {
		{ NODES "junk\n" PORTS LINKS, "odd:9: a line between sections: passed over\n" },
		{ NODES PORTS "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x99,1\n"
			      "END_LINKS\n",
		  "odd:20: a link to node 0x0000000000000099, which is not in section NODES: the "
		  "link is left out\n" },
		{ NODES "START_PORTS\nNodeGuid,PortNum\n0x99,1\nEND_PORTS\n" LINKS,
		  "odd:11: a port of node 0x0000000000000099, which is not in section NODES: the "
		  "port is left out\n" },
		{ NODES "START_PORTS\nNodeGuid,PortNum,LID\n0x10,0,65535\nEND_PORTS\n" LINKS,
		  "odd:11: LID 65535 is no unicast LID: taken for a port without a LID\n" },
		{ NODES PORTS LINKS "START_SWITCHES\nGUID,ENP0\n0x20,1\nEND_SWITCHES\n",
		  "odd:28: section SWITCHES has no column NodeGUID: the section is passed over\n" },
		{ NODES PORTS LINKS "START_SWITCHES\nNodeGUID,ENP0\n0x20\nEND_SWITCHES\n",
		  "odd:29: 1 values in a row of section SWITCHES, which has 2 columns: the section "
		  "is passed over\n" },
		/* the first row had set the same switch's */
		{ NODES PORTS LINKS
		  "START_SWITCHES\nNodeGUID,ENP0\n0x20,1\n0x10,2\n0x20,N/A\nEND_SWITCHES\n",
		  "odd:30: ENP0 is no number of at most 1: '2': the section is passed over\n" },
		{ NODES PORTS LINKS "START_SWITCHES\nNodeGUID,ENP0,ENP0\n0x20,1,1\nEND_SWITCHES\n",
		  "odd:28: section SWITCHES has a second column ENP0: the section is passed "
		  "over\n" },
		{ WHOLE "START_CABLE_INFO\nx\n", "odd:36: the file is cut short: END_CABLE_INFO of "
						 "line 35 is missing: passed over\n" },
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct hd_reading how = { 0 };
		struct hd_fabric *fabric;
		struct hd_error err;
		char *notes = NULL;
		size_t size;

		how.notes = open_memstream(&notes, &size);
		assert_hd_ok(hd_db_csv_parse("odd", odd[i].text, strlen(odd[i].text), &how, &fabric,
					     &err),
			     err);
		fclose(how.notes);
		assert_string_equal(notes, odd[i].note);
		if (strstr(odd[i].note, "the section is passed over"))
			assert_false(fabric->nodes[1].enhanced_port0);
		free(notes);
		hd_fabric_free(fabric);
	}
}

static void vl_arbitration_is_read(void **state)
{
	static const char text[] =
		NODES "START_PORTS\nNodeGuid,PortNum,VLHighLimit\n0x10,1,0\n0x10,3,7\n0x20,0,N/A\n"
		      "END_PORTS\n"
		      "START_VL_ARBITRATION_TABLE\nNodeGUID,PortGUID,PortNum,Priority,VL,Weight\n"
		      "0x10,0x0,3,High,1,64\n0x10,0x0,3,High,0,4\n0x10,0x0,3,Low,0,255\n"
		      "0x99,0x0,3,High,1,64\n0x200,0x202,2,Low,2,1\nEND_VL_ARBITRATION_TABLE\n";
	struct hd_fabric *fabric = tables_case_fabric();
	const struct hd_vlarb *vlarb;
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	assert_hd_ok(hd_vlarb_parse_csv(tables, "text", text, strlen(text), NULL, &err), err);
	assert_true(tables->has_vlarb);
	vlarb = &tables->vlarbs[tables->vlarb_of_port[3]];
	assert_int_equal(vlarb->n_high, 2);
	assert_int_equal(vlarb->n_low, 1);
	assert_int_equal(vlarb->high_limit, 7);
	assert_int_equal(vlarb->high[1].weight, 4);
	assert_int_equal(vlarb->low[0].weight, 255);
	assert_int_equal(tables->vlarb_of_port[1], HD_NONE);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Reads VL arbitration as @how says, and notes into @notes, from malloc(). */
static struct hd_tables *parse_vlarb(const struct hd_fabric *fabric, const char *text,
				     struct hd_reading how, char **notes, int *ret,
				     struct hd_error *err)
{
	struct hd_tables *tables;
	size_t size;

	*notes = NULL;
	how.notes = open_memstream(notes, &size);
	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	memset(err, 0, sizeof(*err));
	*ret = hd_vlarb_parse_csv(tables, "text", text, strlen(text), &how, err);
	fclose(how.notes);
	return tables;
}

#define VLARB(rows)                                                         \
	"START_VL_ARBITRATION_TABLE\nNodeGUID,PortNum,Priority,VL,Weight\n" \
	"0x10,3,High,1,64\n0x20,2,Low,1,64\n" rows "END_VL_ARBITRATION_TABLE\n"

static void other_vl_arbitration_is_passed_over(void **state)
{
	static const struct {
		const char *text, *note;
	} odd[] = {
		{ VLARB("0x20,2,Low,N/A,1\n0x20,2,x,1,1\n"),
		  "text:5: a row of section VL_ARBITRATION_TABLE without its VL: the section is "
		  "passed over\n" },
		{ VLARB("0x20,2,Low,16,1\n"),
		  "text:5: VL is no number of at most 15: '16': the section is passed over\n" },
		{ VLARB("0x20,2,Middle,1,1\n"), "text:5: a priority that is not High or Low: the "
						"section is passed over\n" },
		{ VLARB("0x20,2,Low,1\n"),
		  "text:5: 4 values in a row of section VL_ARBITRATION_TABLE, which has 5 columns: "
		  "the section is passed over\n" },
	};
	struct hd_fabric *fabric = tables_case_fabric();

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct hd_reading how = { 0 };
		struct hd_tables *tables;
		struct hd_error err;
		char *notes;
		int ret;

		tables = parse_vlarb(fabric, odd[i].text, how, &notes, &ret, &err);
		assert_hd_ok(ret, err);
		assert_string_equal(notes, odd[i].note);
		assert_false(tables->has_vlarb);
		hd_for_each_port(p, fabric)
			assert_int_equal(tables->vlarb_of_port[p], HD_NONE);
		free(notes);
		hd_tables_free(tables);
		how.strict = true;
		hd_tables_free(parse_vlarb(fabric, odd[i].text, how, &notes, &ret, &err));
		assert_int_equal(ret, HD_EPARSE);
		free(notes);
	}
	hd_fabric_free(fabric);
}

/* What is odd of the whole file is told by the first reader of it. */
static void a_file_is_told_of_once(void **state)
{
	static const char text[] = "junk\n" VLARB("") "START_X\n";
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_reading how = { 0 };
	struct hd_error err;
	char *notes;
	int ret;

	hd_tables_free(parse_vlarb(fabric, text, how, &notes, &ret, &err));
	assert_hd_ok(ret, err);
	assert_string_equal(notes, "text:1: a line between sections: passed over\ntext:7: the file "
				   "is cut short: END_X of line 7 is missing: passed over\n");
	free(notes);
	how.is_again = true;
	hd_tables_free(parse_vlarb(fabric, text, how, &notes, &ret, &err));
	assert_hd_ok(ret, err);
	assert_string_equal(notes, "");
	free(notes);
	hd_tables_free(
		parse_vlarb(fabric, "START_VL_ARBITRATION_TABLE\n", how, &notes, &ret, &err));
	assert_int_equal(ret, HD_EPARSE);
	assert_hd_says(err, "the file is cut short: END_VL_ARBITRATION_TABLE of line 1");
	free(notes);
	hd_fabric_free(fabric);
}

#define PM_COLUMNS "NodeGUID,PortNumber,SymbolErrorCounter,SymbolErrorCounterExt\n"
#define PM_INFO    "START_PM_INFO\n" PM_COLUMNS "0x10,3,1,7\n0x10,4,9,N/A\nEND_PM_INFO\n"

/* Reads counters; 7 and 9 of S1's ports 3 and 4 are those of PM_INFO. */
static void read_counters(const struct hd_fabric *fabric, const char *text,
			  struct hd_error_counters *counters)
{
	char path[] = "/tmp/test_ibdiag.XXXXXX";
	const struct hd_reading how = { 0 };
	struct hd_error err = { 0 };
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_hd_ok(hd_error_counters_read(path, fabric, &how, counters, &err), err);
	unlink(path);
}

static void counters_are_read(void **state)
{
	static const struct {
		const char *text;
		int is_delta; /* -1: there are none */
		uint64_t symbols[2];
	} cases[] = {
		{ PM_INFO, 0, { 7, 9 } },
		/* the port does not tell */
		{ "START_PM_INFO\n" PM_COLUMNS
		  "0x10,3,5,0xfffffffffffffffe\n0x10,4,-1,18446744073709551615\nEND_PM_INFO\n",
		  0,
		  { 5, 0 } },
		{ PM_INFO "START_PM_DELTA\n" PM_COLUMNS "0x10,3,2,0\nEND_PM_DELTA\n", 1, { 2, 0 } },
		{ "START_PM_DELTA\n" PM_COLUMNS "0x10,3,2,0\nEND_PM_DELTA\n" PM_INFO, 1, { 2, 0 } },
		/* a PM_DELTA without rows, and one that cannot be read */
		{ PM_INFO "START_PM_DELTA\n" PM_COLUMNS "END_PM_DELTA\n", 0, { 7, 9 } },
		{ PM_INFO "START_PM_DELTA\nx,y\n1,2\nEND_PM_DELTA\n", 0, { 7, 9 } },
		{ PM_INFO "START_PM_DELTA\n" PM_COLUMNS "N/A,3,2,0\nEND_PM_DELTA\n", 0, { 7, 9 } },
		/* what is passed over is not counted */
		{ PM_INFO "START_PM_DELTA\n" PM_COLUMNS "0x10,3,2,0\n0x10,x,1,1\nEND_PM_DELTA\n",
		  -1,
		  { 0, 0 } },
		{ "START_PM_INFO\n" PM_COLUMNS "0x10,3,1,7\n", -1, { 0, 0 } },
		{ "START_PM_INFO\n" PM_COLUMNS "END_PM_INFO\n", -1, { 0, 0 } },
	};
	struct hd_fabric *fabric = tables_case_fabric();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_error_counters counters;

		read_counters(fabric, cases[i].text, &counters);
		if ((counters.ports ? counters.is_delta : -1) != cases[i].is_delta)
			fail_msg("%zu: %p, %d", i, (void *)counters.ports, counters.is_delta);
		for (uint32_t n = 0; counters.ports && n < 2; n++) {
			const uint64_t *of = counters.ports[hd_port_index(fabric, 0, 3 + n)].of;

			if (of[HD_SYMBOL_ERRORS] != cases[i].symbols[n])
				fail_msg("%zu: %" PRIu64, i, of[HD_SYMBOL_ERRORS]);
		}
		hd_error_counters_clear(&counters);
	}
	hd_fabric_free(fabric);
}

#define FDBS_1                                                                           \
	"osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000000010\n"                   \
	"LID    : Port : Hops : Optimal\n"                                               \
	"0x0001 : 000  : 00   : yes\n0x0002 : 003  : 00   : yes\n0x0003 : UNREACHABLE\n" \
	"0x0004 : 001  : 00   : yes\n0x0005 : 001  : 00   : yes\n"                       \
	"0x0006 : 002  : 00   : yes\n0x0007 : 003  : 00   : yes\n0x0008 : 003  : 00   : yes\n\n"
#define FDBS_2                                                                \
	"dump_ucast_routes: Switch 0x20\n"                                    \
	"0x1 : 3\n0x2 : 0\n0x3 : UNREACHABLE\n0x0004 : 003  : HOPS UNKNOWN\n" \
	"0x0005 : 003  : 02 : No  : 01\n0x6 : 3 : x\n0x7 : 2\n0x8 : 1 : 00   : yes\n"

static void forwarding_tables_are_read(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *wanted = tables_case_tables(fabric), *tables;
	static const char text[] =
		"# a comment\n" FDBS_1 FDBS_2
		"PLFT_NUM: 1\n0x1 : 2\n0x2 : 2\nPLFT_NUM: 2\n0x0001 : UNREACHABLE\n";
	struct hd_reading how = { 0 };
	struct hd_error err;

	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	assert_hd_ok(
		hd_fdbs_parse(tables, "text", FDBS_1 FDBS_2, strlen(FDBS_1 FDBS_2), NULL, &err),
		err);
	assert_memory_equal(tables->lft, wanted->lft, 2 * tables->lft_stride);
	hd_tables_free(tables);
	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	assert_hd_ok(hd_fdbs_parse(tables, "text", text, strlen(text), &how, &err), err);
	assert_memory_equal(tables->lft, wanted->lft, 2 * tables->lft_stride);
	assert_int_equal(hd_fdbs_parse(tables, "text", text, strlen(text), NULL, &err), HD_EPARSE);
	assert_hd_says(err, "2 private LFTs");
	hd_tables_free(tables);
	hd_tables_free(wanted);
	hd_fabric_free(fabric);
}

static void wrong_forwarding_tables_are_refused(void **state)
{
	static const struct {
		const char *text, *says;
		unsigned line;
	} wrong[] = {
		{ "", "no switch's table", 0 },
		{ "0x0001 : 001  : 00   : yes\n", "an LFT entry outside of a switch's table", 1 },
		{ "dump_ucast_routes: Switch 0x99\n", "the fabric has no switch 0x0000000000000099",
		  1 },
		{ "dump_ucast_routes: Switch 0x100\n",
		  "the fabric has no switch 0x0000000000000100", 1 },
		{ "dump_ucast_routes: Switch x\n", "expected 'dump_ucast_routes: Switch 0xGUID'",
		  1 },
		{ FDBS_1 FDBS_1, "switch 0x0000000000000010 has a second table", 12 },
		{ FDBS_2 "0x0008 : 001  : 00   : yes\n", "LID 0x0008 does not follow LID 0x0008",
		  10 },
		{ FDBS_2 "0x0009 : 005  : 00   : yes\n", "port 5 of a switch with 4 ports", 10 },
		{ FDBS_2 "0x0009 : 001  : 00   : yes\n", "1 entry for LIDs that no port", 10 },
		{ FDBS_2 "0x0009 : 0x1  : 00   : yes\n", "expected '0xLID : PORT", 10 },
		{ FDBS_2 "0x0009\n", "expected '0xLID : PORT", 10 },
		{ FDBS_2 "0x10000 : 001\n", "expected '0xLID : PORT", 10 },
		{ FDBS_2 "x\n", "neither the heading of a switch's table nor an entry", 10 },
		{ FDBS_2 "PLFT_NUM: x\n", "expected 'PLFT_NUM: N'", 10 },
		{ FDBS_1 "dump_ucast_routes: Switch 0x20\n0x1 : 3\n",
		  "the table of S2 is cut short at LID 0x0001", 13 },
	};
	struct hd_fabric *fabric = tables_case_fabric();

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct hd_tables *tables;
		struct hd_error err = { 0 };

		assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
		if (hd_fdbs_parse(tables, "text", wrong[i].text, strlen(wrong[i].text), NULL,
				  &err) != HD_EPARSE)
			fail_msg("%zu: taken", i);
		if (!strstr(err.text, wrong[i].says) || err.line != wrong[i].line)
			fail_msg("%zu: %u: %s", i, err.line, err.text);
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

static void sl2vl_rows_name_their_nodes(void **state)
{
	static const char text[] =
		"# a comment\n"
		"0x0000000000000010 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"
		"0x0000000000000200 0 2 0x10 0x10 0x10 0x10 0x10 0x10 0x10 0x1F\n";
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{ "0x10 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd\n", "expected '0xGUID" },
		{ "0x10 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef 0x00\n", "expected '0xGUID" },
		{ "0x10 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xe\n", "expected '0xGUID" },
		{ "0x10 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xegg\n", "expected '0xGUID" },
		{ "0x99 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n", "the fabric has no node" },
		{ "0x10 5 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n", "no such ports" },
		{ "0x10 1 5 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n", "no such ports" },
		{ "0x100 1 1 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n", "no such ports" },
		{ "0x100 0 0 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n", "no such ports" },
	};
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	assert_hd_ok(hd_dump_sl2vl.parse(tables, "text", text, strlen(text), &err), err);
	assert_true(tables->has_sl2vl);
	assert_true(tables->sl2vl[hd_sl2vl_index(tables, 0, 1, 3)] == UINT64_C(0xfedcba9876543210));
	assert_true(tables->sl2vl[hd_sl2vl_host_index(tables, 3, 2)] ==
		    UINT64_C(0xf101010101010101));
	/* S1, which has not all rows of port 3; S2 and all adapters but the one port */
	assert_int_equal(tables->sl2vl_gap.n, 5);
	assert_int_equal(tables->sl2vl_gap.first, hd_port_index(fabric, 0, 0));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(hd_dump_sl2vl.parse(tables, "text", wrong[i].text,
						     strlen(wrong[i].text), &err),
				 HD_EPARSE);
		assert_hd_says(err, wrong[i].says);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

#define SLVL_ROWS(in) "0x10 " in " 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"

/* A file that is cut between lines has not all in-ports of an out-port. */
static void cut_sl2vl_rows_are_a_gap(void **state)
{
	static const char text[] = SLVL_ROWS("0") SLVL_ROWS("1") SLVL_ROWS("2") SLVL_ROWS("3")
		SLVL_ROWS("4") "0x20 0 1 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n";
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	assert_hd_ok(hd_dump_sl2vl.parse(tables, "text", text, strlen(text), &err), err);
	assert_int_equal(tables->sl2vl_gap.first, hd_port_index(fabric, 1, 0));
	assert_int_equal(tables->sl2vl_gap.n, 5);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

#define FAR_1                                                                             \
	"# a comment\nFile version: 2\n\nSwitch 0x0000000000000010 - S1, en_sl: 0xffff\n" \
	"Groups Definition:\nGroup   Sub Group   WHBF   Ports\n-----\n"                   \
	"0       0           0      3, 4, \n7       0           0      1,\n8 0 0\n"       \
	"LFT Definition:\nPLFT_NUM: 0, top: 0x0008\n"                                     \
	"LID     Static Port   Lid State   Group\n-----\n"                                \
	"0x0001  0             Static      0\n0x0002  3             Free        0\n"      \
	"0x0004  1             Free        7\n0x0007  3             Bounded     0\n"
#define FAR_2                                                                               \
	"Switch 0x20\nGroups Definition:\n--\nLFT Definition:\nPLFT_NUM: 0, top: 0x8\n--\n" \
	"0x0001 3 Static\n0x0002 0 Static 0\n"

/* @ret is what hd_far_parse() returns; @how NULL: strict. The tables are those of tables_case.h. */
static struct hd_tables *parse_far(const struct hd_fabric *fabric, const char *text,
				   const struct hd_reading *how, int *ret, struct hd_error *err)
{
	struct hd_tables *tables = tables_case_tables(fabric);

	assert_non_null(tables);
	memset(err, 0, sizeof(*err));
	*ret = hd_far_parse(tables, "far", text, strlen(text), how, err);
	return tables;
}

static void port_sets_are_read(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_error err;
	int ret;
	struct hd_tables *tables = parse_far(fabric, FAR_1 FAR_2, NULL, &ret, &err);

	assert_hd_ok(ret, err);
	assert_non_null(tables->ar);
	assert_int_equal(hd_port_set_count(hd_ar_ports(tables, 0, 2)), 2);
	assert_int_equal(tables->ar->state[2], HD_AR_FREE);
	assert_int_equal(tables->ar->state[7], HD_AR_BOUNDED);
	assert_null(hd_ar_ports(tables, 0, 4));
	assert_null(hd_ar_ports(tables, 1, 1));
	hd_tables_free(tables);
	/* without choices there are no AR tables */
	tables = parse_far(fabric, FAR_2, NULL, &ret, &err);
	assert_hd_ok(ret, err);
	assert_null(tables->ar);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void port_sets_that_do_not_fit_are_counted(void **state)
{
	static const char *const texts[][2] = {
		{ FAR_1 "PLFT_NUM: 1, top: 0x8\n--\n0x0002  3  Free  0\n", "private LFTs" },
		{ FAR_1 "Groups Definition:\n--\n0 1 0 1,\n",
		  "sub-groups that stand apart from their group" },
		{ FAR_1 "Groups Definition:\n--\n9 0 0 1,2\n9 1 0 2,3\n",
		  "ports that are in two sub-groups" },
		{ FAR_1 "0x0008 4 Free 0\n", "default ports that are not those of the LFTs" },
		{ FAR_1 "Switch 0x20\nGroups Definition:\n--\n0 0 0 1,2\nPLFT_NUM: 0\n--\n"
			"0x0001 3 Free 0\n",
		  "default ports outside of their groups" },
		{ FAR_1 "0x0008 3 Free 9\n", "entries whose group has no ports, or is not there" },
		{ FAR_1 "0x0008 3 Free 64999\n", "entries whose group has no ports" },
		{ FAR_1 "0x0008 3 Bounded 8\n", "entries whose group has no ports" },
		{ FAR_1 "0x0008 1 Free 7\n", "default ports that are not those of the LFTs" },
		{ FAR_1 "0x0008 3 Free 7\n", "default ports outside of their groups" },
		/* the groups of one switch are not those of another */
		{ FAR_1 "Switch 0x20\nPLFT_NUM: 0\n--\n0x0001 3 Free 0\n",
		  "entries whose group has no ports" },
		{ FAR_1 "0x0008 255 Free 0\n", "default ports that are not those of the LFTs" },
	};
	struct hd_fabric *fabric = tables_case_fabric();

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct hd_reading how = { 0 };
		struct hd_tables *tables;
		struct hd_error err;
		char *notes = NULL;
		size_t size;
		int ret;

		how.notes = open_memstream(&notes, &size);
		tables = parse_far(fabric, texts[i][0], &how, &ret, &err);
		fclose(how.notes);
		assert_hd_ok(ret, err);
		assert_null(tables->ar);
		if (!strstr(notes, texts[i][1]))
			fail_msg("%zu: %s", i, notes);
		free(notes);
		hd_tables_free(tables);
		hd_tables_free(parse_far(fabric, texts[i][0], NULL, &ret, &err));
		assert_int_equal(ret, HD_EPARSE);
	}
	hd_fabric_free(fabric);
}

/* Sub-groups in order of preference, empty ones left out; ports by a hash. */
static void sub_groups_and_hashes_are_read(void **state)
{
	static const char text[] =
		"Switch 0x10\nGroups Definition:\n--\n0 0 0 3,\n0 1 0\n0 2 0 4, 1\n1 0 0\n1 1 0 3, "
		"4\n"
		"LFT Definition:\nPLFT_NUM: 0\n--\n0x0002 3 HBF 0\n0x0007 3 Free 1\n" FAR_2;
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_error err;
	int ret;
	struct hd_tables *tables = parse_far(fabric, text, NULL, &ret, &err);
	const struct hd_ar_groups *groups;

	(void)state;
	assert_hd_ok(ret, err);
	assert_non_null(tables->ar);
	groups = &tables->ar->groups[0];
	assert_int_equal(groups->n, 2);
	assert_int_equal(groups->first[1], 2);
	assert_int_equal(hd_port_set_count(&groups->subgroups[0]), 1);
	assert_true(hd_port_set_has(&groups->subgroups[0], 3));
	assert_int_equal(hd_port_set_count(&groups->subgroups[1]), 2);
	assert_int_equal(groups->first[2], 3);
	assert_int_equal(tables->ar->state[2], HD_AR_HASH);
	assert_int_equal(hd_port_set_count(hd_ar_ports(tables, 0, 2)), 3);
	assert_int_equal(tables->ar->state[7], HD_AR_FREE);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* What switches hold for LIDs of hosts that are gone does not matter. */
static void port_sets_need_paths(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	static const char text[] =
		FAR_1 "0x0008 3 Free 0\nPLFT_NUM: 0\n--\n0x0003 1 Free 9\n" FAR_2;
	struct hd_error err;
	int ret;
	struct hd_tables *tables = parse_far(fabric, text, NULL, &ret, &err);

	assert_hd_ok(ret, err);
	assert_non_null(tables->ar);
	hd_tables_free(tables);
	tables = tables_case_tables(fabric);
	hd_lft(tables, 0)[8] = HD_NO_PATH;
	memset(&err, 0, sizeof(err));
	assert_int_equal(hd_far_parse(tables, "far", text, strlen(text), NULL, &err), HD_EPARSE);
	assert_hd_says(err, "entries for LIDs to which the LFTs have no path");
	assert_null(tables->ar);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void switches_without_port_sets_are_told(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_reading how = { .strict = true };
	struct hd_tables *tables;
	struct hd_error err;
	char *notes = NULL;
	size_t size;
	int ret;

	how.notes = open_memstream(&notes, &size);
	tables = parse_far(fabric, FAR_1, &how, &ret, &err);
	fclose(how.notes);
	assert_hd_ok(ret, err);
	assert_non_null(tables->ar);
	assert_string_equal(notes, "far: no section of 1 switch, S2 the first: LFTs alone count "
				   "there\n");
	free(notes);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void wrong_port_sets_are_refused(void **state)
{
	static const char *const wrong[][2] = {
		{ "junk\n", "expected 'Switch 0xGUID'" },
		{ "Switch 0x99\n", "the fabric has no switch 0x0000000000000099" },
		{ "Switch 0x100\n", "the fabric has no switch 0x0000000000000100" },
		{ FAR_1 "Switch 0x10\n", "has a second table" },
		{ FAR_1 "0x0007 3 Free 0\n", "LID 0x0007 does not follow LID 0x0007" },
		{ FAR_1 "0x0008 3 Full 0\n", "expected Static, Free, Bounded or HBF" },
		{ FAR_1 "0x0008 3 Free\n", "expected the number of a group" },
		{ FAR_1 "0x0008\n", "expected a port after the LID" },
		{ FAR_1 "8 3 Free 0\n", "expected '0xLID PORT STATE GROUP'" },
		{ FAR_1 "PLFT_NUM: x\n", "expected 'PLFT_NUM: N'" },
		{ FAR_1 "Groups Definition:\n--\n0 0 0 5,\n", "expected ports of 1 to 4" },
		{ FAR_1 "Groups Definition:\n--\n0 0 0 0,\n", "expected ports of 1 to 4" },
		{ FAR_1 "Groups Definition:\n--\n0 0 0 1 2\n", "expected ports of 1 to 4" },
		{ FAR_1 "Groups Definition:\n--\n0 x\n", "expected the number of a sub-group" },
		{ FAR_1 "Groups Definition:\n--\n70000 0 0\n", "expected 'GROUP SUB-GROUP" },
		{ FAR_1 "Groups Definition:\n--\n0 0 0 1,\n", "group 0 comes twice" },
		{ FAR_1 "Groups Definition:\n--\n8 0 0\n", "group 8 comes twice" },
	};
	struct hd_fabric *fabric = tables_case_fabric();

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct hd_reading how = { 0 };
		struct hd_tables *tables;
		struct hd_error err;
		int ret;

		tables = parse_far(fabric, wrong[i][0], &how, &ret, &err);
		if (ret != HD_EPARSE || !strstr(err.text, wrong[i][1]))
			fail_msg("%zu: %d, %s", i, ret, err.text);
		assert_null(tables->ar);
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_a_fabric),
		cmocka_unit_test(order_and_form_do_not_matter),
		cmocka_unit_test(names_are_others_text),
		cmocka_unit_test(rates_are_those_of_port_info),
		cmocka_unit_test(ports_without_links_have_no_lid),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(cuts_are_told),
		cmocka_unit_test(oddities_are_noted),
		cmocka_unit_test(vl_arbitration_is_read),
		cmocka_unit_test(other_vl_arbitration_is_passed_over),
		cmocka_unit_test(a_file_is_told_of_once),
		cmocka_unit_test(counters_are_read),
		cmocka_unit_test(forwarding_tables_are_read),
		cmocka_unit_test(wrong_forwarding_tables_are_refused),
		cmocka_unit_test(sl2vl_rows_name_their_nodes),
		cmocka_unit_test(cut_sl2vl_rows_are_a_gap),
		cmocka_unit_test(port_sets_are_read),
		cmocka_unit_test(port_sets_that_do_not_fit_are_counted),
		cmocka_unit_test(sub_groups_and_hashes_are_read),
		cmocka_unit_test(port_sets_need_paths),
		cmocka_unit_test(switches_without_port_sets_are_told),
		cmocka_unit_test(wrong_port_sets_are_refused),
	};

	return cmocka_run_group_tests_name("ibdiag", tests, NULL, NULL);
}
