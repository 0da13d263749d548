// A match of desert: joins the rules, the mind and the search.
#include "desert_mind.hpp"
#include "match.hpp"

namespace desert {

class DesertMatch : public Joined<Board, Mind, Rules, State, Action> {
public:
    DesertMatch(int players, int seat, bool closed_to_all, const Wishes& wishes)
        : Joined(LETTERS, players, seat, wishes) {
        board.closed_to_all = closed_to_all;
        Mind::Tuning& t = mind.tuning;
        tune(wishes.tuning, "temperature", t.temperature);
        tune(wishes.tuning, "leader_temperature", t.leader_temperature);
        tune(wishes.tuning, "pull", t.pull);
        tune(wishes.tuning, "deny", t.deny);
        tune(wishes.tuning, "spread", t.spread);
        tune(wishes.tuning, "avoid", t.avoid);
        tune(wishes.tuning, "share", t.share);
        tune(wishes.tuning, "scale", t.scale);
        tune(wishes.tuning, "depth", t.depth);
        tune(wishes.tuning, "samples", t.samples);
        tune(wishes.tuning, "noise", t.noise);
    }

    void setup(const Words& words) override {
        Words rest(words.begin() + 1, words.end());
        if (words[0] == "cells") {
            board.lay(rest);
        } else if (words[0] == "palms") {
            board.plant(rest);
        } else if (words[0] == "water") {
            for (const std::string& token : rest) {
                size_t equals = token.find('=');
                int at = board.number.at(token.substr(0, equals)), value = std::stoi(token.substr(equals + 1));
                if (value & 1) state.water_low.add(at);
                if (value & 2) state.water_high.add(at);
            }
        } else if (words[0] == "camels") {
            for (const std::string& count : rest) state.supply[index(count[0])] = int8_t(std::stoi(count.substr(2)));
        } else if (words[0] == "leaders") {
            for (char letter : words[2]) state.hand[std::stoi(words[1])] |= uint8_t(1 << index(letter));
        }
    }

    void start() override {
        state.leader_block = board.oases | board.beside_oasis | state.water_low | state.water_high;
        for (int p = 0; p < board.players; p++) state.room[p] = board.everything & ~board.oases;
        mind.begin();
    }

    void play(int seat, const std::string& action) override {
        if (action == "pass") return;  // the rules here pass by themselves
        Action done = read(action);
        state.turn = int8_t(seat);
        rules.play(state, done);
        search.follow(done);
    }

    void draw(int, const std::string&) override {}

    void drop(int seat) override {
        rules.drop(state, seat);
        search.clear();
    }

    std::string choose(Deadline deadline) override {
        std::vector<Action> actions;
        rules.actions(state, actions);
        note = "the only action";
        if (actions.size() == 1) return name(actions[0]);
        mind.prepare(state);
        Action best = search.think(state, deadline, chance);
        note = search.remark();
        return name(best);
    }
};

}  // namespace desert

std::unique_ptr<Match> desert_match(int players, int seat, bool closed_to_all, const Wishes& wishes) {
    return std::make_unique<desert::DesertMatch>(players, seat, closed_to_all, wishes);
}
