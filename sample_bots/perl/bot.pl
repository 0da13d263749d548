#!/usr/bin/env perl
# A starter bot for the arena: of the legal actions it plays the one that score() likes best.
#
# Put your own idea into score(). Everything that the referee said about the game is in %position.
# Print nothing else on stdout; remarks for yourself go to stderr, or to stdout behind a "# ".
use strict;
use warnings;

$| = 1;    # send each line at once, or the answer would wait in a buffer

my @moves;
my %position = new_position( '', 0 );

# What the bot knows of the game that it is playing.
sub new_position {
    my ( $game, $seat ) = @_;
    return (
        game    => $game,    # "desert" or "rain"
        seat    => $seat,    # our own
        pieces  => {},       # space => colour of what stands there
        water   => {},       # desert, space => value of the water that is left there
        palms   => {},       # desert, oasis => 1
        reached => {},       # desert, colour and oasis of our own caravans => 1
    );
}

# Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
sub score {
    my ($action) = @_;
    my ( $colour, $space ) = split_action($action);
    if ( $position{game} eq 'desert' ) {
        # Points at once count most: water under the camel, and oases that this caravan has not reached.
        # Water next to the space breaks ties. Areas and the longest caravans are left to you.
        my $points = $position{water}{$space} // 0;
        my $nearby = 0;
        for my $near ( neighbours($space) ) {
            $points += 5 if $position{palms}{$near} && !$position{reached}{"$colour$near"};
            $nearby += $position{water}{$near} // 0;
        }
        return 10 * $points + $nearby;
    }
    if ( $position{game} eq 'rain' ) {
        # Points at once. What this opens for the next player, whose hand is known, is left to you.
        my $points = 0;
        $points += runs( $colour, $space, @$_ ) for [ 0, 1 ], [ 1, 0 ], [ 1, 1 ], [ 1, -1 ];
        return $points;
    }
    return 0;
}

# Split `yd7` into colour and space.
sub split_action { return ( substr( $_[0], 0, 1 ), substr( $_[0], 1 ) ) }

# The name of the space so many columns and rows away, on the board or not.
sub moved {
    my ( $space, $across, $down ) = @_;
    return chr( ord($space) + $across ) . ( substr( $space, 1 ) + $down );
}

# The six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower.
sub neighbours {
    my ($space) = @_;
    my $aside = ( ord($space) - ord('a') ) % 2 == 0 ? 1 : -1;
    return map { moved( $space, @$_ ) } [ 0, -1 ], [ 0, 1 ], [ -1, 0 ], [ 1, 0 ], [ -1, $aside ], [ 1, $aside ];
}

# Count the fours of all colours that a mushroom completes on one line, free spaces skipped.
sub runs {
    my ( $colour, $space, $across, $down ) = @_;
    my @line = ($colour);
    for my $way ( -1, 1 ) {    # up to three mushrooms on either side of the new one
        my @side = grep { defined }
            map { $position{pieces}{ moved( $space, $way * $_ * $across, $way * $_ * $down ) } } 1 .. 7;
        splice @side, 3 if @side > 3;
        @line = $way < 0 ? ( reverse(@side), @line ) : ( @line, @side );
    }
    my $count = 0;
    for my $first ( 0 .. @line - 4 ) {
        my %colours = map { $_ => 1 } @line[ $first .. $first + 3 ];
        $count++ if keys %colours == 4;
    }
    return $count;
}

# Take in what a seat has done, ourselves included.
sub play {
    my ( $seat, $action ) = @_;
    my ( $colour, $space ) = split_action($action);
    $position{pieces}{$space} = $colour;
    delete $position{water}{$space};
    return if $seat != $position{seat};
    $position{reached}{"$colour$_"} = 1 for grep { $position{palms}{$_} } neighbours($space);
}

# The action of the highest score, the first of equals.
sub best {
    my ( $best, $highest );
    for my $action (@_) {
        my $score = score($action);
        ( $best, $highest ) = ( $action, $score ) if !defined $highest || $score > $highest;
    }
    return $best;
}

# What to do at each word of the referee.
my %answers = (
    arena => sub { print "ready name=starter-perl version=1.0 wants=moves\n" },
    game  => sub {
        my ( $game, @facts ) = @_;
        my %facts = map { split /=/, $_, 2 } grep { /=/ } @facts;
        %position = new_position( $game, $facts{seat} );
    },
    setup => sub {    # there are more keys than these two
        my ( $key, @facts ) = @_;
        $position{water} = { map { split /=/ } @facts } if $key eq 'water';
        $position{palms} = { map { $_ => 1 } @facts }   if $key eq 'palms';
    },
    start => sub { print "ready\n" },
    play  => sub { play(@_) if $_[1] ne 'pass' },
    moves => sub { @moves = @_ },
    go    => sub { print 'move ', best(@moves), "\n" },    # go MILLISECONDS BANK
    quit  => sub { exit 0 },
);

# Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
while ( my $line = <STDIN> ) {
    my ( $word, @rest ) = split ' ', $line;
    next if !defined $word || !exists $answers{$word};    # unknown words: the protocol may grow
    $answers{$word}->(@rest);
}
