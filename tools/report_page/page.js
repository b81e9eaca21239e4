
/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The picture of a report: searches, zooms, colours, and tells about what is selected. */
(function () {
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const svg = byId("svg"), panel = byId("panel"), stage = document.querySelector(".stage");
const MOST_FOUND = 40, MOST_ROWS = 300;

/* Rows of the data by name: tools/report_page/page_data.c writes them. */
const switches = data.switches.map(([name, guid, lid, ports], index) =>
	({ kind: "switch", index, name, guid, lid, ports, links: [], ends: [] }));
const ends = data.ends.map(([name, guid], index) =>
	({ kind: "host", index, name, guid, ports: [] }));
const links = data.links.map(([a, ap, b, bp, rate, there, back, slow, cut, change, oldThere, oldBack], index) =>
	({ index, a, ap, b, bp, rate, there, back, slow, cut, change, oldThere, oldBack }));
/* All links between two switches: one curve of the picture. */
const bundles = [];
for (const link of links) {
	let bundle = bundles[bundles.length - 1];
	if (!bundle || bundle.a !== link.a || bundle.b !== link.b)
		bundles.push(bundle = { kind: "bundle", index: bundles.length, a: link.a, b: link.b, links: [] });
	bundle.links.push(link);
	link.bundle = bundle;
	switches[link.a].links.push(link);
	switches[link.b].links.push(link);
}
for (const [at, port, end, endPort, lid, rate, to, from, slow] of data.endLinks) {
	const row = { at, port, end, endPort, lid, rate, to, from, slow };
	switches[at].ends.push(row);
	ends[end].ports.push(row);
}

/* Elements of the picture, in the same order. */
const curves = Array.from(byId("cables").children);
const marks = Array.from(byId("nodes").children);
const thingOf = new Map();
curves.forEach((curve, i) => thingOf.set(curve, bundles[i]));
marks.forEach((mark, i) => thingOf.set(mark, i < switches.length ? switches[i] : ends[i - switches.length]));
const markOf = thing => thing.kind === "switch" ? marks[thing.index] :
	marks[switches.length + thing.index] || (thing.ports.length ? marks[thing.ports[0].at] : undefined);

const rateName = rate => rate >> 4 ? (rate & 15 ? (rate & 15) + "x" : "") + data.speeds[rate >> 4] : "not known";
const plural = (n, one, many) => n.toLocaleString("en") + " " + (n === 1 ? one : many);
const flowsText = n => data.hasLoad ? n.toLocaleString("en") : "-";
const flowsCell = n => data.hasLoad ? n : "-";

function make(tag, text, attributes) {
	const element = document.createElement(tag);
	if (text !== undefined)
		element.textContent = text;
	for (const key in attributes)
		element.setAttribute(key, attributes[key]);
	return element;
}

/* ---- colours ---- */

/* By rate: the flows of a slow link count as many times as the fastest link is faster. */
const byRate = (link, flows) => Math.ceil(flows * (data.weights[link.rate] || 1) - 1e-3);
const busiest = bundle => Math.max(...bundle.links.map(link => byRate(link, Math.max(link.there, link.back))));
/* Loads are held against the mean, so a fabric with an even load looks even: picture.c has the same steps. */
const STEPS = [0.5, 1.25, 1.75, 2.5];
const step = share => STEPS.filter(bound => share >= bound).length;

/* Rates of links between switches, the most frequent first. */
const rates = (function () {
	const count = new Map();
	for (const link of links)
		count.set(link.rate, (count.get(link.rate) || 0) + 1);
	return Array.from(count).sort((x, y) => y[1] - x[1]).map(([rate]) => rate);
})();

function classByLoad(bundle) {
	return data.mean > 0 ? "l" + step(busiest(bundle) / data.mean) : "u";
}

function classBySpeed(bundle) {
	if (bundle.links.some(link => link.slow))
		return "slow";
	const worst = Math.max(...bundle.links.map(link => rates.indexOf(link.rate)));
	return rates[worst] >> 4 ? "s" + Math.min(3, worst) : "u";
}

function classByChange(bundle) {
	if (bundle.links.some(link => link.change === 1))
		return "new";
	if (bundle.links.some(link => link.change === 2))
		return "rate";
	if (!data.hasOldLoad)
		return "same";
	const now = busiest(bundle);
	const before = Math.max(...bundle.links.map(link => byRate(link, Math.max(link.oldThere, link.oldBack))));
	return now > before ? "more" : now < before ? "less" : "same";
}

/* The links of the credit loop that the proof found. */
const cycle = new Set(data.cycle.map(([node, port]) =>
	(links.find(link => (link.a === node && link.ap === port) || (link.b === node && link.bp === port)) || {}).bundle));
const classByCycle = bundle => cycle.has(bundle) ? "cycle" : "same";

const colourings = {
	load: { of: classByLoad, legend: () => data.mean > 0 ? [0, 1, 2, 3, 4].map(i => ["l" + i,
		(i === 4 ? STEPS[3] + " times the mean or more" : (i ? STEPS[i - 1] : 0) + " to " + STEPS[i] + " times the mean")])
		.concat([["none", "mean " + data.mean.toLocaleString("en", { maximumFractionDigits: 1 }) + ", most " + data.most.toLocaleString("en") +
			" flows" + (Object.keys(data.weights).length ? " by rate" : "")]]) :
		[["u", "load not known"]] },
	speed: { of: classBySpeed, legend: () => rates.slice(0, 4).map((rate, i) =>
		[rate >> 4 ? "s" + i : "u", rates.length > 4 && i === 3 ? "other rates" : "rate " + rateName(rate)])
		.concat(links.some(link => link.slow) ? [["slow", "slower than those beside it"]] : []) },
	cycle: { of: classByCycle, legend: () => [["cycle", "channels of the credit loop"], ["same", "other links"]] },
	change: { of: classByChange, legend: () => [["new", "new"], ["gone", plural(data.gone, "link gone", "links gone")],
		["rate", "another rate"], ["more", "more flows"], ["less", "fewer flows"], ["same", "the same"]] },
};
let colouring = colourings.load;

function swatch(name) {
	const space = "http://www.w3.org/2000/svg";
	const picture = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
	picture.setAttribute("class", "swatch");
	picture.setAttribute("viewBox", "0 0 36 12");
	picture.setAttribute("aria-hidden", "true");
	path.setAttribute("class", name);
	path.setAttribute("d", "M1 6H35");
	picture.append(path);
	return picture;
}

function paint() {
	const many = bundles.length > 3000 ? " many" : "";
	bundles.forEach((bundle, i) => curves[i].setAttribute("class", colouring.of(bundle) + many));
	svg.classList.toggle("changes", colouring === colourings.change);
	const absent = data.absent ? [["absent", plural(data.absent, "missing cable", "missing cables")]] : [];
	byId("legend").replaceChildren(...colouring.legend().concat(absent).map(([name, text]) => {
		const entry = make("span");
		entry.append(...(name === "none" ? [] : [swatch(name)]), text);
		return entry;
	}));
	highlight();
}

/* ---- view ---- */

const whole = svg.viewBox.baseVal;
const all = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
let view = Object.assign({}, all);

function show() {
	svg.setAttribute("viewBox", [view.x, view.y, view.width, view.height].join(" "));
}

function zoom(factor, x, y) {
	const width = Math.min(all.width * 2, Math.max(all.width / 200, view.width / factor));
	const scale = width / view.width;
	const cx = x === undefined ? view.x + view.width / 2 : x, cy = y === undefined ? view.y + view.height / 2 : y;
	view = { x: cx - (cx - view.x) * scale, y: cy - (cy - view.y) * scale, width, height: view.height * scale };
	show();
}

function move(dx, dy) {
	view.x += dx * view.width;
	view.y += dy * view.height;
	show();
}

function pointOf(event) {
	return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

function lookAt(element) {
	const box = element.getBBox(), width = Math.min(view.width, Math.max(all.width / 6, box.width * 14));
	const height = width * all.height / all.width;
	view = { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height };
	show();
}

/* ---- what is selected ---- */

let picked = null, hits = [];

function highlight() {
	const near = new Set();
	for (const mark of marks)
		mark.classList.remove("picked", "near", "hit");
	for (const thing of hits)
		if (markOf(thing))
			markOf(thing).classList.add("hit");
	curves.forEach(curve => curve.classList.remove("picked", "dim"));
	if (!picked)
		return;
	if (picked.kind === "bundle") {
		curves[picked.index].classList.add("picked");
		near.add(picked.a).add(picked.b);
	} else if (picked.kind === "switch") {
		const own = new Set(picked.links.map(link => link.bundle.index));
		curves.forEach((curve, i) => curve.classList.toggle("dim", !own.has(i)));
		for (const link of picked.links)
			near.add(link.a === picked.index ? link.b : link.a);
	}
	for (const s of near)
		marks[s].classList.add("near");
	if (picked.kind !== "bundle" && markOf(picked))
		markOf(picked).classList.add("picked");
}

/* A button that selects @thing. */
function goTo(thing, text) {
	const button = make("button", text || thing.name, { type: "button", class: "go" });
	button.addEventListener("click", () => pick(thing, true));
	return button;
}

function fields(rows) {
	const list = make("dl");
	for (const [label, value] of rows) {
		const row = make("div"), cell = make("dd");
		cell.append(value instanceof Node ? value : String(value));
		row.append(make("dt", label), cell);
		list.append(row);
	}
	return list;
}

function table(titles, rows, label) {
	const holder = make("div", undefined, { class: "wide", tabindex: "0", role: "region", "aria-label": label });
	const grid = make("table"), head = make("tr"), body = make("tbody"), thead = make("thead");
	for (const title of titles)
		head.append(make("th", title, /^(port|flows out|in)$/.test(title) ? { scope: "col", class: "r" } : { scope: "col" }));
	for (const cells of rows.slice(0, MOST_ROWS)) {
		const row = make("tr");
		for (const cell of cells) {
			const data = make("td", undefined, typeof cell === "number" ? { class: "r" } : {});
			data.append(cell instanceof Node ? cell : typeof cell === "number" ? cell.toLocaleString("en") : cell);
			row.append(data);
		}
		body.append(row);
	}
	thead.append(head);
	grid.append(thead, body);
	holder.append(grid);
	if (rows.length > MOST_ROWS)
		holder.append(make("p", (rows.length - MOST_ROWS) + " more"));
	return holder;
}

const guidText = guid => "0x" + guid;

function tellSwitch(thing) {
	const rows = [["GUID", guidText(thing.guid)], ["LID", thing.lid || "none"], ["ports", thing.ports],
		["hosts", plural(thing.ends.length, "cable", "cables") + " to end nodes"]];
	const out = thing.links.reduce((sum, link) => sum + (link.a === thing.index ? link.there : link.back), 0);
	if (data.hasLoad)
		rows.push(["flows", out.toLocaleString("en") + " to other switches"]);
	if (data.hasSince)
		rows.push(["changed", plural(data.changedSwitches[thing.index] || 0, "LFT entry", "LFT entries")]);
	panel.append(make("h3", "Switch " + thing.name), fields(rows));
	const cables = thing.links.map(link => {
		const here = link.a === thing.index;
		return [here ? link.ap : link.bp, goTo(switches[here ? link.b : link.a]), here ? link.bp : link.ap,
			goTo(link.bundle, rateName(link.rate) + (link.slow ? ", slow" : "")),
			flowsCell(here ? link.there : link.back), flowsCell(here ? link.back : link.there)];
	}).concat(thing.ends.map(row => [row.port, goTo(ends[row.end]), row.endPort,
		rateName(row.rate) + (row.slow ? ", slow" : ""), flowsCell(row.to), flowsCell(row.from)]));
	cables.sort((x, y) => x[0] - y[0]);
	panel.append(table(["port", "to", "port", "cable", "flows out", "in"], cables, "Cables of the switch"));
}

function tellHost(thing) {
	panel.append(make("h3", "Host " + thing.name), fields([["GUID", guidText(thing.guid)]]));
	panel.append(table(["port", "LID", "switch", "port", "rate", "flows out", "in"], thing.ports.map(row =>
		[row.endPort, row.lid ? String(row.lid) : "none", goTo(switches[row.at]), row.port,
			rateName(row.rate) + (row.slow ? ", slow" : ""), flowsText(row.from), flowsText(row.to)]), "Ports of the host"));
}

/* What the failure of a link would do, as far as it is known. */
function failureOf(link) {
	const known = data.failures[link.index];
	if (known)
		return "its failure " + (known.startsWith("cuts") ? known : "was tried: " + known);
	if (!data.hasLoad)
		return "what its failure does is not known";
	return "its failure was not tried; it moves " + plural(link.there + link.back, "flow", "flows") + " to other paths";
}

function tellBundle(thing) {
	const a = switches[thing.a], b = switches[thing.b];
	panel.append(make("h3", plural(thing.links.length, "link", "links")), fields([["between", goTo(a)], ["and", goTo(b)]]));
	for (const link of thing.links) {
		const rows = [["ports", link.ap + " and " + link.bp],
			["rate", rateName(link.rate) + (link.slow ? ", slower than those beside it" : "")],
			["flows", data.hasLoad ? flowsText(link.there) + " to " + b.name + ", " + flowsText(link.back) + " back" : "not known"],
			["failure", failureOf(link)]];
		if (data.hasSince)
			rows.push(["before", link.change === 1 ? "not there" : (data.hasOldLoad ? flowsText(link.oldThere) + " and " + flowsText(link.oldBack) +
				" flows" : "flows are not known") + (link.change === 2 ? ", another rate" : "")]);
		panel.append(fields(rows));
	}
}

function pick(thing, looks) {
	picked = thing;
	panel.replaceChildren();
	panel.hidden = !thing;
	stage.classList.toggle("asked", Boolean(thing));
	if (thing) {
		const shut = make("button", "Close", { type: "button", class: "shut" });
		shut.addEventListener("click", () => { pick(null); svg.focus(); });
		panel.append(shut);
		({ switch: tellSwitch, host: tellHost, bundle: tellBundle })[thing.kind](thing);
		panel.scrollTop = 0;
		if (looks) {
			const element = thing.kind === "bundle" ? curves[thing.index] : markOf(thing);
			if (element)
				lookAt(element);
			if (stage.getBoundingClientRect().top < 0 || stage.getBoundingClientRect().top > innerHeight / 2)
				byId("picture").scrollIntoView();
			panel.focus({ preventScroll: true });
		}
	}
	highlight();
}

/* ---- search ---- */

const places = switches.map(thing => [thing, [thing.name, guidText(thing.guid), "lid " + thing.lid], String(thing.lid)])
	.concat(ends.map(thing => [thing, [thing.name, guidText(thing.guid)], thing.ports.map(row => String(row.lid)).join(" ")]))
	.map(([thing, words, lids]) => ({ thing, text: words.join("\n").toLowerCase(), name: thing.name.toLowerCase(), lids: lids.split(" ") }));

/* Names that begin with the text come first. */
function find(text) {
	const wanted = text.trim().toLowerCase();
	if (!wanted)
		return [];
	return places.filter(place => place.text.includes(wanted) || place.lids.includes(wanted))
		.sort((x, y) => (y.name === wanted) - (x.name === wanted) || y.name.startsWith(wanted) - x.name.startsWith(wanted))
		.map(place => place.thing);
}

function search() {
	const text = byId("search").value;
	hits = find(text);
	byId("found").textContent = text.trim() ? plural(hits.length, "found", "found") +
		(hits.length > MOST_FOUND ? ", the first " + MOST_FOUND + ":" : "") : "";
	byId("results").replaceChildren(...hits.slice(0, MOST_FOUND).map(thing => {
		const item = make("li");
		item.append(goTo(thing, thing.kind + " " + thing.name));
		return item;
	}));
	highlight();
}

/* ---- events ---- */

/* The link or node at a point, or a few pixels beside it: links are thin. */
function thingAt(x, y) {
	for (const distance of [0, 3, 6])
		for (let i = 0; i < (distance ? 8 : 1); i++) {
			const element = document.elementFromPoint(x + distance * Math.cos(i * Math.PI / 4), y + distance * Math.sin(i * Math.PI / 4));
			if (element && thingOf.has(element))
				return thingOf.get(element);
		}
	return null;
}

let drag = null;
svg.addEventListener("pointerdown", event => {
	if (event.button === 0)
		drag = { x: event.clientX, y: event.clientY, view: Object.assign({}, view), scale: svg.getScreenCTM().a, moved: false };
});
svg.addEventListener("pointermove", event => {
	if (!drag)
		return;
	const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
	if (!drag.moved && Math.hypot(dx, dy) < 4)
		return;
	if (!drag.moved)
		svg.setPointerCapture(event.pointerId);
	drag.moved = true;
	view.x = drag.view.x - dx / drag.scale;
	view.y = drag.view.y - dy / drag.scale;
	show();
});
svg.addEventListener("pointerup", event => {
	const moved = drag && drag.moved;
	drag = null;
	if (!moved)
		pick(thingAt(event.clientX, event.clientY));
});
svg.addEventListener("pointercancel", () => { drag = null; });
svg.addEventListener("wheel", event => {
	const at = pointOf(event);
	event.preventDefault();
	zoom(Math.exp(-event.deltaY / 400), at.x, at.y);
}, { passive: false });
const keys = {
	ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1),
	"+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), "0": () => { view = Object.assign({}, all); show(); },
	Escape: () => pick(null),
};
svg.addEventListener("keydown", event => {
	if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	keys[event.key]();
});
panel.addEventListener("keydown", event => {
	if (event.key === "Escape") {
		pick(null);
		svg.focus();
	}
});
byId("larger").addEventListener("click", () => zoom(1.4));
byId("smaller").addEventListener("click", () => zoom(1 / 1.4));
byId("whole").addEventListener("click", keys["0"]);
byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", event => {
	if (event.key === "Enter" && hits.length)
		pick(hits[0], true);
});
byId("colour").addEventListener("change", event => {
	colouring = colourings[event.target.value];
	paint();
});
if (!data.hasSince)
	byId("colour").querySelector("[value=change]").remove();
if (cycle.size) {
	byId("colour").value = "cycle";
	colouring = colourings.cycle;
} else {
	byId("colour").querySelector("[value=cycle]").remove();
}

/* Cells of tables that name a switch, or a port of one, lead to it. */
const named = new Map(switches.map(thing => [thing.name, thing]));
for (const cell of document.querySelectorAll("main td:not(#panel td)")) {
	const words = cell.textContent.match(/^(.*?)(?:\[(\d+)\])?$/s);
	const thing = named.get(cell.textContent) || named.get(words[1]);
	const port = words[2] && Number(words[2]);
	if (!thing)
		continue;
	const link = port && thing.links.find(link => (link.a === thing.index ? link.ap : link.bp) === port);
	cell.replaceChildren(goTo(link ? link.bundle : thing, cell.textContent));
}
byId("controls").hidden = byId("help").hidden = false;
paint();
})();
