// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/console_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/error.h"

#define LINE_SIZE 1024
#define CHUNK     4096 /* a pipe with room takes so many bytes without blocking */

struct stream {
	struct hd_streams *streams;
	struct hd_console console;
	int in, out;
	int timer;  /* ends a Wait; reads inputs that epoll cannot watch */
	bool owned; /* the descriptors are closed with the stream */
	bool plain; /* the input is a file */
	bool ended, terminal;
	struct hd_watch in_watch, out_watch, timer_watch;
	struct stream *next;

	char line[LINE_SIZE];
	size_t used;
	bool too_long;
	char buffer[CHUNK]; /* read, not yet cut into lines */
	size_t at, filled;

	char *answers;
	size_t written, n_answers, size;
};

struct hd_streams {
	struct hd_loop *loop;
	struct hd_console console;
	struct stream *first;
	int listener;
	struct hd_watch listener_watch;
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
};

static void proceed(struct stream *stream);

static void close_stream(struct stream *stream)
{
	struct stream **at = &stream->streams->first;
	struct hd_loop *loop = stream->streams->loop;

	while (*at != stream)
		at = &(*at)->next;
	*at = stream->next;
	hd_loop_unwatch(loop, stream->in, &stream->in_watch);
	hd_loop_unwatch(loop, stream->out, &stream->out_watch);
	if (stream->timer >= 0) {
		hd_loop_unwatch(loop, stream->timer, &stream->timer_watch);
		close(stream->timer);
	}
	if (stream->owned) {
		close(stream->in);
		close(stream->out);
	}
	free(stream->answers);
	free(stream);
}

static bool append(struct stream *stream, const char *text, size_t length)
{
	if (stream->n_answers + length > stream->size) {
		size_t size = 2 * (stream->n_answers + length);
		char *grown = realloc(stream->answers, size);

		if (!grown)
			return false;
		stream->answers = grown;
		stream->size = size;
	}
	memcpy(stream->answers + stream->n_answers, text, length);
	stream->n_answers += length;
	return true;
}

/* Writes answers while there is room; false: nobody will ever read them. */
static bool write_answers(struct stream *stream)
{
	while (stream->written < stream->n_answers) {
		struct pollfd room = { .fd = stream->out, .events = POLLOUT };
		size_t left = stream->n_answers - stream->written;
		ssize_t n;

		if (poll(&room, 1, 0) <= 0)
			return hd_loop_watch(stream->streams->loop, stream->out, EPOLLOUT,
					     &stream->out_watch, NULL) == 0;
		n = write(stream->out, stream->answers + stream->written,
			  left < CHUNK ? left : CHUNK);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		stream->written += n > 0 ? (size_t)n : 0;
	}
	stream->written = 0;
	stream->n_answers = 0;
	hd_loop_unwatch(stream->streams->loop, stream->out, &stream->out_watch);
	return true;
}

static bool set_timer(struct stream *stream, uint64_t ns)
{
	struct itimerspec at = { .it_value = { .tv_sec = (time_t)(ns / 1000000000),
					       .tv_nsec = (long)(ns % 1000000000) } };

	return timerfd_settime(stream->timer, 0, &at, NULL) == 0;
}

static void run_line(struct stream *stream)
{
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	stream->line[stream->used] = '\0';
	if (stream->too_long)
		fputs("error: the line is too long\n", out);
	else
		hd_console_line(&stream->console, stream->line, out);
	stream->used = 0;
	stream->too_long = false;
	if (fclose(out) == 0)
		append(stream, text, size);
	free(text);
}

/* Does what the last command left to be done after its pause. */
static void run_later(struct stream *stream)
{
	void (*later)(struct hd_console * console, FILE * out) = stream->console.later;
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	stream->console.later = NULL;
	if (!out)
		return;
	later(&stream->console, out);
	if (fclose(out) == 0)
		append(stream, text, size);
	free(text);
}

