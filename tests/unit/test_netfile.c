// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What real tools print, what ibsim reads, what is wrong, and that writing loses nothing. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "fabric/builder.h"
#include "fabric/netfile.h"
#include "fabric/reading.h"
#include "tests/unit/same_fabric.h"

static struct hd_fabric *parse(const char *text)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_hd_ok(hd_netfile_parse("text", text, strlen(text), NULL, &fabric, &err), err);
	return fabric;
}

static struct hd_fabric *read_data(const char *name)
{
	struct hd_fabric *fabric;
	struct hd_error err;
	char path[512];

	snprintf(path, sizeof(path), "%s/netfiles/%s", HD_TEST_DATA, name);
	assert_hd_ok(hd_netfile_read(path, NULL, &fabric, &err), err);
	return fabric;
}

static char *write_text(const struct hd_fabric *fabric)
{
	struct hd_error err;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	assert_hd_ok(hd_netfile_write(fabric, stream, &err), err);
	fclose(stream);
	return text;
}

/* read(write(f)) == f */
static void assert_round_trip(const struct hd_fabric *fabric)
{
	char *text = write_text(fabric);
	struct hd_fabric *again = parse(text);

	assert_null(fabric_difference(fabric, again));
	hd_fabric_free(again);
	free(text);
}

static const struct hd_port *port_of(const struct hd_fabric *fabric, const char *name,
				     unsigned number)
{
	struct hd_error err;
	uint32_t node;

	assert_hd_ok(hd_fabric_find(fabric, name, &node, &err), err);
	assert_true(number <= fabric->nodes[node].n_ports);
	return &fabric->ports[hd_port_index(fabric, node, number)];
}

static const struct hd_node *node_of(const struct hd_fabric *fabric, const char *name)
{
	return &fabric->nodes[port_of(fabric, name, 0)->node];
}

static void recorded_files_are_read(void **state)
{
	static const struct {
		const char *name;
		uint32_t nodes, switches, links, top_lid;
	} files[] = {
		{ "ibnetdiscover-dragonfly-72.net", 108, 36, 162, 108 },
		{ "ibnetdiscover-odd.net", 10, 3, 11, 43 },
		{ "ibnetdiscover-full.net", 10, 3, 11, 43 },
		{ "ibnetdiscover-grouped.net", 10, 3, 11, 43 },
		{ "ibsim-dragonfly-72.net", 108, 36, 162, 0 },
		{ "ibsim-odd.net", 11, 3, 12, 0 },
		{ "ofed-1.1.net", 4, 2, 3, 15 },
		{ "chassis.net", 5, 2, 5, 33 },
		{ "modern-crlf.net", 5, 2, 5, 18 },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct hd_fabric *fabric = read_data(files[i].name);

		if (fabric->n_nodes != files[i].nodes || fabric->n_links != files[i].links)
			fail_msg("%s: %u nodes %u links", files[i].name, fabric->n_nodes,
				 fabric->n_links);
		assert_int_equal(fabric->n_switches, files[i].switches);
		assert_int_equal(fabric->top_lid, files[i].top_lid);
		assert_round_trip(fabric);
		hd_fabric_free(fabric);
	}
}

static void options_of_ibnetdiscover_change_nothing(void **state)
{
	static const char *const names[] = { "ibnetdiscover-full.net",
					     "ibnetdiscover-grouped.net" };
	struct hd_fabric *plain = read_data("ibnetdiscover-odd.net");

	for (int i = 0; i < 2; i++) {
		struct hd_fabric *other = read_data(names[i]);

		assert_null(fabric_difference(plain, other));
		hd_fabric_free(other);
	}
	assert_true(node_of(plain, "sw two")->enhanced_port0);
	assert_int_equal(node_of(plain, "rt")->type, HD_ROUTER);
	assert_int_equal(node_of(plain, "h4")->n_ports, 4);
	assert_int_equal(port_of(plain, "h3", 2)->lid, 16);
	assert_int_equal(port_of(plain, "h3", 2)->lmc, 2);
	assert_int_equal(port_of(plain, "h4", 1)->lid, 0);
	hd_fabric_free(plain);
}

static void old_format_has_names_without_quotes(void **state)
{
	struct hd_fabric *fabric = read_data("ofed-1.1.net");
	const struct hd_node *node = node_of(fabric, "ISR9024 # 2 Voltaire");

	assert_true(node->guid == 0x8f10400411f56);
	assert_int_equal(node->device_id, 0x5a06);
	assert_false(node->enhanced_port0);
	assert_int_equal(port_of(fabric, "ISR9024 # 2 Voltaire", 0)->lid, 6);
	assert_int_equal(port_of(fabric, "SW-6IB4 Voltaire", 0)->lid, 3);
	assert_int_equal(port_of(fabric, "14", 2)->lmc, 1);
	assert_int_equal(port_of(fabric, "0x8f10403960558", 2)->width, 0);
	hd_fabric_free(fabric);
}

