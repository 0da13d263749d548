// mcts: the strongest step of the ladder. This file is the conversation and the clock.
//
//   mcts           speaks the arena's protocol on stdin and stdout
//   mcts --rules   follows the same lines and answers `show` with turn, points and legal actions, for comparison
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

#include "match.hpp"

namespace {

Words split(const std::string& line, char by = ' ') {
    Words words;
    std::string word;
    std::istringstream in(line);
    while (std::getline(in, word, by)) {
        while (!word.empty() && (word.back() == '\r' || word.back() == '\n')) word.pop_back();
        if (!word.empty()) words.push_back(word);
    }
    return words;
}

const char* environment(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
}

Wishes read_wishes() {
    Wishes wishes;
    if (auto value = environment("MCTS_MS")) wishes.think_ms = std::atoll(value);
    if (auto value = environment("MCTS_ITERATIONS")) wishes.search.iterations = std::atoll(value);
    if (auto value = environment("MCTS_MODEL")) wishes.search.paranoid = std::string(value) == "paranoid";
    if (auto value = environment("MCTS_TUNING")) wishes.tuning = split(value, ',');
    if (auto value = environment("SEED")) wishes.seed = std::strtoull(value, nullptr, 10), wishes.seeded = true;
    return wishes;
}

// How long to think: most of the action's own time, and a slice of the bank.
// What is kept back is for the way to the referee on a machine that is busy with other matches.
Deadline deadline(Micros arrived, int64_t move_ms, int64_t bank_ms, const Wishes& wishes) {
    const Micros move = move_ms * 1000, bank = bank_ms * 1000;
    const Micros kept = std::min<Micros>(move * 4 / 10, 100000);
    const Micros slice = std::max<Micros>(0, bank - 100000) / 25;
    Micros time = move - kept + slice;
    if (wishes.think_ms) time = std::min<Micros>(time, wishes.think_ms * 1000);
    return {arrived + time, arrived + move * 9 / 10 + bank / 2};
}

std::string joined(const std::vector<int>& numbers) {
    std::string text;
    for (int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

void show(const Match& match) {
    std::string legal;
    if (match.turn() >= 0)
        for (const std::string& action : match.legal()) legal += " " + action;
    std::cout << "turn=" << match.turn() << " points=" << joined(match.points()) << " totals=" << joined(match.totals())
              << " legal=" << legal << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
    const bool comparing = argc > 1 && std::string(argv[1]) == "--rules";
    const Wishes asked = read_wishes();
    std::ios::sync_with_stdio(false);
    std::unique_ptr<Match> match;
    std::string line;
    while (std::getline(std::cin, line)) {
        const Micros arrived = now();
        Words words = split(line);
        if (words.empty()) continue;
        const std::string& word = words[0];
        if (word == "arena") {
            std::cout << "ready name=mcts version=1.0 author=arena" << std::endl;
        } else if (word == "game") {
            std::map<std::string, std::string> keys;
            for (const std::string& item : words)
                if (size_t equals = item.find('='); equals != std::string::npos)
                    keys[item.substr(0, equals)] = item.substr(equals + 1);
            int players = std::stoi(keys["players"]), seat = std::stoi(keys["seat"]);
            Wishes wishes = asked;
            if (!asked.seeded) wishes.seed = std::random_device()();
            if (words[1] == "desert")
                match = desert_match(players, seat, keys["edition"] == "ffg", wishes);
            else if (words[1] == "rain")
                match = rain_match(players, seat, wishes);
            else
                return std::cerr << "mcts does not know the game " << words[1] << std::endl, 1;
        } else if (word == "quit") {
            break;
        } else if (!match) {
            continue;
        } else if (word == "setup") {
            match->setup(Words(words.begin() + 1, words.end()));
        } else if (word == "start") {
            match->start();
            if (!comparing) std::cout << "ready" << std::endl;
        } else if (word == "play") {
            match->play(std::stoi(words[1]), words[2]);
        } else if (word == "draw") {
            match->draw(std::stoi(words[1]), words[2]);
        } else if (word == "out") {
            match->drop(std::stoi(words[1]));
        } else if (word == "go" && !comparing) {
            std::string action = match->choose(deadline(arrived, std::stoll(words[1]), std::stoll(words[2]), asked));
            std::cout << "# " << match->remark() << "\nmove " << action << std::endl;
        } else if (word == "show" && comparing) {
            show(*match);
        }
    }
    return 0;
}
