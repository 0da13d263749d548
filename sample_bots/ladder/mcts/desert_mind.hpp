// How mcts sees desert: weights that tell the search where to look first, and quick informed playouts.
#pragma once
#include <cmath>
#include <cstdlib>
#include <vector>

#include "desert.hpp"
#include "reward.hpp"
#include "search.hpp"

namespace desert {

class Mind {
public:
    using State = desert::State;
    using Action = desert::Action;
    static constexpr int BLOCKS = 1;
    static constexpr size_t LEADERS = 40;

    struct Tuning {
        double temperature = 2.0, leader_temperature = 0.5;
        double spread = 3.0, avoid = 2.0;
        double pull = 0.6, deny = 0.5;
        double share = 0.4, scale = 20;
        int depth = 200, samples = 4;
        double noise = 2.0;
    } tuning;

    explicit Mind(const Board& b) : board(b), rules(b) {
        for (int d = 0; d < 256; d++) {
            near_decay[d] = float(std::pow(0.5, d));
            far_decay[d] = float(std::pow(0.75, d));
        }
    }

    // Work out what depends on the board only, once it is complete.
    void begin() {
        for (int wanted = 0; wanted < 1 << board.oasis_count; wanted++)
            for (int at = 0; at < board.spaces; at++) {
                oasis_pull[wanted][at] = 0;
                for (int o = 0; o < board.oasis_count; o++) {
                    int steps = std::max(0, board.distance[at][board.oasis_at[o]] - 1);
                    if (wanted >> o & 1) oasis_pull[wanted][at] += 5 * near_decay[steps];
                }
            }
        everything_wanted = uint8_t((1 << board.oasis_count) - 1);
    }

    // Work out what depends on the position only, before a search from it.
    void prepare(const State& s) {
        for (int at = 0; at < board.spaces; at++) {
            float near = 0, far = 0;
            (s.water_low | s.water_high).each([&](int token) {
                int d = board.distance[at][token];
                near += float(s.water(token)) * near_decay[d];
                far += float(s.water(token)) * far_decay[d];
            });
            pull[at] = near;
            open[at] = far;
            for (int o = 0; o < board.oasis_count; o++) {
                int d = std::max(0, board.distance[at][board.oasis_at[o]] - 1);
                open[at] += 5 * far_decay[d];
            }
        }
    }

    int mover(const State& s) const { return s.turn; }
    bool over(const State& s) const { return s.over; }
    int available(const State&) const { return 1; }
    bool allied(int, int) const { return false; }
    void play(State& s, Action action, Chance&) const { rules.play(s, action); }

    void weigh(const State& s, int, std::vector<Weighted<Action>>& list) const {
        rules.actions(s, actions);
        for (Action action : actions) {
            double value = s.leading ? leader_value(s, s.turn, action) : camel_value(s, s.turn, action);
            list.push_back({action, float(value)});
        }
        // There are hundreds of places for a leader; all but the best are left out.
        if (s.leading && list.size() > LEADERS) {
            std::nth_element(list.begin(), list.begin() + LEADERS, list.end(),
                             [](auto& a, auto& b) { return a.weight > b.weight; });
            list.resize(LEADERS);
        }
        const double temperature = s.leading ? tuning.leader_temperature : tuning.temperature;
        float most = -1e9f;
        for (auto& item : list) most = std::max(most, item.weight);
        for (auto& item : list) item.weight = float(std::exp((item.weight - most) / temperature));
    }

    // Play on for a while and see who is ahead.
    void evaluate(State& s, Chance& chance, double* rewards) const {
        for (int i = 0; (i < tuning.depth || s.leading) && !s.over; i++) rules.play(s, quick(s, chance));
        int totals[MAX_PLAYERS];
        rules.totals(s, totals);
        reward(totals, board.players, s.out, tuning.share, tuning.scale, [](int p, int q) { return p == q; }, rewards);
    }

private:
    const Board& board;
    Rules rules;
    float near_decay[256], far_decay[256];
    float pull[256], open[256];
    float oasis_pull[32][256];  // by the set of oases that are still worth reaching
    uint8_t everything_wanted = 0;
    mutable std::vector<Action> actions;