static void chassis_external_ports_and_routers(void **state)
{
	struct hd_fabric *fabric = read_data("chassis.net");
	const struct hd_node *spine = node_of(fabric, "Voltaire sFB-12D");
	const struct hd_node *line = node_of(fabric, "Voltaire sLB-24D");

	assert_true(spine->sysimg_guid == 0x8f10500200010);
	assert_int_equal(spine->vendor_id, 0x8f1);
	assert_true(line->enhanced_port0);
	assert_int_equal(port_of(fabric, "Voltaire sLB-24D", 0)->lmc, 2);
	assert_int_equal(port_of(fabric, "Voltaire sLB-24D", 13)->speed, HD_DDR);
	assert_true(port_of(fabric, "gateway", 2)->guid == 0x2c9030000b077);
	assert_int_equal(port_of(fabric, "gateway", 2)->lmc, 2);
	assert_int_equal(port_of(fabric, "n2 \"quoted\" HCA-1", 1)->lid, 0);
	assert_int_equal(port_of(fabric, "n2 \"quoted\" HCA-1", 1)->width, 0);
	assert_int_equal(fabric->ports[port_of(fabric, "n1 HCA-1", 2)->peer].node,
			 port_of(fabric, "n2 \"quoted\" HCA-1", 0)->node);
	hd_fabric_free(fabric);
}

static void modern_names_speeds_and_one_sided_links(void **state)
{
	struct hd_fabric *fabric = read_data("modern-crlf.net");
	const char *leaf = "MF0;leiste-süd # 3:MQM8700/U1";
	const struct hd_port *port;

	assert_true(node_of(fabric, leaf)->guid == 0xb8cef603004f1000);
	assert_int_equal(port_of(fabric, "knoten-7 mlx5_0 \"α\"", 1)->speed, HD_HDR);
	assert_true(port_of(fabric, "knoten-7 mlx5_0 \"α\"", 1)->guid == 0xb8cef6030044aa10);
	assert_int_equal(port_of(fabric, leaf, 2)->width, 2);
	assert_int_equal(port_of(fabric, leaf, 3)->speed, HD_NDR);
	assert_int_equal(port_of(fabric, leaf, 3)->vls, 4);
	assert_int_equal(port_of(fabric, leaf, 4)->width, 8);
	assert_int_equal(port_of(fabric, leaf, 4)->speed, HD_SPEED_UNKNOWN);
	assert_int_equal(port_of(fabric, "MF0;spine=1:MQM9700/U1", 40)->vls, 8);
	/* these two only stand on the switch's side */
	port = port_of(fabric, "knoten-8 mlx5_0", 1);
	assert_int_equal(port->lid, 18);
	assert_int_equal(port->width, 2);
	assert_int_equal(port->speed, HD_HDR);
	assert_true(port->guid == 0xb8cef6030044bb20);
	port = port_of(fabric, "Mellanox Technologies Aggregation Node", 1);
	assert_int_equal(port->speed, HD_XDR);
	assert_true(port->guid == 0xb8cef603004f1008);
	hd_fabric_free(fabric);
}

static void ibsim_gives_guids(void **state)
{
	struct hd_fabric *fabric =
		parse("Hca 2 \"a\"\n[2] \"s\"[1] w=8 s=3\n\n"
		      "Switch 3 \"s\"\n[1] \"a\"[2]\n[2] \"b\"\n\n"
		      "Ca 1 \"b\" # a remark\n\n"
		      "caguid=0x7000 # base\ndevid=0x17\n\n"
		      "Hca 4 \"c\"\nCa 1 \"d\"\n\ncaguid+0x20\nCa 1 \"e\"\n\n"
		      "Switch 3 \"t\"\n\nswitchguid=0x9000(9001)\nSwitch 1 \"u\"\n");

	assert_true(node_of(fabric, "a")->guid == 0x100000);
	assert_true(port_of(fabric, "a", 2)->guid == 0x100002);
	assert_true(node_of(fabric, "a remark")->guid == 0x100003);
	assert_true(node_of(fabric, "c")->guid == 0x7000);
	assert_true(node_of(fabric, "d")->guid == 0x7005);
	assert_true(node_of(fabric, "e")->guid == 0x7020);
	assert_int_equal(node_of(fabric, "e")->device_id, 0x17);
	assert_int_equal(node_of(fabric, "a")->device_id, 0);
	assert_true(node_of(fabric, "s")->guid == 0x200000);
	assert_true(node_of(fabric, "t")->guid == 0x200001);
	assert_true(node_of(fabric, "u")->guid == 0x9000);
	assert_true(port_of(fabric, "u", 0)->guid == 0x9001);
	assert_int_equal(port_of(fabric, "a", 2)->width, 12);
	assert_int_equal(port_of(fabric, "a", 2)->speed, HD_DDR);
	assert_int_equal(fabric->n_links, 2);
	assert_round_trip(fabric);
	hd_fabric_free(fabric);
}

