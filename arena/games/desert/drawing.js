// Draws a position of desert: hexagons, caravans in their colours with the owner's shape and number, areas hatched by
// owner. The keys of a view are described in picture.py.
drawings.desert = {
  COLOURS: { b: ["#2f6fb5", "#fff", "blue"], g: ["#2e7d4f", "#fff", "green"], p: ["#7b4aa0", "#fff", "purple"], w: ["#f4f1e8", "#222", "white"], y: ["#f0c436", "#222", "yellow"] },

  create(view, bots) {
    const R = 20, H = (R * Math.sqrt(3)) / 2;
    const spaces = Object.keys(view).filter((key) => /^[a-z]\d+$/.test(key));
    const place = (space) => {
      const column = space.charCodeAt(0) - 97, row = Number(space.slice(1));
      return [column * R * 1.5, (2 * row + (column % 2 === 0 ? 1 : 0)) * H];
    };
    const places = Object.fromEntries(spaces.map((space) => [space, place(space)]));
    const xs = spaces.map((space) => places[space][0]), ys = spaces.map((space) => places[space][1]);
    const left = Math.min(...xs) - R - 22, top = Math.min(...ys) - H - 20;
    const width = Math.max(...xs) + R + 4 - left, height = Math.max(...ys) + H + 4 - top;
    const hexagon = ([x, y], r) => Array.from({ length: 6 }, (_, i) => `${(x + r * Math.cos((i * Math.PI) / 3)).toFixed(1)},${(y + r * Math.sin((i * Math.PI) / 3)).toFixed(1)}`).join(" ");
    const picture = svg("svg", { viewBox: `${left} ${top} ${width} ${height}`, role: "img", "aria-label": "The desert" });
    picture.append(svg("defs", {}, bots.map((_, seat) => this.hatch(seat))));
    picture.append(svg("rect", { x: left, y: top, width, height, rx: 8, fill: "#efe0bd" }));
    const columns = [...new Set(spaces.map((space) => space[0]))];
    for (const column of columns) {
      const inside = spaces.filter((space) => space[0] === column);
      const high = inside.reduce((best, space) => (places[space][1] < places[best][1] ? space : best));
      picture.append(svg("text", { x: places[high][0], y: places[high][1] - H - 4, "text-anchor": "middle", fill: "#5f5130", "font-size": 11 }, column));
    }
    const cells = {};
    for (const space of spaces) {
      const ground = svg("polygon", { points: hexagon(places[space], R - 0.7), fill: "#f7ecd0", stroke: "#cdb98a", "stroke-width": 1 });
      const area = svg("polygon", { points: hexagon(places[space], R - 0.7), fill: "none" });
      const inside = svg("g");
      const title = svg("title", {}, space);
      picture.append(svg("g", {}, title, ground, area, inside));
      cells[space] = { ground, area, inside, title };
    }
    const mark = svg("polygon", { fill: "none", stroke: "#b3123c", "stroke-width": 3.2, visibility: "hidden" });
    picture.append(mark);
    const aside = html("div", { class: "aside" });
    const shown = {};
    return {
      element: html("div", {}, picture, aside),
      update: (view) => {
        for (const space of spaces) {
          const what = String(view[space]), area = view[`area.${space}`];
          const key = `${what}/${area}`;
          if (shown[space] === key) continue;
          shown[space] = key;
          const cell = cells[space];
          cell.area.setAttribute("fill", area === "" || area === undefined ? "none" : `url(#area${area})`);
          cell.ground.setAttribute("fill", what === "mountain" ? "#a99a83" : "#f7ecd0");
          cell.inside.replaceChildren(...this.content(what, places[space], area));
          cell.title.textContent = `${space}: ${this.words(what, area, bots)}`;
        }
        const last = /^(\d+) .([a-z]\d+)$/.exec(view.last || "");
        mark.setAttribute("visibility", last && places[last[2]] ? "visible" : "hidden");
        if (last && places[last[2]]) mark.setAttribute("points", hexagon(places[last[2]], R - 1));
        this.beside(aside, view, bots);
      },
    };
  },

  /** A pattern for a seat's areas: lines of a direction of its own. */
  hatch(seat) {
    const colours = ["#1d5f8a", "#8a3b12", "#2d6a2f", "#6a2d78", "#6d5a00"];
    return svg("pattern", { id: `area${seat}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${[45, -45, 0, 90, 20][seat]})` },
      svg("rect", { width: 6, height: 6, fill: colours[seat], "fill-opacity": 0.16 }), svg("line", { x1: 0, y1: 0, x2: 0, y2: 6, stroke: colours[seat], "stroke-width": 2, "stroke-opacity": 0.6 }));
  },

  content(what, [x, y], area) {
    if (what === "mountain") return [svg("polygon", { points: `${x - 11},${y + 8} ${x - 3},${y - 9} ${x + 2},${y + 1} ${x + 5},${y - 4} ${x + 12},${y + 8}`, fill: "#6f6353" })];
    if (what === "palm") {
      return [svg("path", { d: `M${x} ${y + 11} q3 -8 0 -15`, stroke: "#6b4a1f", "stroke-width": 3, fill: "none" }),
        svg("path", { d: `M${x} ${y - 4} q-10 -6 -13 3 q7 -4 13 -2 M${x} ${y - 4} q10 -6 13 3 q-7 -4 -13 -2 M${x} ${y - 4} q-6 -11 -12 -6 q7 0 12 6 M${x} ${y - 4} q6 -11 12 -6 q-7 0 -12 6`, fill: "#1f7a3a", stroke: "#145427", "stroke-width": 0.8 })];
    }
    if (/^\d+$/.test(what)) {
      return [svg("path", { d: `M${x} ${y - 12} C${x + 12} ${y} ${x + 8} ${y + 11} ${x} ${y + 11} C${x - 8} ${y + 11} ${x - 12} ${y} ${x} ${y - 12}`, fill: "#8fd0e8", stroke: "#2b7fa0", "stroke-width": 1 }),
        svg("text", { x, y: y + 6, "text-anchor": "middle", fill: "#0c3b4f", "font-weight": 700, "font-size": 12 }, what)];
    }
    if (what) {
      const [fill, ink] = this.COLOURS[what[0]], seat = Number(what[1]), leads = what.endsWith("*");
      const body = shape(seat, x, seat === 2 ? y + 2 : y, leads ? 13.5 : 11, { fill, stroke: leads ? "#111" : "#4a4030", "stroke-width": leads ? 3 : 1.1 });
      const label = svg("text", { x, y: y + 5, "text-anchor": "middle", fill: ink, "font-weight": 700, "font-size": leads ? 13 : 11 }, leads ? `${seat}★` : seat);
      return [body, label];
    }
    return area === "" || area === undefined ? [] : [svg("text", { x, y: y + 4, "text-anchor": "middle", fill: "#3c3420", "font-size": 10 }, area)];
  },

  words(what, area, bots) {
    const owned = area === "" || area === undefined ? "" : `, in the area of ${bots[area]}`;
    if (/^\d+$/.test(what)) return `water ${what}${owned}`;
    if (what === "palm") return `oasis${owned}`;
    if (what === "mountain") return "mountain";
    if (!what) return `free${owned}`;
    return `${this.COLOURS[what[0]][2]} ${what.endsWith("*") ? "leader" : "camel"} of ${bots[Number(what[1])]}${owned}`;
  },

  /** Supplies, and by seat the leaders still to place. */
  beside(aside, view, bots) {
    const camel = (colour, text) => {
      const [fill, ink] = this.COLOURS[colour];
      return svg("svg", { viewBox: "0 0 44 24", width: 44, role: "img", "aria-label": `${this.COLOURS[colour][2]} ${text}` }, svg("rect", { x: 1, y: 1, width: 42, height: 22, rx: 6, fill, stroke: "#4a4030" }), svg("text", { x: 22, y: 17, "text-anchor": "middle", fill: ink, "font-weight": 700, "font-size": 13 }, `${colour} ${text}`));
    };
    const supply = html("span", {}, "camels left ", Object.keys(this.COLOURS).filter((colour) => `supply.${colour}` in view).flatMap((colour) => [camel(colour, view[`supply.${colour}`]), " "]));
    const leaders = bots.filter((_, seat) => view[`leaders.${seat}`]).map((name, seat) => html("span", {}, `${name}'s leaders to place: ${view[`leaders.${bots.indexOf(name)}`]}`));
    refill(aside, supply, leaders);
  },
};
