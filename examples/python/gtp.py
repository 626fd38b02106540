#!/usr/bin/env python3
"""A skeleton of a NoGo engine that speaks the Go Text Protocol (GTP).

Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
    kibitz check --game nogo --engine "cmd=./gtp.py proto=gtp"
"""

import sys

LETTERS = "ABCDEFGHJKLMNOPQRST"  # there is no column I; row 1 is at the bottom
COMMANDS = """protocol_version name version list_commands known_command boardsize clear_board
komi play genmove undo showboard time_settings time_left quit""".split()

size = 9
board = {}  # (x, y) -> "b" or "w"; both from 0, y from the bottom
history = []  # the points in the order of play


class Refused(Exception):
    """A command that is answered by ?"""


def around(point):
    x, y = point
    return [(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)) if 0 <= x + dx < size and 0 <= y + dy < size]


def free(point):
    """Tells whether the chain on a point has a liberty."""
    colour, seen, todo = board[point], {point}, [point]
    while todo:
        for near in around(todo.pop()):
            if near not in board:
                return True
            if board[near] == colour and near not in seen:
                seen.add(near)
                todo.append(near)
    return False


def harmless(point, colour):
    """Tells whether a stone takes nothing and leaves its own chain a liberty."""
    if point in board:
        return False
    board[point] = colour
    ok = free(point) and all(free(near) for near in around(point) if near in board)
    del board[point]
    return ok


def choose(colour):
    """Returns the harmless point that leaves the opponent the fewest, None if there is none."""
    foe, best, fewest = "w" if colour == "b" else "b", None, None
    points = [(x, y) for y in range(size) for x in range(size)]
    for point in [p for p in points if harmless(p, colour)]:
        board[point] = colour
        n = sum(harmless(near, foe) for near in around(point))
        del board[point]
        if fewest is None or n < fewest:
            best, fewest = point, n
    return best


def put(point, colour):
    board[point] = colour
    history.append(point)


def read_point(text):
    x, y = LETTERS.find(text[0].upper()), int(text[1:]) - 1
    if x not in range(size) or y not in range(size):
        raise Refused("this point is not on the board")
    return x, y


def answer(word, args):
    """Returns the text of a reply."""
    global size
    if word == "boardsize":
        if not 2 <= int(args[0]) <= 19:
            raise Refused("unacceptable size")
        size = int(args[0])
        word = "clear_board"
    if word == "clear_board":
        board.clear()
        history.clear()
    elif word == "play":
        colour, point = args[0][0].lower(), read_point(args[1])
        if point in board:
            raise Refused("illegal move")
        put(point, colour)
    elif word == "genmove":
        colour = args[0][0].lower()
        point = choose(colour)
        if point is None:
            return "resign"
        put(point, colour)  # genmove plays the move, unlike go of NBoard
        return LETTERS[point[0]] + str(point[1] + 1)
    elif word == "undo":
        if not history:
            raise Refused("cannot undo")
        del board[history.pop()]
    elif word == "showboard":
        rows = ("".join(board.get((x, y), ".") for x in range(size)) for y in reversed(range(size)))
        return "\n" + "\n".join(rows)
    elif word == "known_command":
        return "true" if args[0] in COMMANDS else "false"
    elif word not in COMMANDS:
        raise Refused("unknown command")
    return {"protocol_version": "2", "name": "Skeleton", "version": "1", "list_commands": "\n".join(COMMANDS)}.get(word, "")


def main():
    for line in sys.stdin:
        words = line.split("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        try:
            reply = "=" + number + " " + answer(words[0].lower(), words[1:])
        except Refused as err:
            reply = f"?{number} {err}"
        except (ValueError, IndexError):
            reply = f"?{number} syntax error"
        # An empty line ends each reply; without flush the manager never sees it.
        print(reply + "\n", flush=True)
        if words[0].lower() == "quit":
            break


main()
