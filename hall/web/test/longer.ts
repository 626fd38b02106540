// A language that nobody speaks: every text of a page is longer by two fifths, and has accents.
// What a page does with it, it does with a language that needs so much room.

import type { BrowserContext, Page } from 'playwright-core'

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', A: 'Á', E: 'É', O: 'Ö', n: 'ñ', c: 'č' }

/** A text that is two fifths longer: with more words where it has several, else a longer word.
 * What is put in, {name}, stays. */
export function longer(text: string): string {
  const letters = text.replace(/\{\w+\}|&\w+;|&#\d+;/g, '').replace(/[^\p{L}]/gu, '').length
  if (letters < 2) return text
  const words = text.trim().split(/\s+/).filter((w) => /^\p{L}+$/u.test(w))
  let more = ''
  for (let n = 0; more.length < letters * 0.4; n++) more += words.length > 1 ? ` ${words[n % words.length]}` : 'ology'[n % 5]
  const accented = text.replace(/\{\w+\}|&\w+;|&#\d+;|./gsu, (x) => accents[x] ?? x)
  return accented.replace(/(\s*)$/, `${more}$1`)
}

/** HTML with longer texts; names of people, of languages and what programs say stay. */
export function longerHTML(html: string): string {
  const parts = html.split(/(<(?:bdi|style|pre|code|textarea|title)\b[\s\S]*?<\/(?:bdi|style|pre|code|textarea|title)>|<script\b[\s\S]*?<\/script>|<[^>]*>)/)
  return parts.map((x) => {
    if (x.startsWith('<script') && x.includes('id="words"')) {
      return x.replace(/:"((?:[^"\\]|\\.)+)"/g, (_, text: string) => `:"${text.includes('\\') ? text : longer(text)}"`)
    }
    if (x.startsWith('<')) return x.replace(/\b(placeholder|data-(?:engine|friend|anybody|say|sure|late|done|about))="([^"]+)"/g, (_, name: string, text: string) => `${name}="${longer(text)}"`)
    return longer(x)
  }).join('')
}

/** Lets all pages of somebody's browser be in that language. */
export async function speakLonger(c: BrowserContext): Promise<void> {
  await c.route((url) => !url.pathname.startsWith('/api/') && !url.pathname.includes('.'), async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const r = await route.fetch({ maxRedirects: 0 })
    if (!/text\/html/.test(r.headers()['content-type'] ?? '')) return route.fulfill({ response: r })
    return route.fulfill({ response: r, body: longerHTML(await r.text()) })
  })
}

/** What is wrong with the texts in a part of a page: too wide for the screen, cut, outside of what
 * is pressed, or one over another. */
export function misplaced(page: Page, within = 'body'): Promise<string[]> {
  return page.evaluate((which) => {
    const out = new Set<string>()
    const wide = document.documentElement.scrollWidth - innerWidth
    if (wide > 0) out.add(`the page is ${wide} too wide`)
    interface Piece { e: Element; r: DOMRect; text: string }
    const pieces: Piece[] = []
    const walk = document.createTreeWalker(document.querySelector(which)!, NodeFilter.SHOW_TEXT)
    for (let n = walk.nextNode(); n; n = walk.nextNode()) {
      const e = n.parentElement!
      const text = n.nodeValue!.trim()
      if (text === '' || e.closest('script, style, svg, noscript, option, .hidden, .skip, details:not([open]) > :not(summary)') || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(n)
      // What a part that scrolls hides is reached by scrolling it.
      let part: DOMRect | undefined
      let scrolls = false
      for (let p: Element | null = e; p && !part && !scrolls; p = p.parentElement) {
        const s = getComputedStyle(p)
        if (s.overflowX === 'auto' || s.overflowX === 'scroll' || s.overflowY === 'auto' || s.overflowY === 'scroll') scrolls = true
        else if (s.overflowX === 'hidden' || s.overflowX === 'clip') {
          if (s.textOverflow === 'ellipsis') { // whole in a tip, and to readers
            if (p.scrollWidth > p.clientWidth + 1 && !p.closest('[title], [data-part=say], [data-long]')) out.add(`"${text.slice(0, 40)}" is cut, and no tip has it`)
            scrolls = true
          } else part = p.getBoundingClientRect()
        }
      }
      for (const r of range.getClientRects()) {
        if (r.width < 2 || r.height < 2) continue
        const say = text.slice(0, 40)
        if (!scrolls && (r.left < -1 || r.right > innerWidth + 1)) out.add(`"${say}" is outside of the screen`)
        if (part && (r.left < part.left - 1 || r.right > part.right + 1 || r.top < part.top - 3 || r.bottom > part.bottom + 3)) out.add(`"${say}" is cut`)
        const pressed = e.closest('button, .button, .chip, summary, select, legend, th, td')?.getBoundingClientRect()
        if (pressed && !scrolls && (r.left < pressed.left - 1 || r.right > pressed.right + 1 || r.top < pressed.top - 3 || r.bottom > pressed.bottom + 3)) out.add(`"${say}" hangs out of its button or cell`)
        if (!scrolls) pieces.push({ e, r, text: say })
      }
    }
    for (let i = 0; i < pieces.length; i++) {
      for (let k = i + 1; k < pieces.length; k++) {
        const [a, b] = [pieces[i]!, pieces[k]!]
        if (a.e === b.e || a.e.contains(b.e) || b.e.contains(a.e)) continue
        const x = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left)
        const y = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top)
        if (x > 2 && y > 5) out.add(`"${a.text}" lies over "${b.text}"`)
      }
    }
    return [...out]
  }, within)
}
