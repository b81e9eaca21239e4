// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * libibumad's functions on ports, for programs that preload this library: umad_open_port() and
 * functions that take its result. The library's interface has no context, so there is one table of
 * open ports in a process.
 */
#include <errno.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <string.h>

#include "simfabric/umad/connection.h"
#include "simfabric/umad/export.h"
#include "simfabric/umad/port.h"
#include "simfabric/umad/ports.h"

static struct hd_umad_port *ports;
static pthread_mutex_t ports_lock = PTHREAD_MUTEX_INITIALIZER;

static void put_port(void *context)
{
	struct hd_umad_port *port = context;
	bool last;

	pthread_mutex_lock(&ports_lock);
	last = !--port->references;
	pthread_mutex_unlock(&ports_lock);
	if (last)
		hd_port_free(port);
}

/*
 * The port with the descriptor @id, locked. Until leave() the thread is not cancelled, for with the
 * lock held it would leave it so.
 */
static struct hd_umad_port *enter(int id, int *state)
{
	struct hd_umad_port *port;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, state);
	pthread_mutex_lock(&ports_lock);
	for (port = ports; port && port->id != id; port = port->next)
		;
	if (port)
		port->references++;
	pthread_mutex_unlock(&ports_lock);
	if (port)
		pthread_mutex_lock(&port->lock);
	else
		pthread_setcancelstate(*state, NULL);
	return port;
}

static void leave(struct hd_umad_port *port, int state)
{
	hd_port_settle(port);
	pthread_mutex_unlock(&port->lock);
	put_port(port);
	pthread_setcancelstate(state, NULL);
}

static int fail(int error)
{
	errno = -error;
	return error;
}

uint32_t hd_ports_client(unsigned number)
{
	const struct hd_umad_port *port;
	uint32_t client;

	pthread_mutex_lock(&ports_lock);
	for (port = ports; port && port->number != number; port = port->next)
		;
	client = port ? port->client : HD_NO_CLIENT;
	pthread_mutex_unlock(&ports_lock);
	return client;
}

HD_EXPORT int umad_open_port(const char *ca_name, int portnum)
{
	struct hd_umad_port *port;
	int error;

	if (!hd_is_our_ca(ca_name) || portnum < 0)
		return -ENODEV;
	error = hd_port_open((unsigned)portnum, &port);
	if (error)
		return fail(error);
	pthread_mutex_lock(&ports_lock);
	port->references = 1;
	port->next = ports;
	ports = port;
	pthread_mutex_unlock(&ports_lock);
	return port->id;
}

HD_EXPORT int umad_close_port(int portid)
{
	struct hd_umad_port **place, *port;

	pthread_mutex_lock(&ports_lock);
	for (place = &ports; *place && (*place)->id != portid; place = &(*place)->next)
		;
	port = *place;
	if (port)
		*place = port->next;
	pthread_mutex_unlock(&ports_lock);
	if (!port)
		return -EINVAL;
	put_port(port);
	return 0;
}

HD_EXPORT int umad_get_fd(int portid)
{
	int state;
	struct hd_umad_port *port = enter(portid, &state);

	if (!port)
		return -EINVAL;
	hd_port_watch(port);
	leave(port, state);
	return portid;
}

static int send_umad(struct hd_umad_port *port, const struct ib_user_mad *umad, int length)
{
	struct hd_outgoing outgoing = {
		.agent = umad->agent_id,
		.dlid = be16toh(umad->addr.lid),
		.dqp = be32toh(umad->addr.qpn),
		.sl = umad->addr.sl & 15,
		.path_bits = umad->addr.path_bits,
		.data = umad->data,
		.length = (uint32_t)length,
		.timeout_ms = umad->timeout_ms,
		.retries = umad->retries,
	};

	return port->gone ? -EIO : hd_exchange_send(&port->exchange, &outgoing, hd_umad_now());
}

HD_EXPORT int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms,
			int retries)
{
	struct ib_user_mad *mad = umad;
	struct hd_umad_port *port;
	int state, error;

	if (!umad || length < 0)
		return fail(-EINVAL);
	port = enter(portid, &state);
	if (!port)
		return fail(-EINVAL);
	mad->agent_id = (uint32_t)agentid;
	mad->timeout_ms = timeout_ms < 0 ? 0 : (uint32_t)timeout_ms;
	mad->retries = retries < 0 ? 0 : (uint32_t)retries;
	error = send_umad(port, mad, length);
	leave(port, state);
	if (!error)
		return 0;
	errno = -error;
	return -EIO;
}

