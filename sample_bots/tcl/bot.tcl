#!/usr/bin/env tclsh
# A starter bot for the arena: of the legal actions it plays the one that `score` likes best.
#
# Put your own idea into `score`. Everything that the referee said about the game is in the namespace below.
# Print nothing else on stdout; remarks for yourself go to stderr, or to stdout behind a "# ".

fconfigure stdout -buffering line -translation lf ;# send each line at once

# What the bot knows of the game that it is playing.
namespace eval position {
    variable game "" ;# "desert" or "rain"
    variable seat 0 ;# our own
    variable pieces {} ;# dict, space: colour of what stands there
    variable water {} ;# desert, dict, space: value of the water that is left there
    variable palms {} ;# desert, list: the oases
    variable reached {} ;# desert, list: colour and oasis of our own caravans
}

# Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
proc score {action} {
    lassign [parse $action] colour space
    switch -- $position::game {
        desert {
            # Points at once count most: water under the camel, and oases that this caravan has not reached.
            # Water next to the space breaks ties. Areas and the longest caravans are left to you.
            set points [water $space]
            set nearby 0
            foreach near [neighbours $space] {
                if {$near in $position::palms && "$colour$near" ni $position::reached} { incr points 5 }
                incr nearby [water $near]
            }
            return [expr {10 * $points + $nearby}]
        }
        rain {
            # Points at once. What this opens for the next player, whose hand is known, is left to you.
            set points 0
            foreach {across down} {0 1 1 0 1 1 1 -1} { incr points [runs $colour $space $across $down] }
            return $points
        }
        default { return 0 }
    }
}

# Split an action like yd7 into colour and space.
proc parse {action} {
    return [list [string index $action 0] [string range $action 1 end]]
}

# The value of the water that is left on a space.
proc water {space} {
    if {[dict exists $position::water $space]} { return [dict get $position::water $space] }
    return 0
}

# The name of the space so many columns and rows away, on the board or not.
proc moved {space across down} {
    scan $space %c%d column row
    return [format %c%d [expr {$column + $across}] [expr {$row + $down}]]
}

# The six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower.
proc neighbours {space} {
    scan $space %c column
    set aside [expr {($column - 97) % 2 == 0 ? 1 : -1}] ;# 97 is the letter a
    set around {}
    foreach {across down} [list 0 -1 0 1 -1 0 1 0 -1 $aside 1 $aside] {
        lappend around [moved $space $across $down]
    }
    return $around
}

# Count the fours of all colours that a mushroom completes on one line, free spaces skipped.
proc runs {colour space across down} {
    set line [list $colour]
    foreach way {-1 1} { ;# up to three mushrooms on either side of the new one
        set found 0
        for {set i $way} {abs($i) < 8 && $found < 3} {incr i $way} {
            set place [moved $space [expr {$i * $across}] [expr {$i * $down}]]
            if {![dict exists $position::pieces $place]} continue
            set line [linsert $line [expr {$way < 0 ? 0 : "end"}] [dict get $position::pieces $place]]
            incr found
        }
    }
    set count 0
    for {set i 0} {$i + 4 <= [llength $line]} {incr i} {
        if {[llength [lsort -unique [lrange $line $i $i+3]]] == 4} { incr count }
    }
    return $count
}

# Take in what a seat has done, ourselves included.
proc play {seat action} {
    lassign [parse $action] colour space
    dict set position::pieces $space $colour
    dict unset position::water $space
    if {$seat != $position::seat} return
    foreach near [neighbours $space] {
        if {$near in $position::palms} { lappend position::reached $colour$near }
    }
}

# The action of the highest score, the first of equals.
proc best {actions} {
    set highest -1
    foreach action $actions {
        set score [score $action]
        if {$score > $highest} { set highest $score; set best $action }
    }
    return $best
}

# Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
set moves {}
while {[gets stdin line] >= 0} {
    set rest [lassign [regexp -all -inline {\S+} $line] word first second] ;# `split` would keep a CR
    switch -- $word {
        arena { puts "ready name=starter-tcl version=1.0 wants=moves" }
        game {
            set position::game $first
            regexp {seat=(\d+)} $line -> position::seat
            foreach name {pieces water palms reached} { set position::$name {} }
        }
        setup { ;# there are more keys than these two
            set facts [list $second {*}$rest]
            if {$first eq "water"} { set position::water [split [join $facts =] =] }
            if {$first eq "palms"} { set position::palms $facts }
        }
        start { puts ready }
        play { if {$second ne "pass"} { play $first $second } }
        moves { set moves [lrange [regexp -all -inline {\S+} $line] 1 end] }
        go { puts "move [best $moves]" ;# go MILLISECONDS BANK: time for this action, and beyond it
        }
        quit { exit 0 }
        default { ;# none of our business: the protocol may grow
        }
    }
}
