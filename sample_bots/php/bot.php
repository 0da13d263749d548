<?php

// A starter bot for the arena: of the legal actions it plays the one that score() likes best.
//
// Put your own idea into Position::score(). Everything that the referee said is in Position.
// Print nothing else on stdout; remarks for yourself go to STDERR, or to stdout behind a "# ".

declare(strict_types=1);
ini_set('display_errors', 'stderr'); // a warning on stdout would be taken for an answer

/** What the bot knows of the game that it is playing. */
final class Position
{
    private array $pieces = [];  // space => colour of what stands there
    private array $water = [];   // desert: space => value of the water that is left there
    private array $palms = [];   // desert: oasis => true
    private array $reached = []; // desert: colour and oasis => true, for our own caravans

    /** The game is "desert" or "rain", the seat our own. */
    public function __construct(private string $game = '', private int $seat = 0)
    {
    }

    /** Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE. */
    public function score(string $action): int
    {
        [$colour, $space] = [$action[0], substr($action, 1)];
        if ($this->game === 'desert') {
            // Points at once count most: water under the camel, and oases that this caravan has not reached.
            // Water next to the space breaks ties. Areas and the longest caravans are left to you.
            $points = $this->water[$space] ?? 0;
            $nearby = 0;
            foreach (self::neighbours($space) as $near) {
                if (isset($this->palms[$near]) && !isset($this->reached[$colour . $near])) {
                    $points += 5;
                }
                $nearby += $this->water[$near] ?? 0;
            }
            return 10 * $points + $nearby;
        }
        if ($this->game === 'rain') {
            // Points at once. What this opens for the next player, whose hand is known, is left to you.
            return $this->runs($colour, $space, 0, 1) + $this->runs($colour, $space, 1, 0)
                + $this->runs($colour, $space, 1, 1) + $this->runs($colour, $space, 1, -1);
        }
        return 0;
    }

    /** Take in a `setup` line; there are more keys than these two. */
    public function setup(string $key, string ...$facts): void
    {
        foreach ($facts as $fact) {
            if ($key === 'palms') {
                $this->palms[$fact] = true;
            } elseif ($key === 'water') {
                [$space, $value] = explode('=', $fact);
                $this->water[$space] = (int) $value;
            }
        }
    }

    /** Take in what a seat has done, ourselves included. */
    public function play(int $seat, string $action): void
    {
        [$colour, $space] = [$action[0], substr($action, 1)];
        $this->pieces[$space] = $colour;
        unset($this->water[$space]);
        foreach (self::neighbours($space) as $near) {
            if ($seat === $this->seat && isset($this->palms[$near])) {
                $this->reached[$colour . $near] = true;
            }
        }
    }

    /** The name of the space so many columns and rows away, on the board or not. */
    private static function moved(string $space, int $across, int $down): string
    {
        return chr(ord($space) + $across) . ((int) substr($space, 1) + $down);
    }

    /** The six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower. */
    private static function neighbours(string $space): array
    {
        $aside = (ord($space) - ord('a')) % 2 === 0 ? 1 : -1;
        $steps = [[0, -1], [0, 1], [-1, 0], [1, 0], [-1, $aside], [1, $aside]];
        return array_map(fn (array $step) => self::moved($space, ...$step), $steps);
    }

    /** Count the fours of all colours that a mushroom completes on one line, free spaces skipped. */
    private function runs(string $colour, string $space, int $across, int $down): int
    {
        $line = [$colour];
        foreach ([-1, 1] as $way) { // up to three mushrooms on either side of the new one
            for ($i = 1, $found = 0; $i < 8 && $found < 3; $i++) {
                $piece = $this->pieces[self::moved($space, $way * $i * $across, $way * $i * $down)] ?? null;
                if ($piece !== null) {
                    $found++;
                    $way < 0 ? array_unshift($line, $piece) : array_push($line, $piece);
                }
            }
        }
        $count = 0;
        for ($first = 0; $first + 4 <= count($line); $first++) {
            $count += count(array_unique(array_slice($line, $first, 4))) === 4 ? 1 : 0;
        }
        return $count;
    }
}

/** Write one line at once; `echo` may keep it in a buffer. */
function say(string $line): void
{
    fwrite(STDOUT, $line . "\n");
}

// Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
$position = new Position();
$moves = [];
while (($line = fgets(STDIN)) !== false) {
    $rest = explode(' ', trim($line));
    switch (array_shift($rest)) {
        case 'arena':
            say('ready name=starter-php version=1.0 wants=moves');
            break;
        case 'game':
            preg_match('/ seat=(\d+)/', $line, $found);
            $position = new Position($rest[0], (int) $found[1]);
            break;
        case 'setup':
            $position->setup(...$rest);
            break;
        case 'start':
            say('ready');
            break;
        case 'play':
            if ($rest[1] !== 'pass') {
                $position->play((int) $rest[0], $rest[1]);
            }
            break;
        case 'moves':
            $moves = $rest;
            break;
        case 'go': // go MILLISECONDS BANK: the time for this action, and what is left beyond it
            $scores = array_map([$position, 'score'], $moves);
            say('move ' . $moves[array_search(max($scores), $scores, true)]);
            break;
        case 'quit':
            exit(0);
    } // any other line is none of our business: the protocol may grow
}
