// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into a program: one allocation of one shared object, or of the program itself, fails.
 *
 *	HD_FAIL_OBJECT  end of the name of the file whose calls count: "/heddle", "libosmheddle.so";
 *	                further ones behind commas
 *	HD_FAIL_AT      which of them fails: 1 is the first; 0 or not given: none
 *	HD_FAIL_COUNT   a file that gets the number of such calls when the program ends
 *
 * In opensm, calls are counted again from the end of each sweep's discovery on. HD_FAIL_AT may be a
 * file, which is read at that time; a number is for what comes before. A line "N allocations, M
 * live" for the sweep before goes to HD_FAIL_COUNT. M are those that have not been freed.
 */
#undef _FORTIFY_SOURCE /* its inline functions would be defined twice */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* what is defined here stands in for libc's */
#pragma GCC visibility push(default)

/* glibc's own */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *old);

#define MAX_RANGES 16

static struct range {
	uintptr_t start, end;
} ranges[MAX_RANGES]; /* of the objects' code */
static atomic_uint n_ranges;
static atomic_long n_calls, n_live, fail_at;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What was allocated and lives: an open hash table without deletion of places. */
#define MAX_LIVE ((size_t)1 << 18)
static void *live[MAX_LIVE];
static void *const gone = (void *)1;

static size_t place_of(const void *pointer)
{
	return ((uintptr_t)pointer >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 46;
}

static void remember(void *pointer)
{
	pthread_mutex_lock(&lock);
	for (size_t i = place_of(pointer), n = 0; n < MAX_LIVE; i = (i + 1) % MAX_LIVE, n++)
		if (!live[i] || live[i] == gone) {
			live[i] = pointer;
			n_live++;
			break;
		}
	pthread_mutex_unlock(&lock);
}

static void forget(void *pointer)
{
	pthread_mutex_lock(&lock);
	for (size_t i = place_of(pointer), n = 0; n < MAX_LIVE && live[i];
	     i = (i + 1) % MAX_LIVE, n++)
		if (live[i] == pointer) {
			live[i] = gone;
			n_live--;
			break;
		}
	pthread_mutex_unlock(&lock);
}

static bool is_named(const char *file)
{
	const char *names = getenv("HD_FAIL_OBJECT");
	size_t length = strlen(file);

	while (names && *names) {
		size_t n = strcspn(names, ",");

		if (n && n <= length && !strncmp(file + length - n, names, n))
			return true;
		names += n + (names[n] == ',');
	}
	return false;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
	static char program[4096];
	const char *name = info->dlpi_name;
	ssize_t n;

	(void)size;
	(void)context;
	if (!*name) {
		n = readlink("/proc/self/exe", program, sizeof(program) - 1);
		name = n > 0 ? program : "";
	}
	if (!is_named(name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD && header->p_flags & PF_X && n_ranges < MAX_RANGES) {
			struct range *range = &ranges[n_ranges];

			range->start = info->dlpi_addr + header->p_vaddr;
			range->end = range->start + header->p_memsz;
			n_ranges++;
		}
	}
	return 0;
}

__attribute__((constructor)) static void start(void)
{
	const char *at = getenv("HD_FAIL_AT");

	if (at && *at != '/')
		fail_at = atol(at);
	dl_iterate_phdr(add_object, NULL);
}

__attribute__((destructor)) static void stop(void)
{
	const char *file = getenv("HD_FAIL_COUNT");
	FILE *out = file ? fopen(file, "a") : NULL;

	fail_at = 0;
	if (!out)
		return;
	fprintf(out, "%ld allocations, %ld live\n", (long)n_calls, (long)n_live);
	fclose(out);
}

static bool is_ours(const void *caller)
{
	Dl_info info;

	/* loaded by now? */
	if (!n_ranges && dladdr(caller, &info) && info.dli_fname && is_named(info.dli_fname))
		dl_iterate_phdr(add_object, NULL);
	for (unsigned i = 0; i < n_ranges; i++)
		if ((uintptr_t)caller >= ranges[i].start && (uintptr_t)caller < ranges[i].end)
			return true;
	return false;
}

/* Counts a call from @caller; true: it shall fail. */
static bool fails(const void *caller)
{
	if (!is_ours(caller))
		return false;
	if (++n_calls != fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

static void *kept(const void *caller, void *pointer)
{
	if (pointer && is_ours(caller))
		remember(pointer);
	return pointer;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size)
{
	return fails(CALLER) ? NULL : kept(CALLER, __libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
	return fails(CALLER) ? NULL : kept(CALLER, __libc_calloc(n, size));
}

void *realloc(void *old, size_t size)
{
	void *pointer;

	if (fails(CALLER))
		return NULL;
	if (old && n_ranges)
		forget(old);
	pointer = __libc_realloc(old, size);
	if (!pointer && size)
		kept(CALLER, old);
	return kept(CALLER, pointer);
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
	if (fails(CALLER))
		return ENOMEM;
	*pointer = kept(CALLER, __libc_memalign(alignment, size));
	return *pointer ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(CALLER) ? NULL : kept(CALLER, __libc_memalign(alignment, size));
}

void free(void *pointer)
{
	if (pointer && n_ranges)
		forget(pointer);
	__libc_free(pointer);
}

/* The same of libc, for calls from elsewhere that allocate inside libc. */
char *strndup(const char *text, size_t size)
{
	size_t length = strnlen(text, size);
	char *copy = fails(CALLER) ? NULL : kept(CALLER, __libc_malloc(length + 1));

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = fails(CALLER) ? NULL : kept(CALLER, __libc_malloc(size));

	return copy ? memcpy(copy, text, size) : NULL;
}

FILE *open_memstream(char **text, size_t *size)
{
	static FILE *(*real)(char **, size_t *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "open_memstream");
	return fails(CALLER) ? NULL : real(text, size);
}

static int print(const void *caller, char **text, const char *format, va_list arguments)
{
	static int (*real)(char **, const char *, va_list);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "vasprintf");
	return fails(caller) ? -1 : real(text, format, arguments);
}

int vasprintf(char **text, const char *format, va_list arguments)
{
	return print(CALLER, text, format, arguments);
}

int asprintf(char **text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = print(CALLER, text, format, arguments);
	va_end(arguments);
	return length;
}

/* The same, as a program calls them that was built with _FORTIFY_SOURCE. */
int __vasprintf_chk(char **text, int flag, const char *format, va_list arguments);
int __asprintf_chk(char **text, int flag, const char *format, ...);

int __vasprintf_chk(char **text, int flag, const char *format, va_list arguments)
{
	(void)flag;
	return print(CALLER, text, format, arguments);
}

int __asprintf_chk(char **text, int flag, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)flag;
	va_start(arguments, format);
	length = print(CALLER, text, format, arguments);
	va_end(arguments);
	return length;
}

/* OpenSM says so when it knows the fabric: after that come routes, lanes and multicast. */
void osm_log_msg_box_v2(void *log, int level, int file, const char *function, const char *message);

void osm_log_msg_box_v2(void *log, int level, int file, const char *function, const char *message)
{
	static void (*real)(void *, int, int, const char *, const char *);
	const char *at = getenv("HD_FAIL_AT");
	FILE *in;
	long n;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "osm_log_msg_box_v2");
	real(log, level, file, function, message);
	if (strcmp(message, "HEAVY SWEEP COMPLETE") != 0)
		return;
	stop();
	n_calls = 0;
	in = at && *at == '/' ? fopen(at, "r") : NULL;
	if (!in)
		return;
	if (fscanf(in, "%ld", &n) == 1)
		fail_at = n;
	fclose(in);
}

#pragma GCC visibility pop
