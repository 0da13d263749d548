// Monte Carlo tree search for any number of players. A game gives it a Mind: rules, weights for actions, playouts.
//
// The tree is open-loop: a node is a sequence of actions, and what chance does in between is drawn anew every time.
// Each node's actions come in blocks (rain: one a colour, since hands differ from draw to draw); only the blocks that
// the position at hand allows are looked at. Selection is PUCT: weights say where to look first, results decide.
// Values are kept for the player who moves only: that is all that max^n needs.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bits.hpp"

using Micros = int64_t;
inline Micros now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// When to answer: at `wanted`, and on a machine that keeps stopping us early enough before `latest`.
struct Deadline {
    Micros wanted, latest;
};

struct Options {
    bool paranoid = false;       // everybody against us, instead of everybody for themselves
    double exploration = 1.0;
    double first_play = 0.15;    // how much worse than its node an action counts that was never tried
    int64_t iterations = 0;      // when not 0, the number of iterations instead of the clock
    int expand_at = 2;           // visits before a node gets its actions
};

template <class Action>
struct Weighted {
    Action action;
    float weight;
};

template <class Mind>
class Search {
public:
    using State = typename Mind::State;
    using Action = typename Mind::Action;

    Search(Mind& m, const Options& o) : mind(m), options(o) { clear(); }

    void clear() {
        nodes.clear();
        edges.clear();
        nodes.push_back(Node());
        root = 0;
    }

    // Keep what is below an action that was played; the rest of the tree stays as waste until it is cleared.
    void follow(Action action) {
        int next = -1;
        for (const Block& block : nodes[root].blocks)
            for (uint32_t i = block.begin; i < block.begin + block.count; i++)
                if (edges[i].action == action) next = edges[i].node;
        if (next < 0 || edges.size() > MOST_EDGES / 2)
            clear();
        else
            root = next;
    }

    // Think until the deadline, and return the action that was tried most.
    Action think(const State& start, Deadline given, Chance& chance) {
        double rewards[8];
        done = 0;
        seat = mind.mover(start);
        const Micros begun = now();
        Micros seen = begun;
        stall -= stall / 8;
        for (;;) {
            if (options.iterations) {
                if (done >= options.iterations) break;
            } else if (done && (done & 7) == 0) {  // at least a few, however late it is
                const Micros time = now();
                // Eight iterations take less than a millisecond or two; what is longer, others had our core.
                if (time - seen > 4000) stall = std::max(stall, time - seen);
                seen = time;
                const Micros deadline = std::min(given.wanted, given.latest - 2 * stall);
                if (time >= deadline) break;
                // Stop as soon as no other action can catch up in the time that is left.
                if ((done & 63) == 0 && done >= 256) {
                    double rate = double(done) / double(time - begun + 1);
                    if (lead(start) > rate * double(deadline - time)) break;
                }
            }
            State state = start;
            descend(state, chance, rewards);
            done++;
        }
        return best(start);
    }

    // How much was looked at, and how the one who moves stands between 0 and 1.
    std::string remark() const {
        double value = nodes[root].visits ? nodes[root].total / nodes[root].visits : 0.5;
        return std::to_string(done) + " playouts, value " + std::to_string(value).substr(0, 5);
    }

private:
    struct Edge {
        Action action;
        float weight;
        uint32_t visits = 0;
        float total = 0;
        int32_t node = -1;
    };
    struct Block {
        uint32_t begin = 0, count = 0;
        float weight = 0;
        bool made = false;
    };
    struct Node {
        uint32_t visits = 0;
        double total = 0;  // for the player who moves here
        Block blocks[Mind::BLOCKS];
    };

    static constexpr size_t MOST_EDGES = 6000000;  // some 200 MB with the nodes; beyond it the tree grows no more

    Mind& mind;
    const Options& options;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Weighted<Action>> fresh;
    int root = 0, seat = 0;
    int64_t done = 0;
    Micros stall = 0;  // the longest time lately for which we did not run

    double worth(const double* rewards, int player) const {
        if (!options.paranoid || player == seat || mind.allied(seat, player)) return rewards[player];
        return 1.0 - rewards[seat];
    }

