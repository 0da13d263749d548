// The rules of rain. What every colour would score on every free space is kept up with each mushroom.
// The order of the bag is unknown; its contents are what neither the board nor the hands show.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "bits.hpp"

namespace rain {

constexpr int COLOURS = 4, MAX_PLAYERS = 4, MAX_SPACES = 64, HAND = 4, EACH = 12;
inline const char LETTERS[] = "rybg";

struct Board {
    int players = 2, seat = 0, spaces = 0;
    std::vector<std::string> names;
    std::unordered_map<std::string, int> number;
    std::vector<std::vector<int>> lines;            // of four spaces or more, along the four directions
    std::vector<std::pair<int, int>> through[MAX_SPACES];  // by space: the line, and which of its slots

    void lay(const std::vector<std::string>& cells) {
        names = cells;
        spaces = int(cells.size());
        std::map<std::pair<int, int>, int> places;
        for (int i = 0; i < spaces; i++) {
            number[cells[i]] = i;
            places[{cells[i][0] - 'a', std::stoi(cells[i].substr(1))}] = i;
        }
        const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        for (int d = 0; d < 4; d++) {
            int dx = directions[d][0], dy = directions[d][1];
            std::map<int, std::vector<int>> rows;  // places are sorted, so that each row is in order
            for (auto& [place, at] : places) rows[place.first * dy - place.second * dx].push_back(at);
            for (auto& [key, row] : rows) {
                if (row.size() < 4) continue;
                for (int at : row) through[at].push_back({int(lines.size()), d});
                lines.push_back(row);
            }
        }
    }

    // Whether the points of `other` count for `seat`.
    bool counts(int seat, int other) const {
        if (players == 3) return other == seat || other == (seat + 1) % 3;
        if (players == 4) return other % 2 == seat % 2;
        return other == seat;
    }
};

using Action = uint16_t;  // colour * 256 + space
inline int colour_of(Action action) { return action >> 8; }
inline int space_of(Action action) { return action & 255; }

struct State {
    uint8_t piece[MAX_SPACES] = {};            // 0, or the bit of a colour
    uint32_t part[MAX_SPACES][4] = {};         // what one direction scores, a byte a colour
    uint32_t gains[MAX_SPACES] = {};           // the sum of the four
    uint64_t free = 0;
    int8_t hand[MAX_PLAYERS][COLOURS] = {}, held[MAX_PLAYERS] = {};
    int8_t bag[COLOURS] = {EACH, EACH, EACH, EACH}, bag_size = COLOURS * EACH;
    int16_t points[MAX_PLAYERS] = {};
    uint8_t out = 0;
    int8_t turn = 0;
    bool over = false;

    bool is_in(int seat) const { return !(out >> seat & 1); }
    int gain(int colour, int at) const { return int(gains[at] >> (8 * colour) & 255); }
};

struct Rules {
    const Board& board;
    explicit Rules(const Board& b) : board(b) {}

    void draw(State& s, int seat, int colour) const {
        s.hand[seat][colour]++;
        s.held[seat]++;
        s.bag[colour]--;
        s.bag_size--;
    }

    void actions(const State& s, std::vector<Action>& list) const {
        list.clear();
        if (s.over) return;
        for (int c = 0; c < COLOURS; c++)
            if (s.hand[s.turn][c])
                for (uint64_t w = s.free; w; w &= w - 1) list.push_back(Action(c << 8 | __builtin_ctzll(w)));
    }

    // Call `visit(space, slot, scores)` for each free space whose line would score otherwise with a mushroom at `at`.
    template <class Visit>
    void rescore(const State& s, int colour, int at, Visit visit) const {
        for (auto [number, slot] : board.through[at]) {
            const std::vector<int>& line = board.lines[number];
            int length = int(line.size()), count = 0;
            uint8_t row[8];
            for (int other : line) {
                uint8_t piece = other == at ? uint8_t(1 << colour) : s.piece[other];
                if (piece) row[count++] = piece;
            }
            if (count < 3) continue;
            // scores[k]: for a mushroom that follows k others on this line
            uint32_t triple[8], scores[9];
            for (int i = 0; i + 2 < count; i++) {
                unsigned missing = 15u ^ unsigned(row[i] | row[i + 1] | row[i + 2]);
                triple[i] = missing && !(missing & (missing - 1)) ? 1u << (8 * __builtin_ctz(missing)) : 0;
            }
            for (int k = 0; k <= count; k++) {
                scores[k] = 0;
                for (int i = std::max(0, k - 3); i <= std::min(k, count - 3); i++) scores[k] += triple[i];
            }
            for (int i = 0, k = 0; i < length; i++) {
                int other = line[i];
                if (other == at || s.piece[other])
                    k++;
                else if (s.part[other][slot] != scores[k])
                    visit(other, slot, scores[k]);
            }
        }
    }

