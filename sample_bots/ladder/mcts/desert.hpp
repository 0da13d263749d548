// The rules of desert on bit sets: what is legal is a few ANDs a colour, so that playouts can be long.
// Follows what it is told, and works out passes and the end by itself; it never refuses an action.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bits.hpp"

namespace desert {

constexpr int COLOURS = 5, MAX_PLAYERS = 5, MAX_CARAVANS = 25;
inline const char LETTERS[] = "bgpwy";

// What stays the same through a match.
struct Board {
    int players = 2, seat = 0, spaces = 0, oasis_count = 0;
    bool closed_to_all = false;
    std::vector<std::string> names;
    std::unordered_map<std::string, int> number;
    int16_t around[256][6];      // the neighbours in a circle, -1 where the board ends
    Bits near[256];              // the same as a set
    uint8_t distance[256][256];  // in steps over spaces, 255 where there is no way
    Bits everything, oases, beside_oasis;
    Bits by_oasis[8];            // the spaces beside each oasis
    int oasis_at[8];
    uint8_t oases_beside[256] = {};  // a bit for each oasis beside a space
    int8_t oasis_number[256];

    int caravan(int player, int colour) const { return player * COLOURS + colour; }

    void lay(const std::vector<std::string>& cells) {
        names = cells;
        spaces = int(cells.size());
        number.clear();
        for (int i = 0; i < spaces; i++) number[cells[i]] = i, everything.add(i), oasis_number[i] = -1;
        for (int i = 0; i < spaces; i++) {
            int column = cells[i][0] - 'a', row = std::stoi(cells[i].substr(1));
            int up = column % 2 ? -1 : 0, down = up + 1;  // columns a, c, e, ... sit half a space lower
            const int circle[6][2] = {{0, -1}, {1, up}, {1, down}, {0, 1}, {-1, down}, {-1, up}};
            for (int k = 0; k < 6; k++) {
                int x = column + circle[k][0];
                auto found = x < 0 ? number.end()
                                   : number.find(std::string(1, char('a' + x)) + std::to_string(row + circle[k][1]));
                around[i][k] = int16_t(found == number.end() ? -1 : found->second);
                if (around[i][k] >= 0) near[i].add(around[i][k]);
            }
        }
        for (int from = 0; from < spaces; from++) {
            std::fill(distance[from], distance[from] + 256, uint8_t(255));
            std::vector<int> queue{from};
            distance[from][from] = 0;
            for (size_t i = 0; i < queue.size(); i++)
                for (int other : around[queue[i]])
                    if (other >= 0 && distance[from][other] == 255) {
                        distance[from][other] = uint8_t(distance[from][queue[i]] + 1);
                        queue.push_back(other);
                    }
        }
    }

    void plant(const std::vector<std::string>& palms) {
        for (const std::string& name : palms) {
            int at = number.at(name);
            oases.add(at);
            oasis_at[oasis_count] = at;
            oasis_number[at] = int8_t(oasis_count);
            by_oasis[oasis_count] = near[at];
            beside_oasis |= near[at];
            near[at].each([&](int other) { oases_beside[other] |= uint8_t(1 << oasis_count); });
            oasis_count++;
        }
    }
};

using Action = uint16_t;  // colour * 256 + space
inline int colour_of(Action action) { return action >> 8; }
inline int space_of(Action action) { return action & 255; }

struct State {
    Bits camels[MAX_CARAVANS], beside[MAX_CARAVANS];  // where a caravan stands, and what touches it
    Bits growth[MAX_CARAVANS];                        // of that, what touches no rival of the colour
    Bits room[MAX_PLAYERS];                           // no camel, no oasis, not closed to the player
    Bits standing;                                    // all camels
    Bits water_low, water_high;                       // a token's value is low + 2 * high
    Bits owned[MAX_PLAYERS];                          // enclosed by that player
    Bits leader_block;                                // no leader may go there
    int16_t points[MAX_PLAYERS] = {};
    int8_t supply[COLOURS] = {}, size[MAX_CARAVANS] = {};
    uint8_t reached[MAX_CARAVANS] = {};  // a bit for each oasis
    uint8_t leader_at[MAX_CARAVANS] = {};  // where its size is not 0
    uint8_t hand[MAX_PLAYERS] = {};      // leaders not placed yet, a bit a colour
    uint8_t used_first = 0, out = 0;     // colours used in the first round of leaders; seats that are out
    int8_t turn = 0, left = 1;           // left: camels of this turn
    int8_t leader_round = 0;
    uint8_t passed = 0, opened = 0;      // seats: passed since the last camel; had their first turn of camels
    bool leading = true, over = false;

