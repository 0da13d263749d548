/* A starter bot for the arena: of the legal actions it plays the one that score() likes best.
 *
 * Put your own idea into score(). Everything that the referee said about the game is in `position`.
 * Print nothing else on stdout; remarks for yourself go to stderr, or to stdout behind a "# ".
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 28, ROWS = 100 }; /* columns a to z are 1 to 26: a border spares us bounds checks */

typedef struct { int column, row; } Space;

static struct {
    char game[16];                      /* "desert" or "rain" */
    int seat;                           /* our own */
    char pieces[COLUMNS][ROWS];         /* the colour of what stands there, 0 for nothing */
    char water[COLUMNS][ROWS];          /* desert: the value of the water that is left there */
    bool palm[COLUMNS][ROWS];           /* desert: the oases */
    bool reached[256][COLUMNS][ROWS];   /* desert: by colour, the oases of our own caravans */
} position;

/* Read a space's name; false for what is none. */
static bool parse_space(const char *text, Space *space)
{
    space->column = text[0] - 'a' + 1;
    space->row = atoi(text + (text[0] != '\0'));
    return space->column >= 1 && space->column < COLUMNS - 1 && space->row >= 1 && space->row < ROWS - 1;
}

/* Return the six neighbours of a hexagon, spaces or not; columns a, c, e, ... sit half a space lower. */
static void neighbours(Space at, Space around[6])
{
    int aside = at.column % 2 == 1 ? at.row + 1 : at.row - 1;
    Space all[6] = {{at.column, at.row - 1}, {at.column, at.row + 1}, {at.column - 1, at.row},
                    {at.column + 1, at.row}, {at.column - 1, aside}, {at.column + 1, aside}};
    memcpy(around, all, sizeof all);
}

/* Count the fours of all colours that a mushroom completes on one line, free spaces skipped. */
static int runs(char colour, Space at, int across, int down)
{
    char line[7] = {0, 0, 0, colour}; /* up to three mushrooms on either side of the new one */
    int first = 3, last = 3, count = 0;
    for (int c = at.column - across, r = at.row - down; first > 0 && c >= 1 && c <= 8 && r >= 1 && r <= 8; c -= across, r -= down)
        if (position.pieces[c][r]) line[--first] = position.pieces[c][r];
    for (int c = at.column + across, r = at.row + down; last < 6 && c >= 1 && c <= 8 && r >= 1 && r <= 8; c += across, r += down)
        if (position.pieces[c][r]) line[++last] = position.pieces[c][r];
    for (const char *w = line + first; w + 3 <= line + last; w++)
        count += w[0] != w[1] && w[0] != w[2] && w[0] != w[3] && w[1] != w[2] && w[1] != w[3] && w[2] != w[3];
    return count;
}

/* Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE. */
static int score(const char *action)
{
    Space at, around[6];
    unsigned char colour = (unsigned char)action[0];
    if (!parse_space(action + 1, &at)) return 0;
    if (strcmp(position.game, "desert") == 0) {
        /* Points at once count most: water under the camel, and oases that this caravan has not reached.
         * Water next to the space breaks ties. Areas and the longest caravans are left to you. */
        int points = position.water[at.column][at.row], nearby = 0;
        neighbours(at, around);
        for (int i = 0; i < 6; i++) {
            int c = around[i].column, r = around[i].row;
            if (position.palm[c][r] && !position.reached[colour][c][r]) points += 5;
            nearby += position.water[c][r];
        }
        return 10 * points + nearby;
    }
    if (strcmp(position.game, "rain") == 0)
        /* Points at once. What this opens for the next player, whose hand is known, is left to you. */
        return runs(action[0], at, 0, 1) + runs(action[0], at, 1, 0) + runs(action[0], at, 1, 1) + runs(action[0], at, 1, -1);
    return 0;
}

/* Take in what a seat has done, ourselves included. */
static void play(int seat, const char *action)
{
    Space at, around[6];
    if (!parse_space(action + 1, &at)) return;
    position.pieces[at.column][at.row] = action[0];
    position.water[at.column][at.row] = 0;
    neighbours(at, around);
    for (int i = 0; seat == position.seat && i < 6; i++)
        position.reached[(unsigned char)action[0]][around[i].column][around[i].row] = true;
}

/* Take in a `setup` line, behind that word; there are more keys than these two. */
static void setup(void)
{
    const char *key = strtok(NULL, " \r\n"), *fact;
    Space at;
    while (key && (fact = strtok(NULL, " \r\n"))) {
        const char *equals = strchr(fact, '=');
        if (!parse_space(fact, &at)) continue;
        if (strcmp(key, "palms") == 0) position.palm[at.column][at.row] = true;
        if (strcmp(key, "water") == 0 && equals) position.water[at.column][at.row] = (char)atoi(equals + 1);
    }
}

/* Answer the referee, line by line, until it says `quit` or is gone; many games in one process. */
int main(void)
{
    char *line = NULL, best[32] = "";
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *word = strtok(line, " \r\n"), *more;
        if (!word) continue;
        if (strcmp(word, "arena") == 0) {
            puts("ready name=starter-c version=1.0 wants=moves");
        } else if (strcmp(word, "game") == 0) {
            memset(&position, 0, sizeof position);
            if ((more = strtok(NULL, " \r\n"))) snprintf(position.game, sizeof position.game, "%s", more);
            while ((more = strtok(NULL, " \r\n")))
                if (strncmp(more, "seat=", 5) == 0) position.seat = atoi(more + 5);
        } else if (strcmp(word, "setup") == 0) {
            setup();
        } else if (strcmp(word, "start") == 0) {
            puts("ready");
        } else if (strcmp(word, "play") == 0) {
            const char *seat = strtok(NULL, " \r\n"), *action = strtok(NULL, " \r\n");
            if (action && strcmp(action, "pass") != 0) play(atoi(seat), action);
        } else if (strcmp(word, "moves") == 0) {
            int highest = -1; /* the choice is made here and sent when `go` asks for it */
            while ((more = strtok(NULL, " \r\n")))
                if (score(more) > highest) {
                    highest = score(more);
                    snprintf(best, sizeof best, "%s", more);
                }
        } else if (strcmp(word, "go") == 0) { /* go MILLISECONDS BANK: time for this action, and beyond it */
            printf("move %s\n", best);
        } else if (strcmp(word, "quit") == 0) {
            break;
        } /* any other line is none of our business: the protocol may grow */
        fflush(stdout); /* or the answer would wait in a buffer for ever */
    }
    free(line);
    return 0;
}