    // Put a mushroom down.
    void put(State& s, int colour, int at) const {
        rescore(s, colour, at, [&](int other, int slot, uint32_t scores) {
            s.gains[other] += scores - s.part[other][slot];
            s.part[other][slot] = scores;
        });
        s.piece[at] = uint8_t(1 << colour);
        s.free &= ~(uint64_t(1) << at);
    }

    // The best that the colours in a mask of bytes could score at once after a mushroom at `at`.
    int best_after(const State& s, int colour, int at, uint32_t mask) const {
        uint32_t gains[MAX_SPACES];
        uint64_t changed = 0;
        rescore(s, colour, at, [&](int other, int slot, uint32_t scores) {
            if (!(changed >> other & 1)) changed |= uint64_t(1) << other, gains[other] = s.gains[other];
            gains[other] += scores - s.part[other][slot];
        });
        uint32_t best = 0;
        auto look = [&](uint32_t here) {
            for (here &= mask; here; here >>= 8) best = std::max(best, here & 255);
        };
        for (uint64_t w = changed; w; w &= w - 1) look(gains[__builtin_ctzll(w)]);
        for (uint64_t w = s.free & ~changed & ~(uint64_t(1) << at); w; w &= w - 1) look(s.gains[__builtin_ctzll(w)]);
        return int(best);
    }

    // The colours of a hand as a mask of bytes.
    static uint32_t colours(const State& s, int seat) {
        uint32_t mask = 0;
        for (int c = 0; c < COLOURS; c++)
            if (s.hand[seat][c]) mask |= 255u << (8 * c);
        return mask;
    }

    // Place a mushroom of the seat in turn; true where the turn goes on because it scored.
    bool place(State& s, Action action) const {
        int colour = colour_of(action), at = space_of(action), seat = s.turn;
        int scored = s.gain(colour, at);
        s.points[seat] += int16_t(scored);
        s.hand[seat][colour]--;
        s.held[seat]--;
        put(s, colour, at);
        return scored && s.held[seat];
    }

    // The same with draws from the unknown bag: what a search plays.
    void play(State& s, Action action, Chance& chance) const {
        int seat = s.turn;
        if (place(s, action)) return;
        while (s.held[seat] < HAND && s.bag_size) {
            int pick = chance.below(s.bag_size), colour = 0;
            while (pick >= s.bag[colour]) pick -= s.bag[colour++];
            draw(s, seat, colour);
        }
        pass_on(s);
    }

    // Hand the turn to the next who is in and holds anything.
    void pass_on(State& s) const {
        for (int step = 1; step <= board.players; step++) {
            int seat = (s.turn + step) % board.players;
            if (s.is_in(seat) && s.held[seat]) {
                s.turn = int8_t(seat);
                s.over = !s.free;
                return;
            }
        }
        s.over = true;
    }

    void drop(State& s, int seat) const {
        s.out |= uint8_t(1 << seat);
        bool any[2] = {false, false};
        int count = 0;
        for (int p = 0; p < board.players; p++)
            if (s.is_in(p)) count++, any[p % 2] = true;
        if (board.players == 4 ? !(any[0] && any[1]) : count < 2) {
            s.over = true;
            return;
        }
        if (s.turn == seat) pass_on(s);
    }

    void totals(const State& s, int* out) const {
        for (int p = 0; p < board.players; p++) {
            out[p] = 0;
            for (int q = 0; q < board.players; q++)
                if (board.counts(p, q)) out[p] += s.points[q];
        }
    }
};

}  // namespace rain