    int water(int at) const { return int(water_low.has(at)) + 2 * int(water_high.has(at)); }
    bool is_in(int seat) const { return !(out >> seat & 1); }
};

struct Rules {
    const Board& board;
    explicit Rules(const Board& b) : board(b) {}

    static int playing(const State& s, int players) {
        int count = 0;
        for (int p = 0; p < players; p++) count += s.is_in(p);
        return count;
    }

    // The colours whose leader a player may place now.
    uint8_t leader_colours(const State& s, int player) const {
        uint8_t mine = s.hand[player];
        if (s.leader_round == 0 && (mine & ~s.used_first)) mine &= uint8_t(~s.used_first);
        return mine;
    }

    Bits leader_spaces(const State& s) const { return board.everything & ~s.leader_block; }

    // Where a player may put a camel of a colour.
    Bits camel_spaces(const State& s, int player, int colour) const {
        if (s.supply[colour] <= 0) return Bits();
        return s.growth[board.caravan(player, colour)] & s.room[player];
    }

    bool can_move(const State& s, int player) const {
        for (int c = 0; c < COLOURS; c++)
            if (camel_spaces(s, player, c).any()) return true;
        return false;
    }

    void actions(const State& s, std::vector<Action>& list) const {
        list.clear();
        if (s.over) return;
        if (s.leading) {
            uint8_t colours = leader_colours(s, s.turn);
            Bits spaces = leader_spaces(s);
            for (int c = 0; c < COLOURS; c++)
                if (colours >> c & 1) spaces.each([&](int at) { list.push_back(Action(c << 8 | at)); });
            return;
        }
        for (int c = 0; c < COLOURS; c++)
            camel_spaces(s, s.turn, c).each([&](int at) { list.push_back(Action(c << 8 | at)); });
    }

    // The separate stretches around a space on which the caravan does not stand; one space of each.
    int stretches(const Bits& caravan, int at, int* starts) const {
        const int16_t* circle = board.around[at];
        int count = 0;
        bool before = circle[5] >= 0 && !caravan.has(circle[5]);
        for (int k = 0; k < 6; k++) {
            bool open = circle[k] >= 0 && !caravan.has(circle[k]);
            if (open && !before) starts[count++] = circle[k];
            before = open;
        }
        return count;
    }

    // The region around `start` when the caravan also stands on `at`; empty where any camel is in it.
    Bits region(const State& s, const Bits& caravan, int at, int start) const {
        Bits seen;
        if (start == at || s.standing.has(start)) return seen;
        Bits foreign = s.standing & ~caravan;
        int16_t queue[256];
        int tail = 0;
        queue[tail++] = int16_t(start);
        seen.add(start);
        for (int head = 0; head < tail; head++) {
            Bits touched = board.near[queue[head]];
            if ((touched & foreign).any()) return Bits();
            Bits fresh = touched & ~seen & ~caravan;
            fresh.remove(at);
            seen |= fresh;
            fresh.each([&](int other) { queue[tail++] = int16_t(other); });
        }
        return seen;
    }

    // What a camel would newly enclose.
    Bits enclosed(const State& s, int caravan, int at) const {
        const Bits& camels = s.camels[caravan];
        Bits found;
        int starts[6];
        int count = stretches(camels, at, starts);
        if (s.size[caravan] == 1 && stretches(camels, s.leader_at[caravan], starts + count) >= 2) {
            // A first camel also finds what the leader alone has cut off.
            Bits both = camels;
            both.add(at);
            count += stretches(both, s.leader_at[caravan], starts + count);
        } else if (count < 2) {
            count = 0;
        }
        if (!count) return found;
        for (int i = 0; i < count; i++)
            if (!found.has(starts[i])) found |= region(s, camels, at, starts[i]);
        for (int p = 0; p < board.players; p++) found &= ~s.owned[p];
        return found;
    }

    int worth(const State& s, const Bits& area) const {
        return (area & s.water_low).count() + 2 * (area & s.water_high).count();
    }

    // The oases that a camel at `at` would reach or enclose, a bit for each.
    uint8_t oases_reached(const State& s, int caravan, int at, const Bits& area) const {
        uint8_t oases = board.oases_beside[at];
        if ((area & board.oases).any())
            for (int o = 0; o < board.oasis_count; o++)
                if (area.has(board.oasis_at[o])) oases |= uint8_t(1 << o);
        return oases & uint8_t(~s.reached[caravan]);
    }

