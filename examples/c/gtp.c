/* A skeleton of a NoGo engine that speaks the Go Text Protocol (GTP).
 * Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
 *     cc -O2 -o gtp gtp.c
 *     kibitz check --game nogo --engine "cmd=./gtp proto=gtp" */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "ABCDEFGHJKLMNOPQRST"; /* no column I; row 1 is at the bottom */
static const char commands[] = "protocol_version\nname\nversion\nlist_commands\nknown_command\nboardsize\n"
	"clear_board\nkomi\nplay\ngenmove\nundo\nshowboard\ntime_settings\ntime_left\nquit";

static int size = 9;
static char board[19 * 19]; /* row by row from the bottom: 0 empty, 'b', 'w' */
static int history[19 * 19], moves;

/* near returns the point beside another, -1 off the board. */
static int near(int p, int d)
{
	int x = p % size + (d == 0) - (d == 1), y = p / size + (d == 2) - (d == 3);
	return x >= 0 && x < size && y >= 0 && y < size ? y * size + x : -1;
}

/* is_free tells whether the chain on a point has a liberty. */
static int is_free(int p)
{
	char seen[19 * 19] = {0};
	int todo[19 * 19], n = 0;
	for (todo[n++] = p, seen[p] = 1; n > 0;) {
		int at = todo[--n];
		for (int d = 0; d < 4; d++) {
			int q = near(at, d);
			if (q >= 0 && !board[q])
				return 1;
			if (q >= 0 && board[q] == board[p] && !seen[q])
				seen[q] = 1, todo[n++] = q;
		}
	}
	return 0;
}

/* harmless tells whether a stone takes nothing and leaves its own chain a liberty. */
static int harmless(int p, char colour)
{
	if (board[p])
		return 0;
	board[p] = colour;
	int ok = is_free(p);
	for (int d = 0; d < 4; d++) {
		int q = near(p, d);
		if (q >= 0 && board[q] && !is_free(q))
			ok = 0;
	}
	board[p] = 0;
	return ok;
}

/* choose returns the first harmless point, -1 if there is none. */
static int choose(char colour)
{
	for (int p = 0; p < size * size; p++)
		if (harmless(p, colour))
			return p;
	return -1;
}

static void put(int p, char colour)
{
	board[p] = colour;
	history[moves++] = p;
}

/* reply begins with = or ?, carries the number of the command, and ends with an empty line. */
static void reply(char sign, const char *id, const char *text) { printf("%c%s %s\n\n", sign, id, text); }

static void show(const char *id)
{
	printf("=%s\n", id);
	for (int y = size - 1; y >= 0; y--, putchar('\n'))
		for (int x = 0; x < size; x++)
			putchar(board[y * size + x] ? board[y * size + x] : '.');
	putchar('\n');
}

static void answer(const char *id, const char *word, const char *a, const char *b)
{
	char listed[64];
	snprintf(listed, sizeof listed, "\n%s\n", !strcmp(word, "known_command") ? a : word);
	char all[sizeof commands + 2];
	snprintf(all, sizeof all, "\n%s\n", commands);
	int known = strstr(all, listed) != NULL, n = atoi(a);
	char colour = (char)tolower((unsigned char)a[0]);
	if (!strcmp(word, "boardsize") && (n < 2 || n > 19)) {
		reply('?', id, "unacceptable size");
	} else if (!strcmp(word, "boardsize") || !strcmp(word, "clear_board")) {
		size = word[0] == 'b' ? n : size;
		memset(board, 0, sizeof board);
		moves = 0;
		reply('=', id, "");
	} else if (!strcmp(word, "play")) {
		const char *letter = b[0] ? strchr(letters, toupper((unsigned char)b[0])) : NULL;
		int x = letter ? (int)(letter - letters) : size, y = b[0] ? atoi(b + 1) - 1 : -1;
		if (x >= size || y < 0 || y >= size || board[y * size + x]) {
			reply('?', id, "illegal move");
			return;
		}
		put(y * size + x, colour);
		reply('=', id, "");
	} else if (!strcmp(word, "genmove")) { /* plays the move, unlike go of NBoard */
		int p = choose(colour);
		char text[16] = "resign";
		if (p >= 0) {
			put(p, colour);
			snprintf(text, sizeof text, "%c%d", letters[p % size], p / size + 1);
		}
		reply('=', id, text);
	} else if (!strcmp(word, "undo")) {
		reply(moves ? '=' : '?', id, moves ? "" : "cannot undo");
		if (moves)
			board[history[--moves]] = 0;
	} else if (!strcmp(word, "showboard")) {
		show(id);
	} else if (!strcmp(word, "known_command")) {
		reply('=', id, known ? "true" : "false");
	} else {
		const char *text = !strcmp(word, "protocol_version") ? "2" : !strcmp(word, "name") ? "Skeleton" :
			!strcmp(word, "version") ? "1" : !strcmp(word, "list_commands") ? commands : "";
		reply(known ? '=' : '?', id, known ? text : "unknown command");
	}
}

int main(void)
{
	char line[256], id[16], word[32], a[32], b[32];
	setvbuf(stdout, NULL, _IOFBF, BUFSIZ); /* a reply is one piece, and flushed */
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "#\r\n")] = 0;
		id[0] = word[0] = a[0] = b[0] = 0;
		if (sscanf(line, " %15[0-9] %31s %31s %31s", id, word, a, b) < 1)
			sscanf(line, "%31s %31s %31s", word, a, b);
		if (word[0])
			answer(id, word, a, b);
		fflush(stdout); /* without this the manager never sees a reply */
		if (!strcmp(word, "quit"))
			break;
	}
	return 0;
}
