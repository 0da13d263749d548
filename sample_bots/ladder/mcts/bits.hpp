// A set of up to 256 spaces, and a small fast source of chance. Nothing here knows a game.
#pragma once
#include <cstdint>

struct Bits {
    uint64_t word[4] = {0, 0, 0, 0};

    bool has(int at) const { return word[at >> 6] >> (at & 63) & 1; }
    void add(int at) { word[at >> 6] |= uint64_t(1) << (at & 63); }
    void remove(int at) { word[at >> 6] &= ~(uint64_t(1) << (at & 63)); }
    bool any() const { return word[0] | word[1] | word[2] | word[3]; }
    int count() const {
        return __builtin_popcountll(word[0]) + __builtin_popcountll(word[1]) + __builtin_popcountll(word[2]) +
               __builtin_popcountll(word[3]);
    }
    Bits& operator|=(const Bits& other) {
        for (int i = 0; i < 4; i++) word[i] |= other.word[i];
        return *this;
    }
    Bits& operator&=(const Bits& other) {
        for (int i = 0; i < 4; i++) word[i] &= other.word[i];
        return *this;
    }
    friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend Bits operator~(Bits a) {
        for (uint64_t& w : a.word) w = ~w;
        return a;
    }

    // Call `visit(space)` for every member, in order.
    template <class Visit>
    void each(Visit visit) const {
        for (int i = 0; i < 4; i++)
            for (uint64_t w = word[i]; w; w &= w - 1) visit(i * 64 + __builtin_ctzll(w));
    }

    // The member that has `rank` members before it; the set must be larger than that.
    int nth(int rank) const {
        for (int i = 0; i < 4; i++) {
            int here = __builtin_popcountll(word[i]);
            if (rank < here) {
                uint64_t w = word[i];
                while (rank--) w &= w - 1;
                return i * 64 + __builtin_ctzll(w);
            }
            rank -= here;
        }
        return -1;
    }
};

// xorshift64*: good enough to shuffle and to break ties, and it costs next to nothing.
struct Chance {
    uint64_t state;
    explicit Chance(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 0x2545F4914F6CDD1Dull) {
        if (!state) state = 1;
        for (int i = 0; i < 8; i++) next();
    }
    uint64_t next() {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return state * 0x2545F4914F6CDD1Dull;
    }
    int below(int n) { return int((next() >> 32) * uint64_t(n) >> 32); }
    double unit() { return double(next() >> 11) * (1.0 / 9007199254740992.0); }
};
