# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The scenarios of experiments/ can be run, and points of theirs give what is beside them.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
experiments=$top_srcdir/experiments
cd "$scratch" || exit 99

# In the tarball, too, where nothing may be written; it has no .git and needs none.
ok "verdicts on five papers follow from the rows, and pages print them" "$experiments/verdicts.py"

cat >planted.py <<EOF
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, '$experiments')
import runs, verdicts
rows = runs.read(verdicts.HERE / 'verdicts.csv')
next(row for row in rows if row['few_seeds'])['few_seeds'] = ''
next(row for row in rows if row['seeds'] == '3' and row['verdict'] == 'confirmed')['seeds'] = '2'
next(row for row in rows if row['steady'] == 'paper')['hangs_on'] = 'some window'
next(row for row in rows[::-1] if row['steady'] == 'paper')['window'] = '1ms+auto'
for what in 'few_seeds does not say', 'which hangs_on does not quote':
    print(sum(what in fault for fault in verdicts.faults(rows)))
page = '\n'.join(('| a | b |', '|---|---|', '| 1 | 2 |'))
for printed in page, page + '\n| 3 | 4 |', page.replace('b', 'c'):
    print(*verdicts.strays(printed, page))
EOF
is "a verdict by one seed without a reason, one in a window that is not the paper's, and a table that no page has, are refused" "$(python3 planted.py 2>&1)" \
	$'2\n2\n\nnot | 3 | 4 |\nno table with the head | a | c |'

cat >tables.py <<EOF
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, '$experiments')
import verdicts
page = '| a | b |\n|---|---|\n| 1 | 2 |\n'
other = '| a | b |\n|---|---|\n| 7 | 8 |\n'
print(verdicts.with_tables('some\n\n' + page + '| 3 | 4 |\n', '# Page\n\n' + other + '\n' + page + '\nend\n'), end='')
EOF
is "a table that a script prints takes the place of the page's that has its lines" "$(python3 tables.py 2>&1)" "\
# Page

| a | b |
|---|---|
| 7 | 8 |

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |

end"

# Neither for what a paper says nor against it: windows, other tables, seeds, and what reasons say
cat >leaning.py <<EOF
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, '$experiments')
import claims, papers, runs, verdicts

def compared(in_papers_window):
    """Of a, which is not steady in its own window, and b: the windows of what is compared."""
    def of(name, window):
        names = in_papers_window if window else 'ab'
        return runs.look_at([{'window': window or 'own', 'steady': str(int(bool(window) or name == 'b'))}] if name in names else [])
    runs.LOOKED_AT.clear()
    papers.in_one_window(lambda of: ('both' if of('a') and of('b') else '', True), of)
    return ', '.join(row['window'] for row in runs.LOOKED_AT)

rows = verdicts.table()
judged = [row for row in rows if row['verdict'] in ('confirmed', 'contradicted')]
print(compared('ab'), compared('a'), sep='; ')
print('above saturation:', sum(' at 0.55' in row['claim'] and row['window'] == '10,000+10,000' for row in judged))
dla = [row for row in rows if row['paper'] == 'dla']
only = [row for row in dla if any(words in row['hangs_on'] for _, words in papers.ONLY_CONSECUTIVE.values())]
print('consecutive links alone:', sum('on the palm tree and with' in row['hangs_on'] or row['verdict'].endswith('set-up') for row in only), 'of', len(only))
print('seeds do not tell:', *{row['verdict'] for row in dla if row['holds'] == 'open' and 'decides' not in row['hangs_on']
                             and any(words in row['hangs_on'] for words in (papers.MOST, papers.COMPARABLE))})
