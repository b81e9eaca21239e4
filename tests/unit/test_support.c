// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "config.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ended.h"
#include "support/ini.h"
#include "support/memory.h"
#include "support/options.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/random.h"
#include "support/temporary.h"
#include "support/text.h"

#ifdef HAVE_ZLIB
#define HAVE_ZLIB_IS_THERE true
#else
#define HAVE_ZLIB_IS_THERE false
#endif
#ifdef HAVE_LZMA
#define HAVE_LZMA_IS_THERE true
#else
#define HAVE_LZMA_IS_THERE false
#endif
#ifdef HAVE_ZSTD
#define HAVE_ZSTD_IS_THERE true
#else
#define HAVE_ZSTD_IS_THERE false
#endif

static const struct hd_option table[] = {
	{ "a", "4", "", "a number" },
	{ "path", NULL, "", "has no default" },
	{ "check", "on", "", "a switch" },
	{ NULL, NULL, NULL, NULL },
};

static void params_defaults_and_errors(void **state)
{
	struct hd_params *params = hd_params_new(table);
	struct hd_error err;
	uint64_t value;
	bool on;

	assert_non_null(params);
	assert_hd_ok(hd_params_number(params, "a", 1, 9, &value, &err), err);
	assert_int_equal(value, 4);
	assert_null(hd_params_get(params, "path"));
	assert_hd_ok(hd_params_bool(params, "check", &on, &err), err);
	assert_true(on);
	assert_hd_ok(hd_params_set_pair(params, "engine x", "a=0x10", &err), err);
	assert_true(hd_params_is_set(params, "a"));
	assert_int_equal(hd_params_number(params, "a", 1, 9, &value, &err), HD_ERANGE);
	assert_hd_says(err, "1..9");
	assert_int_equal(hd_params_set_pair(params, "engine x", "a=5", &err), HD_EINVAL);
	assert_hd_says(err, "twice");
	assert_int_equal(hd_params_set_pair(params, "engine x", "b=5", &err), HD_EINVAL);
	assert_hd_says(err, "engine x has no option 'b'");
	assert_int_equal(hd_params_set_pair(params, "engine x", "b", &err), HD_EINVAL);
	assert_int_equal(hd_params_set(params, "engine x", "check", "maybe", &err), 0);
	assert_int_equal(hd_params_bool(params, "check", &on, &err), HD_EINVAL);
	hd_params_free(params);
}

static void numbers_are_bounded(void **state)
{
	static const char *const wrong[] = { "", "-", "-x", " 1", "1 ", "1x", "0x", "0xg", "+3" };
	struct hd_error err;
	uint64_t value;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(hd_parse_number(wrong[i], "n", 0, 100, &value, &err), HD_EINVAL);
	assert_int_equal(hd_parse_number("18446744073709551616", "n", 0, UINT64_MAX, &value, &err),
			 HD_ERANGE);
	assert_int_equal(hd_parse_number("-1", "n", 0, 100, &value, &err), HD_EINVAL);
	assert_hd_says(err, "n: -1 is not in 0..100");
	assert_hd_ok(hd_parse_number("0xffffffffffffffff", "n", 0, UINT64_MAX, &value, &err), err);
	assert_true(value == UINT64_MAX);
}

static void scanning_stops_at_the_end(void **state)
{
	const char text[] = "1234zz";
	const char *cursor = text;
	uint64_t value;

	assert_true(hd_scan_number(&cursor, text + 2, 10, 99, &value));
	assert_int_equal(value, 12);
	assert_ptr_equal(cursor, text + 2);
	assert_false(hd_scan_number(&cursor, text + 4, 10, 33, &value));
	assert_true(hd_scan_number(&cursor, text + 4, 10, 34, &value));
	assert_false(hd_scan_number(&cursor, text + 6, 10, 34, &value));
}

static void lines_end_with_lf_or_crlf(void **state)
{
	const char text[] = "one\r\n\ntwo";
	struct hd_lines lines;

	hd_lines_begin(&lines, "f", text, sizeof(text) - 1);
	assert_true(hd_lines_next(&lines));
	assert_int_equal(lines.end - lines.begin, 3);
	assert_true(hd_lines_next(&lines));
	assert_ptr_equal(lines.end, lines.begin);
	assert_true(hd_lines_next(&lines));
	assert_int_equal(lines.number, 3);
	assert_int_equal(lines.end - lines.begin, 3);
	assert_false(hd_lines_next(&lines));
}

static int take_nothing(void *user, const struct hd_ini_item *item, struct hd_error *err)
{
	return 0;
}

