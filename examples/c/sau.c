/* A skeleton of a Connect6 engine that speaks the protocol of the SAU platform.
 * Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
 *     cc -O2 -o sau sau.c
 *     kibitz check --game connect6 --engine cmd=./sau */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY, MINE, THEIRS, REFUSED, SIZE = 19 };

static int board[SIZE][SIZE]; /* [y][x], x from the left, y from the top */
static int stones;
static int last[2][2], placed; /* the stones of my last turn */

static int on(int x, int y) { return x >= 0 && x < SIZE && y >= 0 && y < SIZE; }

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
	static const int worth[7] = {0, 10, 100, 1000, 10000, 100000, 1000000};
	int best = -1000;
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			if (board[y][x] != EMPTY)
				continue;
			int v = -abs(x - SIZE / 2) - abs(y - SIZE / 2);
			for (int d = 0; d < 4; d++) {
				for (int who = MINE; who <= THEIRS; who++) {
					int n = run(x, y, dir[d][0], dir[d][1], who) + run(x, y, -dir[d][0], -dir[d][1], who);
					v += worth[n > 6 ? 6 : n];
				}
			}
			if (v > best)
				best = v, *bx = x, *by = y;
		}
	}
	return best > -1000;
}

/* play plays one turn: two stones, or one if black begins or one point is left. */
static void play(void)
{
	int due = stones == 0 ? 1 : 2;
	char text[5] = "@@@@";
	for (placed = 0; placed < due && choose(&last[placed][0], &last[placed][1]); placed++) {
		board[last[placed][1]][last[placed][0]] = MINE;
		stones++;
		text[2 * placed] = 'A' + last[placed][0];
		text[2 * placed + 1] = 'A' + last[placed][1];
	}
	printf("move %s\n", text);
}

/* clear empties the board, or forgets only what the platform has refused. */
static void clear(int all)
{
	for (int y = 0; y < SIZE; y++)
		for (int x = 0; x < SIZE; x++)
			if (all || board[y][x] == REFUSED)
				board[y][x] = EMPTY;
	if (all)
		stones = placed = 0;
}

static int answer(const char *line)
{
	char word[16] = "", rest[64] = "";
	sscanf(line, "%15s %63s", word, rest);
	if (!strcmp(word, "name?")) {
		puts("name Skeleton");
	} else if (!strcmp(word, "new")) {
		clear(1);
		if (!strcmp(rest, "black"))
			play(); /* black moves first; white waits */
	} else if (!strcmp(word, "move")) {
		clear(0);
		for (int k = 0; k + 1 < (int)strlen(rest) && k < 4; k += 2) {
			int x = rest[k] - 'A', y = rest[k + 1] - 'A';
			if (on(x, y)) { /* @@ is no stone */
				board[y][x] = THEIRS;
				stones++;
			}
		}
		play();
	} else if (!strcmp(word, "error")) {
		/* The last move was not legal: take it back and choose another. */
		for (int k = 0; k < placed; k++, stones--)
			board[last[k][1]][last[k][0]] = REFUSED;
		play();
	} else if (!strcmp(word, "end")) {
		clear(1);
	} else if (!strcmp(word, "quit")) {
		return 0;
	}
	return 1; /* anything else may be ignored */
}

int main(void)
{
	char line[256];
	setvbuf(stdout, NULL, _IOLBF, 0); /* without this the platform never sees a line */
	while (fgets(line, sizeof line, stdin) && answer(line))
		;
	return 0;
}
