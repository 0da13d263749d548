#!/usr/bin/env node
// A starter bot for the arena: of the legal actions it plays the one that `score` likes best.
//
// Put your own idea into `score`. Everything that the referee said about the game is in the Position.
// Print nothing else on stdout; remarks for yourself go to console.error, or to stdout behind a "# ".
"use strict";

const readline = require("node:readline");

// What the bot knows of the game that it is playing.
class Position {
  constructor(game = "", seat = 0) {
    this.game = game; // "desert" or "rain"
    this.seat = seat; // our own
    this.pieces = new Map(); // space: colour of what stands there
    this.water = new Map(); // desert, space: value of the water that is left there
    this.palms = new Set(); // desert: the oases
    this.reached = new Set(); // desert: colour + oasis of our own caravans
  }

  // Take in a `setup` line; there are more keys than these two.
  setup(key, facts) {
    if (key === "palms") facts.forEach((space) => this.palms.add(space));
    if (key === "water") {
      for (const fact of facts) {
        const [space, value] = fact.split("=");
        this.water.set(space, Number(value));
      }
    }
  }

  // Take in what a seat has done, ourselves included.
  play(seat, action) {
    const [colour, space] = [action[0], action.slice(1)];
    this.pieces.set(space, colour);
    this.water.delete(space);
    if (seat === this.seat) {
      neighbours(space)
        .filter((near) => this.palms.has(near))
        .forEach((palm) => this.reached.add(colour + palm));
    }
  }
}

// Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
function score(position, action) {
  const [colour, space] = [action[0], action.slice(1)];
  const water = (place) => position.water.get(place) ?? 0;
  if (position.game === "desert") {
    // Points at once count most: water under the camel, and oases that this caravan has not reached.
    // Water next to the space breaks ties. Areas and the longest caravans are left to you.
    const around = neighbours(space);
    const fresh = around.filter((near) => position.palms.has(near) && !position.reached.has(colour + near));
    const points = water(space) + 5 * fresh.length;
    return 10 * points + around.reduce((sum, near) => sum + water(near), 0);
  }
  if (position.game === "rain") {
    // Points at once. What this opens for the next player, whose hand is known, is left to you.
    const steps = [[0, 1], [1, 0], [1, 1], [1, -1]];
    return steps.reduce((sum, step) => sum + runs(position, colour, space, step), 0);
  }
  return 0;
}

// The name of the space so many columns and rows away, on the board or not.
function moved(space, across, down) {
  return String.fromCharCode(space.charCodeAt(0) + across) + (Number(space.slice(1)) + down);
}

// The six neighbours of a hexagon, spaces or not; columns a, c, e, … sit half a space lower.
function neighbours(space) {
  const aside = (space.charCodeAt(0) - "a".charCodeAt(0)) % 2 === 0 ? 1 : -1;
  const steps = [[0, -1], [0, 1], [-1, 0], [1, 0], [-1, aside], [1, aside]];
  return steps.map(([across, down]) => moved(space, across, down));
}

// Count the fours of all colours that a mushroom completes on one line, free spaces skipped.
function runs(position, colour, space, [across, down]) {
  // Up to three mushrooms on either side of the new one, the nearest first.
  const side = (way) =>
    [1, 2, 3, 4, 5, 6, 7]
      .map((i) => position.pieces.get(moved(space, way * i * across, way * i * down)))
      .filter((piece) => piece !== undefined)
      .slice(0, 3);
  const line = [...side(-1).reverse(), colour, ...side(1)];
  return line.filter((_, i) => new Set(line.slice(i, i + 4)).size === 4).length;
}

// Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
let position = new Position();
let moves = [];

const say = (line) => process.stdout.write(`${line}\n`);

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  switch (word) {
    case "arena":
      say("ready name=starter-javascript version=1.0 wants=moves");
      break;
    case "game": {
      const facts = Object.fromEntries(rest.slice(1).map((fact) => fact.split("=")));
      position = new Position(rest[0], Number(facts.seat));
      break;
    }
    case "setup":
      position.setup(rest[0], rest.slice(1));
      break;
    case "start":
      say("ready");
      break;
    case "play":
      if (rest[1] !== "pass") position.play(Number(rest[0]), rest[1]);
      break;
    case "moves":
      moves = rest;
      break;
    case "go": { // go MILLISECONDS BANK: the time for this action, and what is left beyond it
      const scores = moves.map((action) => score(position, action));
      say(`move ${moves[scores.indexOf(Math.max(...scores))]}`);
      break;
    }
    case "quit":
      process.exit(0);
    // Any other line is none of our business: the protocol may grow.
  }
});