static void guid_lines_count_more_than_ids(void **state)
{
	struct hd_fabric *fabric =
		parse("switchguid=0x10\nSwitch 1 \"S-00000000000000aa\" # \"a\"\n"
		      "Switch 1 \"S-00000000000000bb\" # \"b\"\n"
		      "Switch 1 \"c\"\n"
		      "Switch 1 \"X-00000000000000dd\"\n");

	assert_true(node_of(fabric, "a")->guid == 0x10);
	assert_true(node_of(fabric, "b")->guid == 0xbb);
	assert_true(node_of(fabric, "c")->guid == 0x12);
	assert_true(node_of(fabric, "X-00000000000000dd")->guid == 0x13);
	hd_fabric_free(fabric);
}

static void ibsim_modules_and_defaults(void **state)
{
	struct hd_fabric *fabric =
		parse("module=\"m\"\nwidth=2\nspeed=4\n"
		      "Switch 3 \"s\"\n[1] \"n#t\"[2]\n[2] \"h\" w=1 e=2 s=7\n\n"
		      "Hca 1 \"h\"\n[1] \"s\"[2] w=0x1 v=5\n\n"
		      "module=\"n\"\nextspeed=8\nSwitch 3 \"t\"\n[2] \"m#s\"[1]\n\n"
		      "module=\"\"\nSwitch 1 \"s\"\n");

	assert_int_equal(port_of(fabric, "m#s", 1)->width, 4);
	assert_int_equal(port_of(fabric, "m#s", 1)->speed, HD_QDR);
	assert_int_equal(port_of(fabric, "n#t", 2)->speed, HD_NDR);
	assert_int_equal(port_of(fabric, "m#s", 2)->speed, HD_EDR);
	assert_int_equal(port_of(fabric, "m#h", 1)->width, 1);
	assert_int_equal(port_of(fabric, "m#h", 1)->vls, 15);
	assert_int_equal(node_of(fabric, "s")->n_ports, 1);
	assert_round_trip(fabric);
	hd_fabric_free(fabric);
}

static void information_is_passed_over(void **state)
{
	struct hd_fabric *fabric =
		parse("\n# x\n  \t\nChassis 7\nNon-Chassis Nodes\nSpine 1\n"
		      "Line 2: 3 blades\nHostname: h\nibwarn: [7] mad_rpc: x\n"
		      "src/query_smp.c:225; umad (DR path) bad status\npdebug=1\n"
		      "Switch 1 \"s\"");

	assert_int_equal(fabric->n_nodes, 1);
	hd_fabric_free(fabric);
}

static void unlinked_ports_do_not_collide(void **state)
{
	/* cards of which every port has the GUID of its own function */
	struct hd_fabric *fabric =
		parse("Ca 2 \"H-00000000000000a0\" # \"two\"\n"
		      "[1](a0) \"S-0000000000000001\"[1] # lid 2 lmc 0 \"s\" lid 1\n"
		      "Ca 1 \"H-00000000000000a2\" # \"one\"\n"
		      "[1](a2) \"S-0000000000000001\"[2] # lid 3 lmc 0 \"s\" lid 1\n"
		      "Switch 4 \"S-0000000000000001\" # \"s\"\n");

	assert_true(port_of(fabric, "two", 2)->guid == 0);
	assert_int_equal(fabric->n_endports, 3);
	assert_int_equal(port_of(fabric, "s", 0)->lid, 1);
	assert_round_trip(fabric);
	hd_fabric_free(fabric);
}