/* Runs commands of what was read until one pauses; false: all was used. */
static bool run_lines(struct stream *stream)
{
	while (stream->at < stream->filled) {
		char c = stream->buffer[stream->at++];

		if (c != '\n') {
			if (stream->used < LINE_SIZE - 1 && c)
				stream->line[stream->used++] = c;
			else
				stream->too_long = true;
			continue;
		}
		run_line(stream);
		if (stream->terminal)
			append(stream, "sim> ", 5);
		if (stream->console.wait_ns || stream->n_answers > CHUNK)
			return true;
	}
	return false;
}

/* False: the input has ended. */
static bool fill(struct stream *stream)
{
	ssize_t n = read(stream->in, stream->buffer, sizeof(stream->buffer));

	stream->at = 0;
	stream->filled = n > 0 ? (size_t)n : 0;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Watches for whatever allows the next command. */
static bool wait_for_more(struct stream *stream)
{
	struct hd_loop *loop = stream->streams->loop;
	uint64_t wait = stream->console.wait_ns;

	if (stream->n_answers || wait || stream->plain)
		hd_loop_unwatch(loop, stream->in, &stream->in_watch);
	if (stream->n_answers)
		return true; /* out_watch will go on */
	if (wait || stream->plain) {
		stream->console.wait_ns = 0;
		return set_timer(stream, wait ? wait : 1);
	}
	return hd_loop_watch(loop, stream->in, EPOLLIN, &stream->in_watch, NULL) == 0;
}

/* Writes answers, runs the commands that were read, and watches for more. */
static void proceed(struct stream *stream)
{
	bool alive = write_answers(stream);

	while (alive && !stream->n_answers && !stream->console.wait_ns && run_lines(stream))
		alive = write_answers(stream);
	if (alive)
		alive = write_answers(stream);
	if (alive && stream->ended && !stream->n_answers && !stream->console.later &&
	    stream->at == stream->filled)
		alive = false;
	if (!alive || !wait_for_more(stream))
		close_stream(stream);
}

static void read_more(struct stream *stream)
{
	if (stream->at == stream->filled && !stream->ended && !fill(stream)) {
		stream->ended = true;
		if (stream->used)
			run_line(stream);
	}
	proceed(stream);
}

static void in_ready(void *context, uint32_t events)
{
	(void)events;
	read_more(context);
}

static void out_ready(void *context, uint32_t events)
{
	(void)events;
	proceed(context);
}

static void timer_ready(void *context, uint32_t events)
{
	struct stream *stream = context;
	uint64_t expirations;

	(void)events;
	if (read(stream->timer, &expirations, sizeof(expirations)) <= 0)
		return;
	if (stream->console.later)
		run_later(stream);
	if (stream->console.later || stream->at < stream->filled)
		proceed(stream);
	else if (stream->plain)
		read_more(stream);
	else
		proceed(stream);
}

static int add_stream(struct hd_streams *streams, int in, int out, bool owned, struct hd_error *err)
{
	struct stream *stream = calloc(1, sizeof(*stream));
	int ret;

	if (!stream)
		return hd_error_nomem(err);
	stream->streams = streams;
	stream->console = streams->console;
	stream->in = in;
	stream->out = out;
	stream->in_watch = (struct hd_watch){ .ready = in_ready, .context = stream };
	stream->out_watch = (struct hd_watch){ .ready = out_ready, .context = stream };
	stream->timer_watch = (struct hd_watch){ .ready = timer_ready, .context = stream };
	stream->terminal = isatty(in) && isatty(out);
	stream->next = streams->first;
	streams->first = stream;
	stream->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	ret = stream->timer < 0 ? hd_error_set(err, HD_EIO, "timer: %s", strerror(errno))
				: hd_loop_watch(streams->loop, stream->timer, EPOLLIN,
						&stream->timer_watch, err);
	if (ret) {
		close_stream(stream);
		return ret;
	}
	/* files, and /dev/null, are always ready, and epoll refuses them */
	stream->plain = hd_loop_watch(streams->loop, in, EPOLLIN, &stream->in_watch, NULL) != 0;
	if (stream->plain)
		set_timer(stream, 1);
	stream->owned = owned;
	if (stream->terminal)
		append(stream, "sim> ", 5);
	proceed(stream);
	return 0;
}

int hd_streams_add(struct hd_streams *streams, int in, int out, struct hd_error *err)
{
	return add_stream(streams, in, out, false, err);
}

static void accept_connection(void *context, uint32_t events)
{
	struct hd_streams *streams = context;
	int fd = accept4(streams->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), copy;

	(void)events;
	if (fd < 0)
		return;
	/* one descriptor to read from and one to write to, so that each can be watched by itself */
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0 || add_stream(streams, fd, copy, true, NULL)) {
		close(fd);
		if (copy >= 0)
			close(copy);
	}
}

