// Presses, counted: what is read and awaited is not.

import type { Page } from 'playwright-core'
import { take, turn, type Way } from './visit.ts'

/** Presses on a page, each of which is counted. */
export class Presses {
  count = 0
  private readonly page: Page
  private readonly way: Way

  constructor(page: Page, way: Way) {
    this.page = page
    this.way = way
  }

  async press(what: string): Promise<void> {
    this.count++
    const e = this.page.locator(what).first()
    if (this.way === 'touch') await e.tap()
    else if (this.way === 'keys') await e.press('Enter')
    else await e.click()
  }

  /** Takes a step that one press is enough for. */
  async move(): Promise<void> {
    this.count++
    const t = await turn(this.page)
    await take(this.page, t, t.legal[0]!, this.way)
    await this.page.waitForFunction((n) => (document.querySelector<HTMLElement & { state?: { history?: unknown[] } }>('kibitz-board')?.state?.history?.length ?? 0) > n, t.history)
  }
}
