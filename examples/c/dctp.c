/* A skeleton of a Chinese dark chess engine that speaks DCTP.
 * Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
 *     cc -O2 -o dctp dctp.c
 *     kibitz check --game darkchess --engine cmd=./dctp */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ranks[] = "KGMRNCP"; /* king to pawn; red big letters, black small ones */
static const int dir[4] = {1, -1, 10, -10};

/* A frame of zeros around four columns and eight rows: square = 10 * row + column, both
 * from 1. 'X' is face down, '-' empty. */
static char board[100];

static int square_of(const char *text)
{
	int column = text[0] - 'a' + 1, row = atoi(text + 1);
	return column >= 1 && column <= 4 && row >= 1 && row <= 8 ? 10 * row + column : 0;
}

static int is(char piece, int red)
{
	return piece && strchr(red ? "KGMRNCP" : "kgmrncp", piece) != NULL;
}

static int rank(char piece) { return (int)(strchr(ranks, toupper((unsigned char)piece)) - ranks); }

/* takes tells who may capture whom by a step. */
static int takes(char mine, char theirs)
{
	char a = toupper((unsigned char)mine), b = toupper((unsigned char)theirs);
	if (a == 'C' || (a == 'K' && b == 'P'))
		return 0;
	return (a == 'P' && b == 'K') || rank(mine) <= rank(theirs);
}

/* jump returns what a cannon meets behind exactly one piece, 0 for nothing. */
static int jump(int from, int step)
{
	int screens = 0, at = from + step;
	for (; board[at]; at += step)
		if (board[at] != '-' && ++screens == 2)
			return at;
	return 0;
}

/* choose finds the best capture, else a piece to flip, else a quiet move. */
static int choose(int red, int *from, int *to)
{
	int best = 0;
	for (int s = 11; s <= 84; s++) {
		if (board[s] == 'X' && best < 2)
			best = 2, *from = *to = s;
		if (!is(board[s], red))
			continue;
		for (int d = 0; d < 4; d++) {
			int at = s + dir[d];
			if (board[at] == '-' && best < 1)
				best = 1, *from = s, *to = at;
			if (!is(board[at], !red) || !takes(board[s], board[at]))
				at = toupper((unsigned char)board[s]) == 'C' ? jump(s, dir[d]) : 0;
			if (at && is(board[at], !red) && best < 10 - rank(board[at]))
				best = 10 - rank(board[at]), *from = s, *to = at;
		}
	}
	return best;
}

static const char *name(int square)
{
	static char text[2][3];
	static int which;
	which = !which;
	text[which][0] = 'a' + square % 10 - 1;
	text[which][1] = '0' + square / 10;
	return text[which];
}

/* answer knows a command by its number: clients differ in their words. */
static int answer(int number, const char *a, const char *b)
{
	int from = square_of(a), to = square_of(b);
	switch (number) {
	case 7: /* reset_board */
		for (int row = 1; row <= 8; row++)
			memset(board + 10 * row + 1, 'X', 4);
		break;
	case 12: /* genmove red, black, or unknown before the first flip */
		/* The board stays as it is: the ply comes back as move or flip. */
		if (choose(!strcmp(a, "red") ? 1 : 0, &from, &to))
			printf("=12 %s %s\n", name(from), name(to));
		else
			puts("=12 a0 a0"); /* resigns */
		return 1;
	case 10: /* move c5 c6 */
		if (!from || !to)
			goto refused;
		board[to] = board[from];
		board[from] = '-';
		break;
	case 11: /* flip a3 G */
		if (!from)
			goto refused;
		board[from] = b[0];
		break;
	case 1: /* name */
		puts("=1 Skeleton");
		return 1;
	case 0: case 2: /* protocol_version, version */
		printf("=%d 1\n", number);
		return 1;
	case 6: case 8: case 9: /* boardsize, num_repetition, num_moves_to_draw */
	case 13: case 14: case 15: case 16: /* game_over, ready, time_settings MS, time_left COLOUR MS */
	case 5: /* quit */
		break;
	default:
	refused:
		printf("?%d this cannot be done\n", number);
		return 1;
	}
	printf("=%d\n", number); /* the reply carries the number of the command */
	return number != 5;
}

int main(void)
{
	char line[256];
	setvbuf(stdout, NULL, _IOLBF, 0); /* without this the client never sees a line */
	while (fgets(line, sizeof line, stdin)) {
		char word[32], a[32] = "", b[32] = "";
		int number;
		if (sscanf(line, "%d %31s %31s %31s", &number, word, a, b) >= 2 && !answer(number, a, b))
			break;
	}
	return 0;
}
