"use strict";
// The replay viewer. It knows nothing of any game's rules: every position comes from the arena as what changed in
// the one before, and is drawn by the game's own drawing, registered in `drawings`. Text from bots only ever
// goes into text nodes.

/** Drawings by the game's name: {create(view, players) -> {element, update(view, before)}}. */
const drawings = {};

const SVG = "http://www.w3.org/2000/svg";

/** Makes an HTML element with attributes and children; a child that is no node becomes text. */
function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an SVG element likewise. */
function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) element.append(child instanceof Node ? child : String(child));
  return element;
}

/** Sets an element's children. */
function refill(element, ...children) {
  element.replaceChildren(...children.flat().map((child) => (child instanceof Node ? child : String(child))));
}

function duration(micros) {
  if (micros >= 1e6) return (micros / 1e6).toPrecision(3) + " s";
  if (micros >= 1e3) return (micros / 1e3).toPrecision(3) + " ms";
  return micros + " µs";
}

/** Shapes tell seats apart without colours: circle, square, triangle, diamond, pentagon. */
const SHAPES = ["circle", "square", "triangle", "diamond", "pentagon"];
function shape(seat, x, y, r, attributes = {}) {
  const points = (count, turn, size) =>
    Array.from({ length: count }, (_, i) => {
      const angle = turn + (2 * Math.PI * i) / count;
      return `${(x + size * Math.sin(angle)).toFixed(2)},${(y - size * Math.cos(angle)).toFixed(2)}`;
    }).join(" ");
  if (seat === 0) return svg("circle", { cx: x, cy: y, r, ...attributes });
  if (seat === 1) return svg("rect", { x: x - r * 0.88, y: y - r * 0.88, width: r * 1.76, height: r * 1.76, rx: r * 0.15, ...attributes });
  if (seat === 2) return svg("polygon", { points: points(3, 0, r * 1.28), ...attributes });
  if (seat === 3) return svg("polygon", { points: points(4, 0, r * 1.22), ...attributes });
  return svg("polygon", { points: points(5, 0, r * 1.12), ...attributes });
}

/** A drawing for games that have none: only the facts that changed. */
drawings[""] = {
  create() {
    const list = html("dl", { class: "mono" });
    return {
      element: list,
      update(view, before) {
        const changed = Object.keys(view).filter((key) => before === null || view[key] !== before[key]);
        refill(list, changed.slice(0, 60).flatMap((key) => [html("dt", {}, key), html("dd", {}, view[key])]));
      },
    };
  },
};

class Viewer {
  constructor(root, data) {
    this.root = root;
    this.base = data.base;
    this.games = data.games;
    this.drawing = drawings[data.game] || drawings[""];
    this.shown = this.games;
    this.game = null;
    this.step = 0;
    this.timer = null;
    this.build();
    this.filter();
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("keydown", (event) => this.key(event));
    if (!this.follow() && this.games.length) this.open(this.shown[0], 0);
  }

