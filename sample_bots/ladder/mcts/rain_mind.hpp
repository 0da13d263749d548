// How mcts sees rain: weights by what an action scores and what it opens, playouts, and an exact end.
#pragma once
#include <cmath>
#include <vector>

#include "rain.hpp"
#include "reward.hpp"
#include "search.hpp"

namespace rain {

class Mind {
public:
    using State = rain::State;
    using Action = rain::Action;
    static constexpr int BLOCKS = COLOURS;

    struct Tuning {
        double temperature = 0.5;
        double share = 0.4, scale = 6;
        int depth = 6, samples = 3;
    } tuning;

    explicit Mind(const Board& b) : board(b), rules(b) {}

    void prepare(const State&) {}
    int mover(const State& s) const { return s.turn; }
    bool over(const State& s) const { return s.over; }
    bool allied(int p, int q) const { return board.players == 4 && p % 2 == q % 2; }
    void play(State& s, Action action, Chance& chance) const { rules.play(s, action, chance); }

    int available(const State& s) const {
        int mask = 0;
        for (int c = 0; c < COLOURS; c++) mask |= (s.hand[s.turn][c] > 0) << c;
        return mask;
    }

    void weigh(const State& s, int colour, std::vector<Weighted<Action>>& list) const {
        for (uint64_t w = s.free; w; w &= w - 1) {
            Action action = Action(colour << 8 | __builtin_ctzll(w));
            list.push_back({action, float(std::exp(std::clamp(value(s, action) / tuning.temperature, -40.0, 40.0)))});
        }
    }

    void evaluate(State& s, Chance& chance, double* rewards) const {
        for (int i = 0; i < tuning.depth && !s.over; i++) rules.play(s, quick(s, chance), chance);
        int totals[MAX_PLAYERS];
        rules.totals(s, totals);
        reward(totals, board.players, s.out, tuning.share, tuning.scale,
               [&](int p, int q) { return p == q || allied(p, q); }, rewards);
    }

    // Points now, and either what we can go on with or what the next player finds.
    double value(const State& s, Action action) const {
        int seat = s.turn, colour = colour_of(action), at = space_of(action), scored = s.gain(colour, at);
        if (scored && s.held[seat] > 1) {
            uint32_t rest = Rules::colours(s, seat);
            if (s.hand[seat][colour] == 1) rest &= ~(255u << (8 * colour));
            return scored + 0.8 * rules.best_after(s, colour, at, rest);
        }
        int next = following(s, seat);
        // With three, the points of the next player are ours as well.
        if (board.counts(seat, next)) return scored;
        return scored - 0.8 * rules.best_after(s, colour, at, Rules::colours(s, next));
    }

private:
    const Board& board;
    Rules rules;

    int following(const State& s, int seat) const {
        for (int step = 1; step < board.players; step++) {
            int next = (seat + step) % board.players;
            if (s.is_in(next) && s.held[next]) return next;
        }
        return seat;
    }

    // Score what can be scored; otherwise the least harmful of a few.
    Action quick(const State& s, Chance& chance) const {
        Action best = 0;
        int most = 0, ties = 0;
        const uint32_t mask = Rules::colours(s, s.turn);
        for (uint64_t w = s.free; w; w &= w - 1) {
            int at = __builtin_ctzll(w);
            uint32_t here = s.gains[at] & mask;
            for (int c = 0; here; c++, here >>= 8) {
                int scored = int(here & 255);
                if (scored > most) most = scored, ties = 0;
                if (scored && scored == most && chance.below(++ties) == 0) best = Action(c << 8 | at);
            }
        }
        if (most) return best;
        double least = 1e9;
        int free = __builtin_popcountll(s.free);
        for (int i = 0; i < tuning.samples; i++) {
            int pick = chance.below(s.held[s.turn]), colour = 0;
            while (pick >= s.hand[s.turn][colour]) pick -= s.hand[s.turn][colour++];
            uint64_t w = s.free;
            for (int skip = chance.below(free); skip; skip--) w &= w - 1;
            Action action = Action(colour << 8 | __builtin_ctzll(w));
            if (tuning.samples == 1) return action;
            double harm = -value(s, action);
            if (harm < least) least = harm, best = action;
        }
        return best;
    }
};

}  // namespace rain