print('both networks:', *{row['verdict'] for row in dla if 'UPDN is the worst' in row['claim'] and 'PTRANS' in row['claim']})
print('one capture:', sum(papers.CAPTURES not in row['hangs_on'] for row in dla if 'dfsssp' in row['claim'] + row['ours'] and '±' in row['ours']))
print('steady, and said not to be:', sum(row['steady'] == 'yes' and 'rows are not steady' in row['hangs_on'] for row in rows))
print('said twice:', sum(row['hangs_on'].count('"60,000 cycles (warmup)') > 1 for row in rows))
for paper in papers.PAPERS:
    pieces = [line.partition(' ')[2] for line in verdicts.block([row for row in rows if row['paper'] == paper]) if line[:1].isdigit()]
    print(paper, 'has each piece once:', len(pieces) == len({*pieces}) and not any(' | ' in piece for piece in pieces))
table = claims.Claims('a paper')
table.add('Figure 1', 'of a real machine', '', None, [], departs=claims.UNTESTABLE)
table.add('Figure 2', 'of a long run', '', None, [])
print(*verdicts.counts([row | {'paper': 'dla'} for row in table.rows])[-1:])
judged[0]['window'] = '1ms+2ms, 300us+700us'
print('two windows:', *(fault.rpartition(', ')[2] for fault in verdicts.faults(rows) if 'several windows' in fault))
EOF
is "verdicts: one window, set-up before text, seeds, both networks, and reasons that are true" "$(python3 leaning.py 2>&1)" "\
1ms+2ms, 1ms+2ms; own, own
above saturation: 0
consecutive links alone: 0 of 10
seeds do not tell: not judged: seeds
both networks: undetermined by the text
one capture: 0
steady, and said not to be: 0
said twice: 0
dla has each piece once: True
thesis has each piece once: True
xoradap has each piece once: True
osha has each piece once: True
qos has each piece once: True
| DLA | 0 | 0 | 0 | 1 | 0 | 1 |
two windows: 300us+700us"

# idle.py: on a copy, with a heddle that gives what a row needs, or fails
mkdir -p copy/docs
cp -r "$experiments" copy && cp "$top_srcdir/docs/papers.md" copy/docs && chmod -R u+w copy
ln -s "$(realpath "$top_srcdir/tests")" copy/tests
idle=copy/experiments/idle.py row='chapter 3, h = 4, age, Obl-CRG at 0.55, seed 1'
touch copy/experiments/thesis/chapter-3/h4.csv
sed -i '/^age,ADVc,Obl-CRG,0.55,1,/d' copy/experiments/thesis/chapter-3/h4.csv
copy/experiments/verdicts.py --write
cat >stub <<'EOF'
#!/usr/bin/env bash
echo "$*" >>"${0%/*}/called"
[ ! -e "${0%/*}/fails" ] || exit 1
[ ! -p "${0%/*}/go" ] || read -r <"${0%/*}/go"
echo traffic.load,seed,accepted,switch_min,steady
echo 0.55,1,0.4,0.3,1
EOF
chmod +x stub
listed=$("$idle" --list --rows --only "$row")
is "idle: a row that no file has is listed" "$(tail -n 1 <<<"$listed")" "1 rows, 0.0 hours of a processor, and 0.0 for the pages after each"
is "idle: with its command" "$(grep -o 'experiments/.*' <<<"$listed")" \
	"experiments/thesis/chapter-3/run.py --resume --row age,Obl-CRG,0.55,1 4"
touch fails
not_ok "idle: a row that fails is told" 1 "$idle" --next --only "$row" --heddle ./stub
is "idle: and is still left" "$("$idle" --list --only "$row" | grep -c '^1 rows')" 1
# the options of all scripts and parts that rows have
cat >names.py <<EOF
import os
import sys
sys.path.insert(0, 'copy/experiments')
import idle
rows = {(row.words[0], '--part' in row.words and row.words[row.words.index('--part') + 1]): row for row in idle.everything() if not idle.is_done(row)}
for row in rows.values():
    if os.path.exists('called'):
        os.remove('called')
    idle.run(row, os.path.abspath('stub'), sys.stdin.fileno())
    if not os.path.exists('called'):
        print(row.name)
EOF
is "idle: each script takes the options of its rows" "$(python3 -B names.py 2>/dev/null </dev/null)" ""
rm fails
for hours in -1 nan; do
	not_ok "idle: no row within $hours hours" 2 "$idle" --all --hours "$hours" --heddle ./stub
