# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
bin_PROGRAMS += heddle
heddle_SOURCES = \
	tools/heddle.c \
	tools/command.c tools/command.h \
	tools/check.c \
	tools/check_adaptive.c tools/check_adaptive.h \
	tools/check_between.c tools/check_between.h \
	tools/check_history.c tools/check_history.h \
	tools/diff.c \
	tools/list.c \
	tools/route.c \
	tools/show.c tools/show.h \
	tools/show_load.c tools/show_rates.c tools/show_rates.h \
	tools/show_path.c \
	tools/show_tables.c \
	tools/topo.c \
	tools/classes.c tools/classes.h \
	tools/failures.c tools/failures.h \
	tools/fault_sets.c tools/fault_sets.h \
	tools/fault_study.c tools/fault_study.h \
	tools/faults.c \
	tools/input.c tools/input.h \
	tools/load_moves.c tools/load_moves.h \
	tools/draw.c tools/draw.h \
	tools/draw_boxes.c \
	tools/draw_boxes_svg.c \
	tools/draw_dot.c \
	tools/draw_layout.c \
	tools/draw_levels.c \
	tools/draw_spread.c \
	tools/draw_svg.c \
	tools/program.c tools/program.h \
	tools/progress.c tools/progress.h \
	tools/qos.c \
	tools/qos_bound.c tools/qos_bound.h \
	tools/qos_plan.c tools/qos_plan.h \
	tools/qos_show.c tools/qos_show.h \
	tools/qos_view.c tools/qos_view.h \
	tools/report.c tools/report.h \
	tools/schedule.c tools/schedule.h \
	tools/served_by.c tools/served_by.h \
	tools/service.c tools/service.h \
	tools/shapes.c tools/shapes.h \
	tools/routing.c tools/routing.h \
	tools/sim.c tools/sim.h \
	tools/sim_csv.c \
	tools/sim_input.c \
	tools/sim_json.c \
	tools/sim_mpi.c \
	tools/sim_plot.c tools/sim_plot.h \
	tools/sim_progress.c \
	tools/sim_script.c \
	tools/sim_series.c \
	tools/sim_table.c \
	tools/slow_links.c tools/slow_links.h \
	tools/survey.c tools/survey.h \
	tools/verdict.c tools/verdict.h
if HAVE_IBNETDISC
heddle_SOURCES += tools/dump.c \
	tools/agent.c tools/agent.h \
	tools/agent_print.c \
	tools/agent_step.c
endif
heddle_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
heddle_LDADD = liblive.a $(sim_libs) $(IBNETDISC_LIBS) $(MPI_LIBS)

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA += completions/heddle
EXTRA_DIST += docs/faults.md docs/changes.md docs/defaults.md tools/gdb/heddle_gdb.py
