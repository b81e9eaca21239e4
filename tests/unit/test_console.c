// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands of the console, and scripts: what they take, do, answer and refuse. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "simfabric/console.h"
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/sma_ar.h"
#include "simfabric/traffic/carried.h"
#include "simfabric/script.h"
#include "support/duration.h"
#include "tests/unit/clients_case.h"

struct session {
	struct clients_case c;
	struct hd_carried *carried;
	struct hd_console console;
	unsigned verbose;
	unsigned n_quits;
	char answer[65536];
};

static void quit(void *context)
{
	struct session *session = context;

	session->n_quits++;
}

static void begin(struct session *session)
{
	*session = (struct session){ 0 };
	clients_case_new(&session->c, "dragonfly:a=4,p=2,h=2");
	session->carried = hd_carried_new(session->c.emulator);
	assert_non_null(session->carried);
	session->console = (struct hd_console){
		.emulator = session->c.emulator,
		.clients = session->c.clients,
		.carried = session->carried,
		.verbose = &session->verbose,
		.quit = quit,
		.context = session,
	};
}

static void end(struct session *session)
{
	hd_carried_free(session->carried);
	clients_case_free(&session->c);
}

static int type(struct session *session, const char *line)
{
	FILE *out = fmemopen(session->answer, sizeof(session->answer), "w");
	int ret;

	assert_non_null(out);
	memset(session->answer, 0, sizeof(session->answer));
	ret = hd_console_line(&session->console, line, out);
	fclose(out);
	return ret;
}

#define assert_answer(session, line, words)                                                        \
	do {                                                                                       \
		type(session, line);                                                               \
		if (!strstr((session)->answer, words))                                             \
			fail_msg("%s answers '%s', without '%s'", line, (session)->answer, words); \
	} while (0)

static void test_links(void **state)
{
	struct session s;
	uint32_t port;

	(void)state;
	begin(&s);
	port = host_port(&s.c, 0);
	assert_true(hd_link_is_up(s.c.emulator, port));
	assert_answer(&s, "Unlink \"H-00000\"[1]", "unlinked \"H-00000\"[1]\n");
	assert_false(hd_link_is_up(s.c.emulator, port));
	assert_answer(&s, "unlink \"H-00000\"[1]", "error: \"H-00000\"[1] has no link\n");
	assert_answer(&s, "ReLink \"H-00000\"", "linked again \"H-00000\": 1 links\n");
	assert_true(hd_link_is_up(s.c.emulator, port));
	assert_answer(&s, "Re H-00000", "error: ");
	assert_answer(&s, "U H-00000[1]", "unlinked");
	assert_answer(&s, "U H-00001[1]", "unlinked");
	assert_answer(&s, "Link H-00000[1] H-00001[1]", "linked \"H-00000\"[1] and \"H-00001\"[1]");
	assert_int_equal(s.c.emulator->ports[port].peer, host_port(&s.c, 1));
	assert_answer(&s, "Link H-00000[1] H-00001[1]", "error: ");
	assert_answer(&s, "Clear \"G0S0\"", "cleared");
	assert_answer(&s, "dump \"G0S0\"", "# unlinked");
	end(&s);
}

static void test_switches_go_down_and_up(void **state)
{
	struct session s;

	(void)state;
	begin(&s);
	assert_answer(&s, "Down \"G0S0\"", "\"G0S0\" is down\n");
	assert_false(hd_link_is_up(s.c.emulator, host_port(&s.c, 0)));
	assert_answer(&s, "Down \"G0S0\"", "error: \"G0S0\" is down already\n");
	assert_answer(&s, "Up \"G0S0\"", "\"G0S0\" is up\n");
	assert_true(hd_link_is_up(s.c.emulator, host_port(&s.c, 0)));
	assert_answer(&s, "Up G0S0", "error: ");
	assert_answer(&s, "Down \"H-00001\"[1]", "unlinked \"H-00001\"[1]\n");
	assert_answer(&s, "Up \"H-00001\"[1]", "linked again \"H-00001\"[1]\n");
	end(&s);
}