/* "%" in a text stands for a quote */
static void malformed_lines_are_refused(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} wrong[] = {
		{ "", 0, "no node" },
		{ "# only comments\n\n", 0, "no node" },
		{ "hello\n", 1, "not a line of a netfile" },
		{ "Switch 4 %s%\n%s%[1]\n", 2, "not a line of a netfile" },
		{ "Switch\n", 1, "number of ports" },
		{ "Switch x %s%\n", 1, "number of ports" },
		{ "Switch 255 %s%\n", 1, "number of ports" },
		{ "Ca 0 %s%\n", 1, "number of ports" },
		{ "Switch 4\n", 1, "node id in quotes" },
		{ "Switch 4 %s\n", 1, "not closed" },
		{ "Switch 4 %%\n", 1, "empty node id" },
		{ "Switch 4 %s% junk\n", 1, "after the node id" },
		{ "Switch 4 %s% # %x\n", 1, "not closed" },
		{ "Switch 4 %s% # %x% base port 0 lid z\n", 1, "after 'lid'" },
		{ "Switch 4 %s% # %x% base port 0 lid 7z\n", 1, "after 'lid'" },
		{ "Switch 4 %s% # %x% base port 0 lid 49152\n", 1, "no unicast LID" },
		{ "Switch 4 %s% # %x% base port 0 lid 3 lmc 8\n", 1, "after 'lmc'" },
		{ "[1] %s%[1]\n", 1, "before the first node" },
		{ "Switch 4 %s%\n[0] %s%[1]\n", 2, "port number" },
		{ "Switch 4 %s%\n[1 %s%[1]\n", 2, "port number" },
		{ "Switch 4 %s%\n[x] %s%[1]\n", 2, "port number" },
		{ "Switch 4 %s%\n[5] %s%[1]\n", 2, "port 5 of a node with 4 ports" },
		{ "Switch 4 %s%\n[1]\n", 2, "node id in quotes" },
		{ "Switch 4 %s%\n[1] %t%[0]\n", 2, "port number" },
		{ "Switch 4 %s%\n[1] %t%[1] [2]\n", 2, "after the link" },
		{ "Switch 4 %s%\n[1] %t%[1](zz)\n", 2, "port GUID" },
		{ "Switch 4 %s%\n[1](12 %t%[1]\n", 2, "port GUID" },
		{ "Switch 4 %s%\n[1](0) %t%[1]\n", 2, "port GUID" },
		{ "Switch 4 %s%\n[1] %t%[1] w=z\n", 2, "after '='" },
		{ "Switch 4 %s%\n[1] %t%[1] # %x\n", 2, "not closed" },
		{ "Switch 4 %s%\n[1] %t%[1] # lid x\n", 2, "after 'lid'" },
		{ "Switch 4 %s%\n[1] %t%[1] # %x% lid 60000 4xQDR\n", 2, "no unicast LID" },
		{ "Switch 4 %s%\n\n[1] %t%[1]\n", 3, "%t%, which is not in this file" },
		{ "Switch 4 %s%\n[1] %t%[5]\nSwitch 4 %t%\n", 2, "which has 4 ports" },
		{ "Switch 4 %s%\n[1] %t%[1]\nSwitch 4 %t%\n[2] %s%[1]\n", 4, "as well as to" },
		{ "Switch 4 %s%\n[1] %s%[1]\n", 2, "linked to itself" },
		{ "Switch 4 %s%\nSwitch 4 %s%\n", 2, "a second node %s%" },
		{ "Rt 1 %r%\n", 1, "no GUID" },
		{ "switchguid=0\nSwitch 1 %s%\n", 2, "no GUID" },
		{ "switchguid=z\n", 1, "a number after '='" },
		{ "switchguid=0x12(\n", 1, "port GUID" },
		{ "switchguid=0x12345678901234567\n", 1, "a number after '='" },
		{ "vendid=0x123456789\n", 1, "a number after '='" },
		{ "vendid+1\n", 1, "expected '='" },
		{ "devid=1 2\n", 1, "after the value" },
		{ "module=x\n", 1, "module name" },
		{ "include %other%\n", 1, "not supported" },
		{ "do Unlink %a%\n", 1, "not supported" },
		{ "Switch 4 %s%\n@[1] %a%\n", 2, "not supported" },
		{ "Switch 1 %s%\n[1] %h%[1](a1)\nCa 1 %h%\n[1](a2) %s%[1]\n", 2, "disagree" },
		{ "switchguid=7\nSwitch 1 %s%\nswitchguid=7\nSwitch 1 %t%\n", 4, "two nodes" },
		{ "Switch 1 %s%\nswitchguid=9\nSwitch 1 %t%\ncaguid=9\nCa 1 %h%\n", 5, "end node" },
		{ "caguid=7\nCa 1 %h%\n[1](5) %i%[1]\nCa 1 %i%\n[1](5) %h%[1]\n", 4, "two ports" },
		{ "Switch 1 %s%\n[1] %h%[1]\nCa 1 %h%\n[1] %s%[1] # lid 49151 lmc 1\n", 3,
		  "exceeds" },
		{ "Switch 1 %s% # %s% base port 0 lid 4\nSwitch 1 %t% # %t% lid 4\n", 2, "LID 4" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char text[256], says[128];
		struct hd_fabric *fabric = (void *)text;
		struct hd_error err = { 0 };
		int ret;

		snprintf(text, sizeof(text), "%s", wrong[i].text);
		snprintf(says, sizeof(says), "%s", wrong[i].says);
		for (char *c = text; *c; c++)
			*c = *c == '%' ? '"' : *c;
		for (char *c = says; *c; c++)
			*c = *c == '%' ? '"' : *c;
		ret = hd_netfile_parse("wrong.net", text, strlen(text), NULL, &fabric, &err);
		if (ret == 0 || err.line != wrong[i].line || !strstr(err.text, says))
			fail_msg("%s: %d, %u: %s", wrong[i].text, ret, err.line, err.text);
		assert_null(fabric);
		assert_string_equal(err.file, "wrong.net");
		if (err.line)
			assert_int_equal(ret, HD_EPARSE);
		assert_int_equal(
			hd_netfile_parse("wrong.net", text, strlen(text), NULL, &fabric, NULL),
			ret);
	}
}