int hd_streams_new(struct hd_loop *loop, const struct hd_console *console,
		   struct hd_streams **streams, struct hd_error *err)
{
	*streams = calloc(1, sizeof(**streams));
	if (!*streams)
		return hd_error_nomem(err);
	(*streams)->loop = loop;
	(*streams)->console = *console;
	(*streams)->listener = -1;
	return 0;
}

void hd_streams_free(struct hd_streams *streams)
{
	if (!streams)
		return;
	while (streams->first) {
		write_answers(streams->first);
		close_stream(streams->first);
	}
	if (streams->listener >= 0) {
		hd_loop_unwatch(streams->loop, streams->listener, &streams->listener_watch);
		close(streams->listener);
		unlink(streams->path);
	}
	free(streams);
}

/* Whether @path is a socket at which nobody listens. */
static bool is_abandoned(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat status;
	bool abandoned;

	if (fd < 0)
		return false;
	abandoned = stat(address->sun_path, &status) == 0 && S_ISSOCK(status.st_mode) &&
		    connect(fd, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
		    errno == ECONNREFUSED;
	close(fd);
	return abandoned;
}

/*
 * Moves the socket "s" of the directory @at to @path, where nothing may be; 0, or errno has the
 * reason.
 */
static int give_name(int at, const char *path)
{
	struct stat status;

	if (!renameat2(at, "s", AT_FDCWD, path, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL)
		return -1;
	/* a file system that cannot do both at once */
	if (!lstat(path, &status)) {
		errno = EEXIST;
		return -1;
	}
	return renameat(at, "s", AT_FDCWD, path);
}

/*
 * Binds @fd to @path and listens. The socket gets its name when it listens already, so that who
 * finds it can connect: a directory beside it, which others cannot enter, has it until then. The
 * name that it gets must not exist, as with bind(). Negative: errno.
 */
static int listen_at(int fd, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char directory[sizeof(address.sun_path) + sizeof("XXXXXX")];
	int at, error = 0;

	snprintf(directory, sizeof(directory), "%sXXXXXX", path);
	if (!mkdtemp(directory))
		return -errno;
	at = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	/* by the descriptor, since the whole path may be longer than a socket's */
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/s", at);
	if (at < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 16) ||
	    give_name(at, path))
		error = -errno;
	if (at >= 0) {
		unlinkat(at, "s", 0);
		close(at);
	}
	rmdir(directory);
	/* what bind() says */
	return error == -EEXIST ? -EADDRINUSE : error;
}

int hd_streams_listen(struct hd_streams *streams, const char *path, struct hd_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, error;

	if (!*path || strlen(path) >= sizeof(address.sun_path))
		return hd_error_set(err, HD_EINVAL, "a path of a socket has 1 to %zu bytes",
				    sizeof(address.sun_path) - 1);
	memcpy(address.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return hd_error_at(err, HD_EIO, path, 0, "%s", strerror(errno));
	if (is_abandoned(&address))
		unlink(path);
	error = listen_at(fd, path);
	if (error) {
		close(fd);
		return hd_error_at(err, HD_EIO, path, 0, "%s", strerror(-error));
	}
	streams->listener = fd;
	memcpy(streams->path, address.sun_path, sizeof(streams->path));
	streams->listener_watch =
		(struct hd_watch){ .ready = accept_connection, .context = streams };
	return hd_loop_watch(streams->loop, fd, EPOLLIN, &streams->listener_watch, err);
}
