// A match of desert: joins the rules, the mind and the search.
#include "desert_mind.hpp"
#include "match.hpp"

namespace desert {

class DesertMatch : public ::Match {
public:
    DesertMatch(int players, int seat, bool closed_to_all, const Wishes& wishes)
        : mind(board), rules(board), options(wishes.search), search(mind, options), chance(wishes.seed) {
        board.players = players;
        board.seat = seat;
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
        tune(wishes.tuning, "exploration", options.exploration);
        tune(wishes.tuning, "first_play", options.first_play);
        tune(wishes.tuning, "expand_at", options.expand_at);
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
        Action done = Action(index(action[0]) << 8 | board.number.at(action.substr(1)));
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

    std::string remark() const override { return note; }

    int turn() const override { return state.over ? -1 : state.turn; }

    std::vector<std::string> legal() const override {
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
    State state;
    Chance chance;
    std::string note;

    static int index(char letter) { return int(std::string(LETTERS).find(letter)); }
    std::string name(Action action) const { return LETTERS[colour_of(action)] + board.names[size_t(space_of(action))]; }
};

}  // namespace desert

std::unique_ptr<Match> desert_match(int players, int seat, bool closed_to_all, const Wishes& wishes) {
    return std::make_unique<desert::DesertMatch>(players, seat, closed_to_all, wishes);
}
