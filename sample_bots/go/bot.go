// A starter bot for the arena: of the legal actions it plays the one that score likes best.
//
// Put your own idea into score. Everything that the referee said about the game is in Position.
// Print nothing else on stdout; remarks for yourself go to stderr, or to stdout behind a "# ".
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Space is a column from 0 for a, and a row from 1.
type Space struct{ column, row int }

// Position is what the bot knows of the game that it is playing.
type Position struct {
	game    string                  // "desert" or "rain"
	seat    string                  // our own
	pieces  map[Space]byte          // the colour of what stands there
	water   map[Space]int           // desert: the value of the water that is left there
	palms   map[Space]bool          // desert: the oases
	reached map[byte]map[Space]bool // desert: by colour, what our own caravans have touched
}

func newPosition(game, seat string) *Position {
	return &Position{game, seat, map[Space]byte{}, map[Space]int{}, map[Space]bool{}, map[byte]map[Space]bool{}}
}

// score says how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
func (p *Position) score(action string) int {
	colour, space := action[0], parseSpace(action[1:])
	switch p.game {
	case "desert":
		// Points at once count most: water under the camel, and oases that this caravan has not reached.
		// Water next to the space breaks ties. Areas and the longest caravans are left to you.
		points, nearby := p.water[space], 0
		for _, near := range neighbours(space) {
			if p.palms[near] && !p.reached[colour][near] {
				points += 5
			}
			nearby += p.water[near]
		}
		return 10*points + nearby
	case "rain":
		// Points at once. What this opens for the next player, whose hand is known, is left to you.
		return p.runs(colour, space, 0, 1) + p.runs(colour, space, 1, 0) + p.runs(colour, space, 1, 1) + p.runs(colour, space, 1, -1)
	}
	return 0
}

// setup takes in a `setup` line; there are more keys than these two.
func (p *Position) setup(key string, facts []string) {
	for _, fact := range facts {
		space, value, _ := strings.Cut(fact, "=")
		if key == "palms" {
			p.palms[parseSpace(space)] = true
		} else if key == "water" {
			p.water[parseSpace(space)], _ = strconv.Atoi(value)
		}
	}
}

// play takes in what a seat has done, ourselves included.
func (p *Position) play(seat, action string) {
	colour, space := action[0], parseSpace(action[1:])
	p.pieces[space] = colour
	delete(p.water, space)
	if p.reached[colour] == nil {
		p.reached[colour] = map[Space]bool{}
	}
	for _, near := range neighbours(space) {
		p.reached[colour][near] = p.reached[colour][near] || seat == p.seat
	}
}

// runs counts the fours of all colours that a mushroom completes on one line, free spaces skipped.
func (p *Position) runs(colour byte, space Space, across, down int) (count int) {
	line := []byte{colour}
	for _, way := range []int{-1, 1} { // up to three mushrooms on either side of the new one
		for i, found := 1, 0; i < 8 && found < 3; i++ {
			if piece, ok := p.pieces[Space{space.column + way*i*across, space.row + way*i*down}]; ok {
				line = append(line, piece)
				found++
			}
		}
		for i, j := 0, len(line)-1; way < 0 && i < j; i, j = i+1, j-1 {
			line[i], line[j] = line[j], line[i] // the first side was found backwards
		}
	}
	for ; len(line) >= 4; line = line[1:] {
		if len(map[byte]bool{line[0]: true, line[1]: true, line[2]: true, line[3]: true}) == 4 {
			count++
		}
	}
	return count
}

func parseSpace(text string) Space {
	row, _ := strconv.Atoi(text[1:])
	return Space{int(text[0]) - 'a', row}
}

// neighbours returns those of a hexagon, spaces or not; columns a, c, e, … sit half a space lower.
func neighbours(s Space) [6]Space {
	aside := s.row + 1 - 2*(s.column%2)
	return [6]Space{{s.column, s.row - 1}, {s.column, s.row + 1}, {s.column - 1, s.row}, {s.column + 1, s.row}, {s.column - 1, aside}, {s.column + 1, aside}}
}

// main answers the referee, line by line, until it says `quit` or is gone; many games in one process.
func main() {
	position, moves := newPosition("", ""), []string{}
	referee := bufio.NewReader(os.Stdin) // not a Scanner: that stops at a line of 64 KiB
	for {
		line, err := referee.ReadString('\n')
		if err != nil {
			return
		}
		word, more, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch rest := strings.Fields(more); word {
		case "arena":
			fmt.Println("ready name=starter-go version=1.0 wants=moves")
		case "game":
			_, seat, _ := strings.Cut(more, "seat=")
			position = newPosition(rest[0], strings.Fields(seat)[0])
		case "setup":
			position.setup(rest[0], rest[1:])
		case "start":
			fmt.Println("ready")
		case "play":
			if rest[1] != "pass" {
				position.play(rest[0], rest[1])
			}
		case "moves":
			moves = rest
		case "go": // go MILLISECONDS BANK: the time for this action, and what is left beyond it
			best, highest := "", -1
			for _, action := range moves {
				if score := position.score(action); score > highest {
					best, highest = action, score
				}
			}
			fmt.Println("move", best)
		case "quit":
			return
		} // any other line is none of our business: the protocol may grow
	}
}
