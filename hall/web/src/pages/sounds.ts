// Short sounds, made here: nothing is fetched for them.

let audio: AudioContext | undefined

function tone(pitch: number, from: number, length: number, loud: number): void {
  audio ??= new AudioContext()
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
}

/** A piece is put down. */
export const moveSound = (): void => tone(240, 0, 0.09, 0.25)

/** The game is over. */
export function endSound(): void {
  tone(440, 0, 0.25, 0.15)
  tone(330, 0.18, 0.4, 0.15)
}