static void ini_files_that_are_wrong(void **state)
{
#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
	static const struct {
		const char *text;
		size_t size;
		unsigned line;
		const char *words;
	} cases[] = {
#define CASE(text, ...) { text, sizeof(text) - 1, __VA_ARGS__ }
		CASE("[a]\nb\n", 2, "neither [section] nor key = value"),
		CASE("[a\n", 1, "neither [section] nor key = value"),
		CASE("[" FIFTY "]\n", 1, "a section's name of more than 49 characters"),
		CASE("[a]\nb = 1\0\n", 2, "a NUL byte"),
		CASE("[a]\nb = " FIFTY FIFTY FIFTY FIFTY "\n", 2, "a line of more than 197"),
#undef CASE
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_error err = { 0 };

		assert_int_equal(hd_ini_parse("file", cases[i].text, cases[i].size, take_nothing,
					      NULL, &err),
				 HD_EPARSE);
		assert_int_equal(err.line, cases[i].line);
		assert_hd_says(err, cases[i].words);
	}
}

static void output_appears_whole_or_not(void **state)
{
	char directory[] = "/tmp/heddle-unit.XXXXXX", path[64];
	struct hd_output output;
	struct hd_text text;
	struct hd_error err;

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/file", directory);
	assert_hd_ok(hd_output_open(&output, path, &err), err);
	fputs("half", output.stream);
	hd_output_abort(&output);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_hd_ok(hd_output_open(&output, path, &err), err);
	fputs("whole", output.stream);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_hd_ok(hd_output_commit(&output, &err), err);
	assert_hd_ok(hd_text_read(path, &text, &err), err);
	assert_string_equal(text.data, "whole");
	hd_text_free(&text);
	assert_int_equal(hd_text_read(directory, &text, &err), HD_EIO);
	unlink(path);
	assert_int_equal(rmdir(directory), 0); /* nothing temporary is left */
	assert_int_equal(hd_output_open(&output, path, &err), HD_EIO);
}

/* Reads @size bytes as a file; 0, with the text in @text, or an error. */
static int read_bytes(const void *bytes, size_t size, struct hd_text *text, struct hd_error *err)
{
	char path[] = "/tmp/heddle-unit.XXXXXX";
	int fd = mkstemp(path), ret;

	assert_true(fd >= 0);
	assert_true(write(fd, bytes, size) == (ssize_t)size);
	close(fd);
	ret = hd_text_read(path, text, err);
	if (!ret) {
		struct hd_text as_is;

		/* programs that serve others unpack nothing */
		assert_hd_ok(hd_text_read_file(path, 1000, &as_is, err), *err);
		assert_int_equal(as_is.size, size);
		hd_text_free(&as_is);
	}
	unlink(path);
	return ret;
}

/* "hello\n", by gzip -n, xz and zstd */
static void packed_files_are_unpacked(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t size;
		bool is_there;
	} packed[] = {
		{ "gzip",
		  "\037\213\010\000\000\000\000\000\000\003\313\110\315\311\311\347"
		  "\002\000\040\060\072\066\006\000\000\000",
		  26, HAVE_ZLIB_IS_THERE },
		{ "xz",
		  "\375\067\172\130\132\000\000\004\346\326\264\106\002\000\041\001"
		  "\026\000\000\000\164\057\345\243\001\000\005\150\145\154\154\157"
		  "\012\000\000\000\245\140\227\361\224\366\375\340\000\001\036\006"
		  "\301\057\244\035\037\266\363\175\001\000\000\000\000\004\131\132",
		  64, HAVE_LZMA_IS_THERE },
		{ "zstd",
		  "\050\265\057\375\004\130\061\000\000\150\145\154\154\157\012\123"
		  "\210\275\221",
		  19, HAVE_ZSTD_IS_THERE },
	};

	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++) {
		struct hd_error err = { 0 };
		struct hd_text text;
		char bytes[512];

		if (!packed[i].is_there) {
			assert_int_equal(read_bytes(packed[i].bytes, packed[i].size, &text, &err),
					 HD_EIO);
			assert_hd_says(err, "built without");
			continue;
		}
		assert_hd_ok(read_bytes(packed[i].bytes, packed[i].size, &text, &err), err);
		assert_string_equal(text.data, "hello\n");
		hd_text_free(&text);
		/* two of them after one another hold one text, as for their tools */
		memcpy(bytes, packed[i].bytes, packed[i].size);
		memcpy(bytes + packed[i].size, packed[i].bytes, packed[i].size);
		assert_hd_ok(read_bytes(bytes, 2 * packed[i].size, &text, &err), err);
		assert_string_equal(text.data, "hello\nhello\n");
		hd_text_free(&text);
		for (size_t size = 6; size < packed[i].size; size++) {
			assert_int_equal(read_bytes(packed[i].bytes, size, &text, &err), HD_EPARSE);
			assert_hd_says(err, "cut short");
			assert_hd_says(err, packed[i].name);
		}
		memset(bytes + packed[i].size - 8, 0x55, 8);
		assert_int_equal(read_bytes(bytes, packed[i].size, &text, &err), HD_EPARSE);
		assert_hd_says(err, "damaged");
	}
}