/* What the kernel's read() does: the first MAD of a message that does not fit, which stays. */
static int copy_message(struct hd_umad_port *port, struct ib_user_mad *umad, int *length)
{
	struct hd_umad_message *message = port->exchange.ready;
	uint32_t first = message->length < HD_MAD_SIZE ? message->length : HD_MAD_SIZE;
	bool fits = *length >= 0 && (uint32_t)*length >= message->length;
	uint32_t agent = message->agent;

	if (*length < 0 || (uint32_t)*length < first)
		return -EINVAL;
	memset(umad, 0, sizeof(*umad));
	umad->agent_id = agent;
	umad->status = (uint32_t)message->status;
	umad->length = (uint32_t)sizeof(*umad) + message->length;
	umad->addr.qpn = htobe32(message->qpn);
	umad->addr.lid = htobe16(message->lid);
	umad->addr.sl = message->sl;
	umad->addr.path_bits = message->path_bits;
	memcpy(umad->data, message->data, fits ? message->length : first);
	*length = (int)message->length;
	if (!fits)
		return -ENOSPC;
	hd_umad_message_free(&port->exchange, hd_exchange_take(&port->exchange));
	return (int)agent;
}

static int wait_for_message(struct hd_umad_port *port, int timeout_ms, int cancel_state)
{
	if (timeout_ms)
		return hd_port_wait(port, timeout_ms, cancel_state, put_port);
	hd_port_collect(port);
	return port->exchange.ready ? 0 : -EWOULDBLOCK;
}

HD_EXPORT int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	struct hd_umad_port *port;
	int state, result;

	if (!umad || !length)
		return fail(-EINVAL);
	port = enter(portid, &state);
	if (!port)
		return fail(-EINVAL);
	result = wait_for_message(port, timeout_ms, state);
	if (!result)
		result = copy_message(port, umad, length);
	hd_port_pass_on(port);
	leave(port, state);
	if (result == -EINTR) {
		errno = EINTR;
		return -EIO;
	}
	return result < 0 ? fail(result) : result;
}

HD_EXPORT int umad_poll(int portid, int timeout_ms)
{
	int state, result;
	struct hd_umad_port *port = enter(portid, &state);

	if (!port)
		return fail(-EINVAL);
	result = wait_for_message(port, timeout_ms, state);
	leave(port, state);
	if (result == -EWOULDBLOCK)
		return -ETIMEDOUT;
	if (result == -EINTR)
		return -EIO;
	return result;
}

static int register_agent(int portid, const struct hd_agent *agent)
{
	int state, number, error;
	struct hd_umad_port *port = enter(portid, &state);

	if (!port)
		return -EINVAL;
	number = hd_exchange_register(&port->exchange, agent);
	if (number >= 0) {
		error = hd_port_register(port, agent->mad_class);
		if (error) {
			hd_exchange_unregister(&port->exchange, (uint32_t)number);
			number = error;
		}
	}
	leave(port, state);
	return number;
}

static void set_methods(struct hd_agent *agent, const long mask[16 / sizeof(long)])
{
	if (mask)
		memcpy(agent->methods, mask, sizeof(agent->methods));
}

HD_EXPORT int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
			    long method_mask[16 / sizeof(long)])
{
	struct hd_agent agent = {
		.mad_class = (uint8_t)mgmt_class,
		.class_version = (uint8_t)mgmt_version,
		.rmpp = rmpp_version == 1,
	};
	int result;

	set_methods(&agent, method_mask);
	result = register_agent(portid, &agent);
	return result < 0 && result != -EINVAL ? fail(-EPERM) : result;
}

HD_EXPORT int umad_register_oui(int portid, int mgmt_class, uint8_t rmpp_version, uint8_t oui[3],
				long method_mask[16 / sizeof(long)])
{
	struct hd_agent agent = {
		.mad_class = (uint8_t)mgmt_class,
		.class_version = 1,
		.rmpp = rmpp_version == 1,
		.oui = (uint32_t)oui[0] << 16 | (uint32_t)oui[1] << 8 | oui[2],
	};
	int result;

	if (mgmt_class < 0x30 || mgmt_class > 0x4F)
		return -EINVAL;
	set_methods(&agent, method_mask);
	result = register_agent(portid, &agent);
	return result < 0 && result != -EINVAL ? fail(-EPERM) : result;
}

HD_EXPORT int umad_register2(int port_fd, struct umad_reg_attr *attr, uint32_t *agent_id)
{
	struct hd_agent agent;
	int result;

	if (!attr || !agent_id)
		return EINVAL;
	if (attr->flags & ~(uint32_t)UMAD_USER_RMPP) {
		attr->flags = UMAD_USER_RMPP; /* what there is */
		return EINVAL;
	}
	agent = (struct hd_agent){
		.mad_class = attr->mgmt_class,
		.class_version = attr->mgmt_class_version,
		.rmpp = attr->rmpp_version == 1 && !(attr->flags & UMAD_USER_RMPP),
		.oui = attr->oui & 0xFFFFFF,
		.methods = { attr->method_mask[0], attr->method_mask[1] },
	};
	result = register_agent(port_fd, &agent);
	if (result < 0)
		return -result;
	*agent_id = (uint32_t)result;
	return 0;
}

HD_EXPORT int umad_unregister(int portid, int agentid)
{
	int state, result;
	struct hd_umad_port *port = enter(portid, &state);

	if (!port)
		return -EINVAL;
	result = agentid < 0 ? -EINVAL : hd_exchange_unregister(&port->exchange, (uint32_t)agentid);
	if (!result)
		hd_port_register(port, port->exchange.agents[agentid].mad_class);
	leave(port, state);
	return result;
}
