// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ibsim's messages, byte for byte as libumad2sim sends and ibsim 0.10 answers them. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/control.h"
#include "simfabric/emulator/wire.h"
#include "tests/unit/clients_case.h"

/* What smpquery sends first, as process 23854 without SIM_HOST. */
static const uint8_t connect_message[HD_WIRE_CONTROL_SIZE] = {
	0xef, 0xbe, 0xad, 0xde, 0, 0, 0, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0x2e, 0x5d,
};

/* NodeInfo of the own node, by a directed route of no hops; 4 bytes of it are garbage. */
static const uint8_t data_header[] = {
	0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0,    0,    0, 0, 0x20, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
};

static void test_control(void **state)
{
	struct hd_wire_control control;
	struct hd_wire_connect connect;
	uint8_t bytes[HD_WIRE_CONTROL_SIZE + 1];

	(void)state;
	assert_true(hd_wire_read_control(connect_message, sizeof(connect_message), &control));
	assert_int_equal(control.type, HD_WIRE_CONNECT);
	assert_int_equal(control.length, 44);
	hd_wire_read_connect(&control, &connect);
	assert_int_equal(connect.address, 23854);
	assert_string_equal(connect.node, "");
	hd_wire_write_control(&control, bytes);
	assert_memory_equal(bytes, connect_message, sizeof(connect_message));

	assert_false(hd_wire_read_control(bytes, 0, &control));
	assert_false(hd_wire_read_control(bytes, HD_WIRE_CONTROL_SIZE - 1, &control));
	assert_false(hd_wire_read_control(bytes, HD_WIRE_CONTROL_SIZE + 1, &control));
	bytes[12] = HD_WIRE_CONTROL_PAYLOAD + 1;
	assert_false(hd_wire_read_control(bytes, HD_WIRE_CONTROL_SIZE, &control));
	bytes[12] = 44;
	bytes[0] = 0;
	assert_false(hd_wire_read_control(bytes, HD_WIRE_CONTROL_SIZE, &control));
}

static void test_names_of_any_length(void **state)
{
	struct hd_wire_control control = { .type = HD_WIRE_CONNECT };
	struct hd_wire_connect connect = { 0 };

	(void)state;
	memset(control.data, 'x', sizeof(control.data));
	hd_wire_read_connect(&control, &connect);
	assert_int_equal(strlen(connect.node), HD_WIRE_NODE_SIZE);
	hd_wire_write_connect(&connect, &control);
	assert_int_equal(control.length, 44);
	/* clients take it for a string */
	assert_int_equal(control.data[12 + HD_WIRE_NODE_SIZE - 1], 0);
}

static void test_data(void **state)
{
	uint8_t bytes[HD_WIRE_DATA_SIZE + 1] = { 0 };
	struct hd_packet packet;

	(void)state;
	memcpy(bytes, data_header, sizeof(data_header));
	memset(bytes + 32, 0x5A, HD_MAD_SIZE);
	assert_true(hd_wire_read_data(bytes, HD_WIRE_DATA_SIZE, &packet));
	assert_int_equal(packet.dlid, 0xFFFF);
	assert_int_equal(packet.slid, 0xFFFF);
	assert_int_equal(packet.origin, HD_NONE);
	assert_memory_equal(packet.mad, bytes + 32, HD_MAD_SIZE);

	packet.dlid = 0x0102;
	packet.slid = 0x0304;
	packet.dqp = 1;
	packet.sqp = 0x11223344;
	packet.length = 0;
	hd_wire_write_data(&packet, HD_WIRE_TIMED_OUT, bytes);
	assert_int_equal(hd_get16(bytes), 0x0102);
	assert_int_equal(hd_get16(bytes + 4), 0x0304);
	assert_int_equal(hd_get32(bytes + 8), 1);
	assert_int_equal(hd_get32(bytes + 12), 0x11223344);
	assert_int_equal(hd_get32(bytes + 16), 110);
	assert_int_equal(hd_get64(bytes + 24), 256);

	hd_put64(bytes + 24, 4);
	assert_true(hd_wire_read_data(bytes, HD_WIRE_DATA_SIZE, &packet));
	assert_int_equal(packet.mad[3], 0x5A);
	assert_int_equal(packet.mad[4], 0);
	/* clients tell how many records there are from the length */
	hd_wire_write_data(&packet, 0, bytes);
	assert_int_equal(hd_get64(bytes + 24), 4);
	hd_put64(bytes + 24, 257);
	assert_false(hd_wire_read_data(bytes, HD_WIRE_DATA_SIZE, &packet));
	hd_put64(bytes + 24, UINT64_MAX);
	assert_false(hd_wire_read_data(bytes, HD_WIRE_DATA_SIZE, &packet));
	hd_put64(bytes + 24, 256);
	assert_false(hd_wire_read_data(bytes, HD_WIRE_DATA_SIZE - 1, &packet));
	assert_false(hd_wire_read_data(bytes, HD_WIRE_DATA_SIZE + 1, &packet));
}