/* What is refused when strict, with a note on it otherwise. */
static void odd_files_are_read_with_a_note(void **state)
{
	static const struct {
		const char *text, *refused, *note;
		uint32_t nodes, links;
	} odd[] = {
		{ "\xEF\xBB\xBFSwitch 1 %s%\n", "odd:1: a byte order mark",
		  "odd:1: a byte order mark: passed over\n", 1, 0 },
		{ "\xEF\xBB\xBF[root@n ~]# ibnetdiscover\nok\nSwitch 1 %s%\n",
		  "odd:1: a byte order",
		  "odd:1: 2 lines of other text before the netfile, '[root@n ~]# ibnetdiscover' "
		  "the "
		  "first: passed over\n",
		  1, 0 },
		{ "user$ x\n# c\nSwitch 1 %s%\nuser$ exit\n", "odd:1: not a line",
		  "odd:1: 1 line of other text before the netfile, 'user$ x': passed over\n"
		  "odd:4: 1 line of other text after the netfile, 'user$ exit': passed over\n",
		  1, 0 },
		{ "Switch 1 %s% # %s% base port 0 lid  lmc 0\n",
		  "odd:1: expected a number after 'lid'",
		  "odd:1: expected a number after 'lid': taken for a port without a LID\n", 1, 0 },
		{ "Switch 1 %s% # %s% lid -4 lmc 0\n", "odd:1: expected a number",
		  "odd:1: expected a number after 'lid': taken for a port without a LID\n", 1, 0 },
		{ "Switch 2 %s%\n[1] %t%[1] # %t% lid 65335 4xEDR\nSwitch 1 %t%\n",
		  "odd:2: a LID that is no",
		  "odd:2: a LID that is no unicast LID (1..49151): taken for a port without a "
		  "LID\n",
		  2, 1 },
		{ "Switch 2 %s%\n[1] %t%[1]\n[2] %u%[1]\nSwitch 1 %t%\n", "odd:3: port 2 is linked",
		  "odd:3: port 2 is linked to %u%, which is not in this file: the link is left out "
		  "(ibnetdiscover writes both ends of every link)\n",
		  2, 1 },
		{ "switchguid=0x9(9)\nSwitch 1 %S-0000000000000001%\n[1](1) "
		  "%S-0000000000000002%[2](2)\n"
		  "switchguid=0x9(9)\nSwitch 2 %S-0000000000000002%\n[2](2) "
		  "%S-0000000000000001%[1](1)\nswitchguid=0x7(7)\nSwitch 1 %S-0000000000000003%\n",
		  "odd:5: GUID 0x0000000000000009 belongs to two nodes",
		  "odd:5: several switches have the GUID 0x0000000000000009, as ibdiagnet writes "
		  "that of a chassis: the GUIDs in quotes are taken\n",
		  3, 1 },
		{ "Switch 9 %s%\n[1] %a%\n[2] %b%\n[3] %c%\n[4] %d%\n[5] %e%\n[6] %f%\n[7] %g%\n",
		  "odd:2:", "odd: 2 more of such lines\n", 1, 0 },
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		char text[512], says[512], where[256], *notes = NULL;
		struct hd_reading how = { 0 };
		struct hd_fabric *fabric;
		struct hd_error err;
		size_t size;

		snprintf(text, sizeof(text), "%s", odd[i].text);
		snprintf(says, sizeof(says), "%s", odd[i].note);
		for (char *c = text; *c; c++)
			*c = *c == '%' ? '"' : *c;
		for (char *c = says; *c; c++)
			*c = *c == '%' ? '"' : *c;
		how.notes = open_memstream(&notes, &size);
		assert_hd_ok(hd_netfile_parse("odd", text, strlen(text), &how, &fabric, &err), err);
		fclose(how.notes);
		assert_int_equal(fabric->n_nodes, odd[i].nodes);
		assert_int_equal(fabric->n_links, odd[i].links);
		if (!strstr(notes, says))
			fail_msg("%s: noted %s", odd[i].text, notes);
		assert_round_trip(fabric);
		hd_fabric_free(fabric);
		free(notes);
		how = (struct hd_reading){ .strict = true };
		assert_int_equal(hd_netfile_parse("odd", text, strlen(text), &how, &fabric, &err),
				 HD_EPARSE);
		hd_error_format(&err, where, sizeof(where));
		if (strncmp(where, odd[i].refused, strlen(odd[i].refused)) != 0)
			fail_msg("%s: refused as %s", odd[i].text, where);
	}
}

