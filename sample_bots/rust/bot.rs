//! A starter bot for the arena: of the legal actions it plays the one that `score` likes best.
//!
//! Put your own idea into `Position::score`. Everything that the referee said is in `Position`.
//! Print nothing else on stdout; remarks for yourself go to stderr, or to stdout behind a "# ".

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, Write};

type Space = (i32, i32); // column from 0 for a, row from 1

fn parse_space(text: &str) -> Option<Space> {
    let column = *text.as_bytes().first()?;
    Some((i32::from(column) - i32::from(b'a'), text.get(1..)?.parse().ok()?))
}

/// Split an action like `yd7` into its colour and its space.
fn parse_action(action: &str) -> Option<(u8, Space)> {
    Some((*action.as_bytes().first()?, parse_space(action.get(1..)?)?))
}

/// The six neighbours of a hexagon, spaces or not; columns a, c, e, … sit half a space lower.
fn neighbours((column, row): Space) -> [Space; 6] {
    let aside = if column % 2 == 0 { row + 1 } else { row - 1 };
    [(column, row - 1), (column, row + 1), (column - 1, row), (column + 1, row), (column - 1, aside), (column + 1, aside)]
}

/// What the bot knows of the game that it is playing.
#[derive(Default)]
struct Position {
    game: String,                   // "desert" or "rain"
    seat: usize,                    // our own
    pieces: HashMap<Space, u8>,     // the colour of what stands there
    water: HashMap<Space, i32>,     // desert: the value of the water that is left there
    palms: HashSet<Space>,          // desert: the oases
    reached: HashSet<(u8, Space)>,  // desert: by colour, the oases of our own caravans
}

impl Position {
    /// Begin a new game from the words behind `game`.
    fn new(words: &[&str]) -> Self {
        let seat = words.iter().find_map(|word| word.strip_prefix("seat=")?.parse().ok());
        Position { game: words.first().unwrap_or(&"").to_string(), seat: seat.unwrap_or(0), ..Default::default() }
    }

    /// Take in a `setup` line; there are more keys than these two.
    fn setup(&mut self, key: &str, facts: &[&str]) {
        match key {
            "palms" => self.palms.extend(facts.iter().filter_map(|fact| parse_space(fact))),
            "water" => self.water.extend(facts.iter().filter_map(|fact| {
                let (space, value) = fact.split_once('=')?;
                Some((parse_space(space)?, value.parse().ok()?))
            })),
            _ => {}
        }
    }

    /// Take in what a seat has done, ourselves included.
    fn play(&mut self, seat: &str, action: &str) {
        let Some((colour, space)) = parse_action(action) else { return };
        self.pieces.insert(space, colour);
        self.water.remove(&space);
        if seat.parse() == Ok(self.seat) {
            let oases = neighbours(space).into_iter().filter(|near| self.palms.contains(near));
            self.reached.extend(oases.map(|palm| (colour, palm)));
        }
    }

    /// Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
    fn score(&self, action: &str) -> i32 {
        let Some((colour, space)) = parse_action(action) else { return 0 };
        let water = |space: &Space| self.water.get(space).copied().unwrap_or(0);
        match self.game.as_str() {
            // Points at once count most: water under the camel, and oases that this caravan has not
            // reached. Water next to the space breaks ties. Areas and long caravans are left to you.
            "desert" => {
                let around = neighbours(space);
                let fresh = |palm: &&Space| self.palms.contains(palm) && !self.reached.contains(&(colour, **palm));
                let points = water(&space) + 5 * around.iter().filter(fresh).count() as i32;
                10 * points + around.iter().map(water).sum::<i32>()
            }
            // Points at once. What this opens for the next player, whose hand is known, is left to you.
            "rain" => [(0, 1), (1, 0), (1, 1), (1, -1)].iter().map(|step| self.runs(colour, space, *step)).sum(),
            _ => 0,
        }
    }

    /// Count the fours of all colours that a mushroom completes on one line, free spaces skipped.
    fn runs(&self, colour: u8, (column, row): Space, (across, down): (i32, i32)) -> i32 {
        // Up to three mushrooms on either side of the new one, the nearest first.
        let side = |way: i32| -> Vec<u8> {
            let spaces = (1..8).map(|i| (column + way * i * across, row + way * i * down));
            spaces.filter_map(|space| self.pieces.get(&space).copied()).take(3).collect()
        };
        let mut line = side(-1);
        line.reverse();
        line.push(colour);
        line.extend(side(1));
        line.windows(4).filter(|four| four.iter().collect::<HashSet<_>>().len() == 4).count() as i32
    }
}

/// Write one line, and flush it, or the answer would wait in a buffer.
fn say(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

/// Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
fn main() -> io::Result<()> {
    let mut position = Position::default();
    let mut moves: Vec<String> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["arena", ..] => say("ready name=starter-rust version=1.0 wants=moves")?,
            ["game", rest @ ..] => position = Position::new(rest),
            ["setup", key, facts @ ..] => position.setup(key, facts),
            ["start", ..] => say("ready")?,
            ["play", _, "pass", ..] => {}
            ["play", seat, action, ..] => position.play(seat, action),
            ["moves", rest @ ..] => moves = rest.iter().map(|action| action.to_string()).collect(),
            // go MILLISECONDS BANK: the time for this action, and what is left beyond it
            ["go", ..] => {
                // max_by_key takes the last of equals, so look from behind.
                let best = moves.iter().rev().max_by_key(|action| position.score(action));
                say(&format!("move {}", best.map_or("", String::as_str)))?;
            }
            ["quit", ..] => break,
            _ => {} // none of our business: the protocol may grow
        }
    }
    Ok(())
}