static void ask(struct clients_case *c, uint32_t id, struct hd_wire_control *message, unsigned type)
{
	memset(message->data, 0, sizeof(message->data));
	message->type = type;
	message->length = 64;
	hd_control_answer(c->emulator, c->clients, id, message);
}

static void test_control_answers(void **state)
{
	struct clients_case c;
	struct inbox inbox = { .of = &c };
	struct hd_wire_control message;
	struct hd_error err;
	uint32_t id, port;

	(void)state;
	clients_case_new(&c, "dragonfly:a=4,p=2,h=2");
	port = host_port(&c, 0);
	c.emulator->ports[port].lid = 0x1234;
	/* the local user needs no key */
	c.emulator->ports[port].mkey = 0x99;
	c.emulator->ports[port].mkey_protect = 3;
	assert_true(hd_wire_read_control(connect_message, sizeof(connect_message), &message));
	assert_hd_ok(hd_control_connect(c.emulator, c.clients, &inbox_carrier, &inbox, &message, 0,
					&id, &err),
		     err);
	assert_int_equal(message.client, id);
	assert_string_equal((const char *)message.data + 12, "H-00000");
	assert_int_equal(hd_clients_port(c.clients, id), port);

	ask(&c, id, &message, HD_WIRE_GET_PORT);
	assert_int_equal(message.data[0] | message.data[1] << 8, 0x1234);
	assert_int_equal(message.data[2], HD_PORT_INIT);
	ask(&c, id, &message, HD_WIRE_GET_VENDOR);
	assert_int_equal(message.length, 24);
	assert_int_equal(message.data[8], 0xa1);
	assert_int_equal(message.data[16], 1);
	ask(&c, id, &message, HD_WIRE_GET_GID);
	assert_int_equal(hd_get64(message.data), UINT64_C(0xfe80000000000000));
	assert_int_equal(hd_get64(message.data + 8), c.fabric->ports[port].guid);
	ask(&c, id, &message, HD_WIRE_GET_GUID);
	assert_int_equal(hd_get64(message.data), c.fabric->ports[port].guid);
	ask(&c, id, &message, HD_WIRE_GET_NODEINFO);
	assert_int_equal(message.data[2], 1); /* a channel adapter */
	assert_int_equal(message.data[3], 1); /* of one port */
	ask(&c, id, &message, HD_WIRE_GET_PORTINFO);
	assert_int_equal(hd_get16(message.data + 16), 0x1234);
	ask(&c, id, &message, HD_WIRE_GET_PKEYS);
	assert_int_equal(message.data[0], 0xFF);
	assert_int_equal(message.data[1], 0xFF);
	assert_int_equal(hd_get16(message.data + 2), 0);
	message.type = HD_WIRE_SET_ISSM;
	memset(message.data, 0, sizeof(message.data));
	message.data[0] = 1;
	hd_control_answer(c.emulator, c.clients, id, &message);
	assert_int_equal(message.type, HD_WIRE_SET_ISSM);
	assert_true(c.emulator->ports[port].capabilities & 2);

	ask(&c, id, &message, 99);
	assert_int_equal(message.type, HD_WIRE_ERROR);
	ask(&c, id + 1, &message, HD_WIRE_GET_PORT);
	assert_int_equal(message.type, HD_WIRE_ERROR);
	ask(&c, UINT32_MAX, &message, HD_WIRE_GET_PORT);
	assert_int_equal(message.type, HD_WIRE_ERROR);
	clients_case_free(&c);
}

static void test_connect_to_nowhere(void **state)
{
	struct clients_case c;
	struct inbox inbox = { .of = &c };
	struct hd_wire_connect connect = { .node = "nobody" };
	struct hd_wire_control message = { .type = HD_WIRE_CONNECT };
	struct hd_error err;
	uint32_t id;

	(void)state;
	clients_case_new(&c, "dragonfly:a=4,p=2,h=2");
	hd_wire_write_connect(&connect, &message);
	assert_int_equal(hd_control_connect(c.emulator, c.clients, &inbox_carrier, &inbox, &message,
					    0, &id, &err),
			 HD_ENOTFOUND);
	assert_hd_says(err, "nobody");
	clients_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_control),
		cmocka_unit_test(test_names_of_any_length),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_control_answers),
		cmocka_unit_test(test_connect_to_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
