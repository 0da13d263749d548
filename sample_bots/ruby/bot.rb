#!/usr/bin/env ruby
# frozen_string_literal: true

# A starter bot for the arena: of the legal actions it plays the one that `score` likes best.
#
# Put your own idea into Position#score. Everything that the referee said about the game is in Position.
# Print nothing else on stdout; remarks for yourself go to stderr (warn), or to stdout behind a "# ".

require 'set'

$stdout.sync = true # send each line at once, or the answer would wait in a buffer

# What the bot knows of the game that it is playing.
class Position
  STEPS = [[0, 1], [1, 0], [1, 1], [1, -1]].freeze

  def initialize(game, seat)
    @game = game # "desert" or "rain"
    @seat = seat # our own
    @pieces = {} # space => colour of what stands there
    @water = Hash.new(0) # desert, space => value of the water that is left there
    @palms = Set.new # desert: the oases
    @reached = Set.new # desert: colour and oasis of our own caravans
  end

  # Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
  def score(action)
    colour = action[0]
    space = action[1..]
    case @game
    when 'desert'
      # Points at once count most: water under the camel, and oases that this caravan has not reached.
      # Water next to the space breaks ties. Areas and the longest caravans are left to you.
      around = neighbours(space)
      fresh = around.count { |near| @palms.include?(near) && !@reached.include?(colour + near) }
      points = @water[space] + 5 * fresh
      10 * points + around.sum { |near| @water[near] }
    when 'rain'
      # Points at once. What this opens for the next player, whose hand is known, is left to you.
      STEPS.sum { |across, down| runs(colour, space, across, down) }
    else
      0
    end
  end

  # Take in a `setup` line; there are more keys than these two.
  def setup(key, facts)
    case key
    when 'palms' then @palms.merge(facts)
    when 'water'
      facts.each do |fact|
        space, value = fact.split('=')
        @water[space] = value.to_i
      end
    end
  end

  # Take in what a seat has done, ourselves included.
  def play(seat, action)
    return if action == 'pass'

    colour = action[0]
    space = action[1..]
    @pieces[space] = colour
    @water.delete(space)
    return unless seat == @seat

    neighbours(space).each { |near| @reached << colour + near if @palms.include?(near) }
  end

  private

  # The name of the space so many columns and rows away, on the board or not.
  def moved(space, across, down)
    "#{(space.ord + across).chr}#{space[1..].to_i + down}"
  end

  # The six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower.
  def neighbours(space)
    aside = (space.ord - 'a'.ord).even? ? 1 : -1
    [[0, -1], [0, 1], [-1, 0], [1, 0], [-1, aside], [1, aside]].map { |across, down| moved(space, across, down) }
  end

  # Count the fours of all colours that a mushroom completes on one line, free spaces skipped.
  def runs(colour, space, across, down)
    # Up to three mushrooms on either side of the new one, the nearest first.
    before, after = [-1, 1].map do |way|
      (1..7).map { |i| @pieces[moved(space, way * i * across, way * i * down)] }.compact.first(3)
    end
    [*before.reverse, colour, *after].each_cons(4).count { |four| four.uniq.size == 4 }
  end
end

# Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
position = Position.new('', '')
moves = []

while (line = $stdin.gets)
  word, *rest = line.split
  case word
  when 'arena' then puts 'ready name=starter-ruby version=1.0 wants=moves'
  when 'game' then position = Position.new(rest[0], line[/seat=(\d+)/, 1])
  when 'setup' then position.setup(rest[0], rest.drop(1))
  when 'start' then puts 'ready'
  when 'play' then position.play(rest[0], rest[1])
  when 'moves' then moves = rest
  when 'go' # go MILLISECONDS BANK: the time for this action, and what is left beyond it
    puts "move #{moves.max_by.with_index { |action, i| [position.score(action), -i] }}"
  when 'quit' then break
  end # any other line is none of our business: the protocol may grow
end
