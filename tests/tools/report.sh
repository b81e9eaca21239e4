#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle report: the page's structure, safety, size and data; the text. tests/browser/report.sh opens pages in a browser.
# shellcheck source=tests/tools/tools.sh disable=SC2154 # dragonfly
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
export SOURCE_DATE_EPOCH=0
real=${HEDDLE_SHARED:-$top_srcdir/../shared}/reference/real

# page FILE EXPRESSION: over `data`, `sections` {title: text}, `text`, `tags` [(name, attributes)], `bad` (structure)
page() {
	python3 - "$1" "$2" <<-'END'
		import html.parser, json, re, sys
		VOID = {"meta", "input", "br", "hr", "img", "link"}
		class Page(html.parser.HTMLParser):
		    def __init__(self):
		        super().__init__()
		        self.open, self.bad, self.tags, self.text, self.sections = [], [], [], [], {}
		        self.script, self.title, self.ids = {}, None, set()
		    def handle_starttag(self, tag, attributes):
		        attributes = dict(attributes)
		        self.tags.append((tag, attributes))
		        if attributes.get("id") in self.ids:
		            self.bad.append("twice: " + attributes["id"])
		        if "id" in attributes:
		            self.ids.add(attributes["id"])
		        if tag not in VOID:
		            self.open.append((tag, attributes))
		    def handle_startendtag(self, tag, attributes):
		        self.tags.append((tag, dict(attributes)))
		    def handle_endtag(self, tag):
		        if not self.open or self.open[-1][0] != tag:
		            self.bad.append("</%s> within %s at %s" % (tag, [t for t, _ in self.open][-2:], self.getpos()))
		        else:
		            self.open.pop()
		    def handle_data(self, text):
		        inner, attributes = self.open[-1] if self.open else ("", {})
		        if inner == "script":
		            self.script[attributes.get("id", "code")] = text
		        elif inner == "h2":
		            self.title = text
		            self.sections[text] = ""
		        elif inner != "style" and text.strip():
		            self.text.append(text.strip())
		            if self.title:
		                self.sections[self.title] += text.strip() + "\n"
		source = open(sys.argv[1], encoding="utf-8").read()
		p = Page()
		p.feed(source)
		p.close()
		bad = p.bad + (["open: " + str(p.open)] if p.open else [])
		data, tags, sections, text = json.loads(p.script["data"]), p.tags, p.sections, "\n".join(p.text)
		print(eval(sys.argv[2]))
	END
}

# sound_page FILE WHAT: what every page has
sound_page() {
	is "$2: all elements are closed" "$(page "$1" bad)" "[]"
	is "$2: nothing is loaded" "$(page "$1" '[(t, a) for t, a in tags if "src" in a or t in ("link", "iframe", "img", "object", "base") or (t == "a" and not a.get("href", "").startswith("#"))]')" "[]"
	is "$2: no address of a network but the name of SVG" \
		"$(grep -o -E '(https?:)?//[a-z0-9.-]+\.[a-z]+[^" ]*' "$1" | grep -v '^http://www.w3.org/2000/svg$' | sort -u)" ""
	is "$2: one policy, no network" "$(page "$1" '[a["content"].split(";")[0] for t, a in tags if a.get("http-equiv") == "Content-Security-Policy"]')" "[\"default-src 'none'\"]"
	is "$2: a line for each pair of switches" \
		"$(page "$1" 'sum(1 for t, a in tags if t == "path" and a.get("class", "") in ("l0", "l1", "l2", "l3", "l4", "u")) == len({(l[0], l[2]) for l in data["links"]})')" True
}

ok "a page" heddle report $dragonfly -o d.html
sound_page d.html dragonfly
is "switches, links, hosts in its data" \
	"$(page d.html 'len(data["switches"]), len(data["links"]), len(data["ends"]), len(data["endLinks"])')" "(36, 90, 72, 72)"