static void what_is_shown_is_printable(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "", "" },
		{ "leaf 1 ~ höst 京 \U0001F600", "leaf 1 ~ höst 京 \U0001F600" },
		{ "a\x1B[31mb\a\n\t\x7F", "a?[31mb????" },
		{ "\xC2\x9B"
		  "31mred\xC2\x80\xC2\xA0",
		  "?31mred?\xC2\xA0" }, /* C1; a hard blank is none */
		{ "\u202Egpj.exe\u2066\u2069\u200F\u061C", "?gpj.exe????" }, /* directions */
		{ "a\u200Bb\u00ADc\uFEFF\u2028", "a?b?c??" }, /* no width, a line's end */
		{ "\uFFFD\uFFFE\U0010FFFF\U000E0041", "\uFFFD???" },
		{ "h\xF6st", "h?st" },               /* Latin-1 */
		{ "\xC0\xAF\xED\xA0\x80", "?????" }, /* overlong, a surrogate */
		{ "\xF4\x90\x80\x80\xFF", "?????" }, /* beyond Unicode */
		{ "cut \xE4\xBA", "cut ??" },
		{ "\x9B\xE4\xBA\xAC", "?京" },
	};
	struct hd_error err;
	char text[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "%s", cases[i].text);
		assert_ptr_equal(hd_make_printable(text), text);
		assert_string_equal(text, cases[i].shown);
	}
	hd_error_at(&err, HD_EPARSE, "a\x1B", 1, "'%s'", "b\xC2\x9B-\n");
	assert_string_equal(hd_error_format(&err, text, sizeof(text)), "a?:1: 'b?-?'");
}

/* Whether @path has the permissions of @mode but for the umask. */
static void assert_mode(const char *path, mode_t mode)
{
	struct stat status;
	mode_t mask = umask(0);

	umask(mask);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, mode & ~mask);
}

static void temporary_files_of_the_dead_are_removed(void **state)
{
	char directory[] = "/tmp/heddle-unit.XXXXXX", path[64], other[64], inner[160];
	struct hd_temporary dead[3], alive, next;
	mode_t before = umask(027);

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/file", directory);
	snprintf(other, sizeof(other), "%s/file.heddle-012345678", directory);
	assert_int_equal(hd_temporary_make(&alive, path, false, 0666), 0);
	assert_mode(alive.path, 0666);
	fclose(fopen(other, "w")); /* looks like one, but a digit too many */
	for (int i = 0; i < 2; i++) {
		assert_int_equal(hd_temporary_make(&dead[i], path, i, 0777), 0);
		assert_mode(dead[i].path, 0777);
		if (i) {
			snprintf(inner, sizeof(inner), "%s/link", dead[i].path);
			assert_int_equal(symlink(directory, inner), 0);
			snprintf(inner, sizeof(inner), "%s/inner", dead[i].path);
			assert_int_equal(mkdir(inner, 0700), 0);
		}
		dead[2] = dead[i];
		dead[2].path = strdup(dead[i].path);
		hd_temporary_release(&dead[i]); /* the lock goes, as with the process */
		dead[i] = dead[2];
	}
	assert_int_equal(hd_temporary_make(&next, path, false, 0666), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_not_equal(access(dead[i].path, F_OK), 0);
		free(dead[i].path);
	}
	assert_int_equal(access(alive.path, F_OK), 0);
	assert_int_equal(access(other, F_OK), 0);
	hd_temporary_remove(&alive);
	hd_temporary_remove(&next);
	hd_temporary_remove(&next);
	unlink(other);
	assert_int_equal(rmdir(directory), 0);
	assert_int_equal(hd_temporary_make(&next, path, false, 0666), -1);
	hd_temporary_remove(&next);
	umask(before);
}

