/* A bot for desert that answers at once with the first legal action.
 *
 * It follows the match by itself and asks for neither `moves` nor `state`, as a quick bot would: the first
 * colour of which it may place something, on the first space of `setup cells` that allows it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLOURS = 5, SEATS = 5, SPACES = 256, WORDS = 4 };
typedef struct { uint64_t w[WORDS]; } Set;

static const char LETTERS[] = "bgpwy";
static char names[SPACES][8];
static int spaces, seat, players, ffg;
static uint8_t at_place[32][32];           /* column, row: number of the space + 1 */
static int16_t circle[SPACES][6];
static Set near[SPACES], oases, blocked;   /* blocked: no leader may go there */
static Set own[SEATS][COLOURS], growth[SEATS][COLOURS], beside[SEATS][COLOURS], room[SEATS], standing;
static int supply[COLOURS], hand[SEATS], placed[SEATS], used, size[SEATS][COLOURS], leader[SEATS][COLOURS];

static int has(const Set *s, int i) { return (int)(s->w[i >> 6] >> (i & 63) & 1); }
static void add(Set *s, int i) { s->w[i >> 6] |= 1ull << (i & 63); }
static void cut(Set *s, int i) { s->w[i >> 6] &= ~(1ull << (i & 63)); }

static int number(const char *name) {
    return at_place[name[0] - 'a'][atoi(name + 1)] - 1;
}

static int colour_of(char letter) { return (int)(strchr(LETTERS, letter) - LETTERS); }

static void lay(char *text) {
    memset(at_place, 0, sizeof at_place);
    memset(near, 0, sizeof near);
    spaces = 0;
    for (char *name = strtok(text, " "); name; name = strtok(NULL, " ")) {
        strcpy(names[spaces], name);
        at_place[name[0] - 'a'][atoi(name + 1)] = (uint8_t)++spaces;
    }
    for (int i = 0; i < spaces; i++) {
        int column = names[i][0] - 'a', row = atoi(names[i] + 1), up = column % 2 ? -1 : 0;
        const int step[6][2] = {{0, -1}, {1, up}, {1, up + 1}, {0, 1}, {-1, up + 1}, {-1, up}};
        for (int k = 0; k < 6; k++) {
            int x = column + step[k][0], y = row + step[k][1];
            circle[i][k] = (int16_t)(x < 0 || y < 0 ? -1 : at_place[x][y] - 1);
            if (circle[i][k] >= 0) add(&near[i], circle[i][k]);
        }
    }
}

static void setup(char *text) {
    char *rest = strchr(text, ' ');
    if (!rest) return;
    *rest++ = 0;
    if (!strcmp(text, "cells")) {
        lay(rest);
    } else if (!strcmp(text, "palms")) {
        for (char *name = strtok(rest, " "); name; name = strtok(NULL, " ")) {
            int at = number(name);
            add(&oases, at);
            add(&blocked, at);
            for (int k = 0; k < WORDS; k++) blocked.w[k] |= near[at].w[k];
        }
    } else if (!strcmp(text, "water")) {
        for (char *name = strtok(rest, " "); name; name = strtok(NULL, " ")) add(&blocked, number(name));
    } else if (!strcmp(text, "camels")) {
        for (char *count = strtok(rest, " "); count; count = strtok(NULL, " "))
            supply[colour_of(*count)] = atoi(count + 2);
    } else if (!strcmp(text, "leaders")) {
        for (char *letter = rest + 2; *letter; letter++) hand[*rest - '0'] |= 1 << colour_of(*letter);
    }
}

static void begin(const char *line) {
    players = atoi(strstr(line, "players=") + 8);
    seat = atoi(strstr(line, "seat=") + 5);
    ffg = strstr(line, "edition=ffg") != NULL;
    memset(&oases, 0, sizeof oases);
    memset(&blocked, 0, sizeof blocked);
    memset(&standing, 0, sizeof standing);
    memset(own, 0, sizeof own);
    memset(growth, 0, sizeof growth);
    memset(beside, 0, sizeof beside);
    memset(hand, 0, sizeof hand);
    memset(placed, 0, sizeof placed);
    memset(size, 0, sizeof size);
    used = 0;
}

static void start(void) {
    memset(room, 0, sizeof room);
    for (int p = 0; p < players; p++)
        for (int i = 0; i < spaces; i++)
            if (!has(&oases, i)) add(&room[p], i);
}

/* One space of each stretch around a space on which the caravan does not stand. */
static int stretches(const Set *caravan, int at, int *found) {
    int count = 0, last = circle[at][5], before = last >= 0 && !has(caravan, last);
    for (int k = 0; k < 6; k++) {
        int other = circle[at][k], open = other >= 0 && !has(caravan, other);
        if (open && !before) found[count++] = other;
        before = open;
    }
    return count;
}