is "the policy has the sums of style and script" "$(python3 - <<-'END'
	import base64, hashlib, re
	text = open("d.html", "rb").read()
	policy = re.search(rb'Content-Security-Policy" content="([^"]*)"', text)[1].decode()
	for tag in b"style", b"script":
	    body = re.findall(b"<" + tag + b">(.*?)</" + tag + b">", text, re.S)[-1]
	    print("%s-src 'sha256-%s'" % (tag.decode(), base64.b64encode(hashlib.sha256(body).digest()).decode()) in policy, end=" ")
END
)" "True True "
# flows of the busiest link, as heddle show load has them
is "its flows" "$(page d.html 'data["most"], max(max(l[5], l[6]) for l in data["links"])')" "(68, 68)"
like "it says that the tables are made here" "$(page d.html text)" "fabric without tables. Engine heddle routed it here, by engine dla"
is "sections" "$(page d.html 'list(sections)')" \
	"['What is wrong', 'What is good', 'Picture', 'Verdict on the tables', 'Fabric and topology', 'Engine', 'Lanes', 'Load', 'If a link fails']"
is "nothing is wrong" "$(page d.html 'sections["What is wrong"]')" "Nothing was found."
like "what is good" "$(page d.html 'sections["What is good"]')" "every host reaches every other.*nothing is missing"
like "failures say how many" "$(page d.html 'sections["If a link fails"]')" "a sample: 50 links chosen at random of 90"
is "and what each does" "$(page d.html 'len(data["failures"]) <= 50, all("routed around" in t for t in data["failures"].values())')" "(True, True)"
heddle report $dragonfly -o again.html
same "the same page again" d.html again.html
heddle report $dragonfly --failures 1000 -o all.html
like "all links" "$(page all.html 'sections["If a link fails"]')" "all 90 links"
is "each has its failure" "$(page all.html 'len(data["failures"])')" 90
heddle report $dragonfly --failures 0 -o none.html
like "no failures" "$(page none.html 'sections["If a link fails"]')" "none: not asked for"

# a snapshot, an older one, what changed
heddle route $dragonfly -e dla -o before >/dev/null
heddle topo before/fabric.net --fail-links 'G0S0[3]' -o less.net >/dev/null
heddle route less.net -e dla -o now >/dev/null
ok "since a snapshot" heddle report now --since before -o since.html
sound_page since.html since
like "the cable is missing" "$(page since.html 'sections["What is wrong"]')" "missing local 1, first G0S0 - G0S1.*1 link between switches, there in before, is gone"
like "the pairs are those of heddle diff" "$(page since.html 'sections["What changed"]')" \
	"$(heddle diff before now | sed -n 's/^pairs *//p')"
is "flows before" "$(page since.html 'sorted({l[9] for l in data["links"]}), sum(l[5] != l[10] or l[6] != l[11] for l in data["links"]) > 0, data["gone"]')" "([0], True, 1)"
is "switches that changed" "$(page since.html 'sum(data["changedSwitches"].values())')" \
	"$(heddle diff before now | sed -n 's/^LFTs *\([0-9]*\) .*/\1/p')"
heddle report before --since now -o back.html
is "a new link" "$(page back.html '[data["switches"][l[0]][0] + " " + data["switches"][l[2]][0] for l in data["links"] if l[9] == 1]')" "['G0S0 G0S1']"
heddle report before --since before -o same.html
like "nothing changed" "$(page same.html 'sections["What is good"]')" "Nothing changed since before"

# links of different rates: the flows of slow ones count by rate, as those of heddle topo --engines
heddle topo tree:k=4,n=2 --assign-lids -o even.net >/dev/null
sed '/L1S[23]/s/4xHDR/4xEDR/; /^Switch.*"L1S[23]"/,/^$/s/4xHDR/4xEDR/' even.net >mixed.net
ok "links of different rates" heddle report mixed.net -o m.html
sound_page m.html "different rates"
is "the busiest is that of heddle topo" "$(page m.html 'data["most"]')" \
	"$(heddle topo mixed.net --engines --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["engines"][0]["busiest"])')"
