#!/usr/bin/env python3
"""A skeleton of an Othello engine that speaks NBoard.

Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
    kibitz check --game othello --engine cmd=./nboard.py
"""

import re
import sys
import time

EMPTY, BLACK, WHITE = "-", "*", "O"
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]

board = {}  # (x, y) -> EMPTY, BLACK or WHITE; x from the left, y from the top, from 0
turn = BLACK


def say(text):
    print(text, flush=True)  # without flush the manager never sees the line


def other(colour):
    return WHITE if colour == BLACK else BLACK


def flips(x, y, me):
    """Returns the discs that a disc of mine on (x, y) turns over."""
    out = []
    if board[x, y] != EMPTY:
        return out
    for dx, dy in AROUND:
        run, px, py = [], x + dx, y + dy
        while board.get((px, py)) == other(me):
            run.append((px, py))
            px, py = px + dx, py + dy
        if board.get((px, py)) == me:
            out += run
    return out


def choose():
    """Returns the square that turns over the fewest discs, corners first; None is a pass."""
    best, value = None, 99
    for (x, y) in board:
        n = len(flips(x, y, turn))
        if n and x in (0, 7) and y in (0, 7):
            n -= 30
        if n and n < value:
            best, value = (x, y), n
    return best


def name(square):
    return "PA" if square is None else "ABCDEFGH"[square[0]] + str(square[1] + 1)


def play(text):
    """Plays a move such as F5 or PA; evaluation and time behind slashes are left out."""
    global turn
    move = text.split("/")[0].strip().upper()
    if not move.startswith("PA"):
        x, y = "ABCDEFGH".index(move[0]), int(move[1]) - 1
        for square in flips(x, y, turn) + [(x, y)]:
            board[square] = turn
    turn = other(turn)


def set_game(ggf):
    """Reads (;GM[Othello]...BO[8 squares side]B[F5]W[D6]...;)."""
    global turn
    start, _, moves = ggf.partition("BO[8")[2].partition("]")
    squares = start.replace(" ", "")
    for i, disc in enumerate(squares[:64]):
        board[i % 8, i // 8] = disc
    turn = squares[64]
    for move in re.findall(r"[BW]\[([^\]]*)\]", moves):
        play(move)


def answer(line):
    word, _, rest = line.partition(" ")
    if word == "set":
        key, _, value = rest.partition(" ")
        if key == "game":
            set_game(value)
        # Others are depth N and contempt N: a search would obey them.
    elif word == "move":
        play(rest)
    elif word == "go":
        began = time.monotonic()
        square = choose()
        # Move, evaluation in discs, seconds. The board stays: the move comes back by move.
        say(f"=== {name(square)}/0.00/{time.monotonic() - began:.2f}")
    elif word == "hint":
        say(f"search {name(choose())} 0.00 0 1")
        say("status")
    elif word == "analyze":
        say("analysis 0 0.00")
    elif word == "ping":
        # A search that runs would stop here, and print its === first.
        say("pong " + rest)
    elif word == "nboard":
        say("set myname Skeleton")
    elif word == "learn":
        say("learned")
    elif word == "quit":
        sys.exit(0)
    elif re.fullmatch(r"[A-Ha-h][1-8]|PA", word.split("/")[0]):
        play(word)  # version 1 has no word move


def main():
    for line in sys.stdin:
        try:
            answer(line.strip())
        except (ValueError, KeyError, IndexError):
            print("cannot read: " + line.strip(), file=sys.stderr, flush=True)


main()