static void other_text_may_not_stand_amid(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} wrong[] = {
		{ "Switch 1 \"s\"\nuser$ x\nSwitch 1 \"t\"\n", 2, "not a line of a netfile" },
		{ "Switch 1 \"s\"\n\"t\"[1]\n", 2, "not a line of a netfile" },
		{ "hello\nworld\n", 1, "no node after it" },
		{ "Switch 1 \"s\"\n[x] \"s\"[1]\n", 2, "port number" },
		{ "Unicast lids [0-9] of switch Lid 2 guid 0x01 ('s'):\n", 1, "forwarding tables" },
		{ "CA: node HCA-1:\n", 1, "iblinkinfo" },
		{ "Switch 0x0001, base LID 2, \"s\"\n", 1, "run ibnetdiscover" },
	};
	const struct hd_reading how = { 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct hd_fabric *fabric;
		struct hd_error err;

		assert_int_equal(hd_netfile_parse("w", wrong[i].text, strlen(wrong[i].text), &how,
						  &fabric, &err),
				 HD_EPARSE);
		assert_int_equal(err.line, wrong[i].line);
		assert_hd_says(err, wrong[i].says);
		assert_null(fabric);
	}
}

/* What OpenSM lists of a fabric is that fabric, but for LMCs, which lists do not have. */
static void lists_of_links_are_fabrics(void **state)
{
	static const char *const names[] = { "dla", "dfsssp-ring", "mcast", "minhop", "updn-lmc2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct hd_fabric *list, *netfile;
		struct hd_error err;
		char path[512];

		snprintf(path, sizeof(path), "%s/opensm/%s/opensm-subnet.lst", HD_TEST_DATA,
			 names[i]);
		assert_hd_ok(hd_netfile_read(path, NULL, &list, &err), err);
		snprintf(path, sizeof(path), "%s/opensm/%s/fabric.net", HD_TEST_DATA, names[i]);
		assert_hd_ok(hd_netfile_read(path, NULL, &netfile, &err), err);
		assert_int_equal(list->n_nodes, netfile->n_nodes);
		assert_int_equal(list->n_links, netfile->n_links);
		hd_for_each_port(p, list) {
			assert_int_equal(list->ports[p].peer, netfile->ports[p].peer);
			assert_int_equal(list->ports[p].lid, netfile->ports[p].lid);
			assert_int_equal(list->ports[p].speed, netfile->ports[p].speed);
			assert_int_equal(list->ports[p].width, netfile->ports[p].width);
			assert_true(list->ports[p].guid == netfile->ports[p].guid);
		}
		hd_fabric_free(list);
		hd_fabric_free(netfile);
	}
}

#define LIST_SWITCH "{ SW Ports:03 SystemGUID:1 NodeGUID:1 PortGUID:1 VenID:2C9 DevID:0 Rev:0 "
#define LIST_CA     "{ CA Ports:01 SystemGUID:2 NodeGUID:2 PortGUID:3 VenID:2C9 DevID:0 Rev:0 "

static void ports_listed_by_ibnetdiscover_are_a_fabric(void **state)
{
	struct hd_fabric *fabric = parse(
		"DR path slid 0; dlid 0; 0 -> new Channel Adapter {0a} portnum 1 lid 0-0 \"\"\n"
		"CA     4  1 0x0b 4x EDR - SW     1  1 0x01 ( 'h' - 'leaf' )\n"
		"CA     5  2 0x0c 2x HDR - SW     1  2 0x01 ( 'h' - 'leaf' )\n"
		"SW     1  3 0x01 4x ???                     'leaf'\n"
		"SW     1  2 0x01 2x HDR - CA     5  2 0x0c ( 'leaf' - 'h' )\n"
		"CA     6  1 0x10 4x EDR - CA 65535  1 0x14 ( 'it's - x' - 'b' )\n");

	assert_int_equal(fabric->n_nodes, 4);
	assert_int_equal(fabric->n_links, 3);
	assert_int_equal(node_of(fabric, "leaf")->n_ports, 3);
	assert_int_equal(port_of(fabric, "leaf", 0)->lid, 1);
	assert_int_equal(node_of(fabric, "h")->n_ports, 2);
	assert_true(node_of(fabric, "h")->guid == 0xb);
	assert_true(port_of(fabric, "h", 2)->guid == 0xc);
	assert_int_equal(port_of(fabric, "h", 2)->lid, 5);
	assert_int_equal(port_of(fabric, "h", 2)->speed, HD_HDR);
	assert_int_equal(port_of(fabric, "h", 2)->width, 2);
	assert_int_equal(port_of(fabric, "b", 1)->lid, 0);
	assert_true(node_of(fabric, "it's - x")->guid == 0x10);
	hd_fabric_free(fabric);
}