/* Close what the caravan, all of it standing, cuts off from every other camel around `from`. */
static void enclose(int player, const Set *caravan, int from) {
    Set seen = {{0}};
    int queue[SPACES], tail = 0;
    queue[tail++] = from;
    add(&seen, from);
    for (int head = 0; head < tail; head++) {
        if (has(&standing, queue[head])) return;
        for (int k = 0; k < 6; k++) {
            int other = circle[queue[head]][k];
            if (other >= 0 && !has(&seen, other) && !has(caravan, other)) {
                add(&seen, other);
                queue[tail++] = other;
            }
        }
    }
    for (int p = 0; p < players; p++)
        if (p != player || ffg)
            for (int k = 0; k < WORDS; k++) room[p].w[k] &= ~seen.w[k];
}

static void play(int player, const char *action) {
    if (!strcmp(action, "pass")) return;
    int colour = colour_of(*action), at = number(action + 1), leading = hand[player] >> colour & 1, starts[6];
    Set *caravan = &own[player][colour];
    int first = size[player][colour] == 1 && !leading, head = leader[player][colour];
    int alone = first && stretches(caravan, head, starts) > 1;
    add(caravan, at);
    add(&standing, at);
    size[player][colour]++;
    for (int p = 0; p < players; p++) {
        cut(&room[p], at);
        if (p == player) continue;
        for (int k = 0; k < WORDS; k++) growth[p][colour].w[k] &= ~near[at].w[k];
    }
    for (int k = 0; k < WORDS; k++) {
        uint64_t rivals = 0;
        for (int p = 0; p < players; p++)
            if (p != player) rivals |= beside[p][colour].w[k];
        beside[player][colour].w[k] |= near[at].w[k];
        growth[player][colour].w[k] = (growth[player][colour].w[k] | near[at].w[k]) & ~rivals;
    }
    if (leading) {
        leader[player][colour] = at;
        hand[player] &= ~(1 << colour);
        if (!placed[player]++) used |= 1 << colour;
        add(&blocked, at);
        for (int k = 0; k < WORDS; k++) blocked.w[k] |= near[at].w[k];
        return;
    }
    supply[colour]--;
    int count = stretches(caravan, at, starts);
    if (count > 1)
        for (int i = 0; i < count; i++) enclose(player, caravan, starts[i]);
    if (alone) {
        count = stretches(caravan, head, starts);
        for (int i = 0; i < count; i++) enclose(player, caravan, starts[i]);
    }
}

static int first_of(Set set) {
    for (int k = 0; k < WORDS; k++)
        if (set.w[k]) return k * 64 + __builtin_ctzll(set.w[k]);
    return -1;
}

static int choose(char *answer) {
    Set open;
    for (int k = 0; k < WORDS; k++) open.w[k] = ~blocked.w[k];
    for (int i = spaces; i < SPACES; i++) cut(&open, i);
    int spot = first_of(open);
    int colours = hand[seat];
    if (!placed[seat] && colours & ~used) colours &= ~used;
    for (int colour = 0; colour < COLOURS; colour++) {
        int at = -1;
        if (hand[seat] && spot >= 0) {
            if (colours >> colour & 1) at = spot;
        } else if (supply[colour] > 0) {
            Set set;
            for (int k = 0; k < WORDS; k++) set.w[k] = growth[seat][colour].w[k] & room[seat].w[k];
            at = first_of(set);
        }
        if (at >= 0) {
            answer[5] = LETTERS[colour];
            strcpy(answer + 6, names[at]);
            strcat(answer, "\n");
            return (int)strlen(answer);
        }
    }
    return 0;
}

static void say(const char *text, int size_) {
    if (write(1, text, (size_t)size_) != size_) _exit(1);
}

int main(void) {
    static char buffer[1 << 16];
    char answer[32] = "move ";
    size_t kept = 0;
    for (;;) {
        ssize_t got = read(0, buffer + kept, sizeof buffer - kept);
        if (got <= 0) return 0;
        kept += (size_t)got;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', kept - (size_t)(line - buffer)))) {
            *end = 0;
            if (!strncmp(line, "play ", 5)) play(line[5] - '0', line + 7);
            else if (!strncmp(line, "go ", 3)) say(answer, choose(answer));
            else if (!strncmp(line, "setup ", 6)) setup(line + 6);
            else if (!strncmp(line, "game ", 5)) begin(line);
            else if (!strcmp(line, "start")) start(), say("ready\n", 6);
            else if (!strncmp(line, "arena ", 6)) say("ready name=first\n", 17);
            else if (!strcmp(line, "quit")) return 0;
            line = end + 1;
        }
        kept -= (size_t)(line - buffer);
        memmove(buffer, line, kept);
    }
}
