#!/usr/bin/env python3
"""A skeleton of a Connect6 engine that speaks the protocol of the SAU platform.

Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
    kibitz check --game connect6 --engine cmd=./sau.py
"""

import sys

SIZE = 19
LETTERS = "ABCDEFGHIJKLMNOPQRS"

board = {}  # (x, y) -> 1 for my stones, 2 for the opponent's; x from the left, y from the top
tried = set()  # what the platform has refused this turn
last = []  # the stones of my last turn


def say(text):
    print(text, flush=True)  # without flush the platform never sees the line


def name(point):
    return LETTERS[point[0]] + LETTERS[point[1]]


def point_of(text):
    return LETTERS.index(text[0]), LETTERS.index(text[1])


def choose():
    """Returns the empty point with the longest line of one colour through it."""
    best, score = None, -1
    for y in range(SIZE):
        for x in range(SIZE):
            if (x, y) in board or (x, y) in tried:
                continue
            value = 100 - abs(x - SIZE // 2) - abs(y - SIZE // 2)
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                for who in (1, 2):
                    n = 0
                    for sign in (1, -1):
                        k = 1
                        while board.get((x + sign * k * dx, y + sign * k * dy)) == who:
                            n, k = n + 1, k + 1
                    value += 10**n
            if value > score:
                best, score = (x, y), value
    return best


def play():
    """Plays one turn: two stones, or one if black begins or one point is left."""
    last.clear()
    for _ in range(2 if board else 1):
        point = choose()
        if point is not None:
            board[point] = 1
            last.append(point)
    text = "".join(name(p) for p in last)
    say("move " + (text if len(last) == 2 else text + "@@"))


def answer(line):
    word, _, rest = line.partition(" ")
    if word == "name?":
        say("name Skeleton")
    elif word == "new":
        board.clear()
        tried.clear()
        if rest.strip() == "black":
            play()  # black moves first; white waits
    elif word == "move":
        tried.clear()
        points = rest.strip()
        board[point_of(points[:2])] = 2
        if points[2:] != "@@":
            board[point_of(points[2:])] = 2
        play()
    elif word == "error":
        # The last move was not legal: take it back and choose another.
        for point in last:
            board.pop(point, None)
            tried.add(point)
        play()
    elif word == "end":
        board.clear()
    elif word == "quit":
        sys.exit(0)
    # Anything else may be ignored.


def main():
    for line in sys.stdin:
        try:
            answer(line.strip())
        except (ValueError, IndexError):
            print("cannot read: " + line.strip(), file=sys.stderr, flush=True)


main()
