// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/child.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.h"
#include "support/temporary.h"

#define WRAPPER     "libumad2sim.so"
#define OWN_WRAPPER "libsimfabric-umad.so"

int hd_child_find_wrapper(char path[PATH_MAX], struct hd_error *err)
{
	static const char *const places[] = {
		"/usr/local/lib/umad2sim/" WRAPPER,
		"/usr/lib/*/umad2sim/" WRAPPER,
		"/usr/lib/umad2sim/" WRAPPER,
		"/usr/lib64/umad2sim/" WRAPPER,
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		glob_t found;

		if (glob(places[i], 0, NULL, &found))
			continue;
		snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
		globfree(&found);
		return 0;
	}
	return hd_error_set(err, HD_ENOTFOUND,
			    WRAPPER " is not installed: it is in the package ibsim-utils");
}

/* Beside the program in a build tree, else where it is installed. */
static int find_own_wrapper(char path[PATH_MAX], struct hd_error *err)
{
	char program[PATH_MAX - sizeof("/../" OWN_WRAPPER)];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[length > 0 ? length : 0] = '\0';
	if (strrchr(program, '/')) {
		*strrchr(program, '/') = '\0';
		snprintf(path, PATH_MAX, "%s/../" OWN_WRAPPER, program);
		if (access(path, R_OK) == 0)
			return 0;
	}
	snprintf(path, PATH_MAX, HD_PKGLIBDIR "/" OWN_WRAPPER);
	if (access(path, R_OK) == 0)
		return 0;
	return hd_error_set(err, HD_ENOTFOUND, "%s is not installed", path);
}

static int find_wrapper(const char *wanted, char path[PATH_MAX], struct hd_error *err)
{
	if (!wanted || strcmp(wanted, "stock") == 0)
		return hd_child_find_wrapper(path, err);
	if (strcmp(wanted, "own") == 0)
		return find_own_wrapper(path, err);
	if (!realpath(wanted, path))
		return hd_error_at(err, HD_ENOTFOUND, wanted, 0, "%s", strerror(errno));
	return 0;
}

/* LD_PRELOAD with @wrapper at its place in the list; NULL: out of memory. */
static char *preload(const char *before, const char *wrapper)
{
	size_t size = (before ? strlen(before) : 0) + strlen(wrapper) + 3;
	char *runtimes = calloc(1, size), *others = calloc(1, size), *result = NULL;
	char *copy = strdup(before ? before : ""), *rest = copy, *each;

	if (runtimes && others && copy) {
		while ((each = strsep(&rest, ": "))) {
			const char *base = strrchr(each, '/') ? strrchr(each, '/') + 1 : each;
			bool runtime = strncmp(base, "libasan", 7) == 0 ||
				       strncmp(base, "libclang_rt.asan", 16) == 0 ||
				       strncmp(base, "libtsan", 7) == 0;

			if (!*each || strcmp(each, wrapper) == 0)
				continue;
			strcat(runtime ? runtimes : others, each);
			strcat(runtime ? runtimes : others, ":");
		}
		if (asprintf(&result, "%s%s%s%s", runtimes, wrapper, *others ? ":" : "", others) <
		    0)
			result = NULL;
		else if (*others)
			result[strlen(result) - 1] = '\0';
	}
	free(copy);
	free(runtimes);
	free(others);
	return result;
}

static int make_directory(struct hd_child *child, struct hd_error *err)
{
	const char *parent = getenv("TMPDIR");
	char path[PATH_MAX];

	if (!parent || !*parent)
		parent = "/tmp";
	snprintf(path, sizeof(path), "%s/simfabric", parent);
	if (hd_temporary_make(&child->directory, path, true, 0700))
		return hd_error_at(err, HD_EIO, path, 0, "%s", strerror(errno));
	return 0;
}

static int set_environment(const struct hd_child_options *options, const struct hd_child *child,
			   const char *wrapper, struct hd_error *err)
{
	char *list = preload(getenv("LD_PRELOAD"), wrapper);
	int failed;

	if (!list)
		return hd_error_nomem(err);
	failed =
		setenv("LD_PRELOAD", list, 1) || setenv("IBSIM_SOCKNAME", options->name, 1) ||
		setenv("SIM_HOST", options->host, 1) ||
		setenv("OSM_TMP_DIR", child->directory.path, 0) ||
		setenv("OSM_CACHE_DIR", child->directory.path, 0) ||
		/* with opensm -n 0, more MADs are under way than opensm keeps track of by itself */
		setenv("OSM_UMAD_MAX_PENDING", "1000000", 0) ||
		/* these would make the wrapper use UDP */
		unsetenv("IBSIM_SERVER_NAME") || unsetenv("IBSIM_SERVER_PORT");
	free(list);
	return failed ? hd_error_nomem(err) : 0;
}

/* Runs in the new process; writes to @report why the program could not be started. */
static void __attribute__((noreturn))
become(const struct hd_child_options *options, const struct hd_child *child, const char *wrapper,
       pid_t parent, int report)
{
	sigset_t none;
	int error;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (options->files.rlim_max)
		setrlimit(RLIMIT_NOFILE, &options->files);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	errno = ENOMEM;
	if (set_environment(options, child, wrapper, NULL) == 0 &&
	    (access(".", W_OK) == 0 || chdir(child->directory.path) == 0))
		execvp(options->argv[0], options->argv);
	error = errno;
	if (write(report, &error, sizeof(error)) != (ssize_t)sizeof(error))
		_exit(126);
	_exit(127);
}

int hd_child_start(const struct hd_child_options *options, struct hd_child *child,
		   struct hd_error *err)
{
	char wrapper[PATH_MAX];
	pid_t parent = getpid();
	int report[2], error, ret;

	*child = (struct hd_child){ .pid = -1 };
	ret = find_wrapper(options->wrapper, wrapper, err);
	if (ret)
		return ret;
	ret = make_directory(child, err);
	if (ret)
		return ret;
	if (pipe2(report, O_CLOEXEC))
		return hd_error_set(err, HD_EIO, "pipe: %s", strerror(errno));
	child->pid = fork();
	if (child->pid == 0)
		become(options, child, wrapper, parent, report[1]);
	error = child->pid < 0 ? errno : 0;
	close(report[1]);
	/* nothing comes when the process has become the program */
	if (child->pid > 0 && read(report[0], &error, sizeof(error)) == (ssize_t)sizeof(error)) {
		waitpid(child->pid, NULL, 0);
		child->pid = -1;
	}
	close(report[0]);
	if (child->pid < 0)
		return hd_error_set(err, HD_ENOTFOUND, "cannot run '%s': %s", options->argv[0],
				    strerror(error));
	return 0;
}

int hd_child_exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void hd_child_clean(struct hd_child *child)
{
	hd_temporary_remove(&child->directory);
}
