// A match as the conversation sees it: lines are followed, an action is chosen, the position can be shown.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "search.hpp"

using Words = std::vector<std::string>;

// What the environment asked for.
struct Wishes {
    int64_t think_ms = 0;  // at most so long an action; 0 for what the clock allows
    uint64_t seed = 0;
    bool seeded = false;
    Options search;
    Words tuning;          // name=value, see README.md
};

class Match {
public:
    virtual ~Match() = default;
    virtual void setup(const Words& words) = 0;   // the words after `setup`
    virtual void start() = 0;                     // the set-up is complete
    virtual void play(int seat, const std::string& action) = 0;
    virtual void draw(int seat, const std::string& pieces) = 0;
    virtual void drop(int seat) = 0;
    virtual std::string choose(Deadline deadline) = 0;
    virtual std::string remark() const = 0;       // what was thought, for the record
    // For comparison with the referee's rules.
    virtual int turn() const = 0;                 // -1 when the match is over
    virtual std::vector<std::string> legal() const = 0;
    virtual std::vector<int> points() const = 0;  // without the bonuses of the end
    virtual std::vector<int> totals() const = 0;  // as if the match ended now
};

// Set `name` to the number in a `name=value` word, where it is named there.
template <class Number>
void tune(const Words& words, const char* name, Number& number) {
    for (const std::string& word : words) {
        size_t equals = word.find('=');
        if (equals != std::string::npos && word.substr(0, equals) == name)
            number = Number(std::stod(word.substr(equals + 1)));
    }
}

// What the matches of both games share: a position, its rules, a mind and a search over it.
template <class Board, class Mind, class Rules, class State, class Action>
class Joined : public Match {
public:
    std::string remark() const override { return note; }

    int turn() const override {
        settle();
        return state.over ? -1 : state.turn;
    }

    std::vector<std::string> legal() const override {
        settle();
        std::vector<Action> actions;
        rules.actions(state, actions);
        std::vector<std::string> names;
        for (Action action : actions) names.push_back(name(action));
        return names;
    }

    std::vector<int> points() const override { return std::vector<int>(state.points, state.points + board.players); }

    std::vector<int> totals() const override {
        std::vector<int> all(size_t(board.players));
        rules.totals(state, all.data());
        return all;
    }

protected:
    Joined(const char* letters, int players, int seat, const Wishes& wishes)
        : letters(letters), mind(board), rules(board), options(wishes.search), search(mind, options),
          chance(wishes.seed) {
        board.players = players;
        board.seat = seat;
        tune(wishes.tuning, "exploration", options.exploration);
        tune(wishes.tuning, "first_play", options.first_play);
        tune(wishes.tuning, "expand_at", options.expand_at);
    }

    virtual void settle() const {}  // bring the position up to date with what was told

    int index(char letter) const { return int(letters.find(letter)); }
    std::string name(Action action) const { return letters[size_t(action >> 8)] + board.names[size_t(action & 255)]; }
    Action read(const std::string& word) const { return Action(index(word[0]) << 8 | board.number.at(word.substr(1))); }

    std::string letters;  // of the colours, by their numbers
    Board board;
    Mind mind;
    Rules rules;
    Options options;
    Search<Mind> search;
    mutable State state;
    Chance chance;
    std::string note;
};

std::unique_ptr<Match> desert_match(int players, int seat, bool closed_to_all, const Wishes& wishes);
std::unique_ptr<Match> rain_match(int players, int seat, const Wishes& wishes);