static void test_faults(void **state)
{
	struct session s;

	(void)state;
	begin(&s);
	assert_answer(&s, "Drop 1%", "every port loses 1% of the MADs that it sends\n");
	assert_answer(&s, "Drop 0.5", "every port loses 50%");
	assert_answer(&s, "Drop \"G0S0\"[2] 25%", "\"G0S0\"[2] loses 25%");
	assert_answer(&s, "Drop \"G0S0\" 1", "\"G0S0\" loses 100%");
	assert_answer(&s, "Drop 0", "loses 0%");
	assert_answer(&s, "Drop 1.5", "error: '1.5' is more than all");
	assert_answer(&s, "Drop -1", "error: ");
	assert_answer(&s, "Drop nan", "error: ");
	assert_answer(&s, "Drop", "error: usage: Drop");
	assert_answer(&s, "Error \"G0S0\"[2] 20", "\"G0S0\"[2] loses 20%");
	assert_answer(&s, "Error \"G0S0\"[2] 101", "error: '101' is more than all");
	assert_answer(&s, "Error \"G0S0\"[2] 20 17", "error: losses by attribute");
	assert_answer(&s, "Delay 2ms", "2 ms later\n");
	assert_answer(&s, "Delay 2", "error: time: '2' needs a unit");
	assert_answer(&s, "Delay \"G0S1\" 2ms", "\"G0S1\" acts on SMPs 2 ms after they come\n");
	assert_answer(&s, "Delay \"G0S1\"[3] 2ms", "error: a node is slow, not a port of it");
	assert_answer(&s, "Shuffle 5ms 9", "within 5 ms, in any order, by seed 9\n");
	assert_answer(&s, "Refuse \"G0S1\" 3",
		      "\"G0S1\" refuses the next 3 Sets of LFTs and SL2VL tables\n");
	assert_answer(&s, "Refuse \"G0S1\"[1] 3", "error: a node refuses Sets, not a port of it\n");
	assert_answer(&s, "Shuffle 0", "switches act on SMPs in order\n");
	assert_answer(&s, "Flap \"G0S0\"[2] 1s 100ms", "flaps: 1 s up, 0.1 s down\n");
	assert_answer(&s, "Flap \"G0S0\"[2] 0 0", "flaps no more\n");
	assert_answer(&s, "Flap \"G0S0\" 1s 1s", "error: 'G0S0' needs a port");
	end(&s);
}

static void test_what_ports_hold(void **state)
{
	struct session s;
	uint32_t port;

	(void)state;
	begin(&s);
	port = host_port(&s.c, 0);
	assert_answer(&s, "Baselid \"H-00000\"[1] 0x10 2", "\"H-00000\"[1]: lid 16 lmc 2\n");
	assert_int_equal(s.c.emulator->ports[port].lid, 16);
	assert_int_equal(s.c.emulator->ports[port].lmc, 2);
	assert_answer(&s, "Baselid \"H-00000\"[1] 60000", "error: a LID is at most 49151");
	assert_answer(&s, "Baselid \"H-00000\"[1] 6 9", "error: an LMC is at most 7");
	assert_answer(&s, "Baselid \"G0S0\"[1] 6", "error: \"G0S0\"[1] has no LID");
	assert_answer(&s, "Baselid \"G0S0\"[0] 6", "lid 6 lmc 0\n");
	assert_answer(&s, "Guid 16", "0x0002");
	assert_answer(&s, "Guid \"H-00000\" 0x12", "error: GUIDs do not change");

	assert_answer(&s, "PerformanceSet \"G0S0\"[2] PortCounters.PortXmitWait=12",
		      "\"G0S0\"[2]: PortXmitWait is 12\n");
	port = hd_port_index(s.c.fabric, s.c.fabric->ports[s.c.fabric->ports[port].peer].node, 2);
	assert_int_equal(s.c.emulator->counters[port * (size_t)HD_EMULATOR_VLS].xmit_wait, 12);
	assert_answer(&s, "P \"G0S0\"[2] SymbolErrorCounter=65535", "is 65535");
	assert_int_equal(s.c.emulator->errors[port].symbol_errors, 65535);
	assert_answer(&s, "P \"G0S0\"[2] LinkDownedCounter=256", "error: ");
	assert_answer(&s, "P \"G0S0\"[2] PortCounters.Foo=1", "error: there is no counter 'Foo'");
	assert_answer(&s, "P \"G0S0\"[2] PortRcvErrors", "error: 'PortRcvErrors' is not");
	end(&s);
}

