// What the hall sends about a game: the forms of hall/hub and of a person's seat
// (bus.SeatState), as JSON. Times are in milliseconds.

export type Seat = 'first' | 'second' | 'dealer' | 'nobody'
export type Pair<T> = readonly [T, T]

/** A place: column from the left, row from the top, both from 0. */
export type Point = readonly [number, number]

/** All that the reader may know of a game. */
export interface State {
  readonly game: string
  readonly attempt: number
  readonly seq: number
  readonly for: 'first' | 'second' | 'public' | 'arbiter'
  readonly spec: string
  readonly names: Pair<string>
  readonly controls: Pair<string>
  readonly opening?: string
  readonly commitment?: string
  readonly rated?: boolean
  readonly view?: View
  readonly clocks?: Pair<Clock>
  readonly history?: readonly Entry[]
  readonly said?: Pair<Said | null>
  readonly kibitz?: Kibitz
  readonly result?: Result
  /** Why no clock runs although a seat is on turn. */
  readonly wait?: Wait
  /** What the seats ask of each other, at most one thing each. */
  readonly asks?: readonly Asked[]
  readonly at: number
}

/** What a game waits for: "processor" while other games' engines think on all of the machine. */
export interface Wait {
  readonly for: string
  readonly before: number
  readonly of: number
}

/** What changes of a board beside its cells and lines; it is told as a whole. */
export interface Rest {
  readonly seat: Seat
  readonly step?: number
  readonly phase?: string
  readonly colours: Pair<string>
  readonly score?: Pair<number>
  readonly trays?: readonly Tray[]
  readonly marks?: readonly Point[]
  readonly attempts?: readonly Point[]
  /** Empty points on which the seat on turn would lose at once. */
  readonly barred?: readonly Point[]
  /** The points that decided a game which is over. */
  readonly won?: readonly Point[]
  /** The points along which the piece of the last move went, where that is not straight. */
  readonly path?: readonly Point[]
  readonly notes?: readonly Note[]
}

/** A short fact beside the board: its words are those of the code, with the arguments. */
export interface Note {
  readonly code: string
  readonly args?: readonly string[]
  /** It in English. */
  readonly text: string
}

/** A line of a board of dots: column, row, 1 if vertical, owner. */
export type Line = readonly [number, number, number, number]

/** A board. Pieces and owners have one letter for each cell, row by row from the top left. */
export interface View extends Rest {
  readonly shape: 'cells' | 'crossings' | 'dots'
  /** What the board is made of: its colours are those of the class kb-is-NAME in board.css. */
  readonly ground: 'felt' | 'wood' | 'chequer' | 'table' | 'paper'
  /** How many of its lines run on around the corners, from each edge, beginning with the second. */
  readonly loops?: number
  readonly width: number
  readonly height: number
  readonly columns?: readonly string[]
  readonly rows?: readonly string[]
  readonly pieces: string
  readonly owners: string
  readonly lines?: readonly Line[]
}

export interface Tray {
  readonly name: string
  readonly owner: Seat
  readonly pieces?: string
  readonly counts?: readonly number[]
}

export interface Clock {
  readonly left: number
  readonly total: number
  readonly moves?: number
  readonly periods?: number
  readonly stage?: number
}

/** A decision, as far as the reader may know it: its steps, or notices. The entries up to
    one that has ended are a turn. */
export interface Entry {
  readonly by: Seat
  readonly steps?: readonly string[]
  readonly notices?: readonly Notice[]
  readonly refused?: boolean
  readonly forced?: boolean
  readonly opening?: boolean
  readonly ended?: boolean
  readonly used?: number
  readonly error?: number
}

export interface Notice {
  readonly kind: string
  readonly by: Seat
  readonly move?: string
  readonly points?: readonly Point[]
  readonly count?: number
}

export interface Said {
  readonly unit?: number
  readonly lo?: number
  readonly hi?: number
  readonly depth?: number
  readonly nodes?: number
  readonly time?: number
  readonly line?: readonly string[]
  readonly text?: string
}

/** What a third engine says of the position after so many steps, as the first seat sees it. */
export interface Kibitz extends Said {
  readonly ply: number
}

export interface Result {
  readonly points: Pair<number>
  readonly board?: Pair<number>
  readonly reason: string
  readonly detail?: string
}

/** A cell that has become another: its number, then piece and owner. */
export interface Change {
  readonly i: number
  readonly c: string
}

/** Leads from one state to the next. What is absent stays as it was. */
export interface Delta {
  readonly prev: number
  readonly seq: number
  readonly at: number
  readonly rewind?: number
  readonly entries?: readonly Entry[]
  readonly view?: View
  readonly cells?: readonly Change[]
  readonly lines?: readonly Line[]
  readonly rest?: Rest
  readonly clocks?: Pair<Clock>
  readonly said?: Pair<Said | null>
  readonly kibitz?: Kibitz
  readonly result?: Result
  /** Without a reason the game goes on. */
  readonly wait?: Wait
  /** Replaces what is asked; an empty list ends it. */
  readonly asks?: readonly Asked[]
}

/** What a seat asks of the other one, until that one answers or moves. */
export interface Asked {
  readonly num: number
  readonly by: number
  /** "draw", "undo" with the number of decisions that stay, or "abort". */
  readonly what: string
  readonly ply?: number
  readonly since: string
  readonly at: number
  readonly until: number
}

/** Whether the hall can take moves: away names what it lacks, empty when it can. */
export interface HallNews {
  readonly away: string
}

/** What is asked of a person's seat; each replaces the one before. */
export interface Ask {
  readonly game: string
  readonly attempt: number
  readonly seat: number
  readonly seq: number
  readonly prompt?: number
  readonly legal?: readonly string[]
  readonly deadline?: string
  readonly rejected?: string
  readonly again?: number
  /** What both seats ask of each other, at most one thing each. */
  readonly asks?: readonly Asked[]
  readonly over?: boolean
  readonly hint?: Hint
  /** How many hints the seat was given in the game. */
  readonly hints?: number
}

/** What is advised about the question that waits. */
export interface Hint {
  readonly prompt: number
  /** How much is told: 0 while somebody thinks, 1 near what, 2 what, 3 why. */
  readonly level: number
  readonly failed?: boolean
  /** Steps of which the best one is one. */
  readonly near?: readonly string[]
  readonly steps?: readonly string[]
  readonly why?: Said
}
