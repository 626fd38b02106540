(function () {
"use strict";
const D = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const make = (tag, text, cls) => {
	const e = document.createElement(tag);
	if (text !== undefined) e.textContent = text;
	if (cls) e.className = cls;
	return e;
};
const span = us => {
	const d = x => x < 10 ? x.toFixed(2) : x < 100 ? x.toFixed(1) : x.toFixed(0);
	if (us <= 0) return "0";
	if (us < 1e3) return d(us) + " µs";
	if (us < 1e6) return d(us / 1e3) + " ms";
	if (us < 6e7) return d(us / 1e6) + " s";
	const s = Math.round(us / 1e6), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
	return (h ? h + " h " : "") + m + " min " + s % 60 + " s";
};

// Charts are drawn anew when the page turns light or dark or changes its width.
const charts = [];
const colour = n => css("--c" + n % 8);
function draw(c) {
	if (c.plot) c.plot.destroy();
	c.plot = null;
	const width = c.el.clientWidth;
	if (!width) return;
	const axis = { stroke: css("--soft"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line"), width: 1 }, font: "12px system-ui,sans-serif", labelFont: "12px system-ui,sans-serif" };
	const many = c.curves.length > 1;
	const opts = {
		width, height: c.height || 260, scales: { x: { time: false } }, legend: { live: true }, cursor: { y: false },
		axes: [Object.assign({ label: c.across, labelSize: 18, size: 34 }, axis), Object.assign({ label: c.up, labelSize: 18, size: 54 }, axis)],
		series: [{ label: c.across }].concat(c.curves.map(k => ({
			label: k.name, stroke: colour(k.colour), width: k.thin ? 1 : 2, dash: k.thin ? [5, 4] : undefined,
			spanGaps: true, points: { show: c.x.length < 3 || k.points === true, size: 4 },
			value: (_, v) => v === null ? "–" : String(v),
		}))),
	};
	if (c.band) opts.bands = [{ series: [c.band[0] + 1, c.band[1] + 1], fill: colour(0) + "22" }];
	if (!many) opts.legend.show = true;
	c.plot = new uPlot(opts, [c.x].concat(c.curves.map(k => k.y)), c.el);
	if (c.pick) c.plot.over.addEventListener("click", () => { const i = c.plot.cursor.idx; if (i !== null && i !== undefined) c.pick(c.x[i]); });
}
function chart(el, spec) {
	const c = Object.assign({ el }, spec);
	charts.push(c);
	draw(c);
	return c;
}
for (const el of document.querySelectorAll("[data-chart]")) {
	const spec = (D.charts || []).find(c => c.id === el.dataset.chart);
	if (spec) chart(el, spec);
}
const redraw = () => charts.forEach(draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
let wait = 0, wide = innerWidth;
addEventListener("resize", () => { if (innerWidth !== wide) { wide = innerWidth; clearTimeout(wait); wait = setTimeout(redraw, 150); } });

// The list of games.
const page = 100, ways = ["1–0", "0–1", "½–½", "–"];
const body = $("list").tBodies[0];
const show = { engine: "", other: "", way: "", reason: "", text: "" };
let sort = 0, down = false, at = 0, rows = [];
const opening = g => D.texts[g[12]], reason = g => D.texts[g[5]];
const keys = [g => g[0], g => g[1], g => D.engines[g[2]], g => D.engines[g[3]], g => g[4], g => reason(g), g => g[7], g => g[8], g => g[9], g => g[10], g => g[11], opening, g => D.texts[g[13]]];
function choose() {
	const find = show.text.toLowerCase();
	rows = D.games.filter(g => {
		if (show.engine !== "" && g[2] !== +show.engine && g[3] !== +show.engine) return false;
		if (show.other !== "" && g[2] !== +show.other && g[3] !== +show.other) return false;
		if (show.engine !== "" && show.engine === show.other) return false;
		if (show.way !== "" && g[4] !== +show.way) return false;
		if (show.reason !== "" && g[5] !== +show.reason) return false;
		return !find || (g[0] + " " + opening(g) + " " + g[6] + " " + reason(g)).toLowerCase().includes(find);
	});
	const key = keys[sort], sign = down ? -1 : 1;
	if (sort || down) rows = rows.map((g, i) => [key(g), i, g]).sort((a, b) => (a[0] < b[0] ? -sign : a[0] > b[0] ? sign : a[1] - b[1])).map(x => x[2]);
	at = 0;
	list();
}
const link = (text, href) => { const a = make("a", text); a.href = href; return a; };
function list() {
	const part = rows.slice(at, at + page).map(g => {
		const tr = make("tr"), add = (text, cls) => tr.appendChild(make("td", text, cls));
		const id = add(g[15] ? "" : g[0], "id");
		if (g[15]) id.append(link(g[0], "#view-" + g[15]));
		add(g[1], "n"); add(D.engines[g[2]]); add(D.engines[g[3]]); add(ways[g[4]], "n score");
		const why = add(reason(g));
		if (g[6]) why.append(make("small", g[6]));
		if (g[16]) why.append(make("small", "shown when its shuffle is published"));
		add(g[7], "n"); add(span(g[8]), "n"); add(span(g[9]), "n"); add(span(g[10]), "n"); add(span(g[11]), "n"); add(opening(g));
		const files = add("", "files");
		if (g[13]) files.append(link("record", D.texts[g[13]]), " ");
		if (g[14]) files.append(link("log", D.texts[g[14]]));
		return tr;
	});
	if (!part.length) { const tr = make("tr"), td = make("td", "No game fits."); td.colSpan = 13; tr.append(td); part.push(tr); }
	body.replaceChildren(...part);
	$("p-where").textContent = rows.length ? (at + 1) + "–" + Math.min(at + page, rows.length) + " of " + rows.length : "none";
	$("p-first").disabled = $("p-prev").disabled = at === 0;
	$("p-last").disabled = $("p-next").disabled = at + page >= rows.length;
}
if (D.games.length) {
	const option = (select, value, text) => { const o = make("option", text); o.value = value; select.append(o); };
	D.engines.forEach((n, i) => { option($("f-engine"), i, n); option($("f-other"), i, n); });
	for (const r of [...new Set(D.games.map(g => g[5]))].sort((a, b) => D.texts[a] < D.texts[b] ? -1 : 1)) option($("f-reason"), r, D.texts[r] || "–");
	for (const k of ["engine", "other", "way", "reason"]) $("f-" + k).addEventListener("change", e => { show[k] = e.target.value; choose(); });
	$("f-text").addEventListener("input", e => { show.text = e.target.value; choose(); });
	$("f-clear").addEventListener("click", () => { for (const k in show) { show[k] = ""; $("f-" + k).value = ""; } choose(); });
	for (const [id, to] of [["first", () => 0], ["prev", () => at - page], ["next", () => at + page], ["last", () => Math.floor((rows.length - 1) / page) * page]]) $("p-" + id).addEventListener("click", () => { at = Math.max(0, to()); list(); });
	for (const th of document.querySelectorAll("#list th")) {
		const b = make("button", th.textContent), n = +th.dataset.sort;
		b.type = "button";
		th.replaceChildren(b);
		b.addEventListener("click", () => {
			down = sort === n ? !down : false;
			sort = n;
			for (const o of document.querySelectorAll("#list th")) o.removeAttribute("aria-sort");
			th.setAttribute("aria-sort", down ? "descending" : "ascending");
			choose();
		});
	}
	$("filter").hidden = $("pager").hidden = false;
	choose();
}

// A game move by move.
let game = null, ply = 0, men = null, timer = 0, plots = [];
const NS = "http://www.w3.org/2000/svg";
const place = (k, x, y) => k + " " + x + " " + y;
function step(n) { // to the position after n decisions
	if (n < ply) { men.replaceChildren(); game.here = new Map(); ply = -1; }
	while (ply < n) {
		ply++;
		const gone = game.x[ply], put = game.p[ply];
		for (let i = 0; i < gone.length; i += 3) {
			const k = place(gone[i], gone[i + 1], gone[i + 2]), e = game.here.get(k);
			if (e) { e.remove(); game.here.delete(k); }
		}
		for (let i = 0; i < put.length; i += 3) {
			const e = document.createElementNS(NS, "use"), kind = D.kinds[put[i]];
			e.setAttribute("href", "#kb-" + kind);
			e.setAttribute("x", put[i + 1]);
			e.setAttribute("y", put[i + 2]);
			if (kind === "mark" || kind === "ring" || kind === "dot" || kind === "try") men.append(e); else men.prepend(e);
			game.here.set(place(put[i], put[i + 1], put[i + 2]), e);
		}
	}
	let note = "";
	for (let i = 0; i <= n; i++) if (game.n[i]) note = game.n[i];
	const last = game.x.length - 1;
	$("v-note").textContent = note;
	$("v-ply").value = n;
	$("v-where").textContent = n + " of " + last + (n && game.s[n - 1] ? ", says " + game.s[n - 1] : "") + (n && game.t[n - 1] ? ", " + span(game.t[n - 1] * 1e3) : "");
	const list = $("v-moves"), old = list.querySelector("[aria-current]");
	if (old) old.removeAttribute("aria-current");
	const b = list.children[n] && list.children[n].firstChild;
	if (b) {
		b.setAttribute("aria-current", "step");
		const li = b.parentNode;
		if (li.offsetTop < list.scrollTop + list.offsetTop || li.offsetTop > list.scrollTop + list.offsetTop + list.clientHeight - 30) list.scrollTop = li.offsetTop - list.offsetTop - 60;
	}
	$("v-start").disabled = $("v-back").disabled = n === 0;
	$("v-end").disabled = $("v-next").disabled = n === last;
}
const go = n => step(Math.max(0, Math.min(game.x.length - 1, n)));
function stop() { clearInterval(timer); timer = 0; $("v-play").textContent = "Play"; }
function curves(id, up, values) {
	const el = $(id), some = values.some(v => v !== null && v !== undefined);
	el.replaceChildren();
	el.hidden = !some;
	if (!some) return;
	const split = seat => values.map((v, i) => game.b[i] === seat ? v : null);
	plots.push(chart(el, { across: "turn", up, height: 170, x: values.map((_, i) => i + 1), pick: n => { stop(); go(n); }, curves: [
		{ name: game.names[0], colour: 0, y: split("0"), points: true }, { name: game.names[1], colour: 1, y: split("1"), points: true },
	] }));
}
function open(n) {
	const g = D.viewers[n - 1];
	if (!g) return;
	stop();
	game = g;
	game.here = new Map();
	$("viewer").hidden = false;
	$("v-title").textContent = g.id + ": " + g.names[0] + " – " + g.names[1];
	$("v-result").textContent = g.result;
	[...$("grounds").children].forEach((e, i) => { e.hidden = i !== g.ground; });
	men = $("grounds").children[g.ground].querySelector(".men");
	men.replaceChildren();
	ply = -1;
	$("v-ply").max = g.x.length - 1;
	const item = (text, i, cls) => { const li = make("li"), b = make("button", text, cls); b.type = "button"; b.addEventListener("click", () => { stop(); go(i); }); li.append(b); return li; };
	$("v-moves").replaceChildren(item("start", 0), ...g.m.map((m, i) => item((i + 1) + " " + m + (g.k && g.k[i] ? " " + g.k[i] : ""), i + 1, "by" + g.b[i])));
	$("v-review").hidden = !g.r;
	$("v-review").replaceChildren(...(g.c || []).map(c => item(c.i + " " + c.s, c.i)), ...(g.r || []).map(s => make("li", s)));
	for (const p of plots) { if (p.plot) p.plot.destroy(); charts.splice(charts.indexOf(p), 1); }
	plots = [];
	curves("v-eval", "evaluation, first seat", g.e);
	curves("v-time", "ms", g.t);
	curves("v-depth", "depth", g.d);
	step(g.x.length - 1);
	$("viewer").scrollIntoView();
	$("viewer").focus({ preventScroll: true });
}
if ($("viewer")) {
	$("v-start").addEventListener("click", () => { stop(); go(0); });
	$("v-back").addEventListener("click", () => { stop(); go(ply - 1); });
	$("v-next").addEventListener("click", () => { stop(); go(ply + 1); });
	$("v-end").addEventListener("click", () => { stop(); go(1e9); });
	$("v-ply").addEventListener("input", e => { stop(); go(+e.target.value); });
	$("v-play").addEventListener("click", () => {
		if (timer) return stop();
		if (ply === game.x.length - 1) go(0);
		$("v-play").textContent = "Pause";
		timer = setInterval(() => { go(ply + 1); if (ply === game.x.length - 1) stop(); }, 500);
	});
	$("viewer").addEventListener("keydown", e => {
		const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: 1e9 }[e.key];
		if (to === undefined || e.target.tagName === "INPUT" || e.altKey || e.ctrlKey || e.metaKey) return;
		e.preventDefault();
		stop();
		go(to);
	});
}

// Links within the page: to a game, to the games of a pair.
function follow() {
	const pair = /^#pair-(\d+)-(\d+)$/.exec(location.hash), view = /^#view-(\d+)$/.exec(location.hash);
	if (view) open(+view[1]);
	if (!pair || !D.games.length) return;
	Object.assign(show, { engine: pair[1], other: pair[2], way: "", reason: "", text: "" });
	for (const k in show) $("f-" + k).value = show[k];
	choose();
	$("games").scrollIntoView();
}
addEventListener("hashchange", follow);
document.addEventListener("click", e => { // a second click on the same link
	const a = e.target.closest && e.target.closest("a[href^='#']");
	if (a && a.getAttribute("href") === location.hash) follow();
});
follow();
})();