/* Port sets of G0S0, as a subnet manager leaves them. */
static void set_port_sets(struct hd_emulator *emulator)
{
	struct hd_emulator_switch *sw = &emulator->switches[0];

	sw->ar = calloc(1, sizeof(*sw->ar));
	assert_non_null(sw->ar);
	sw->ar->is_on = true;
	sw->ar->n_subgroups = 2;
	sw->ar->n_sets = 4;
	sw->ar->sets = calloc(4, sizeof(*sw->ar->sets));
	sw->ar->n_entries = 16;
	sw->ar->entries = calloc(16, sizeof(*sw->ar->entries));
	sw->lft = calloc(64, 1);
	assert_true(sw->ar->sets && sw->ar->entries && sw->lft);
	sw->lft_size = 64;
	sw->ar->sets[2][31] = 0x06;
	sw->ar->sets[3][31] = 0x10;
	for (unsigned lid = 0; lid < 16; lid++)
		sw->ar->entries[lid].state = HD_SWITCH_AR_STATIC;
	sw->ar->entries[5] = (struct hd_switch_ar_entry){ 1, HD_SWITCH_AR_FREE };
	sw->lft[5] = 2;
}

static void test_port_sets(void **state)
{
	struct session s;

	(void)state;
	begin(&s);
	assert_answer(&s, "DumpAR", "error: switches have no adaptive routing (simfabric --ar)");
	s.c.emulator->options.ar = true;
	set_port_sets(s.c.emulator);
	assert_answer(&s, "DumpAR \"G0S0\"",
		      "base LID 0, \"G0S0\"\ngroup 1: 1 2 / 4\n0x0005 002 free 1\n"
		      "1 groups, 1 lids dumped\n#\tadaptive routing is on\n\n");
	assert_answer(&s, "DumpAR",
		      "\"G8S3\"\n0 groups, 0 lids dumped\n#\tadaptive routing is off\n");
	assert_answer(&s, "DumpAR \"H-00000\"", "error: that node is no switch");
	end(&s);
}

static void test_showing(void **state)
{
	struct session s;
	struct inbox inbox;

	(void)state;
	begin(&s);
	assert_answer(&s, "Dump \"H-00000\"",
		      "\nCa 1 \"H-00000\"\tnodeguid 2000000000000\tsysimgguid 2000000000000\n"
		      "2000000000001\t[1]\t\"G0S0\"[1]\t lid 0 lmc 0 smlid 0");
	assert_answer(&s, "Dump \"H-00000\"", "Init/LinkUp\n#  dumped 1 nodes\n");
	assert_answer(&s, "Dump \"G0S0\"", "\"Sma Port\"[0]\t lid 0");
	assert_answer(&s, "Dump \"nope\"", "error: no node is named 'nope'");
	assert_answer(&s, "Route 1 2", "error: no port has LID 1");
	type(&s, "Baselid H-00000[1] 1");
	type(&s, "Baselid H-00001[1] 2");
	assert_answer(&s, "Route 1 H-00001", "no route: \"G0S0\" has no entry for it");
	assert_answer(&s, "Route 1 0", "error: ");
	assert_answer(&s, "Attached", "#  0 clients\n");
	inbox_attach(&s.c, &inbox, host_port(&s.c, 0));
	assert_answer(&s, "Attached", "Client 0: at \"H-00000\"[1], lid 1, 0 MADs sent");
	assert_answer(&s, "X 0", "client 0 is disconnected\n");
	assert_answer(&s, "X 0", "error: there is no client 0\n");
	assert_answer(&s, "Help", "\n  Unlink ");
	assert_answer(&s, "?", "\n  Flap ");
	end(&s);
}

