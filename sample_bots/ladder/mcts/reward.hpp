// What a result is worth to each player, between 0 and 1: the place, and by how much.
#pragma once
#include <cmath>

// `share` of the reward is the place, the rest grows with the lead over the best rival; `scale` is a big lead.
// `allied(p, q)` tells whether q is no rival of p.
template <class Allied>
void reward(const int* totals, int players, unsigned out, double share, double scale, Allied allied, double* rewards) {
    for (int p = 0; p < players; p++) {
        if (out >> p & 1) {
            rewards[p] = 0;
            continue;
        }
        double beaten = 0;
        int rivals = 0, best = -1000000;
        for (int q = 0; q < players; q++) {
            if (allied(p, q)) continue;
            rivals++;
            if (out >> q & 1) {
                beaten += 1;
                continue;
            }
            beaten += totals[p] > totals[q] ? 1 : totals[p] == totals[q] ? 0.5 : 0;
            if (totals[q] > best) best = totals[q];
        }
        double lead = best == -1000000 ? 1 : 0.5 + 0.5 * std::tanh((totals[p] - best) / scale);
        rewards[p] = share * (beaten / rivals) + (1 - share) * lead;
    }
}