    void make(Node& node, int number, const State& state) {
        fresh.clear();
        mind.weigh(state, number, fresh);
        Block& block = node.blocks[number];
        block.begin = uint32_t(edges.size());
        block.count = uint32_t(fresh.size());
        block.made = true;
        for (auto& item : fresh) {
            Edge edge;
            edge.action = item.action;
            edge.weight = item.weight;
            block.weight += item.weight;
            edges.push_back(edge);
        }
    }

    bool missing(const Node& node, int available) const {
        for (int b = 0; b < Mind::BLOCKS; b++)
            if ((available >> b & 1) && !node.blocks[b].made) return true;
        return false;
    }

    int select(const Node& node, int available) const {
        double sum = 0;
        for (int b = 0; b < Mind::BLOCKS; b++)
            if (available >> b & 1) sum += node.blocks[b].weight;
        const double mean = node.visits ? node.total / node.visits : 0.5;
        const double scale = options.exploration * std::sqrt(double(node.visits) + 1) / sum;
        const double untried = mean - options.first_play;
        double best_score = -1e30;
        int best_edge = -1;
        for (int b = 0; b < Mind::BLOCKS; b++) {
            if (!(available >> b & 1)) continue;
            const Block& block = node.blocks[b];
            for (uint32_t i = block.begin; i < block.begin + block.count; i++) {
                const Edge& edge = edges[i];
                double value = edge.visits ? edge.total / edge.visits : untried;
                double score = value + scale * edge.weight / (1.0 + edge.visits);
                if (score > best_score) best_score = score, best_edge = int(i);
            }
        }
        return best_edge;
    }

    void descend(State& state, Chance& chance, double* rewards) {
        struct Step {
            int node, edge, player;
        };
        static thread_local std::vector<Step> path;
        path.clear();
        int at = root;
        for (;;) {
            if (mind.over(state)) break;
            if (at != root && nodes[at].visits < uint32_t(options.expand_at)) break;
            int available = mind.available(state);
            if (at != root && edges.size() > MOST_EDGES && missing(nodes[at], available)) break;
            for (int b = 0; b < Mind::BLOCKS; b++)
                if ((available >> b & 1) && !nodes[at].blocks[b].made) make(nodes[at], b, state);
            int chosen = select(nodes[at], available);
            path.push_back({at, chosen, mind.mover(state)});
            mind.play(state, edges[chosen].action, chance);
            if (edges[chosen].node < 0) {
                edges[chosen].node = int(nodes.size());
                nodes.push_back(Node());
            }
            at = edges[chosen].node;
        }
        int last_player = mind.over(state) ? -1 : mind.mover(state);
        mind.evaluate(state, chance, rewards);
        nodes[at].visits++;
        if (last_player >= 0) nodes[at].total += worth(rewards, last_player);
        for (const Step& step : path) {
            double value = worth(rewards, step.player);
            edges[step.edge].visits++;
            edges[step.edge].total += float(value);
            nodes[step.node].visits++;
            nodes[step.node].total += value;
        }
    }

    template <class Visit>
    void each_edge(const State& start, Visit visit) const {
        int available = mind.available(start);
        for (int b = 0; b < Mind::BLOCKS; b++)
            if (available >> b & 1)
                for (uint32_t i = 0; i < nodes[root].blocks[b].count; i++)
                    visit(edges[nodes[root].blocks[b].begin + i]);
    }

    double lead(const State& start) const {
        double first = 0, second = 0;
        each_edge(start, [&](const Edge& edge) {
            double visits = edge.visits;
            if (visits > first)
                second = first, first = visits;
            else if (visits > second)
                second = visits;
        });
        return first - second;
    }

    Action best(const State& start) const {
        Action action = Action();
        double most = -1;
        each_edge(start, [&](const Edge& edge) {
            double score = edge.visits + (edge.visits ? edge.total / edge.visits : 0) * 0.5 + edge.weight * 1e-6;
            if (score > most) most = score, action = edge.action;
        });
        return action;
    }
};
