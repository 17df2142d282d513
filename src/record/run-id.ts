import type { Host } from '../model/host.ts'

/** A name for a run: when it began, and four letters that tell runs of the same second apart. */
export function newRunId(host: Host): string {
  const time = host.clock.timestamp().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)
  const letters = Array.from({ length: 4 }, () => LETTERS[Math.floor(host.random() * LETTERS.length)]).join('')
  return `${time}-${letters}`
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