static void test_session(void **state)
{
	struct session s;
	char line[32];

	(void)state;
	begin(&s);
	assert_int_equal(type(&s, ""), 0);
	assert_int_equal(type(&s, "   # a comment"), 0);
	assert_string_equal(s.answer, "");
	assert_answer(&s, "Verbose 1", "verbose level is 1\n");
	assert_int_equal(s.verbose, 1);
	assert_answer(&s, "Wait 2", "waiting 2 s\n");
	assert_int_equal(s.console.wait_ns, 2000000000);
	assert_answer(&s, "Wait 10ms", "waiting 0.01 s\n");
	assert_answer(&s, "nonsense", "error: no command 'nonsense'");
	assert_answer(&s, "!/nonexistent", "error: /nonexistent");
	assert_answer(&s, "Unlink", "error: usage: Unlink \"node\"[port] | \"node\"");
	assert_answer(&s, "Unlink \"H-00000", "error: ");
	assert_answer(&s, "Unlink \"H-00000\"[", "error: ");
	assert_answer(&s, "Unlink \"H-00000\"[1", "error: ");
	assert_answer(&s, "Unlink \"H-00000\"[]", "error: ");
	assert_answer(&s, "Unlink \"H-00000\"[2]", "error: \"H-00000\" has no port 2, but 1 to 1");
	assert_answer(&s, "Unlink \"H-00000\"x", "error: what is 'x' after the name?");
	assert_answer(&s, "Attached 1 2 3 4 5 6 7 8 9 10 11", "error: usage");
	assert_answer(&s, "Quit", "bye\n");
	assert_int_equal(s.n_quits, 1);
	/* every single byte is a line */
	for (int c = 1; c < 256; c++) {
		snprintf(line, sizeof(line), "%c", c);
		type(&s, line);
	}
	end(&s);
}

/* Lets the emulator's time pass until what a command left to be done is done, with its answer. */
static void wait_for_answer(struct session *session)
{
	for (unsigned i = 0; session->console.later; i++) {
		void (*later)(struct hd_console * console, FILE * out) = session->console.later;
		FILE *out = fmemopen(session->answer, sizeof(session->answer), "w");

		assert_non_null(out);
		assert_true(i < 10000);
		assert_true(session->console.wait_ns);
		hd_emulator_advance(session->c.emulator,
				    session->c.emulator->now + session->console.wait_ns);
		session->console.wait_ns = 0;
		session->console.later = NULL;
		memset(session->answer, 0, sizeof(session->answer));
		later(&session->console, out);
		fclose(out);
	}
}

static void test_traffic(void **state)
{
	struct session s;
	char line[2048];

	(void)state;
	begin(&s);
	assert_answer(&s, "Traffic", "there was no traffic yet\n");
	assert_answer(&s, "traffic SHOW", "there was no traffic yet\n");
	assert_answer(&s, "T stop", "error: there is no traffic\n");
	assert_answer(&s, "Traffic prefer H-00000 1", "error: there is no traffic\n");
	assert_answer(&s, "Traffic prefer", "error: which host, and which network?");
	assert_answer(&s, "Traffic prefer H-00000", "error: which host, and which network?");
	assert_answer(&s, "Traffic prefer \"H-00000\" x", "error: network: 'x' is not a number");
	assert_answer(&s, "Traffic prefer H-00000 128", "error: network: 128 is not in 0..127");
	assert_answer(&s, "Traffic prefer NOBODY any", "error: ");
	assert_answer(&s, "Traffic host", "error: which host?");
	assert_answer(&s, "Traffic host \"H-00000\" ",
		      "error: there was no traffic of such a host");
	assert_answer(&s, "Traffic stop it", "error: what is 'it' after stop?");
	assert_answer(&s, "Traffic go",
		      "error: traffic is for start, run, stop, show, prefer or host, not for "
		      "'go'");
	assert_answer(&s, "Traffic start", "error: in which pattern?");
	assert_answer(&s, "Traffic run 1 uniform 0.5", "error: time: '1' has no unit");
	assert_answer(&s, "Traffic start uniform 0.5 packet=4KiB",
		      "error: packets of 4096 bytes do not fit an MTU of 2048");
	/* there is no subnet manager, but there may be one */
	assert_answer(&s, "  Traffic start   uniform 0.5 seed=3  ",
		      "traffic is on: uniform 0.5 seed=3\n");
	assert_answer(&s, "Traffic", "hosts: 0 of 72 up\n");
	assert_answer(&s, "Traffic run 1us shift 0.5", "error: there is traffic already");
	assert_answer(&s, "Traffic prefer H-00000 1",
		      "error: hosts of this traffic follow no agents");
	assert_answer(&s, "Traffic host H-00000",
		      "network: in turn; all: 0 delivered, latency 0.000 us\n");
	assert_answer(&s, "Traffic stop", "hosts send no more\n");
	assert_non_null(s.console.later);
	wait_for_answer(&s);
	assert_non_null(strstr(s.answer, "traffic is over: uniform 0.5 seed=3\nsimulated: "));
	assert_answer(&s, "Traffic run 1us \"shift\" 0.5 buffer=\"4 packets\"",
		      "traffic is on: 1us");
	wait_for_answer(&s);
	assert_non_null(strstr(s.answer, "packets: 0 generated, 0 queued, 0 under way"));
	/* as long as lines can be */
	snprintf(line, sizeof(line), "Traffic start %01000d", 1);
	assert_answer(&s, line, "error: ");
	snprintf(line, sizeof(line), "Traffic start %01200d", 1);
	assert_answer(&s, line, "error: the line is too long");
	assert_answer(&s, "Help", "  Traffic run TIME PATTERN LOAD [KEY=VALUE ...] ");
	s.console.carried = NULL;
	assert_answer(&s, "Traffic", "error: there can be no traffic here");
	end(&s);
}

