// The end of rain, solved: once chance has no say any more, every line of play is looked at.
// With two sides (2 players, or 4 in teams) by alpha-beta on the margin, the win first; with three by max^n.
#pragma once
#include <algorithm>
#include <vector>

#include "rain.hpp"
#include "search.hpp"

namespace rain {

class Ending {
public:
    // More mushrooms than these cannot be looked through in a usual action's time.
    static constexpr int TWO_SIDES = 9, THREE = 6;

    Ending(const Board& b, Micros d) : board(b), rules(b), deadline(d) {}

    // Whether draws are certain (at most one colour is in the bag), and few enough mushrooms are left.
    static bool near(const Board& board, const State& s) {
        int kinds = 0, left = s.bag_size;
        for (int c = 0; c < COLOURS; c++) kinds += s.bag[c] > 0;
        for (int p = 0; p < board.players; p++)
            if (s.is_in(p)) left += s.held[p];
        return kinds <= 1 && left <= (board.players == 3 ? THREE : TWO_SIDES);
    }

    // The best action; false where time ran out first.
    bool solve(const State& s, Action& best) {
        seat = s.turn;
        int values[MAX_PLAYERS];
        if (board.players == 3)
            everyone(s, values, &best);
        else
            two_sides(s, -100000, 100000, &best);
        return !late;
    }

private:
    const Board& board;
    Rules rules;
    Micros deadline;
    Chance certain{1};  // asked for draws, but there is only one kind to draw
    int seat = 0, looked = 0;
    bool late = false;

    bool out_of_time() {
        if ((++looked & 255) == 0 && now() >= deadline) late = true;
        return late;
    }

    void ordered(const State& s, std::vector<Action>& actions) const {
        rules.actions(s, actions);
        std::sort(actions.begin(), actions.end(), [&](Action a, Action b) {
            return s.gain(colour_of(a), space_of(a)) > s.gain(colour_of(b), space_of(b));
        });
    }

    int margin(const State& s) const {
        int totals[MAX_PLAYERS];
        rules.totals(s, totals);
        int lead = totals[seat] - totals[(seat + 1) % board.players];
        return lead + (lead > 0 ? 1000 : lead < 0 ? -1000 : 0);
    }

    int two_sides(const State& s, int low, int high, Action* best) {
        if (s.over) return margin(s);
        if (out_of_time()) return 0;
        std::vector<Action> actions;
        ordered(s, actions);
        bool ours = s.turn % 2 == seat % 2;
        int value = ours ? -100000 : 100000;
        for (Action action : actions) {
            State after = s;
            rules.play(after, action, certain);
            int reached = two_sides(after, low, high, nullptr);
            if (late) return 0;
            if (ours ? reached > value : reached < value) {
                value = reached;
                if (best) *best = action;
            }
            if (ours)
                low = std::max(low, value);
            else
                high = std::min(high, value);
            if (low >= high) break;
        }
        return value;
    }

    void everyone(const State& s, int* values, Action* best) {
        if (s.over || out_of_time()) {
            rules.totals(s, values);
            return;
        }
        std::vector<Action> actions;
        ordered(s, actions);
        double most = -1e9;
        for (Action action : actions) {
            State after = s;
            rules.play(after, action, certain);
            int reached[MAX_PLAYERS];
            everyone(after, reached, nullptr);
            if (late) return;
            double worth = 0;  // places first, then the lead
            for (int q = 0; q < board.players; q++)
                if (q != s.turn) {
                    int lead = reached[s.turn] - reached[q];
                    worth += (lead > 0 ? 1000 : lead < 0 ? -1000 : 0) + lead;
                }
            if (worth > most) {
                most = worth;
                std::copy(reached, reached + board.players, values);
                if (best) *best = action;
            }
        }
    }
};

}  // namespace rain