is "by rate" "$(page m.html 'max(max(l[5], l[6]) * data["weights"][str(l[4])] for l in data["links"]) == data["most"], len(data["weights"])')" "(True, 2)"
like "the page says so" "$(page m.html 'sections["Load"]')" "flows by rate; the mean"
is "the others say nothing of rates" "$(page d.html '"by rate" in text, data["weights"]')" "(False, {})"

# tables that are not sound: the exit status, the cycle
heddle route torus:6x6 -e minhop --force -o minhop >/dev/null 2>&1
not_ok "an unsound snapshot" 1 heddle report minhop -o u.html
sound_page u.html unsound
like "what is wrong comes first" "$(page u.html 'sections["What is wrong"]')" "^Wrong:.*credit loop"
like "the cycle" "$(page u.html 'sections["Verdict on the tables"]')" "Each channel is held by a flow that waits"
is "it is the cycle of heddle check" \
	"$(page u.html '(lambda t: [t[i] + t[i + 1] for i in range(t.index("SL") + 1, len(t) - 6, 7)])(sections["Verdict on the tables"].split("\n"))')" \
	"$(heddle check minhop | sed '1,/held by flow/d' | awk -v q="'" '{ printf "%s%s%s%s%s", (NR > 1 ? ", " : "["), q, $1, $2, q } END { print "]" }')"
not_ok "as text" 1 heddle report minhop --text

# trees, a recorded fabric, a large one
ok "a tree" heddle report tree:k=4,n=3 -o t.html
sound_page t.html tree
if [ -e "$real/superpod-gb200.net" ]; then
	ok "a recorded fat tree" heddle report "$real/superpod-gb200.net" -o s.html
	sound_page s.html "recorded fat tree"
	like "its missing cables" "$(page s.html 'sections["What is wrong"]')" "missing cables 26"
	like "each of them" "$(page s.html 'sections["Missing cables"]')" "SPINE-04.*SPINE-01.*SPINE-06.*SPINE-07"
	is "in the picture" "$(page s.html 'data["absent"]') $(sed -n '/<g id="absent">/,/<\/g>/p' s.html | grep -c '<path')" "26 16"
	heddle report "$real/superpod-gb200.net" --text >s.text
	is "80 columns" "$(awk 'length > 80' s.text)" ""
else
	skip "a recorded fabric" "no $real"
fi
ok "2,064 switches" heddle report dragonfly:a=16,p=8,h=8 -o big.html
is "within 5 MB" "$(($(wc -c <big.html) < 5000000))" 1
is "its data" "$(page big.html 'len(data["switches"]), len(data["links"]), len(data["endLinks"]), bad')" "(2064, 23736, 16512, [])"
like "no failures of a large fabric" "$(page big.html 'sections["If a link fails"]')" "the fabric is large: --failures N tries N links"

# slow links, two parts, a link without an alternative
awk '/^(Switch|Ca)/ { at = $0 } { line = $0 }
	(at ~ /"G0S0"/ && /"G0S1"/) || (at ~ /"G0S1"/ && /"G0S0"/) { sub("4xHDR", "1xHDR", line) } { print line }' \
	before/fabric.net >slow.net
heddle report slow.net -o slow.html
like "slow links" "$(page slow.html 'sections["Slow links"]')" "G0S0.*1xHDR.*4xHDR"
is "marked in the data" "$(page slow.html 'sum(l[7] for l in data["links"])')" 1
cat >two.net <<-'END'
	switchguid=0x1
	Switch 4 "S-0000000000000001" # "one"
	[1] "H-0000000000000011"[1](11) # "a" lid 2 4xHDR
	switchguid=0x2
	Switch 4 "S-0000000000000002" # "two"
	[1] "H-0000000000000012"[1](12) # "b" lid 4 4xHDR
	caguid=0x11
	Ca 1 "H-0000000000000011" # "a"
	[1](11) "S-0000000000000001"[1] # lid 2 "one" 4xHDR
	caguid=0x12
	Ca 1 "H-0000000000000012" # "b"
	[1](12) "S-0000000000000002"[1] # lid 4 "two" 4xHDR