    // How good a place is for a leader: water and oases around it, room, rivals of the colour far away.
    double leader_value(const State& s, int player, Action action) const {
        int colour = colour_of(action), at = space_of(action);
        double value = open[at] * 0.25;
        const uint8_t* distance = board.distance[at];
        for (int c = 0; c < COLOURS; c++)
            if (int own = board.caravan(player, c); s.size[own])
                value -= tuning.spread * far_decay[distance[s.leader_at[own]]];
        for (int q = 0; q < board.players; q++)
            if (int rival = board.caravan(q, colour); q != player && s.size[rival])
                value -= tuning.avoid * far_decay[distance[s.leader_at[rival]]];
        return value;
    }

    // Points at once, and what the camel brings nearer or takes from a rival.
    double camel_value(const State& s, int player, Action action) const {
        int colour = colour_of(action), at = space_of(action), caravan = board.caravan(player, colour);
        double value = points_and_area(s, caravan, at) + tuning.pull * draw(s, caravan, at);
        for (int q = 0; q < board.players; q++) {
            int rival = board.caravan(q, colour);
            if (q == player || !s.is_in(q) || !s.beside[rival].has(at)) continue;
            int oases = __builtin_popcount(board.oases_beside[at] & ~s.reached[rival]);
            value += tuning.deny * (s.water(at) + 5 * oases + draw(s, rival, at));
        }
        return value;
    }

    double points_and_area(const State& s, int caravan, int at) const {
        Bits area = rules.enclosed(s, caravan, at);
        double value = s.water(at) + 5 * __builtin_popcount(rules.oases_reached(s, caravan, at, area));
        if (area.any()) value += rules.worth(s, area) + area.count();
        return value;
    }

    // What lies around a space for a caravan.
    double draw(const State& s, int caravan, int at) const {
        return pull[at] - float(s.water(at)) + oasis_pull[everything_wanted & ~s.reached[caravan]][at];
    }

    // A quick good action: the best of what scores at once and a few others, with some noise.
    Action quick(const State& s, Chance& chance) const {
        if (s.leading) {
            uint8_t colours = rules.leader_colours(s, s.turn);
            Bits spaces = rules.leader_spaces(s);
            int count = spaces.count(), kinds = __builtin_popcount(colours);
            Action best = 0;
            double most = -1e9;
            for (int i = 0; i < 8; i++) {
                int skip = chance.below(kinds), colour = 0;
                for (;; colour++)
                    if ((colours >> colour & 1) && skip-- == 0) break;
                Action action = Action(colour << 8 | spaces.nth(chance.below(count)));
                double value = leader_value(s, s.turn, action) + chance.unit();
                if (value > most) most = value, best = action;
            }
            return best;
        }
        Bits legal[COLOURS];
        int counts[COLOURS], total = 0;
        for (int c = 0; c < COLOURS; c++) {
            legal[c] = rules.camel_spaces(s, s.turn, c);
            total += counts[c] = legal[c].count();
        }
        Action best = 0;
        double most = -1e9;
        auto consider = [&](int colour, int at) {
            int caravan = board.caravan(s.turn, colour);
            double value = points_and_area(s, caravan, at) + tuning.pull * draw(s, caravan, at) +
                           tuning.noise * chance.unit();
            if (value > most) most = value, best = Action(colour << 8 | at);
        };
        for (int c = 0; c < COLOURS; c++) {
            if (!counts[c]) continue;
            int caravan = board.caravan(s.turn, c);
            Bits oases = legal[c] & board.beside_oasis;
            if (oases.any())
                oases.each([&](int at) {
                    if (board.oases_beside[at] & ~s.reached[caravan]) consider(c, at);
                });
            Bits water = legal[c] & s.water_high;
            if (water.any()) consider(c, water.nth(chance.below(water.count())));
        }
        for (int i = 0; i < tuning.samples; i++) {
            int rank = chance.below(total), colour = 0;
            while (rank >= counts[colour]) rank -= counts[colour++];
            consider(colour, legal[colour].nth(rank));
        }
        return best;
    }
};

}  // namespace desert
