// What a clock elsewhere shows, known by what is said from there.

/** The clock of who keeps the times of a game, told in milliseconds of this page's own
 * (performance.now). */
export class FarClock {
  /** How far this page's clock is ahead of it: the least that was seen, as all else came late. */
  private ahead: number | undefined
  private guessed = true

  /** Takes in that something was said at a time there and came now. What may be old, or comes
   * from another clock, is not sure: it holds until something sure comes. */
  hear(at: number, sure: boolean): void {
    if (!sure && !this.guessed) return
    const ahead = performance.now() - at
    this.ahead = this.guessed ? ahead : Math.min(ahead, this.ahead ?? ahead)
    this.guessed &&= !sure
  }

  /** What this page's clock showed at a time there. */
  here(at: number): number {
    return at + (this.ahead ?? 0)
  }
}
