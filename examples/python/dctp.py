#!/usr/bin/env python3
"""A skeleton of a Chinese dark chess engine that speaks DCTP.

Copy it freely, for anything (0BSD). What thinks is choose(): replace it.
    kibitz check --game darkchess --engine cmd=./dctp.py
"""

import sys

COLUMNS, ROWS = "abcd", "12345678"
RANKS = "KGMRNCP"  # king, guard, minister, rook, knight, cannon, pawn; red big, black small
DARK, EMPTY = "X", "-"
AROUND = [(1, 0), (-1, 0), (0, 1), (0, -1)]

board = {}  # "b4" -> a piece, DARK or EMPTY


def say(number, text=""):
    # The reply carries the number of the command; without flush the client never sees it.
    print(f"={number} {text}".rstrip(), flush=True)


def refuse(number, text):
    print(f"?{number} {text}", flush=True)


def colour(piece):
    if piece in (DARK, EMPTY):
        return None
    return "red" if piece.isupper() else "black"


def step(square, dx, dy):
    """Returns the square beside another, None off the board."""
    x, y = COLUMNS.index(square[0]) + dx, ROWS.index(square[1]) + dy
    return COLUMNS[x] + ROWS[y] if 0 <= x < 4 and 0 <= y < 8 else None


def takes(mine, theirs):
    """Tells who may capture whom by a step."""
    a, b = mine.upper(), theirs.upper()
    if a == "C":
        return False
    if a == "K" and b == "P":
        return False
    if a == "P" and b == "K":
        return True
    return RANKS.index(a) <= RANKS.index(b)


def jump(square, dx, dy):
    """Returns what a cannon meets behind exactly one piece."""
    screens, at = 0, step(square, dx, dy)
    while at:
        if board[at] != EMPTY:
            screens += 1
            if screens == 2:
                return at
        at = step(at, dx, dy)
    return None


def moves(me):
    """Returns captures and quiet moves of a colour."""
    captures, quiet = [], []
    for square, piece in board.items():
        if colour(piece) != me:
            continue
        for dx, dy in AROUND:
            at = step(square, dx, dy)
            if at and board[at] == EMPTY:
                quiet.append((square, at))
            elif at and colour(board[at]) not in (None, me) and takes(piece, board[at]):
                captures.append((square, at))
            if piece.upper() == "C":
                at = jump(square, dx, dy)
                if at and colour(board[at]) not in (None, me):
                    captures.append((square, at))
    return captures, quiet


def choose(me):
    """Returns from and to; a flip names its square twice, a0 a0 resigns."""
    captures, quiet = moves(me)
    dark = [square for square, piece in board.items() if piece == DARK]
    if captures:
        return max(captures, key=lambda m: -RANKS.index(board[m[1]].upper()))
    if dark:
        return dark[0], dark[0]
    return quiet[0] if quiet else ("a0", "a0")


def answer(number, args):
    """A command is known by its number: clients differ in their words."""
    if number == 7:  # reset_board
        board.update({c + r: DARK for c in COLUMNS for r in ROWS})
        say(number)
    elif number == 12:  # genmove red, black, or unknown before the first flip
        # The board stays as it is: the ply comes back as move or flip.
        say(number, " ".join(choose(args[0])))
    elif number == 10:  # move c5 c6
        board[args[1]], board[args[0]] = board[args[0]], EMPTY
        say(number)
    elif number == 11:  # flip a3 G
        board[args[0]] = args[1]
        say(number)
    elif number == 1:  # name
        say(number, "Skeleton")
    elif number in (0, 2):  # protocol_version, version
        say(number, "1")
    elif number in (6, 8, 9, 13, 14, 15, 16):
        # boardsize, num_repetition, num_moves_to_draw, game_over, ready, time_settings MS, time_left COLOUR MS
        say(number)
    elif number == 5:  # quit
        say(number)
        sys.exit(0)
    else:
        refuse(number, "unknown command")


def main():
    for line in sys.stdin:
        words = line.split()
        if len(words) < 2 or not words[0].isdigit():
            continue
        try:
            answer(int(words[0]), words[2:])
        except (KeyError, IndexError, ValueError):
            refuse(words[0], "this cannot be read")


main()