static void malformed_lists_are_refused(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} wrong[] = {
		{ "SW 1 1 0x01 4x EDR - CA 2 1 0x02 ( 'a' - 'b' )\nSW 1 2\n", 2,
		  "ibnetdiscover -p" },
		{ "SW 1 1 0x01 4x EDR - CA 2 1 0x02 ( 'a' 'b' )\n", 1, "NAME" },
		{ "SW 1 1 0x01 4x EDR - CA 2\n", 1, "TYPE LID PORT" },
		{ "SW 1 1 0x01 4x EDR 'a\n", 1, "not closed" },
		{ "SW 1 0 0x01 4x EDR 'a'\n", 1, "ibnetdiscover -p" },
		{ "SW 1 1 0x01 4x EDR - CA 2 1 0x02 ( 'a' - 'b' )\n"
		  "SW 1 1 0x01 4x EDR - CA 3 1 0x08 ( 'a' - 'c' )\n",
		  2, "as well as to" },
		{ LIST_SWITCH "{s} LID:1 PN:1 }\n", 1, "opensm-subnet.lst" },
		{ LIST_SWITCH "{s} LID:1 PN:4 } " LIST_CA "{h} LID:2 PN:1 } PHY=4x\n", 1,
		  "port 4 of a node with 3" },
		{ LIST_SWITCH "{s} LID:1 PN:1 } " LIST_CA "{h} LID:2 PN:1 } PHY=4x\nx\n", 2,
		  "opensm-subnet.lst" },
	};
	const struct hd_reading how = { 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct hd_fabric *fabric;
		struct hd_error err = { 0 };
		int ret = hd_netfile_parse("w", wrong[i].text, strlen(wrong[i].text), &how, &fabric,
					   &err);

		if (ret != HD_EPARSE || err.line != wrong[i].line ||
		    !strstr(err.text, wrong[i].says))
			fail_msg("%s: %d, %u: %s", wrong[i].text, ret, err.line, err.text);
		assert_null(fabric);
	}
}

static void binary_is_refused(void **state)
{
	static const char text[] = "Switch 1 \"s\"\n\0Switch 1 \"t\"\n";
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_int_equal(hd_netfile_parse("b", text, sizeof(text) - 1, NULL, &fabric, &err),
			 HD_EPARSE);
	assert_int_equal(err.line, 2);
	assert_hd_says(err, "NUL");
	assert_int_equal(hd_netfile_parse("w", "\xFF\xFES\0w\0", 6, NULL, &fabric, &err),
			 HD_EPARSE);
	assert_hd_says(err, "iconv");
}

static void long_names_are_bounded(void **state)
{
	char text[1024], name[300];
	struct hd_fabric *fabric;
	struct hd_error err;

	for (int length = 255; length <= 256; length++) {
		static const char *const formats[] = { "Switch 1 \"%s\"\n",
						       "Switch 1 \"s\" # \"%s\"\n",
						       "Switch 1 \"s\" # %s\n" };

		memset(name, 'n', sizeof(name));
		name[length] = '\0';
		for (int i = 0; i < 3; i++) {
			int ret;

			snprintf(text, sizeof(text), formats[i], name);
			ret = hd_netfile_parse("t", text, strlen(text), NULL, &fabric, &err);
			assert_int_equal(ret, length == 255 ? 0 : HD_EPARSE);
			if (!ret) {
				assert_string_equal(hd_node_name(fabric, 0), name);
				assert_round_trip(fabric);
			} else {
				assert_hd_says(err, "longer than 255");
			}
			hd_fabric_free(fabric);
		}
	}
	name[255] = '\0';
	snprintf(text, sizeof(text), "module=\"m\"\nSwitch 1 \"%s\"\n", name);
	assert_int_equal(hd_netfile_parse("t", text, strlen(text), NULL, &fabric, &err), HD_EPARSE);
	assert_hd_says(err, "too long");
}

