// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "simfabric/emulator/stock_private.h"
#include "support/error.h"

#define REAP_SECONDS 1

static void reap_in_time(void *context, uint32_t events)
{
	struct hd_stock *stock = context;
	uint64_t expirations;

	(void)events;
	if (read(stock->timer, &expirations, sizeof(expirations)) > 0)
		hd_stock_reap(stock);
}

static int start_timer(struct hd_stock *stock, struct hd_error *err)
{
	const struct itimerspec every = { .it_interval.tv_sec = REAP_SECONDS,
					  .it_value.tv_sec = REAP_SECONDS };

	stock->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (stock->timer < 0 || timerfd_settime(stock->timer, 0, &every, NULL))
		return hd_error_set(err, HD_EIO, "timer: %s", strerror(errno));
	stock->timer_watch = (struct hd_watch){ .ready = reap_in_time, .context = stock };
	return hd_loop_watch(stock->loop, stock->timer, EPOLLIN, &stock->timer_watch, err);
}

int hd_stock_new(struct hd_emulator *emulator, struct hd_clients *clients, struct hd_loop *loop,
		 const struct hd_stock_options *options, struct hd_stock **result,
		 struct hd_error *err)
{
	struct hd_stock *stock;
	int ret;

	*result = NULL;
	if (!*options->name || strlen(options->name) > HD_STOCK_NAME_MAX)
		return hd_error_set(err, HD_EINVAL, "a socket name has 1 to %d bytes",
				    HD_STOCK_NAME_MAX);
	stock = calloc(1, sizeof(*stock));
	if (!stock)
		return hd_error_nomem(err);
	stock->emulator = emulator;
	stock->clients = clients;
	stock->loop = loop;
	stock->options = *options;
	snprintf(stock->name, sizeof(stock->name), "%s", options->name);
	stock->un.fd = -1;
	stock->in.fd = -1;
	stock->timer = -1;
	stock->reap_at = HD_STOCK_REAP_FIRST;
	ret = hd_stock_open_entrances(stock, err);
	if (!ret)
		ret = start_timer(stock, err);
	if (ret) {
		hd_stock_free(stock);
		return ret;
	}
	stock->before_wait = (struct hd_watch){ .ready = hd_stock_flush, .context = stock };
	hd_loop_before_wait(loop, &stock->before_wait);
	*result = stock;
	return 0;
}

void hd_stock_free(struct hd_stock *stock)
{
	if (!stock)
		return;
	while (stock->n_peers)
		hd_stock_remove(stock->peers[stock->n_peers - 1]);
	hd_stock_close_entrances(stock);
	if (stock->timer >= 0) {
		hd_loop_unwatch(stock->loop, stock->timer, &stock->timer_watch);
		close(stock->timer);
	}
	free(stock->peers);
	free(stock);
}
