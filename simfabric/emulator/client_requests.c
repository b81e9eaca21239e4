// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Requests of clients: each ends once, in its answer or as one that timed out. */
#include "simfabric/emulator/clients_private.h"

/*
 * The type of a segment or of what is said about segments; 0: the MAD is a message of its own. That
 * is also what a program wants sent in segments, until a kernel makes them: behind the stock
 * wrapper there is none, and of a longer message the first MAD is all that ever comes.
 */
static unsigned rmpp_type(const struct hd_packet *packet)
{
	return hd_rmpp_is_active(packet->mad) ? packet->mad[HD_RMPP_TYPE] : 0;
}

/*
 * Whether the sender of @packet expects an answer. That of a Trap is a TrapRepress: OpenSM, which
 * sends traps to other managers, begins no sweep before each has got one or timed out.
 */
static bool is_request(const struct hd_packet *packet)
{
	unsigned method = hd_mad_method(packet);

	/* ACKs of an answer's segments take the way of the request */
	if (rmpp_type(packet) > HD_RMPP_DATA)
		return false;
	return !hd_is_answer(packet) && method != HD_METHOD_SEND;
}

/* An answer that comes in one MAD; segments are repeated by the client that sends them. */
static bool is_whole_answer(const struct hd_packet *packet)
{
	return hd_is_answer(packet) && !rmpp_type(packet);
}

static struct hd_transaction transaction_of(const struct hd_client *client,
					    const struct hd_packet *packet)
{
	return (struct hd_transaction){
		.id = hd_get64(packet->mad + HD_MAD_TID),
		.port = client->port,
		.client = packet->origin,
		.generation = client->generation,
		.mad_class = packet->mad[HD_MAD_CLASS],
	};
}

static struct hd_transaction_server server_of(const struct hd_clients *clients,
					      const struct hd_client *client)
{
	return (struct hd_transaction_server){
		.client = (uint32_t)(client - clients->clients),
		.generation = client->generation,
	};
}

static bool is_there(void *context, const struct hd_transaction *transaction)
{
	const struct hd_client *client = hd_client_find(context, transaction->client);

	return client && client->generation == transaction->generation;
}

/* To the client this is a send that timed out. */
static void give_up(void *context, const struct hd_transaction *transaction,
		    const struct hd_packet *request)
{
	const struct hd_client *client = hd_client_find(context, transaction->client);

	if (is_there(context, transaction))
		client->carrier->lost(client->context, request);
}

int hd_requests_new(struct hd_clients *clients, struct hd_error *err)
{
	return hd_transactions_new(&clients->transactions, give_up, clients, err);
}

void hd_requests_send(struct hd_clients *clients, const struct hd_packet *packet)
{
	struct hd_transaction transaction;

	if (!is_request(packet))
		return;
	transaction = transaction_of(&clients->clients[packet->origin], packet);
	hd_transactions_add(clients->transactions, &transaction, packet);
}

static void run_timer(void *context, uint64_t due);

/*
 * @due: what to give up in the next turn; 0: wait for the first deadline. Without memory the timer
 * starts later.
 */
static void start_timer(struct hd_clients *clients, uint64_t due)
{
	struct hd_timer timer = {
		.time = due ? due + 1 : hd_transactions_next(clients->transactions),
		.expire = run_timer,
		.context = clients,
		.argument = due,
	};

	if (!clients->timer_runs && timer.time != UINT64_MAX)
		clients->timer_runs = hd_timers_add(&clients->emulator->timers, &timer);
}

/*
 * A deadline has come, if that request has not been answered meanwhile. What clients have sent
 * until now may still lie in their sockets, after a while in which this program did not run; so
 * requests are given up in the next turn, when that has been served.
 */
static void run_timer(void *context, uint64_t due)
{
	struct hd_clients *clients = context;
	uint64_t until = clients->emulator->until;

	clients->timer_runs = false;
	if (due)
		hd_transactions_expire(clients->transactions, due);
	else if (hd_transactions_next(clients->transactions) <= until)
		start_timer(clients, until);
	start_timer(clients, 0);
}

void hd_requests_arrive(struct hd_clients *clients, const struct hd_client *client,
			const struct hd_packet *packet)
{
	const struct hd_client *asker = hd_client_find(clients, packet->origin);
	struct hd_transaction transaction;
	uint64_t deadline = UINT64_MAX;

	if (!asker || !is_request(packet))
		return;
	transaction = transaction_of(asker, packet);
	if (asker->carrier->timeout_ns)
		deadline = clients->emulator->now + asker->carrier->timeout_ns;
	hd_transactions_serve(clients->transactions, &transaction, server_of(clients, client),
			      deadline);
	start_timer(clients, 0);
}

static enum hd_answer_part part_of(const struct hd_packet *packet)
{
	if (!rmpp_type(packet))
		return HD_ANSWER_WHOLE;
	if (rmpp_type(packet) != HD_RMPP_DATA)
		return HD_ANSWER_NONE;
	return hd_get32(packet->mad + HD_RMPP_SEGMENT) <= 1 ? HD_ANSWER_FIRST : HD_ANSWER_FURTHER;
}

struct hd_client *hd_requests_answer(struct hd_clients *clients, uint32_t port,
				     const struct hd_packet *packet)
{
	struct hd_transaction transaction = {
		.id = hd_get64(packet->mad + HD_MAD_TID),
		.port = port,
		.mad_class = packet->mad[HD_MAD_CLASS],
	};

	if (!hd_transactions_answer(clients->transactions, &transaction, part_of(packet), is_there,
				    clients))
		return NULL;
	return hd_client_find(clients, transaction.client);
}

void hd_requests_leave(struct hd_clients *clients, uint32_t id)
{
	hd_transactions_leave(clients->transactions, server_of(clients, &clients->clients[id]));
}

void hd_clients_lost(void *context, const struct hd_packet *packet)
{
	struct hd_clients *clients = context;
	struct hd_client *client = hd_client_find(clients, packet->origin);
	struct hd_transaction transaction;

	if (!client)
		return;
	if (is_whole_answer(packet))
		hd_transactions_lose_answer(clients->transactions, server_of(clients, client),
					    packet->mad[HD_MAD_CLASS],
					    hd_get64(packet->mad + HD_MAD_TID));
	if (!is_request(packet))
		return;
	transaction = transaction_of(client, packet);
	/* not one that was given up on its way, nor one that a repetition of it has ended */
	if (hd_transactions_remove(clients->transactions, &transaction))
		client->carrier->lost(client->context, packet);
}
