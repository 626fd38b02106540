/* A chess engine that answers at once, for measuring runners. It knows no chess:
 * White moves a knight to and fro, Black walks one round a circle of fourteen
 * squares. Nobody gives check, nobody meets anybody, and the position after the
 * second ply comes for the third time after ply 58, a draw by repetition.
 * cc -O2 -o instant-uci instant-uci.c */
#include <string.h>
#include <unistd.h>

static const char *const black[] = {
	"f6g4", "g4h6", "h6f5", "f5d6", "d6e4", "e4g5", "g5e6",
	"e6f4", "f4g6", "g6e5", "e5c6", "c6b4", "b4d5", "d5f6",
};

static char in[1 << 16];
static int next, end;

/* get reads a line without its end and returns its length, -1 at the end. */
static int get(char *s, int max)
{
	for (int k = 0;;) {
		if (next == end) {
			next = 0;
			if ((end = (int)read(0, in, sizeof in)) <= 0)
				return end = 0, -1;
		}
		char c = in[next++];
		if (c == '\n')
			return s[k] = 0, k;
		if (c != '\r' && k < max - 1)
			s[k++] = c;
	}
}

static void put(const char *s)
{
	if (write(1, s, strlen(s)) < 0)
		_exit(1);
}

/* played counts the moves of a position command. */
static int played(const char *s)
{
	int n = 0;
	if (!(s = strstr(s, " moves ")))
		return 0;
	for (s += 6; s && s[1]; s = strchr(s + 1, ' '))
		n++;
	return n;
}

int main(void)
{
	static char line[1 << 16], answer[32];
	int plies = 0;
	while (get(line, sizeof line) >= 0) {
		if (!strcmp(line, "uci")) {
			put("id name instant\nid author bench\nuciok\n");
		} else if (!strcmp(line, "isready")) {
			put("readyok\n");
		} else if (!strncmp(line, "position ", 9)) {
			plies = played(line);
		} else if (!strncmp(line, "go", 2)) {
			const char *m = plies % 4 == 0 ? "b1c3" : "c3b1";
			if (plies % 2)
				m = plies == 1 ? "g8f6" : black[(plies / 2 - 1) % 14];
			strcpy(answer, "bestmove ");
			strcat(answer, m);
			strcat(answer, "\n");
			put(answer);
		} else if (!strcmp(line, "quit")) {
			break;
		}
	}
	return 0;
}
