// A match of rain: joins the rules, the mind, the search and the solved end.
#include "match.hpp"
#include "rain_end.hpp"
#include "rain_mind.hpp"

namespace rain {

class RainMatch : public ::Match {
public:
    RainMatch(int players, int seat, const Wishes& wishes)
        : mind(board), rules(board), options(wishes.search), search(mind, options), chance(wishes.seed) {
        board.players = players;
        board.seat = seat;
        Mind::Tuning& t = mind.tuning;
        tune(wishes.tuning, "temperature", t.temperature);
        tune(wishes.tuning, "share", t.share);
        tune(wishes.tuning, "scale", t.scale);
        tune(wishes.tuning, "depth", t.depth);
        tune(wishes.tuning, "samples", t.samples);
        tune(wishes.tuning, "exploration", options.exploration);
        tune(wishes.tuning, "first_play", options.first_play);
        tune(wishes.tuning, "expand_at", options.expand_at);
    }

    void setup(const Words& words) override {
        if (words[0] == "cells") {
            board.lay(Words(words.begin() + 1, words.end()));
            for (int i = 0; i < board.spaces; i++) state.free |= uint64_t(1) << i;
        } else if (words[0] == "hand") {
            draw(std::stoi(words[1]), words[2]);
        }
    }

    void start() override {}

    void play(int seat, const std::string& action) override {
        if (action == "pass") return;
        settle();
        Action done = Action(index(action[0]) << 8 | board.number.at(action.substr(1)));
        state.turn = int8_t(seat);
        turn_done = !rules.place(state, done);
        search.follow(done);
    }

    void draw(int seat, const std::string& pieces) override {
        for (char piece : pieces) rules.draw(state, seat, index(piece));
        search.clear();  // it imagined other draws
    }

    void drop(int seat) override {
        settle();
        rules.drop(state, seat);
        search.clear();
    }

    std::string choose(Deadline deadline) override {
        settle();
        state.turn = int8_t(board.seat);
        std::vector<Action> actions;
        rules.actions(state, actions);
        note = "the only action";
        if (actions.size() == 1) return name(actions[0]);
        Action best;
        if (Ending::near(board, state)) {
            const Micros time = now();
            Ending ending(board, options.iterations ? time + 10000000 : time + (deadline.wanted - time) * 2 / 3);
            note = "solved to the end";
            if (ending.solve(state, best)) return name(best);
        }
        mind.prepare(state);
        best = search.think(state, deadline, chance);
        note = search.remark();
        return name(best);
    }

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

private:
    Board board;
    Mind mind;
    Rules rules;
    Options options;
    Search<Mind> search;
    mutable State state;
    Chance chance;
    mutable bool turn_done = false;
    std::string note;

    // The turn passes on only after the draws, which come in their own line.
    void settle() const {
        if (turn_done) rules.pass_on(state);
        turn_done = false;
    }

    static int index(char letter) { return int(std::string(LETTERS).find(letter)); }
    std::string name(Action action) const { return LETTERS[colour_of(action)] + board.names[size_t(space_of(action))]; }
};

}  // namespace rain

std::unique_ptr<Match> rain_match(int players, int seat, const Wishes& wishes) {
    return std::make_unique<rain::RainMatch>(players, seat, wishes);
}