static void writing_keeps_everything(void **state)
{
	static const uint8_t widths[] = { 0, 1, 2, 4, 8, 12 }, vls[] = { 1, 2, 4, 8, 15 };
	const struct hd_node_spec specs[] = {
		{ .type = HD_SWITCH,
		  .guid = UINT64_MAX,
		  .n_ports = 254,
		  .name = "a \"b\" = # c\t",
		  .enhanced_port0 = true,
		  .vendor_id = UINT32_MAX,
		  .device_id = 7,
		  .sysimg_guid = 9 },
		{ .type = HD_CA, .guid = 1, .n_ports = 60, .name = " lid 5 lmc 3 \"" },
		{ .type = HD_ROUTER, .guid = 0x1000, .n_ports = 254, .name = NULL, .device_id = 1 },
	};
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	struct hd_error err;
	uint32_t id;

	for (int i = 0; i < 3; i++)
		assert_hd_ok(hd_builder_add(builder, &specs[i], &id, &err), err);
	hd_builder_port(builder, 0, 0)->lid = HD_MAX_LID;
	for (unsigned number = 1; number <= 60; number++) {
		struct hd_port *port = hd_builder_port(builder, 1, number);

		assert_hd_ok(hd_builder_link(builder, 0, number, 1, number, &err), err);
		port->lid = (uint16_t)(number * 8);
		port->lmc = number % 4;
		port->width = widths[number % 6];
		port->speed = (uint8_t)(number % (HD_XDR + 1));
		port->vls = vls[number % 5];
		port->guid = 0xabc000 + number;
	}
	assert_hd_ok(hd_builder_link(builder, 0, 254, 2, 254, &err), err);
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	assert_round_trip(fabric);
	hd_fabric_free(fabric);
}

static void what_cannot_be_written_is_said(void **state)
{
	struct hd_fabric *fabric = parse("Switch 2 \"s\"\n[1] \"s\"[2]\n");
	struct hd_error err;
	FILE *full = fopen("/dev/full", "w"), *null = fopen("/dev/null", "w");

	assert_non_null(null);
	fabric->ports[1].vls = 3;
	assert_int_equal(hd_netfile_write(fabric, null, &err), HD_EINVAL);
	assert_hd_says(err, "s[1] has 3 data VLs");
	fabric->ports[1].vls = 8;
	if (full) {
		setvbuf(full, NULL, _IONBF, 0);
		assert_int_equal(hd_netfile_write(fabric, full, &err), HD_EIO);
		fclose(full);
	}
	fclose(null);
	hd_fabric_free(fabric);
}

static void remarks_do_not_trip_ibsim(void **state)
{
	/* ibsim takes "x=9" in a port line for an option, and cuts lines at 255 bytes */
	char name[256] = "s=9 ", *text, *line;
	struct hd_fabric *fabric;

	for (int i = 4; i < 254; i += 2)
		memcpy(name + i, "ü", 3);
	text = malloc(1024);
	snprintf(text, 1024, "Switch 2 \"s\" # \"%s\"\n[1] \"t\"[1]\nSwitch 1 \"t\"\n", name);
	fabric = parse(text);
	free(text);
	text = write_text(fabric);
	line = strstr(text, "\n[1]\t\"S-0000000000200000\"");
	assert_non_null(line);
	line++;
	*strchr(line, '\n') = '\0';
	assert_null(strchr(line, '='));
	assert_non_null(strstr(line, "\"s-9 ü"));
	assert_non_null(strstr(line, "ü\" lid 0"));
	assert_true(strlen(line) < 255);
	free(text);
	hd_fabric_free(fabric);
}

static void files_that_are_not_there(void **state)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_int_equal(hd_netfile_read("/nonexistent/net", NULL, &fabric, &err), HD_EIO);
	assert_null(fabric);
	assert_int_equal(hd_netfile_read("/", NULL, &fabric, &err), HD_EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_files_are_read),
		cmocka_unit_test(options_of_ibnetdiscover_change_nothing),
		cmocka_unit_test(old_format_has_names_without_quotes),
		cmocka_unit_test(chassis_external_ports_and_routers),
		cmocka_unit_test(modern_names_speeds_and_one_sided_links),
		cmocka_unit_test(ibsim_gives_guids),
		cmocka_unit_test(guid_lines_count_more_than_ids),
		cmocka_unit_test(ibsim_modules_and_defaults),
		cmocka_unit_test(information_is_passed_over),
		cmocka_unit_test(unlinked_ports_do_not_collide),
		cmocka_unit_test(malformed_lines_are_refused),
		cmocka_unit_test(odd_files_are_read_with_a_note),
		cmocka_unit_test(other_text_may_not_stand_amid),
		cmocka_unit_test(lists_of_links_are_fabrics),
		cmocka_unit_test(ports_listed_by_ibnetdiscover_are_a_fabric),
		cmocka_unit_test(malformed_lists_are_refused),
		cmocka_unit_test(binary_is_refused),
		cmocka_unit_test(long_names_are_bounded),
		cmocka_unit_test(writing_keeps_everything),
		cmocka_unit_test(what_cannot_be_written_is_said),
		cmocka_unit_test(remarks_do_not_trip_ibsim),
		cmocka_unit_test(files_that_are_not_there),
	};

	return cmocka_run_group_tests_name("netfile", tests, NULL, NULL);
}