  build() {
    const bots = [...new Set(this.games.flatMap((game) => game.bots))].sort();
    const seats = Math.max(0, ...this.games.map((game) => game.bots.length));
    const choose = (label, id, options) => {
      const select = html("select", { id, onchange: () => this.filter() }, options.map(([value, text]) => html("option", { value }, text)));
      this[id] = select;
      return html("label", { for: id }, label, select);
    };
    const any = [["", "any"]];
    this.list = html("select", { id: "games", onchange: () => this.open(this.games[Number(this.list.value)], 0) });
    this.count = html("span", { class: "small", "aria-live": "polite" });
    const button = (label, text, action) => html("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
    this.slider = html("input", { type: "range", min: 0, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.playing = button("Play", "▶", () => this.toggle());
    this.speed = html("select", { "aria-label": "Speed", onchange: () => this.restart() }, [["1200", "slow"], ["500", "normal"], ["150", "fast"], ["40", "very fast"]].map(([value, text]) => html("option", { value, selected: value === "500" }, text)));
    this.board = html("div", { class: "board" });
    this.said = html("p", { class: "said", "aria-live": "polite" });
    this.remarks = html("div", { class: "remarks" });
    this.scores = html("table", { class: "scores" });
    this.actions = html("ol", { class: "actions", "aria-label": "Actions" });
    this.number = html("span", { class: "small mono" });
    refill(
      this.root,
      html("div", { class: "filters" },
        choose("bot", "bybot", [...any, ...bots.map((name) => [name, name])]),
        choose("seat", "byseat", [...any, ...Array.from({ length: seats }, (_, seat) => [seat, seat])]),
        choose("its result", "byresult", [...any, ["won", "won"], ["shared", "shared first"], ["lost", "not first"], ["fault", "fault"]]),
        choose("order", "byorder", [["", "as played"], ["short", "shortest first"], ["long", "longest first"], ["close", "closest first"]]),
        html("label", { class: "pick", for: "games" }, this.count, this.list)),
      html("div", { class: "stage" },
        html("div", {}, this.board,
          html("div", { class: "controls" },
            button("First step", "«", () => this.go(0)), button("Step back", "‹", () => this.go(this.step - 1)), this.playing,
            button("Step forward", "›", () => this.go(this.step + 1)), button("Last step", "»", () => this.go(Infinity)),
            this.slider, this.number, this.speed),
          this.said, this.remarks),
        html("div", {}, html("div", { class: "scroll" }, this.scores), this.actions)));
  }

  /** Shows those games in the list that fit the filters. */
  filter() {
    const bot = this.bybot.value, seat = this.byseat.value, result = this.byresult.value, order = this.byorder.value;
    const fits = (game, at) => {
      if (bot && game.bots[at] !== bot) return false;
      if (seat !== "" && at !== Number(seat)) return false;
      const first = game.ranks[at] === 1, shared = game.ranks.filter((rank) => rank === 1).length > 1;
      if (result === "won") return first && !shared;
      if (result === "shared") return first && shared;
      if (result === "lost") return !first;
      if (result === "fault") return game.faults.some(([out]) => out === at);
      return true;
    };
    this.shown = this.games.filter((game) => game.bots.some((_, at) => fits(game, at)));
    const gap = (game) => { const [a, b] = [...game.scores].sort((x, y) => y - x); return a - b; };
    if (order === "short") this.shown.sort((a, b) => a.actions - b.actions);
    if (order === "long") this.shown.sort((a, b) => b.actions - a.actions);
    if (order === "close") this.shown.sort((a, b) => gap(a) - gap(b));
    this.count.textContent = `${this.shown.length} of ${this.games.length} games`;
    refill(this.list, this.shown.map((game) => html("option", { value: this.games.indexOf(game) }, this.title(game))));
    if (this.game && this.shown.includes(this.game)) this.list.value = this.games.indexOf(this.game);
    else if (this.game && this.shown.length) this.open(this.shown[0], 0);
  }

  title(game) {
    const players = game.bots.map((name, seat) => `${name} ${game.scores[seat]}`).join(" · ");
    const faults = game.faults.map(([seat, kind]) => ` — ${game.bots[seat]}: ${kind}`).join("");
    return `round ${game.round}: ${players}${faults} (${game.actions} actions)`;
  }

  open(game, step) {
    this.stop();
    this.game = game;
    this.list.value = this.games.indexOf(game);
    this.views = [];
    let view = this.base;
    for (const [, , , changed] of game.steps) this.views.push((view = { ...view, ...changed }));
    this.picture = this.drawing.create(this.views[0] || {}, game.bots);
    refill(this.board, this.picture.element);
    this.slider.max = Math.max(0, game.steps.length - 1);
    refill(this.actions, game.steps.map((entry, number) => html("li", {}, html("button", { type: "button", onclick: () => this.go(number) }, ...this.line(entry, number)))));
    this.step = -1;
    this.go(step);
  }

  line([seat, text, micros], number) {
    const name = seat === null ? "" : this.game.bots[seat];
    return [html("span", { class: "n" }, number), html("span", {}, seat === null ? "start" : `${seat} ${name}`), html("b", {}, text), html("span", { class: "t" }, micros ? duration(micros) : "")];
  }

  go(step) {
    if (!this.game || !this.views.length) return;
    step = Math.max(0, Math.min(step, this.views.length - 1));
    if (step === this.step) return;
    const before = step > 0 ? this.views[step - 1] : null;
    this.step = step;
    const view = this.views[step];
    this.picture.update(view, before);
    this.tell(step, view);
    this.slider.value = step;
    this.number.textContent = `${step} / ${this.views.length - 1}`;
    this.actions.querySelector(".at")?.classList.remove("at");
    const at = this.actions.children[step];
    at.classList.add("at");
    this.actions.scrollTop = at.offsetTop - this.actions.offsetTop - this.actions.clientHeight / 2;
    history.replaceState(null, "", `#${this.game.id}/${step}`);
    if (step === this.views.length - 1) this.stop();
  }

  /** Says what happened, with times and remarks, and shows the points by part. */
  tell(step, view) {
    const game = this.game, [seat, text, micros, , remarks] = game.steps[step];
    const who = seat === null ? "" : `${game.bots[seat]} (seat ${seat})`;
    if (seat === null) this.said.textContent = "The board is set up.";
    else if (text.startsWith("out ")) this.said.textContent = `${who} is out: ${text.slice(4)}`;
    else if (text === "pass") this.said.textContent = `${who} has to pass.`;
    else this.said.textContent = `${who} plays ${text} in ${duration(micros)}.`;
    if (step === this.views.length - 1 && game.broken) this.said.textContent += ` The record goes on, but the rules do not allow it: ${game.broken}`;
    this.remarks.textContent = (remarks || []).join("\n");
    const parts = [...new Set(Object.keys(view).filter((key) => /^points\.\d+\./.test(key)).map((key) => key.split(".")[2]))];
    const last = step === this.views.length - 1;
    const row = (name, at) => {
      const points = parts.map((part) => Number(view[`points.${at}.${part}`] || 0));
      const mark = svg("svg", { viewBox: "0 0 20 20", width: 16, height: 16, "aria-hidden": true }, shape(at, 10, 10, 7, { fill: "none", stroke: "currentColor", "stroke-width": 2 }));
      const total = parts.length ? points.reduce((sum, value) => sum + value, 0) : game.scores[at];
      return html("tr", { class: view.turn === at ? "on" : "" }, html("th", { class: "left", scope: "row" }, mark, ` ${name}${view[`out.${at}`] ? " (out)" : ""}`), ...points.map((value) => html("td", {}, value)), html("td", { class: "strong" }, total), html("td", {}, last ? `${game.ranks[at]}.` : ""));
    };
    refill(this.scores, html("thead", {}, html("tr", {}, html("th", { class: "left", scope: "col" }, "seat"), ...parts.map((part) => html("th", { scope: "col" }, part)), html("th", { scope: "col" }, "points"), html("th", { scope: "col" }, last ? "place" : ""))), html("tbody", {}, game.bots.map(row)));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.step === this.views.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.step + 1), Number(this.speed.value));
    this.playing.textContent = "❚❚";
    this.playing.setAttribute("aria-label", "Pause");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playing.textContent = "▶";
    this.playing.setAttribute("aria-label", "Play");
  }

  restart() {
    if (this.timer) { this.stop(); this.toggle(); }
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target;
    if (target instanceof HTMLElement && (target.closest("select, textarea, table") || target.matches("input:not([type=range])"))) return;
    const moves = { ArrowRight: 1, ArrowLeft: -1 };
    if (event.key in moves) this.go(this.step + moves[event.key]);
    else if (event.key === "Home" && this.root.contains(target)) this.go(0);
    else if (event.key === "End" && this.root.contains(target)) this.go(Infinity);
    else if (event.key === " " && !(target instanceof HTMLElement && target.closest("button, a, summary, input"))) this.toggle();
    else return;
    event.preventDefault();
  }

  /** Opens the game and step that the page's address names; tells whether it did. */
  follow() {
    const found = /^#([^/]+)\/(out)?(\d+)$/.exec(decodeURIComponent(location.hash));
    const game = found && this.games.find((each) => each.id === found[1]);
    if (!game) return false;
    let step = Number(found[3]);
    if (found[2]) step = Math.max(0, game.steps.findIndex(([seat, text]) => seat === step && text.startsWith("out ")));
    if (game !== this.game) this.open(game, step);
    else this.go(step);
    document.getElementById("replays").scrollIntoView();
    return true;
  }
}

/** Lets people sort a table by its columns, with the mouse or the keyboard. */
function sortable(table) {
  for (const head of table.querySelectorAll("th[data-sort]")) {
    const text = head.textContent;
    const column = [...head.parentNode.children].indexOf(head);
    const value = (row) => {
      const cell = row.children[column];
      return head.dataset.sort === "text" ? cell.textContent.trim() : cell.dataset.value === "" ? -Infinity : Number(cell.dataset.value);
    };
    const sort = () => {
      const up = head.getAttribute("aria-sort") === "descending" || (head.dataset.sort === "text" && !head.hasAttribute("aria-sort"));
      for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows].map((row) => [value(row), row]);
      rows.sort(([a], [b]) => (typeof a === "string" ? a.localeCompare(b) : a - b) * (up ? 1 : -1));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    };
    refill(head, html("button", { type: "button", onclick: sort }, text));
  }
}
