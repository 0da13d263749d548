#!/usr/bin/env bash
# A starter bot for the arena: of the legal actions it plays the one that `score` likes best.
#
# Put your own idea into `score`. Everything that the referee said about the game is in the variables below.
# Print nothing else on stdout; remarks for yourself go to stderr (>&2), or to stdout behind a "# ".
# Start no other program for an action: a fork takes longer than all the rest.

set -f    # words are never file names
LC_ALL=C  # plain bytes

game=''             # "desert" or "rain"
seat=0              # our own
moves=()            # the legal actions
declare -A pieces   # [space]: colour of what stands there
declare -A water    # desert, [space]: value of the water that is left there
declare -A palms    # desert, [oasis]=1
declare -A reached  # desert, [colour and oasis]=1 for our own caravans

columns=abcdefghijklmnopqrstuvwxyz
declare -A number   # [a]=0 [b]=1 ...
for ((i = 0; i < 26; i++)); do number[${columns:i:1}]=$i; done

# Functions answer in a variable, `reply`: a $(subshell) would be a fork. Bash is slow, so what is worked out
# for a space is kept in `seen` for the other colours, until the next `go`.
declare -A seen

# Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
score() {
    local colour=${1:0:1} space=${1:1} palm line points=0
    case $game in
    desert)
        # Points at once count most: water under the camel, and oases that this caravan has not reached.
        # Water next to the space breaks ties. Areas and the longest caravans are left to you.
        [[ ${seen[$space]} ]] || surroundings "$space"
        set -- ${seen[$space]}  # now $1 is the worth of the water, and the others are the oases nearby
        points=$1
        for palm in "${@:2}"; do
            [[ ${reached[$colour$palm]} ]] || ((points += 50))
        done
        ;;
    rain)
        # Points at once. What this opens for the next player, whose hand is known, is left to you.
        [[ ${seen[$space]} ]] || lines "$space"
        for line in ${seen[$space]}; do
            line=${line/./$colour}
            while ((${#line} >= 4)); do  # do the first four differ from one another?
                [[ ${line:1:3} != *"${line:0:1}"* && ${line:2:2} != *"${line:1:1}"* && ${line:2:1} != "${line:3:1}" ]] && ((points++))
                line=${line:1}
            done
        done
        ;;
    esac
    reply=$points
}

# desert: 10 for each point of water on a space, 1 for that next to it, then the names of the oases next to it.
surroundings() {
    local near worth=$((10 * ${water[$1]:-0})) oases=''
    neighbours "$1"
    for near in $reply; do
        ((worth += ${water[$near]:-0}))
        [[ ${palms[$near]} ]] && oases+=" $near"
    done
    seen[$1]=$worth$oases
}

# The six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower.
neighbours() {
    local column=${number[${1:0:1}]} row=${1:1} c
    local aside=$((column % 2 == 0 ? row + 1 : row - 1))
    reply="${1:0:1}$((row - 1)) ${1:0:1}$((row + 1))"
    for c in $((column - 1)) $((column + 1)); do
        ((c >= 0 && c < 26)) && reply+=" ${columns:c:1}$row ${columns:c:1}$aside"
    done
}

# rain: the mushrooms on the four lines through a space, free spaces skipped, like "rg.b": up to three on
# either side of the dot. The new mushroom goes there; it scores for each four with all four colours.
lines() {
    local step across down way column row line piece all=''
    for step in '0 1' '1 0' '1 1' '1 -1'; do
        line=.
        for way in -1 1; do
            ((across = way * ${step% *}, down = way * ${step#* }, column = ${number[${1:0:1}]}, row = ${1:1}, found = 0))
            while ((column += across, row += down, found < 3 && column >= 0 && column < 8 && row >= 1 && row <= 8)); do
                piece=${pieces[${columns:column:1}$row]}
                [[ $piece ]] || continue
                ((found++, way < 0)) && line=$piece$line || line+=$piece
            done
        done
        all+="$line "
    done
    seen[$1]=$all
}

# Take in what a seat has done, ourselves included.
play() {
    local colour=${2:0:1} space=${2:1} near
    pieces[$space]=$colour
    unset "water[$space]"
    ((seat == $1)) || return
    neighbours "$space"
    for near in $reply; do
        [[ ${palms[$near]} ]] && reached[$colour$near]=1
    done
}

# Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
while read -r word rest; do
    case $word in
    arena) echo 'ready name=starter-bash version=1.0 wants=moves' ;;
    game)
        game=${rest%% *} pieces=() water=() palms=() reached=()
        for fact in $rest; do
            [[ $fact == seat=* ]] && seat=${fact#seat=}
        done
        ;;
    setup)  # there are more keys than these two
        for fact in ${rest#* }; do
            case $rest in
            water\ *) water[${fact%=*}]=${fact#*=} ;;
            palms\ *) palms[$fact]=1 ;;
            esac
        done
        ;;
    start) echo ready ;;
    play) [[ $rest == *' pass' ]] || play $rest ;;
    moves) moves=($rest) ;;
    go)  # go MILLISECONDS BANK: the time for this action, and what is left beyond it
        best='' highest=-1 seen=()
        for action in "${moves[@]}"; do
            score "$action"
            ((reply > highest)) && best=$action highest=$reply
        done
        echo "move $best"
        ;;
    quit) exit 0 ;;
    esac  # any other line is none of our business: the protocol may grow
done
