// Draws a position of rain: the cross of spaces, mushrooms with their colour's letter, hands, and the rows that the
// newest mushroom scored with. The keys of a view are described in picture.py.
drawings.rain = {
  COLOURS: { r: ["#c8372d", "#fff", "red"], y: ["#f0c436", "#222", "yellow"], b: ["#2f6fb5", "#fff", "blue"], g: ["#2e7d4f", "#fff", "green"] },

  create(view, bots) {
    const S = 44;
    const spaces = Object.keys(view).filter((key) => /^[a-h][1-8]$/.test(key));
    const centre = (space) => [(space.charCodeAt(0) - 96.5) * S, (Number(space.slice(1)) - 0.5) * S];
    const picture = svg("svg", { viewBox: `-22 -22 ${8 * S + 30} ${8 * S + 30}`, role: "img", "aria-label": "The board" });
    picture.append(svg("rect", { x: -22, y: -22, width: 8 * S + 30, height: 8 * S + 30, rx: 8, fill: "#d9e6cf" }));
    for (let i = 0; i < 8; i++) {
      picture.append(svg("text", { x: (i + 0.5) * S, y: -7, "text-anchor": "middle", fill: "#34472b", "font-size": 12 }, String.fromCharCode(97 + i)));
      picture.append(svg("text", { x: -11, y: (i + 0.5) * S + 4, "text-anchor": "middle", fill: "#34472b", "font-size": 12 }, i + 1));
    }
    const cells = {};
    for (const space of spaces) {
      const [x, y] = centre(space);
      const inside = svg("g"), title = svg("title", {}, space);
      picture.append(svg("g", {}, title, svg("rect", { x: x - S / 2 + 1.5, y: y - S / 2 + 1.5, width: S - 3, height: S - 3, rx: 6, fill: "#f3f7ec", stroke: "#a8bd97" }), inside));
      cells[space] = { inside, title };
    }
    const rows = svg("g"), mark = svg("rect", { width: S - 2, height: S - 2, rx: 7, fill: "none", stroke: "#b3123c", "stroke-width": 3, visibility: "hidden" });
    picture.append(rows, mark);
    const aside = html("div", { class: "aside" });
    const shown = {};
    return {
      element: html("div", {}, picture, aside),
      update: (view) => {
        for (const space of spaces) {
          if (shown[space] === view[space]) continue;
          shown[space] = view[space];
          cells[space].inside.replaceChildren(...(view[space] ? this.mushroom(view[space], ...centre(space), 1) : []));
          cells[space].title.textContent = `${space}: ${view[space] ? this.COLOURS[view[space]][2] : "free"}`;
        }
        const last = /^\d+ .([a-h][1-8])$/.exec(view.last || "");
        mark.setAttribute("visibility", last ? "visible" : "hidden");
        if (last) { const [x, y] = centre(last[1]); mark.setAttribute("x", x - S / 2 + 1); mark.setAttribute("y", y - S / 2 + 1); }
        rows.replaceChildren(...(view.rows ? view.rows.split(", ") : []).map((row) => this.row(row.split(" ").map(centre))));
        this.beside(aside, view, bots);
      },
    };
  },

  mushroom(colour, x, y, size) {
    const [fill, ink] = this.COLOURS[colour], at = (dx, dy) => `${x + dx * size} ${y + dy * size}`;
    return [svg("path", { d: `M${at(-4, 2)} L${at(-5, 15)} Q${at(0, 18)} ${at(5, 15)} L${at(4, 2)} Z`, fill: "#f5ead6", stroke: "#7d6a4c" }),
      svg("path", { d: `M${at(-16, 4)} Q${at(-15, -15)} ${at(0, -15)} Q${at(15, -15)} ${at(16, 4)} Q${at(0, 9)} ${at(-16, 4)} Z`, fill, stroke: "#40331f" }),
      svg("text", { x, y: y + 1 * size, "text-anchor": "middle", fill: ink, "font-weight": 700, "font-size": 13 * size }, colour)];
  },

  /** A scored row flashes, unless the reader wants no motion. */
  row(points) {
    const line = svg("polyline", { points: points.map((point) => point.join(",")).join(" "), fill: "none", stroke: "#b3123c", "stroke-width": 9, "stroke-opacity": 0.5, "stroke-linecap": "round" });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) line.append(svg("animate", { attributeName: "stroke-opacity", values: "0;0.8;0.15;0.5", dur: "0.9s", repeatCount: 1 }));
    return line;
  },

  beside(aside, view, bots) {
    const hand = (mushrooms) => svg("svg", { viewBox: `0 0 ${Math.max(1, mushrooms.length) * 36} 40`, role: "img", "aria-label": [...mushrooms].map((colour) => this.COLOURS[colour][2]).join(", ") || "empty" }, [...mushrooms].flatMap((colour, i) => this.mushroom(colour, 18 + 36 * i, 20, 1)));
    refill(aside, bots.map((name, seat) => html("span", {}, `${name}: `, hand(String(view[`hand.${seat}`] || "")))), html("span", {}, `${view.bag} in the bag`), view.won ? html("b", {}, `+${view.won}`) : "");
  },
};
