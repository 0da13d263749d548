-- A starter bot for the arena: of the legal actions it plays the one that `score` likes best.
--
-- Put your own idea into `score`. Everything that the referee said about the game is in `position`.
-- Print nothing else on stdout; remarks for yourself go to io.stderr, or to stdout behind a "# ".

io.stdout:setvbuf("line") -- send each line at once, or the answer would wait in a buffer

-- What the bot knows of the game that it is playing.
local function new_position(game, seat)
  return {
    game = game, -- "desert" or "rain"
    seat = seat, -- our own
    pieces = {}, -- [space] = colour of what stands there
    water = {}, -- desert: [space] = value of the water that is left there
    palms = {}, -- desert: [oasis] = true
    reached = {}, -- desert: [colour .. oasis] = true for our own caravans
  }
end

local position = new_position("", "0")

-- The name of the space so many columns and rows away, on the board or not.
local function moved(space, across, down)
  return string.char(space:byte() + across) .. math.tointeger(tonumber(space:sub(2))) + down
end

-- The six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower.
local function neighbours(space)
  local aside = (space:byte() - ("a"):byte()) % 2 == 0 and 1 or -1
  local around = {}
  for _, step in ipairs({ { 0, -1 }, { 0, 1 }, { -1, 0 }, { 1, 0 }, { -1, aside }, { 1, aside } }) do
    around[#around + 1] = moved(space, step[1], step[2])
  end
  return around
end

-- Count the fours of all colours that a mushroom completes on one line, free spaces skipped.
local function runs(colour, space, across, down)
  local line = colour
  for way = -1, 1, 2 do -- up to three mushrooms on either side of the new one
    local found = 0
    for i = 1, 7 do
      local piece = position.pieces[moved(space, way * i * across, way * i * down)]
      if piece and found < 3 then
        line = way < 0 and piece .. line or line .. piece
        found = found + 1
      end
    end
  end
  local count = 0
  for first = 1, #line - 3 do
    local colours, different = {}, 0
    for letter in line:sub(first, first + 3):gmatch(".") do
      different = different + (colours[letter] and 0 or 1)
      colours[letter] = true
    end
    count = count + (different == 4 and 1 or 0)
  end
  return count
end

-- Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
local function score(action)
  local colour, space = action:sub(1, 1), action:sub(2)
  if position.game == "desert" then
    -- Points at once count most: water under the camel, and oases that this caravan has not reached.
    -- Water next to the space breaks ties. Areas and the longest caravans are left to you.
    local points, nearby = position.water[space] or 0, 0
    for _, near in ipairs(neighbours(space)) do
      if position.palms[near] and not position.reached[colour .. near] then
        points = points + 5
      end
      nearby = nearby + (position.water[near] or 0)
    end
    return 10 * points + nearby
  elseif position.game == "rain" then
    -- Points at once. What this opens for the next player, whose hand is known, is left to you.
    return runs(colour, space, 0, 1) + runs(colour, space, 1, 0) + runs(colour, space, 1, 1) + runs(colour, space, 1, -1)
  end
  return 0
end

local moves = {}

-- What to do at each word of the referee.
local answers = {
  arena = function()
    print("ready name=starter-lua version=1.0 wants=moves")
  end,
  game = function(words)
    position = new_position(words[1], table.concat(words, " "):match("seat=(%d+)"))
  end,
  setup = function(words) -- there are more keys than these two
    for i = 2, #words do
      local space, value = words[i]:match("^(%w+)=?(%d*)")
      if words[1] == "water" then
        position.water[space] = tonumber(value)
      elseif words[1] == "palms" then
        position.palms[space] = true
      end
    end
  end,
  start = function()
    print("ready")
  end,
  play = function(words) -- what a seat has done, ourselves included
    if words[2] == "pass" then
      return
    end
    local colour, space = words[2]:sub(1, 1), words[2]:sub(2)
    position.pieces[space] = colour
    position.water[space] = nil
    for _, near in ipairs(neighbours(space)) do
      if words[1] == position.seat and position.palms[near] then
        position.reached[colour .. near] = true
      end
    end
  end,
  moves = function(words)
    moves = words
  end,
  go = function() -- go MILLISECONDS BANK: the time for this action, and what is left beyond it
    local best, highest = "", -1
    for _, action in ipairs(moves) do
      local value = score(action)
      if value > highest then
        best, highest = action, value
      end
    end
    print("move " .. best)
  end,
  quit = function()
    os.exit(0)
  end,
}

-- Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
for line in io.lines() do
  local words = {}
  for word in line:gmatch("%S+") do
    words[#words + 1] = word
  end
  local answer = answers[table.remove(words, 1)] -- nil for words we do not know: the protocol may grow
  if answer then
    answer(words)
  end
end
