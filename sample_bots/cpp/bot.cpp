// A starter bot for the arena: of the legal actions it plays the one that score() likes best.
//
// Put your own idea into Position::score. Everything that the referee said about the game is in Position.
// Print nothing else on stdout; remarks for yourself go to stderr, or to stdout behind a "# ".

#include <algorithm>
#include <array>
#include <deque>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Space = std::pair<int, int>;  // column from 0 for a, row from 1

Space parse_space(const std::string& text) {
    return {text.empty() ? -1 : text[0] - 'a', text.size() < 2 ? 0 : std::atoi(text.c_str() + 1)};
}

// The six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower.
std::array<Space, 6> neighbours(Space space) {
    const auto [column, row] = space;
    const int aside = column % 2 == 0 ? row + 1 : row - 1;
    return {{{column, row - 1}, {column, row + 1}, {column - 1, row}, {column + 1, row}, {column - 1, aside}, {column + 1, aside}}};
}

// What the bot knows of the game that it is playing.
class Position {
public:
    explicit Position(std::string game = "", int seat = 0) : game_(std::move(game)), seat_(seat) {}

    // Take in a `setup` line; there are more keys than these two.
    void setup(const std::string& key, std::istream& facts) {
        for (std::string fact; facts >> fact;) {
            const auto equals = fact.find('=');
            if (key == "palms") palms_.insert(parse_space(fact));
            if (key == "water" && equals != std::string::npos)
                water_[parse_space(fact.substr(0, equals))] = std::stoi(fact.substr(equals + 1));
        }
    }

    // Take in what a seat has done, ourselves included.
    void play(int seat, const std::string& action) {
        const Space space = parse_space(action.substr(1));
        pieces_[space] = action[0];
        water_.erase(space);
        if (seat == seat_)
            for (const Space& near : neighbours(space))
                if (palms_.count(near)) reached_.insert({action[0], near});
    }

    // Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE.
    int score(const std::string& action) const {
        const char colour = action[0];
        const Space space = parse_space(action.substr(1));
        if (game_ == "desert") {
            // Points at once count most: water under the camel, and oases that this caravan has not
            // reached. Water next to the space breaks ties. Areas and long caravans are left to you.
            int points = water(space), nearby = 0;
            for (const Space& near : neighbours(space)) {
                if (palms_.count(near) && !reached_.count({colour, near})) points += 5;
                nearby += water(near);
            }
            return 10 * points + nearby;
        }
        if (game_ == "rain")  // Points at once. What this opens for the next player is left to you.
            return runs(colour, space, 0, 1) + runs(colour, space, 1, 0) + runs(colour, space, 1, 1) + runs(colour, space, 1, -1);
        return 0;
    }

private:
    int water(Space space) const {
        const auto found = water_.find(space);
        return found == water_.end() ? 0 : found->second;
    }

    // Count the fours of all colours that a mushroom completes on one line, free spaces skipped.
    int runs(char colour, Space space, int across, int down) const {
        std::deque<char> line{colour};
        for (const int way : {-1, 1}) {  // up to three mushrooms on either side of the new one
            int column = space.first + way * across, row = space.second + way * down;
            for (int found = 0; found < 3 && column >= 0 && column < 8 && row >= 1 && row <= 8; column += way * across, row += way * down) {
                const auto piece = pieces_.find({column, row});
                if (piece == pieces_.end()) continue;
                way < 0 ? line.push_front(piece->second) : line.push_back(piece->second);
                ++found;
            }
        }
        int count = 0;
        for (std::size_t i = 0; i + 4 <= line.size(); ++i)
            count += std::set<char>(line.begin() + i, line.begin() + i + 4).size() == 4;
        return count;
    }

    std::string game_;                         // "desert" or "rain"
    int seat_;                                 // our own
    std::map<Space, char> pieces_;             // the colour of what stands there
    std::map<Space, int> water_;               // desert: the value of the water that is left there
    std::set<Space> palms_;                    // desert: the oases
    std::set<std::pair<char, Space>> reached_; // desert: by colour, the oases of our own caravans
};

// Answer the referee, line by line, until it says `quit` or is gone; many games in one process.
int main() {
    Position position;
    std::vector<std::string> moves;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word, more;
        words >> word;
        if (word == "arena") {
            std::cout << "ready name=starter-cpp version=1.0 wants=moves" << std::endl;  // endl flushes
        } else if (word == "game") {
            std::string game;
            int seat = 0;
            words >> game;
            while (words >> more)
                if (more.rfind("seat=", 0) == 0) seat = std::stoi(more.substr(5));
            position = Position(game, seat);
        } else if (word == "setup") {
            words >> more;
            position.setup(more, words);
        } else if (word == "start") {
            std::cout << "ready" << std::endl;
        } else if (word == "play") {
            int seat;
            if (words >> seat >> more && more != "pass") position.play(seat, more);
        } else if (word == "moves") {
            moves.clear();
            while (words >> more) moves.push_back(more);
        } else if (word == "go") {  // go MILLISECONDS BANK: time for this action, and what is left beyond it
            std::vector<int> scores;
            for (const auto& action : moves) scores.push_back(position.score(action));
            const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
            std::cout << "move " << moves.at(best) << std::endl;
        } else if (word == "quit") {
            break;
        }  // any other line is none of our business: the protocol may grow
    }
}