/* A child that has a file and a directory is ended by @number. */
static void end_child(const char *path, int number, bool is_ignored)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		struct hd_temporary file, directory, kept;
		char inner[160];

		signal(number, is_ignored ? SIG_IGN : SIG_DFL); /* whatever a nohup has left */
		hd_ended_remove_temporary();
		if (hd_temporary_make(&kept, path, false, 0666) ||
		    hd_temporary_make(&file, path, false, 0666) ||
		    hd_temporary_make(&directory, path, true, 0777))
			_exit(1);
		for (int i = 0; i < 300; i++) { /* more than one call of getdents64() reads */
			snprintf(inner, sizeof(inner), "%s/file%d", directory.path, i);
			fclose(fopen(inner, "w"));
		}
		rename(kept.path, path);
		hd_temporary_release(&kept);
		if (!fork()) { /* its end is not its parent's */
			raise(number);
			_exit(0);
		}
		wait(&status);
		if (access(file.path, F_OK) || access(directory.path, F_OK))
			_exit(2);
		raise(number);
		hd_temporary_remove(&file);
		hd_temporary_remove(&directory);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (is_ignored)
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	else
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == number);
}

static void signals_leave_no_temporary_files(void **state)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
	char directory[] = "/tmp/heddle-unit.XXXXXX", path[64];

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/file", directory);
	for (int i = 0; i < 6; i++) {
		end_child(path, numbers[i / 2], i % 2);
		assert_int_equal(unlink(path), 0); /* what was released stays */
		assert_int_equal(rmdir(directory), 0);
		assert_int_equal(mkdir(directory, 0700), 0);
	}
	rmdir(directory);
}

static void memory_that_is_not_there_is_not_promised(void **state)
{
	size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	void *block = hd_alloc_large(1 << 20);

	assert_non_null(block);
	assert_int_equal((uintptr_t)block % 64, 0);
	free(block);
	assert_null(hd_alloc_large(SIZE_MAX / 2));
	assert_null(hd_alloc_large(64 * all)); /* not even with much swap */
}

static long resident_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	long all, resident;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld %ld", &all, &resident), 2);
	fclose(file);
	return resident;
}

/* Small blocks below one that stays: libc gives their pages back only if it is told to. */
static void freed_memory_is_released(void **state)
{
#ifdef __GLIBC__
	enum { N = 64 << 10, SIZE = 1000 }; /* 64 MB */
	void **blocks, *last;
	long before, after;

	(void)state;
	if (HD_IS_SLOW) { /* sanitizers have another heap */
		hd_release_free_memory();
		return;
	}
	blocks = calloc(N, sizeof(*blocks));
	assert_non_null(blocks);
	for (size_t i = 0; i < N; i++) {
		blocks[i] = malloc(SIZE);
		assert_non_null(blocks[i]);
		memset(blocks[i], 1, SIZE);
	}
	last = malloc(SIZE);
	assert_non_null(last);
	for (size_t i = 0; i < N; i++)
		free(blocks[i]);
	free(blocks);
	before = resident_pages();
	hd_release_free_memory();
	after = resident_pages();
	free(last);
	/* at least three quarters of it */
	assert_true((before - after) * sysconf(_SC_PAGESIZE) > 3L * N / 4 * SIZE);
#else
	(void)state;
	hd_release_free_memory();
#endif
}

static void random_streams_are_by_counter(void **state)
{
	struct hd_random a, b;
	uint32_t order[100], seen[100] = { 0 };

	hd_random_init(&a, 7, 1);
	hd_random_init(&b, 7, 1);
	for (int i = 0; i < 10; i++)
		assert_int_equal(hd_random_u32(&a), hd_random_u32(&b));
	hd_random_init(&b, 7, 2);
	assert_int_not_equal(hd_random_u32(&a), hd_random_u32(&b));
	for (int i = 0; i < 1000; i++)
		assert_true(hd_random_below(&a, 3) < 3);
	hd_random_permutation(&a, 100, order);
	for (int i = 0; i < 100; i++)
		assert_int_equal(seen[order[i]]++, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(params_defaults_and_errors),
		cmocka_unit_test(numbers_are_bounded),
		cmocka_unit_test(scanning_stops_at_the_end),
		cmocka_unit_test(lines_end_with_lf_or_crlf),
		cmocka_unit_test(ini_files_that_are_wrong),
		cmocka_unit_test(output_appears_whole_or_not),
		cmocka_unit_test(packed_files_are_unpacked),
		cmocka_unit_test(what_is_shown_is_printable),
		cmocka_unit_test(temporary_files_of_the_dead_are_removed),
		cmocka_unit_test(signals_leave_no_temporary_files),
		cmocka_unit_test(memory_that_is_not_there_is_not_promised),
		cmocka_unit_test(freed_memory_is_released),
		cmocka_unit_test(random_streams_are_by_counter),
	};

	return cmocka_run_group_tests_name("support", tests, NULL, NULL);
}
