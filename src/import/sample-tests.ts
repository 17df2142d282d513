import { slug } from '../lib/paths.ts'
import { convertChat, looksLikeChat } from './messages.ts'
import type { Written } from './written.ts'

/** The input of a sample: a text or a chat; undefined if tests cannot have it. */
export function sampleInput(input: Written | undefined): unknown {
  const text = input?.text()
  if (text !== undefined) return text
  return looksLikeChat(input?.value) ? convertChat(input.value) : undefined
}

/** The texts that a sample accepts: one, or each of a list. */
export function acceptedTexts(written: Written | undefined): string[] {
  return written?.list().flatMap(item => item.text() ?? []) ?? []
}

/** Gives samples ids: their own, or their number. */
export class SampleIds {
  readonly #taken = new Set<string>()

  take(own: Written | undefined, number: number): string {
    const written = own?.text()
    const name = written === undefined || written.trim() === '' ? `sample-${number}` : written
    let id = name
    for (let next = 2; this.#taken.has(id); next++) id = `${name}-${next}`
    this.#taken.add(id)
    return id
  }
}

/** A stem for the file of a suite. */
export function stemOf(name: string): string {
  return slug(name, 60) || 'suite'
}
