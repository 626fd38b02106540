// Short sounds, made here: nothing is fetched for them.

import type { State } from '../wire.ts'
import type { Call } from './bell.ts'

let audio: AudioContext | undefined
/** How many tones there are that have not ended. */
let sounding = 0

function tone(pitch: number, from: number, length: number, loud: number): void {
  audio ??= new AudioContext()
  if (audio.state === 'suspended') void audio.resume()
  const at = audio.currentTime + from
  const source = audio.createOscillator()
  const volume = audio.createGain()
  source.type = 'triangle'
  source.frequency.value = pitch
  volume.gain.setValueAtTime(loud, at)
  volume.gain.exponentialRampToValueAtTime(0.001, at + length)
  source.connect(volume).connect(audio.destination)
  source.start(at)
  source.stop(at + length)
  sounding++
  source.onended = () => { if (--sounding === 0) void audio?.suspend() } // silence too keeps a processor busy
}

/** What is heard: pitch, when, how long (in seconds), how loud. */
const sounds = {
  own: [[220, 0, 0.09, 0.5]],
  theirs: [[280, 0, 0.09, 0.5]],
  taken: [[240, 0, 0.09, 0.5], [330, 0.05, 0.12, 0.35]],
  flip: [[320, 0, 0.04, 0.4], [240, 0.07, 0.06, 0.45]],
  turn: [[520, 0, 0.18, 0.25], [520, 0.22, 0.25, 0.25]],
  offer: [[440, 0, 0.14, 0.3], [550, 0.14, 0.14, 0.3], [660, 0.28, 0.22, 0.3]],
  won: [[440, 0, 0.22, 0.35], [660, 0.2, 0.4, 0.35]],
  level: [[440, 0, 0.22, 0.3], [440, 0.24, 0.4, 0.3]],
  lost: [[440, 0, 0.25, 0.3], [330, 0.2, 0.4, 0.3]],
  refused: [[110, 0, 0.12, 0.5]],
  tick: [[880, 0, 0.03, 0.2]],
} as const satisfies Readonly<Record<string, readonly (readonly [number, number, number, number])[]>>

export type Sound = keyof typeof sounds

/** What is heard of a tab that is hidden. */
const always: ReadonlySet<Sound> = new Set(['turn', 'offer', 'won', 'level', 'lost'])

/** Has who looks elsewhere called, if a sound is for him. */
export function call(sound: Sound, clocks: boolean, more = ''): void {
  if (always.has(sound)) document.dispatchEvent(new CustomEvent<Call>('kibitz-call', { detail: { text: document.title, more, timed: sound === 'turn' && clocks } }))
}

/** The shortest time between two sounds, in milliseconds. */
const apart = 80
let last = -Infinity

/** What the tabs of this browser were heard with in the last while, in milliseconds: what it was about, when, and in which tab. */
type Heard = Record<string, readonly [at: number, tab: number]>
const [key, lately, tab] = ['kibitz-heard', 12_000, Math.random()]
const heard = (): Heard => {
  const all = JSON.parse(localStorage.getItem(key) ?? '{}') as Heard
  return Object.fromEntries(Object.entries(all).filter(([, [at]]) => Math.abs(Date.now() - at) < lately))
}

/** Whether another tab has said it. */
function others(about: string): boolean {
  try { return (heard()[about]?.[1] ?? tab) !== tab } catch { return false }
}

/** Makes a sound, in percent of the loudest; browsers allow it from the first press on. Of hidden tabs that
    would sound about the same, the page unless it is said, one does, and none where another tab has. */
export function play(sound: Sound, volume: number, about = globalThis.location?.pathname ?? ''): void {
  const now = performance.now()
  if (volume <= 0 || now - last < apart || !navigator.userActivation?.hasBeenActive) return
  if (document.hidden && !always.has(sound)) return
  last = now
  const tones = () => {
    try { localStorage.setItem(key, JSON.stringify({ ...heard(), [about]: [Date.now(), tab] })) } catch { /* it keeps nothing: each tab is heard */ }
    for (const [pitch, from, length, loud] of sounds[sound]) tone(pitch, from, length, (loud * volume) / 100)
  }
  if (document.hidden) setTimeout(() => { if (!others(about)) tones() }, 150 + 250 * Math.random())
  // The first takes long to make: what is seen goes first, where anything is.
  else if (audio) tones()
  else requestAnimationFrame(() => setTimeout(tones))
}

/** After how long the other's turn one is called back, in milliseconds. */
const long = 10_000

const count = (text: string, of: RegExp): number => text.match(of)?.length ?? 0

/** Whether pieces were taken or turned, or boxes closed, from one state to the next. */
function taken(before: State, s: State): boolean {
  const [a, b] = [before.view, s.view]
  if (!a || !b || a.pieces.length !== b.pieces.length) return false
  const changed = [...b.owners].some((o, i) => o !== '-' && a.owners[i] !== '-' && a.owners[i] !== undefined && o !== a.owners[i])
  const fewer = count(b.pieces, /[^.]/g) < count(a.pieces, /[^.]/g) + (b.pieces === a.pieces ? 0 : b.shape === 'crossings' ? 1 : 0)
  const boxes = b.shape === 'dots' && (b.score?.[0] ?? 0) + (b.score?.[1] ?? 0) > (a.score?.[0] ?? 0) + (a.score?.[1] ?? 0)
  return b.shape === 'dots' ? boxes : changed || fewer
}

/** What is heard when a state follows another one; waited is how long ago one's own turn ended, in milliseconds, hidden whether the tab is. */
export function soundOf(before: State, s: State, waited: number, hidden: boolean): Sound | undefined {
  const own = s.for === 'first' ? 0 : s.for === 'second' ? 1 : undefined
  const r = s.result
  if (r && !before.result) {
    const more = own === undefined ? 0 : r.points[own] - r.points[own === 0 ? 1 : 0]
    return more > 0 ? 'won' : more < 0 ? 'lost' : 'level'
  }
  const known = new Set(before.asks?.map((x) => x.num))
  if (own !== undefined && s.asks?.some((x) => x.by !== own && !known.has(x.num))) return 'offer'
  if ((s.history?.length ?? 0) <= (before.history?.length ?? 0)) return undefined
  const came = own !== undefined && s.view?.seat === s.for && before.view?.seat !== s.for
  if (came && (waited > long || hidden)) return 'turn'
  const e = s.history?.at(-1)
  if (e?.steps?.[0]?.startsWith('f')) return 'flip'
  if (taken(before, s)) return 'taken'
  return e?.by === (own === 1 ? 'second' : 'first') ? 'own' : 'theirs'
}