done
not_ok "idle: without a build" 2 "$idle" --next --heddle ./none
is "idle: and --heddle is named" "$("$idle" --next --heddle ./none 2>&1 | grep -c 'error:.*--heddle')" 1
is "idle: a list that nobody reads to its end" "$({ "$idle" --list --rows 2>broken; echo "$?" >status; } | head -n 1 | wc -l; cat status broken)" $'1\n0'
not_ok "idle: two at a time are refused" 1 flock "$idle" "$idle" --next --only "$row" --heddle ./stub
# one that is killed while its row is made
rm -f called
mkfifo go
"$idle" --next --only "$row" --heddle ./stub 2>/dev/null &
killed=$!
wait_until 300 test -e called
kill "$killed"
wait "$killed" 2>/dev/null || true
not_ok "idle: also while the row of one that was killed still runs" 1 "$idle" --next --only "$row" --heddle ./stub
echo >go
flock "$idle" rm go
is "idle: which is in its file" "$(grep -c '^age,ADVc,Obl-CRG,0.55,1,' copy/experiments/thesis/chapter-3/h4.csv)" 1
is "idle: the next one writes the pages of it, though nothing is left" "$("$idle" --next --only "$row" --heddle ./stub 2>&1)" \
	$'verdicts or pages are not of the rows: verdicts.py --write\nnothing is left'
sed -i '/^age,ADVc,Obl-CRG,0.55,1,/d' copy/experiments/thesis/chapter-3/h4.csv
ok "idle: the row is made" "$idle" --next --only "$row" --heddle ./stub
is "idle: it is in its file" "$(grep -c '^age,ADVc,Obl-CRG,0.55,1,' copy/experiments/thesis/chapter-3/h4.csv)" 1
is "idle: and is not left" "$("$idle" --list --only "$row")" "nothing is left"
ok "idle: verdicts and pages are of the new row" copy/experiments/verdicts.py

# scripts of rows: by hand, too, they keep what is there, and refuse what is none of theirs
before=$(wc -l <copy/experiments/thesis/chapter-3/h4.csv)
sed -i '/^age,ADVc,Obl-CRG,0.55,1,/d' copy/experiments/thesis/chapter-3/h4.csv
ok "chapter 3: --row without --resume" copy/experiments/thesis/chapter-3/run.py --heddle ./stub --row age,Obl-CRG,0.55,1
is "chapter 3: keeps the other rows" "$(wc -l <copy/experiments/thesis/chapter-3/h4.csv)" "$before"
while read -r script words; do
	# shellcheck disable=SC2086 # options
	not_ok "$script $words is refused" 2 copy/experiments/"$script" --heddle ./none $words
done <<'EOF'
thesis/chapter-2/run.py --row 9,9,9 claim-roots
thesis/chapter-3/run.py --row x
thesis/chapter-3/run.py --row transit,MIN,x
thesis/chapter-3/run.py --part sizes --row transit,MIN,0.5
thesis/chapter-4/run.py --routing NoSuch
thesis/chapter-5/run.py --row NoSuch
xoradap/run.py --row NoSuch longer
osha/run.sh --network nosuch
EOF
not_ok "qos/run.py: a seed that no point has is refused" 2 copy/experiments/qos/run.py --heddle ./stub --where seed=99 small
cat >short.py <<EOF
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, '$experiments')
import runs
runs.add('short.csv', ['a', 'b', 'c'], {'a': '726.653785', 'b': 1, 'left out': 2})
print(open('short.csv').read().replace('\n', ' '))
EOF
is "rows land with four digits" "$(python3 short.py)" "a,b,c 726.7,1, "