END
not_ok "two parts" 1 heddle report two.net -o two.html
is "are wrong" "$(page two.html '"in 2 parts" in sections["What is wrong"].replace("\n", " "), bad')" "(True, [])"
awk '{ print } /^Switch.*"one"/ { print "[2] \"S-0000000000000002\"[2]" } /^Switch.*"two"/ { print "[2] \"S-0000000000000001\"[2]" }' \
	two.net >line.net
heddle report line.net --text >line.text
like "a link without an alternative" "$(cat line.text)" "1 link between switches has no alternative"
like "what its failure does" "$(cat line.text)" "cuts off 1 end node"
awk '{ print } /^Switch.*"one"/ { print "[3] \"S-0000000000000002\"[3]" } /^Switch.*"two"/ { print "[3] \"S-0000000000000001\"[3]" }' \
	line.net >pair.net
heddle report pair.net --text >pair.text
is "two parallel cables are an alternative" "$(grep -c 'no alternative' pair.text)" 0
ok "one switch" heddle report tree:k=4,n=1 -o one.html
sound_page one.html "one switch"

printf 'Ca 1 "H-0000000000000011" # "a"\n' >none.net
not_ok "no switch" 1 heddle report none.net -o none.html
sound_page none.html "no switch"
like "no engine serves it" "$(page none.html 'sections["What is wrong"]')" "No engine serves this fabric: .*without a link: 1"

# classes
printf '[class storage] share = 30%%\n[class rest] share = 70%%  default = yes\n' >classes
heddle route $dragonfly -e dla --classes classes -o classed >/dev/null
heddle report classed -o classed.html
like "service classes" "$(page classed.html 'sections["Service classes"]')" "class storage.*30%"

# names of others
python3 - <<-'END'
	text = open("before/fabric.net").read()
	for name, other in (("G0S0", "</script><img src=x onerror=alert(1)><!--<script>&amp;"), ("G0S1", "a\\"), ("H-00003", "@@DATA@@")):
	    text = text.replace('# "%s"' % name, '# "%s"' % other)
	open("odd.net", "w").write(text)
END
ok "odd names" heddle report odd.net -o odd.html
sound_page odd.html "odd names"
is "they are text" "$(page odd.html '[s[0] for s in data["switches"] if "img" in s[0]]')" \
	"['</script><img src=x onerror=alert(1)><!--<script>&amp;']"
is "no more scripts than two" "$(grep -c '<script' odd.html)" 2
is "a mark of the template, too" "$(page odd.html '[e[0] for e in data["ends"] if "@" in e[0]]')" "['@@DATA@@']"
mkdir '<b>&"'
cp before/* '<b>&"/'
heddle report '<b>&"' -o name.html
is "a name of a directory" "$(page name.html '"Report of" in text, "<b>&\"" in text, bad')" "(True, True, [])"

# the text
ok "text" heddle report now --since before --text -o text
like "first what is wrong, then what is good" "$(grep -E '^What' text | paste -s -d ' ')" \
	"^What is wrong What is good What changed"
is "80 columns" "$(awk 'length > 80' text)" ""
is "no marks of HTML" "$(grep -c '<' text)" 0
heddle report now --since before --text >stdout
same "on standard output" text stdout

unusable "no file" heddle report $dragonfly
unusable "no fabric" heddle report --text
unusable "a fabric that is not there" heddle report nowhere.net --text
unusable "a snapshot that is not there" heddle report $dragonfly --since nowhere --text
unusable "a directory to write to" heddle report $dragonfly -o /nowhere/page.html
is "nothing half-written" "$(ls -d /nowhere ./*page.html* 2>/dev/null)" ""
finish
