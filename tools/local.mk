# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
bin_PROGRAMS += heddle
heddle_SOURCES = \
	tools/main.c \
	tools/command.c tools/command.h \
	tools/cmd_check.c \
	tools/check_adaptive.c tools/check_adaptive.h \
	tools/check_between.c tools/check_between.h \
	tools/check_history.c tools/check_history.h \
	tools/cmd_convert.c \
	tools/cmd_diff.c \
	tools/cmd_list.c \
	tools/cmd_route.c \
	tools/cmd_setup.c \
	tools/opensm_conf.c tools/opensm_conf.h \
	tools/cmd_show.c tools/cmd_show.h \
	tools/show_load.c tools/show_rates.c tools/show_rates.h \
	tools/show_path.c \
	tools/show_tables.c \
	tools/cmd_topo.c \
	tools/link_classes.c tools/link_classes.h \
	tools/faults/failures.c tools/faults/failures.h \
	tools/faults/fault_sets.c tools/faults/fault_sets.h \
	tools/faults/fault_study.c tools/faults/fault_study.h \
	tools/cmd_faults.c \
	tools/open_input.c tools/open_input.h \
	tools/faults/load_moves.c tools/faults/load_moves.h \
	tools/draw/draw.c tools/draw/draw.h \
	tools/draw/boxes.c \
	tools/draw/boxes_svg.c \
	tools/draw/dot.c \
	tools/draw/layout.c \
	tools/draw/levels.c \
	tools/draw/spread.c \
	tools/draw/svg.c tools/draw/svg_text.c \
	tools/draw/graphml.c \
	tools/places/k8s.c \
	tools/places/name_list.c tools/places/name_list.h \
	tools/places/place_names.c tools/places/places.h \
	tools/places/slurm.c \
	tools/program.c tools/program.h \
	tools/progress.c tools/progress.h \
	tools/cmd_plan.c tools/cmd_plan.h \
	tools/plan_json.c tools/plan_print.c \
	tools/plan_load.c tools/plan_load.h \
	tools/cmd_qos.c \
	tools/qos_bound.c tools/qos_bound.h \
	tools/qos_plan.c tools/qos_plan.h \
	tools/qos_show.c tools/qos_show.h \
	tools/qos_view.c tools/qos_view.h \
	tools/report.c tools/report.h \
	tools/diff_schedule.c tools/diff_schedule.h \
	tools/served_by.c tools/served_by.h \
	tools/service.c tools/service.h \
	tools/shapes.c tools/shapes.h \
	tools/route_options.c tools/route_options.h \
	tools/cmd_sim.c tools/cmd_sim.h \
	tools/sim_csv.c tools/sim_gnuplot.c \
	tools/sim_input.c \
	tools/sim_json.c \
	tools/sim_mpi.c \
	tools/sim_plot.c tools/sim_plot.h \
	tools/sim_progress.c \
	tools/sim_script.c \
	tools/sim_series.c \
	tools/sim_table.c \
	tools/port_errors.c tools/port_errors.h \
	tools/slow_print.c tools/slow_print.h \
	tools/survey.c tools/survey.h \
	tools/verdict.c tools/verdict.h
if HAVE_IBNETDISC
heddle_SOURCES += tools/cmd_dump.c \
	tools/cmd_agent.c tools/cmd_agent.h \
	tools/agent_print.c \
	tools/agent_step.c
endif
heddle_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
heddle_LDADD = liblive.a $(sim_libs) $(IBNETDISC_LIBS) $(MPI_LIBS)

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA += completions/heddle
EXTRA_DIST += docs/faults.md docs/defaults.md tools/gdb/heddle_gdb.py