# Every file is read whole before what -s says replaces what would take long.
for scenario in "$experiments"/*/*.ini; do
	short=(-s traffic.load=0.1 -s run.warmup=0 -s run.seeds=1)
	grep -q '^clock *= *cycles' "$scenario" && short+=(-s run.measure=1) || short+=(-s run.measure=1ns)
	! grep -q '^snapshot' "$scenario" || short+=(-s routing.snapshot= -s routing.engine=dla)
	# files are named as from the repository's directory
	classes=$(sed -n 's,^ *classes *= *experiments/,,p' "$scenario")
	[ -z "$classes" ] || short+=(-s "routing.classes=$experiments/$classes")
	ok "${scenario#"$experiments"/} is a scenario" heddle sim --quiet "$scenario" "${short[@]}"
done

# Results in the row of FILE that has the parameters and seed of the one row of OURS, those that a scenario of dla/
# sets: prints which differ, and nothing if none does.
differences() { # OURS FILE
	awk '
		# fields of a line of CSV into cells[1..]; what is quoted may hold commas
		function split_csv(line, cells,    n) {
			n = 0
			line = line ","
			while (match(line, /^("[^"]*"|[^,]*),/)) {
				cells[++n] = substr(line, 1, RLENGTH - 1)
				line = substr(line, RLENGTH + 1)
			}
			return n
		}
		# in more than what rounding, also twice, leaves out of four digits
		function differ(one, other,    digit) {
			if (one == other || one !~ /^-?[0-9]/ || other !~ /^-?[0-9]/ || !other)
				return one != other
			digit = int(log(other < 0 ? -other : other) / log(10) + 300) - 303
			return (one > other ? one - other : other - one) > 1.1 * 10 ^ digit
		}
		FNR == 1 { n = split_csv($0, name); next }
		FNR == NR { split_csv($0, cells); for (i = 1; i <= n; i++) ours[name[i]] = cells[i]; next }
		{
			split_csv($0, cells)
			for (i = 1; i <= n && name[i] != "accepted"; i++)
				if (name[i] ~ /^(routing.snapshot|switch.(voq|buffer)|traffic.(pattern|load)|seed)$/ &&
				    cells[i] != ours[name[i]])
					next
			rows++
			for (; i <= n; i++)
				if (differ(cells[i], ours[name[i]]))
					print name[i] ": " ours[name[i]] " here, " cells[i] " there"
		}
		END { if (rows != 1) print rows + 0 " such rows" }' "$1" "$2"
}

# point NAME SCENARIO FILE KEY=VALUE...
point() {
	local name=$1 scenario=$experiments/dla/$2.ini file=$experiments/dla/$3.csv set=()
	shift 3
	while [ $# -gt 0 ]; do
		set+=(-s "$1")
		shift
	done
	heddle sim --quiet --no-time "$scenario" "${set[@]}" --csv all.csv >/dev/null
	# shellcheck disable=SC2046 # a list
	"$experiments/runs.py" columns $(head -n 1 "$file" | tr , ' ') <all.csv >ours.csv
	is "$name" "$(differences ours.csv "$file" || echo failed)" ""
}

mkdir lanes
bash "$experiments/lanes/run.sh" -e dla -q dbbm:2 -p hotspot:form=osha -l 0.6 -s 2 -o lanes dragonfly-72 2>/dev/null
is "lanes: under hot spots, what the others get" "$("$experiments/runs.py" agree lanes/dragonfly-72.csv "$experiments/lanes/dragonfly-72.csv")" "1 of 1"
bash "$experiments/lanes/run.sh" -e dla -q dbbm:2 -p uniform -l 0.6 -s 2 -o lanes dragonfly-342 2>/dev/null
is "lanes: what all get" "$("$experiments/runs.py" agree lanes/dragonfly-342.csv "$experiments/lanes/dragonfly-342.csv")" "1 of 1"

mkdir qos
"$experiments/qos/run.py" --into qos tiny 2>/dev/null
is "service classes by all schedulers" "$(diff qos/tiny.csv "$experiments/qos/tiny.csv" 2>&1)" ""

mkdir osha
{ "$experiments/osha/run.sh" --heddle heddle --voq no -o osha 11 && # all six techniques
	"$experiments/osha/run.sh" --heddle heddle --voq yes -l 0.2 -s 1 -d 2 -t SASHA-4VC-DBBQ -o osha 9; } 2>/dev/null
for size in 11-64 9-64; do
	is "osha: figure $size" "$("$experiments/runs.py" agree "osha/figure-$size.csv" "$experiments/osha/figure-$size.csv" wall_s)" \
		"$([ $size = 11-64 ] && echo 12 of 12 || echo 1 of 1)"
done
for table in all main best against small turned cost; do
	ok "osha: table $table" "$experiments/osha/report.py" $table
done

heddle route dragonfly:a=4,p=2,h=2 -e dla -o dla >/dev/null
point "figure 10" figures-10-11 figures-10-11 routing.snapshot=dla switch.voq=no "switch.buffer=2 packets" traffic.load=0.4
point "figure 11" figures-10-11 figures-10-11 routing.snapshot=dla switch.voq=yes "switch.buffer=16 packets" traffic.load=0.9
point "figure 12" figure-12-table-1 figure-12-table-1 routing.snapshot=dla switch.voq=no "switch.buffer=8 packets" run.seeds=2
point "figure 14" figures-14-17 figure-14-72 routing.snapshot=dla traffic.load=0.6 run.seeds=3
point "figure 15" figures-15-18 figure-15-72 routing.snapshot=dla traffic.load=0.3 run.seeds=1
point "figure 16" figures-16-19 figure-16-72 routing.snapshot=dla traffic.load=0.5 run.seeds=2
# as windows.py has it
heddle sim --quiet --no-time "$experiments/dla/figures-10-11.ini" -s routing.snapshot=dla -s switch.voq=no -s "switch.buffer=16 packets" \
	-s traffic.load=1 -s run.warmup=1ms -s run.measure=5ms -s run.seeds=2 --csv all.csv >/dev/null
is "the paper's window of figure 10" "$("$experiments/runs.py" columns accepted <all.csv | awk 'NR == 2 { printf "%.3f", $1 }')" \
	"$(awk -F , '$1 == "figures-10-11" && $3 == "dla" && $4 == "no" && $5 == 16 && $8 == "roundrobin" && $9 == "1ms" { print $12 }' \
		"$experiments/dla/paper-windows.csv")"
heddle route dragonfly:a=4,p=2,h=2,global=consecutive -e dla -o consecutive >/dev/null
heddle sim --quiet --no-time "$experiments/dla/figures-16-19.ini" -s routing.snapshot=consecutive -s traffic.load=1 -s run.warmup=1ms \
	-s run.measure=1ms -s run.seeds=2 --csv all.csv >/dev/null
is "and of figure 16, with consecutive links" "$("$experiments/runs.py" columns accepted <all.csv | awk 'NR == 2 { printf "%.3f", $1 }')" \
	"$(awk -F , '$1 == "figures-16-19" && $2 == 72 && $3 == "dla" && $8 == "roundrobin" { print $12 }' "$experiments/dla/consecutive.csv")"
heddle route dragonfly:a=4,p=2,h=2 -e df-sssp -o sssp-df >/dev/null
point "figure 11, sssp-df" figures-10-11 figures-10-11 routing.snapshot=sssp-df switch.voq=yes "switch.buffer=4 packets" traffic.load=1
heddle route dragonfly:a=4,p=4,h=2 -e d3r -o d3r >/dev/null
point "figure 17, d3r" figures-14-17 figure-17-144 routing.snapshot=d3r traffic.load=0.5 run.seeds=1

adversarial=$(heddle sim --quiet --no-time dragonfly:h=2 -e dfval -s routing.lmc=3 -s routing.options=minimal=off \
	-s switch.voq=yes -s traffic.pattern=adversarial -s traffic.load=1 -s run.warmup=2ms -s run.measure=auto |
	awk '$1 == "accepted" { print $2 }')
is "dfval" "$(awk -F , '$1 == 72 && $3 == "minimal=off" && $5 == 0 { printf "%.4f", $8 }' \
	"$experiments/dfval/adversarial.csv")" "$adversarial"

finish
