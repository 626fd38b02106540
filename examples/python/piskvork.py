#!/usr/bin/env python3
"""A skeleton of a five-in-a-row engine that speaks Piskvork (Gomocup).

Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
    kibitz check --game gomoku --engine cmd=./piskvork.py
"""

import sys

size = 15
board = {}  # (x, y) -> 1 for my stones, 2 for the opponent's; x from the left, y from the top


def say(text):
    print(text, flush=True)  # without flush the manager never sees the line


def choose():
    """Returns the empty point with the longest line of one colour through it."""
    best, score = None, -1
    for y in range(size):
        for x in range(size):
            if (x, y) in board:
                continue
            value = -abs(x - size // 2) - abs(y - size // 2)
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                for who in (1, 2):
                    n = 0
                    for sign in (1, -1):
                        k = 1
                        while board.get((x + sign * k * dx, y + sign * k * dy)) == who:
                            n, k = n + 1, k + 1
                    value += 10**n if who == 1 else 9 * 10**n // 10
            if best is None or value > score:
                best, score = (x, y), value
    return best


def play():
    """Plays my move and tells it."""
    point = choose()
    if point is None:
        say("ERROR the board is full")
        return
    board[point] = 1
    say(f"{point[0]},{point[1]}")


def numbers(text):
    return [int(part) for part in text.split(",")]


def on_board(x, y):
    return 0 <= x < size and 0 <= y < size


def read_board():
    """BOARD: a line x,y,f for each stone, then DONE."""
    board.clear()
    for line in sys.stdin:
        if line.strip().upper() == "DONE":
            return
        x, y, who = numbers(line)
        board[x, y] = who


def answer(line):
    global size
    word, _, rest = line.partition(" ")
    word = word.upper()
    if word == "START":
        if not 5 <= int(rest) <= 40:
            say("ERROR boards have 5 to 40 points on a side")
            return
        size = int(rest)
        board.clear()
        say("OK")
    elif word == "RESTART":
        board.clear()
        say("OK")
    elif word == "BEGIN":
        play()
    elif word == "TURN":
        x, y = numbers(rest)
        if not on_board(x, y) or (x, y) in board:
            say("ERROR this point cannot be taken")
            return
        board[x, y] = 2
        play()
    elif word == "BOARD":
        read_board()
        play()
    elif word == "TAKEBACK":
        x, y = numbers(rest)
        board.pop((x, y), None)
        say("OK")
    elif word == "ABOUT":
        say('name="Skeleton", version="1.0", author="You", country="NA"')
    elif word == "INFO":
        if rest.startswith("rule ") and rest != "rule 0" and rest != "rule 1":
            say("ERROR only freestyle and standard are known")
        # Others are timeout_turn, timeout_match, time_left (milliseconds), max_memory (bytes):
        # INFO is never answered.
    elif word == "END":
        sys.exit(0)
    else:
        say("UNKNOWN command")


def main():
    for line in sys.stdin:
        line = line.strip()
        if not line:
            continue
        try:
            answer(line)
        except ValueError:
            say("ERROR this line cannot be read")


main()
