/* A skeleton of an Othello engine that speaks NBoard.
 * Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
 *     cc -O2 -o nboard nboard.c
 *     kibitz check --game othello --engine cmd=./nboard */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static char board[64]; /* row by row from a1: '-' empty, '*' black, 'O' white */
static char turn = '*';

static char other(char disc) { return disc == '*' ? 'O' : '*'; }

/* flips counts the discs that a disc of mine on a square turns over, and turns them if
 * it is to. */
static int flips(int square, char me, int turn_them)
{
	int total = 0;
	if (board[square] != '-')
		return 0;
	for (int dy = -1; dy <= 1; dy++) {
		for (int dx = -1; dx <= 1; dx++) {
			int n = 0, x = square % 8 + dx, y = square / 8 + dy;
			if (dx == 0 && dy == 0)
				continue;
			for (; x >= 0 && x < 8 && y >= 0 && y < 8 && board[y * 8 + x] == other(me); x += dx, y += dy)
				n++;
			if (x < 0 || x > 7 || y < 0 || y > 7 || board[y * 8 + x] != me)
				continue;
			total += n;
			for (int k = 1; turn_them && k <= n; k++)
				board[(square / 8 + k * dy) * 8 + square % 8 + k * dx] = me;
		}
	}
	return total;
}

/* choose returns the square that turns over the fewest discs, corners first; -1 is a pass. */
static int choose(void)
{
	int best = -1, fewest = 99;
	for (int s = 0; s < 64; s++) {
		int n = flips(s, turn, 0);
		if (n && (s % 8 == 0 || s % 8 == 7) && (s / 8 == 0 || s / 8 == 7))
			n -= 30;
		if (n && n < fewest)
			best = s, fewest = n;
	}
	return best;
}

static const char *name(int square)
{
	static char text[3];
	if (square < 0)
		return "PA";
	text[0] = 'A' + square % 8;
	text[1] = '1' + square / 8;
	return text;
}

/* play plays a move such as F5 or PA; evaluation and time behind slashes are left out. */
static void play(const char *move)
{
	int x = toupper((unsigned char)move[0]) - 'A', y = x < 0 ? 0 : move[1] - '1';
	if (x >= 0 && x < 8 && y >= 0 && y < 8) {
		flips(y * 8 + x, turn, 1);
		board[y * 8 + x] = turn;
	}
	turn = other(turn);
}

/* set_game reads (;GM[Othello]...BO[8 squares side]B[F5]W[D6]...;). */
static void set_game(const char *ggf)
{
	const char *c = strstr(ggf, "BO[8");
	int n = 0;
	if (!c)
		return;
	for (c += 4; *c && *c != ']'; c++) {
		if (*c != '-' && *c != '*' && *c != 'O')
			continue;
		if (n < 64)
			board[n++] = *c;
		else
			turn = *c;
	}
	while ((c = strchr(c, '[')) != NULL)
		play(++c);
}

static int answer(char *line)
{
	char word[32] = "";
	sscanf(line, "%31s", word);
	char *rest = line + strlen(word) + (line[strlen(word)] == ' ');
	if (!strcmp(word, "set")) {
		if (!strncmp(rest, "game ", 5))
			set_game(rest + 5);
		/* Others are depth N and contempt N: a search would obey them. */
	} else if (!strcmp(word, "move")) {
		play(rest);
	} else if (!strcmp(word, "go")) {
		clock_t began = clock();
		int square = choose();
		/* Move, evaluation in discs, seconds. The board stays: the move comes back by move. */
		printf("=== %s/0.00/%.2f\n", name(square), (double)(clock() - began) / CLOCKS_PER_SEC);
	} else if (!strcmp(word, "hint")) {
		printf("search %s 0.00 0 1\nstatus\n", name(choose()));
	} else if (!strcmp(word, "analyze")) {
		puts("analysis 0 0.00");
	} else if (!strcmp(word, "ping")) {
		/* A search that runs would stop here, and print its === first. */
		printf("pong %s\n", rest);
	} else if (!strcmp(word, "nboard")) {
		puts("set myname Skeleton");
	} else if (!strcmp(word, "learn")) {
		puts("learned");
	} else if (!strcmp(word, "quit")) {
		return 0;
	} else if (isalpha((unsigned char)word[0]) && (isdigit((unsigned char)word[1]) || !strncmp(word, "PA", 2))) {
		play(word); /* version 1 has no word move */
	}
	return 1;
}

int main(void)
{
	static char line[65536];
	setvbuf(stdout, NULL, _IOLBF, 0); /* without this the manager never sees a line */
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\r\n")] = 0;
		if (!answer(line))
			break;
	}
	return 0;
}
