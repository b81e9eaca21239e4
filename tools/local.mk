# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
bin_PROGRAMS += heddle
heddle_SOURCES = \
	tools/gaps_print.c tools/gaps_print.h \
	tools/main.c \
	tools/command.c tools/command.h \
	tools/cmd_check.c \
	tools/check_adaptive.c tools/check_adaptive.h \
	tools/check_between.c tools/check_between.h \
	tools/check_history.c tools/check_history.h \
	tools/check_rules.c tools/check_rules.h \
	tools/rules_json.c tools/rules_sarif.c tools/rules_words.c \
	tools/cmd_convert.c \
	tools/convert_goal.c tools/convert_goal.h \
	tools/cmd_diff.c \
	tools/cmd_list.c \
	tools/cmd_route.c \
	tools/cmd_setup.c \
	tools/opensm_conf.c tools/opensm_conf.h \
	tools/cmd_show.c tools/cmd_show.h \
	tools/show_ar.c \
	tools/show_load.c tools/show_rates.c tools/show_rates.h \
	tools/show_path.c \
	tools/show_tables.c \
	tools/cmd_topo.c \
	tools/link_classes.c tools/link_classes.h \
	tools/faults/failures.c tools/faults/failures.h \
	tools/faults/fault_sets.c tools/faults/fault_sets.h \
	tools/faults/fault_study.c tools/faults/fault_study.h \
	tools/faults/share_bounds.c tools/faults/share_bounds.h \
	tools/cmd_faults.c \
	tools/open_input.c tools/open_input.h \
	tools/faults/load_moves.c tools/faults/load_moves.h \
	tools/draw/draw.c tools/draw/draw.h \
	tools/draw/absent.c tools/draw/absent_svg.c \
	tools/draw/boxes.c \
	tools/draw/boxes_svg.c \
	tools/draw/dot.c \
	tools/draw/layout.c \
	tools/draw/levels.c \
	tools/draw/paper.c \
	tools/draw/spread.c \
	tools/draw/svg.c tools/draw/svg_text.c \
	tools/draw/graphml.c \
	tools/places/k8s.c \
	tools/places/name_list.c tools/places/name_list.h \
	tools/places/place_names.c tools/places/places.c tools/places/places.h \
	tools/places/slurm.c \
	tools/program.c tools/program.h \
	tools/progress.c tools/progress.h \
	tools/cmd_plan.c tools/cmd_plan.h \
	tools/plan_json.c tools/plan_print.c \
	tools/plan_load.c tools/plan_load.h \
	tools/cmd_qos.c \
	tools/qos_bound.c tools/qos_bound.h \
	tools/qos_export.c tools/qos_export.h \
	tools/qos_plan.c tools/qos_plan.h \
	tools/qos_show.c tools/qos_show.h \
	tools/qos_view.c tools/qos_view.h \
	tools/cmd_report.c \
	tools/report_page/bridges.c tools/report_page/bridges.h \
	tools/report_page/doc.c tools/report_page/doc.h \
	tools/report_page/doc_html.c tools/report_page/doc_text.c \
	tools/report_page/facts.c tools/report_page/facts.h \
	tools/report_page/findings.c \
	tools/report_page/page_writer.c tools/report_page/page_writer.h \
	tools/report_page/page_data.c \
	tools/report_page/picture.c \
	tools/report_page/sections.c tools/report_page/sections.h \
	tools/report_page/since.c \
	tools/report_page/try_failures.c \
	tools/report.c tools/report.h \
	tools/diff_fields.c tools/diff_fields.h \
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
	tools/sim_jobs.c tools/sim_jobs.h \
	tools/sim_jobs_plot.c \
	tools/sim_series.c \
	tools/sim_table.c \
	tools/sim_timeline.c \
	tools/port_errors.c tools/port_errors.h \
	tools/slow_print.c tools/slow_print.h \
	tools/survey.c tools/survey.h \
	tools/verdict.c tools/verdict.h
if HAVE_IBNETDISC
heddle_SOURCES += tools/cmd_dump.c \
	tools/live_arguments.c tools/live_arguments.h \
	tools/cmd_agent.c tools/cmd_agent.h \
	tools/agent_print.c \
	tools/cmd_watch.c \
	tools/watch/watch_facts.c tools/watch/watch_state.h \
	tools/watch/lines.c tools/watch/metrics.c \
	tools/watch/round.c \
	tools/watch/serve.c tools/watch/serve.h \
	tools/agent_step.c
endif
heddle_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir) $(MICROHTTPD_CFLAGS) $(MPI_CFLAGS)
heddle_LDADD = liblive.a $(sim_libs) $(IBNETDISC_LIBS) $(MICROHTTPD_LIBS) $(MPI_LIBS)

# The page of heddle report: its parts as arrays, and the sums that its security policy names.
page_parts = page.html page.css page.js
tools/report_page/page_files.h: tools/report_page/page.html tools/report_page/page.css tools/report_page/page.js
	@$(MKDIR_P) tools/report_page
	$(AM_V_GEN)for part in $(page_parts); do \
		file=$(srcdir)/tools/report_page/$$part; name=$${part#page.}; \
		sum=`sha256sum <$$file` && \
		echo "#define HD_PAGE_`echo $$name | tr a-z A-Z`_SHA256 \"$${sum%% *}\"" && \
		echo "static const unsigned char hd_page_$$name[] = {" && \
		od -An -v -tx1 $$file | sed 's/[0-9a-f][0-9a-f]/0x&,/g' && \
		echo '0 };' || exit 1; \
	done >$@-new && mv $@-new $@
tools/report_page/heddle-page_writer.$(OBJEXT): tools/report_page/page_files.h
BUILT_SOURCES += tools/report_page/page_files.h
CLEANFILES += tools/report_page/page_files.h
EXTRA_DIST += tools/report_page/page.html tools/report_page/page.css tools/report_page/page.js

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA += completions/heddle
EXTRA_DIST += contrib/opensm/director.conf contrib/opensm/dragonfly.conf contrib/opensm/dragonflyplus.conf \
	contrib/opensm/fat-tree.conf contrib/opensm/hyperx.conf contrib/opensm/mesh.conf contrib/opensm/rails.conf \
	contrib/opensm/slimfly.conf \
	contrib/opensm/torus.conf
EXTRA_DIST += docs/faults.md docs/defaults.md tools/gdb/heddle_gdb.py
