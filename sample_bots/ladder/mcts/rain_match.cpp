// A match of rain: joins the rules, the mind, the search and the solved end.
#include "match.hpp"
#include "rain_end.hpp"
#include "rain_mind.hpp"

namespace rain {

class RainMatch : public Joined<Board, Mind, Rules, State, Action> {
public:
    RainMatch(int players, int seat, const Wishes& wishes) : Joined(LETTERS, players, seat, wishes) {
        Mind::Tuning& t = mind.tuning;
        tune(wishes.tuning, "temperature", t.temperature);
        tune(wishes.tuning, "share", t.share);
        tune(wishes.tuning, "scale", t.scale);
        tune(wishes.tuning, "depth", t.depth);
        tune(wishes.tuning, "samples", t.samples);
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
        Action done = read(action);
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

private:
    mutable bool turn_done = false;

    // The turn passes on only after the draws, which come in their own line.
    void settle() const override {
        if (turn_done) rules.pass_on(state);
        turn_done = false;
    }
};

}  // namespace rain

std::unique_ptr<Match> rain_match(int players, int seat, const Wishes& wishes) {
    return std::make_unique<rain::RainMatch>(players, seat, wishes);
}
