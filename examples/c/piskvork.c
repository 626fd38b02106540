/* A skeleton of a five-in-a-row engine that speaks Piskvork (Gomocup).
 * Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
 *     cc -O2 -o piskvork piskvork.c
 *     kibitz check --game gomoku --engine cmd=./piskvork */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY, MINE, THEIRS, MOST = 40 };

static int size = 15;
static int board[MOST][MOST]; /* [y][x], x from the left, y from the top */

static int on(int x, int y) { return x >= 0 && x < size && y >= 0 && y < size; }

/* run counts the stones of one side beside a point, in one direction. */
static int run(int x, int y, int dx, int dy, int who)
{
	int n = 0;
	for (x += dx, y += dy; on(x, y) && board[y][x] == who; x += dx, y += dy)
		n++;
	return n;
}

/* choose finds the empty point with the longest line of one side through it. */
static int choose(int *bx, int *by)
{
	static const int dir[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
	static const int worth[6] = {0, 10, 100, 1000, 10000, 100000};
	int best = -1000;
	for (int y = 0; y < size; y++) {
		for (int x = 0; x < size; x++) {
			if (board[y][x] != EMPTY)
				continue;
			int v = -abs(x - size / 2) - abs(y - size / 2);
			for (int d = 0; d < 4; d++) {
				for (int who = MINE; who <= THEIRS; who++) {
					int n = run(x, y, dir[d][0], dir[d][1], who) + run(x, y, -dir[d][0], -dir[d][1], who);
					v += worth[n > 5 ? 5 : n] * (who == MINE ? 11 : 10) / 10;
				}
			}
			if (v > best)
				best = v, *bx = x, *by = y;
		}
	}
	return best > -1000;
}

static void play(void)
{
	int x, y;
	if (!choose(&x, &y)) {
		puts("ERROR the board is full");
		return;
	}
	board[y][x] = MINE;
	printf("%d,%d\n", x, y);
}

static void answer(char *line)
{
	char word[32] = "";
	int x, y, who;
	sscanf(line, "%31s", word);
	char *rest = line + strlen(word);
	for (char *c = word; *c; c++)
		*c = toupper((unsigned char)*c);
	if (!strcmp(word, "START")) {
		int n = atoi(rest);
		if (n < 5 || n > MOST) {
			puts("ERROR boards have 5 to 40 points on a side");
			return;
		}
		size = n;
		memset(board, 0, sizeof board);
		puts("OK");
	} else if (!strcmp(word, "RESTART")) {
		memset(board, 0, sizeof board);
		puts("OK");
	} else if (!strcmp(word, "BEGIN")) {
		play();
	} else if (!strcmp(word, "TURN")) {
		if (sscanf(rest, "%d,%d", &x, &y) != 2 || !on(x, y) || board[y][x] != EMPTY) {
			puts("ERROR this point cannot be taken");
			return;
		}
		board[y][x] = THEIRS;
		play();
	} else if (!strcmp(word, "BOARD")) { /* a line x,y,f for each stone, then DONE */
		memset(board, 0, sizeof board);
		while (fgets(line, 256, stdin) && sscanf(line, "%d,%d,%d", &x, &y, &who) == 3)
			if (on(x, y))
				board[y][x] = who;
		play();
	} else if (!strcmp(word, "TAKEBACK")) {
		if (sscanf(rest, "%d,%d", &x, &y) == 2 && on(x, y))
			board[y][x] = EMPTY;
		puts("OK");
	} else if (!strcmp(word, "ABOUT")) {
		puts("name=\"Skeleton\", version=\"1.0\", author=\"You\", country=\"NA\"");
	} else if (!strcmp(word, "INFO")) {
		/* Others are timeout_turn, timeout_match, time_left (milliseconds), max_memory
		 * (bytes): INFO is never answered. */
		if (sscanf(rest, " rule %d", &x) == 1 && x > 1)
			puts("ERROR only freestyle and standard are known");
	} else if (!strcmp(word, "END")) {
		exit(0);
	} else if (*word) {
		puts("UNKNOWN command");
	}
}

int main(void)
{
	char line[256];
	setvbuf(stdout, NULL, _IOLBF, 0); /* without this the manager never sees a line */
	while (fgets(line, sizeof line, stdin))
		answer(line);
	return 0;
}