    void place(State& s, int caravan, int at) const {
        const Bits& near = board.near[at];
        s.camels[caravan].add(at);
        s.beside[caravan] |= near;
        s.standing.add(at);
        s.size[caravan]++;
        Bits grown = s.growth[caravan] | near;
        const Bits far = ~near;
        for (int q = 0, other = caravan % COLOURS; q < board.players; q++, other += COLOURS) {
            s.room[q].remove(at);
            if (other == caravan) continue;
            grown &= ~s.beside[other];
            s.growth[other] &= far;
        }
        s.growth[caravan] = grown;
    }

    void play(State& s, Action action) const {
        int player = s.turn, colour = colour_of(action), at = space_of(action);
        int caravan = board.caravan(player, colour);
        if (s.leading) {
            place(s, caravan, at);
            s.leader_at[caravan] = uint8_t(at);
            s.leader_block.add(at);
            s.leader_block |= board.near[at];
            s.hand[player] &= uint8_t(~(1 << colour));
            if (s.leader_round == 0) s.used_first |= uint8_t(1 << colour);
            next_turn(s);
            return;
        }
        int earned = s.water(at);
        Bits area = enclosed(s, caravan, at);
        uint8_t oases = oases_reached(s, caravan, at, area);
        place(s, caravan, at);
        s.supply[colour]--;
        s.water_low.remove(at);
        s.water_high.remove(at);
        if (area.any()) {
            earned += worth(s, area);
            s.water_low &= ~area;
            s.water_high &= ~area;
            s.owned[player] |= area;
            for (int q = 0; q < board.players; q++)
                if (q != player || board.closed_to_all) s.room[q] &= ~area;
        }
        s.reached[caravan] |= oases;
        s.points[player] += int16_t(earned + 5 * __builtin_popcount(oases));
        s.passed = 0;
        s.left--;
        if (s.left > 0 && can_move(s, player)) return;
        end_turn(s);
    }

    // The end of a turn of camels: the game may be over, otherwise the next who can move is found.
    void end_turn(State& s) const {
        for (int c = 0; c < COLOURS; c++)
            if (s.supply[c] <= 0) {
                s.over = true;
                return;
            }
        next_turn(s);
    }

    void next_turn(State& s) const {
        if (s.leading) {
            int seat = s.turn, left = 0;
            for (int p = 0; p < board.players; p++)
                if (s.is_in(p)) left |= s.hand[p];
            if (!left || !leader_spaces(s).any()) {
                s.leading = false;
                begin_camels(s);
                return;
            }
            do {
                seat++;
                if (seat == board.players) seat = 0, s.leader_round++;
            } while (!s.is_in(seat) || !s.hand[seat]);
            s.turn = int8_t(seat);
            return;
        }
        const unsigned everybody = (1u << board.players) - 1;
        while ((s.passed | s.out) != everybody) {
            do s.turn = int8_t((s.turn + 1) % board.players);
            while (!s.is_in(s.turn));
            if (begin_turn(s)) return;
            s.passed |= uint8_t(1 << s.turn);
        }
        s.over = true;
    }

    // Start the turn of the seat in `turn`; false where it must pass.
    bool begin_turn(State& s) const {
        bool first = !(s.opened >> s.turn & 1);
        s.opened |= uint8_t(1 << s.turn);
        int single = board.players == 2 ? 1 : 2;
        s.left = int8_t(first && s.turn < single ? 1 : 2);
        return can_move(s, s.turn);
    }

    void begin_camels(State& s) const {
        s.turn = int8_t(board.players - 1);
        next_turn(s);
    }

    void drop(State& s, int seat) const {
        bool active = s.turn == seat;
        s.out |= uint8_t(1 << seat);
        s.hand[seat] = 0;
        if (s.over) return;
        if (playing(s, board.players) < 2) {
            s.over = true;
            return;
        }
        if (!active) return;
        if (s.leading)
            next_turn(s);
        else
            end_turn(s);
    }

    // Points with the bonuses of the end: the longest caravans, and the empty enclosed spaces.
    void totals(const State& s, int* out) const {
        for (int p = 0; p < board.players; p++)
            out[p] = s.points[p] + (s.owned[p] & ~s.standing & ~board.oases).count();
        for (int c = 0; c < COLOURS; c++) {
            int most = 0, sharing = 0;
            for (int p = 0; p < board.players; p++) {
                int size = s.size[board.caravan(p, c)];
                if (size > most) most = size, sharing = 0;
                sharing += size == most;
            }
            if (!most) continue;
            for (int p = 0; p < board.players; p++)
                if (s.size[board.caravan(p, c)] == most) out[p] += sharing > 1 ? 5 : 10;
        }
    }
};

}  // namespace desert