/* A file with @text; its name in @path. */
static void write_file(char path[64], const char *text)
{
	int fd;

	strcpy(path, "/tmp/heddle-console-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void test_commands_from_files(void **state)
{
	struct session s;
	char path[64], line[128];

	(void)state;
	begin(&s);
	write_file(path, "# two commands\nUnlink H-00000[1]\nVerbose 0\n");
	snprintf(line, sizeof(line), "! %s", path);
	assert_answer(&s, line, "unlinked \"H-00000\"[1]\nverbose level is 0\n");
	snprintf(line, sizeof(line), "!%s", path);
	assert_answer(&s, line, ":2: \"H-00000\"[1] has no link\n");
	unlink(path);
	end(&s);
}

struct said {
	unsigned n, n_failed;
	char line[256];
};

static void say(void *context, const char *line, bool failed)
{
	struct said *said = context;

	said->n++;
	said->n_failed += failed;
	snprintf(said->line, sizeof(said->line), "%s", line);
}

static void test_script(void **state)
{
	struct session s;
	struct hd_script *script;
	struct hd_error err;
	struct said said = { 0 };
	struct inbox inbox;
	char path[64];
	uint32_t port;

	(void)state;
	begin(&s);
	port = host_port(&s.c, 0);
	write_file(path, "# a link\n\n 2.5s Unlink \"H-00000\"[1]\n100ms\tVerbose 1\n"
			 "3s Relink \"H-00000\"[1] \r\n3s Relink \"H-00000\"[1]\n"
			 "sm+1s Unlink \"H-00001\"[1]\n");
	assert_hd_ok(hd_script_read(&s.console, path, &script, &err), err);
	unlink(path);
	assert_hd_ok(hd_script_start(script, say, &said, &err), err);
	hd_emulator_advance(s.c.emulator, 2499999999);
	assert_int_equal(said.n, 1);
	assert_true(hd_link_is_up(s.c.emulator, port));
	hd_emulator_advance(s.c.emulator, 2500000000);
	assert_false(hd_link_is_up(s.c.emulator, port));
	hd_emulator_advance(s.c.emulator, 10000000000);
	assert_true(hd_link_is_up(s.c.emulator, port));
	assert_int_equal(said.n, 4);
	assert_int_equal(said.n_failed, 1);
	assert_non_null(strstr(said.line, ":6: \"H-00000\"[1] has no link that was taken away"));

	inbox_attach(&s.c, &inbox, host_port(&s.c, 5));
	hd_clients_set_issm(s.c.clients, inbox.id, true);
	hd_emulator_advance(s.c.emulator, 10999999999);
	assert_true(hd_link_is_up(s.c.emulator, host_port(&s.c, 1)));
	hd_emulator_advance(s.c.emulator, 11000000000);
	assert_false(hd_link_is_up(s.c.emulator, host_port(&s.c, 1)));
	end(&s);
	hd_script_free(script);
}

/* A command of a script that takes its time says how it ended. */
static void test_script_with_traffic(void **state)
{
	struct session s;
	struct hd_script *script;
	struct hd_error err;
	struct said said = { 0 };
	char path[64];

	(void)state;
	begin(&s);
	write_file(path,
		   "1s Traffic run 1us shift 0.5\n2s Traffic start shift 0.5\n3s Traffic stop\n");
	assert_hd_ok(hd_script_read(&s.console, path, &script, &err), err);
	unlink(path);
	assert_hd_ok(hd_script_start(script, say, &said, &err), err);
	for (unsigned ms = 0; ms < 1100; ms++)
		hd_emulator_advance(s.c.emulator, ms * UINT64_C(1000000));
	assert_int_equal(said.n, 4);
	assert_non_null(strstr(said.line, ":1: packets: 0 generated"));
	for (unsigned ms = 1100; ms < 3100; ms++)
		hd_emulator_advance(s.c.emulator, ms * UINT64_C(1000000));
	assert_int_equal(said.n, 9);
	assert_int_equal(said.n_failed, 0);
	assert_non_null(strstr(said.line, ":3: packets: 0 generated"));
	end(&s);
	hd_script_free(script);
}

static void test_bad_scripts(void **state)
{
	static const struct {
		const char *text, *says;
		unsigned line;
	} cases[] = {
		{ "1s Unlink \"nobody\"\n", "nobody", 1 },
		{ "# x\n1s Quit\n2 Quit\n", "needs a unit", 3 },
		{ "soon Quit\n", "is no time", 1 },
		{ "1s\n", "what is to be done", 1 },
		{ "1s # nothing\n", "what is to be done", 1 },
		{ "1s Frob\n", "no command 'Frob'", 1 },
		{ "1s Wait 3\n", "scripts", 1 },
		{ "1s Drop 2\n", "more than all", 1 },
		{ "sm+ Quit\n", "is no time", 1 },
		{ "999999999999h Quit\n", "too long", 1 },
		{ "1s Traffic start uniform 2\n", "out of range", 1 },
	};
	struct session s;
	struct hd_script *script;
	struct hd_error err;
	char path[64];

	(void)state;
	begin(&s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		write_file(path, cases[i].text);
		assert_int_equal(hd_script_read(&s.console, path, &script, &err), HD_EPARSE);
		assert_null(script);
		assert_string_equal(err.file, path);
		assert_int_equal(err.line, cases[i].line);
		assert_hd_says(err, cases[i].says);
		unlink(path);
	}
	assert_int_equal(hd_script_read(&s.console, "/nonexistent", &script, &err), HD_EIO);
	end(&s);
}

static void test_durations(void **state)
{
	struct hd_error err;
	uint64_t ns;

	(void)state;
	assert_hd_ok(hd_parse_duration("2.5s", "x", &ns, &err), err);
	assert_int_equal(ns, 2500000000);
	assert_hd_ok(hd_parse_duration("0", "x", &ns, &err), err);
	assert_int_equal(ns, 0);
	assert_hd_ok(hd_parse_duration(".5us", "x", &ns, &err), err);
	assert_int_equal(ns, 500);
	assert_hd_ok(hd_parse_duration("2min", "x", &ns, &err), err);
	assert_int_equal(ns, 120000000000);
	for (const char *const *bad =
		     (const char *const[]){ "", ".", "1", "1.2.3s", "-1s", "1 s", "s", "inf",
					    "0x10s", "1e3s", "1S", NULL };
	     *bad; bad++)
		assert_int_equal(hd_parse_duration(*bad, "x", &ns, &err), HD_EINVAL);
	assert_int_equal(hd_parse_duration("99999999999999999999s", "x", &ns, &err), HD_ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_switches_go_down_and_up),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_what_ports_hold),
		cmocka_unit_test(test_showing),
		cmocka_unit_test(test_session),
		cmocka_unit_test(test_port_sets),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_commands_from_files),
		cmocka_unit_test(test_script),
		cmocka_unit_test(test_script_with_traffic),
		cmocka_unit_test(test_bad_scripts),
		cmocka_unit_test(test_durations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
