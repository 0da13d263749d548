/* The floor: what a referee without rules, clock or parsing would reach with the same bots.
 *
 *     floor SECONDS TURNS COMMAND...      (TURNS: a file, see below; the same command for every seat)
 *
 * TURNS holds a recorded match: for each write its seat, whether an answer is due, its size, then the bytes.
 * The match is told to the bots over and over, byte for byte as the arena told it: one blocking write and one
 * blocking read a turn, nothing else. Prints the answers to `go` in a match, the seconds that a match took when
 * the machine was least disturbed (one in ten was quicker), and how many were played.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEATS 8
#define TURNS 4096
#define MATCHES 1000000

static struct { int seat, due; size_t size; char *data; } turns[TURNS];
static int to[SEATS], from[SEATS];
static double took[MATCHES];

static int compare(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void start(int seat, char **command) {
    int down[2], up[2];
    if (pipe(down) || pipe(up)) exit(1);
    if (!fork()) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        for (int fd = 3; fd < 64; fd++) close(fd);
        execv(command[0], command);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to[seat] = down[1];
    from[seat] = up[0];
}

static void hear(int seat) {
    char answer[4096];
    ssize_t got;
    do {
        got = read(from[seat], answer, sizeof answer);
        if (got <= 0) exit(1);
    } while (answer[got - 1] != '\n');
}

static void say(int seat, const char *data, size_t size) {
    while (size) {
        ssize_t written = write(to[seat], data, size);
        if (written <= 0) exit(1);
        data += written;
        size -= (size_t)written;
    }
}

int main(int count, char **words) {
    if (count < 4) return 2;
    FILE *file = fopen(words[2], "rb");
    if (!file) return 2;
    int many = 0, seats = 0;
    unsigned size;
    while (many < TURNS && fscanf(file, "%d %d %u", &turns[many].seat, &turns[many].due, &size) == 3) {
        fgetc(file);
        turns[many].size = size;
        turns[many].data = malloc(size);
        if (fread(turns[many].data, 1, size, file) != size) return 2;
        if (turns[many].seat >= seats) seats = turns[many].seat + 1;
        many++;
    }
    for (int seat = 0; seat < seats; seat++) {
        start(seat, words + 3);
        say(seat, "arena 1\n", 8);
        hear(seat);
    }
    long answers = 0, played = 0;
    for (int turn = 0; turn < many; turn++) answers += turns[turn].due == 2;
    double last = now(), end = last + atof(words[1]);
    while (last < end && played < MATCHES) {
        for (int turn = 0; turn < many; turn++) {
            say(turns[turn].seat, turns[turn].data, turns[turn].size);
            if (turns[turn].due) hear(turns[turn].seat);
        }
        double after = now();
        took[played++] = after - last;
        last = after;
    }
    for (int seat = 0; seat < seats; seat++) close(to[seat]);
    while (wait(NULL) > 0) {
    }
    qsort(took, (size_t)played, sizeof *took, compare);
    printf("%ld %.9f %ld\n", answers, took[played / 10], played);
    return 0;
}
