import { shortHash } from '../../../lib/sha256.ts'
import type { JudgeMaterial } from './judge-material.ts'

/**
 * Marks around what an agent wrote, with a word that it cannot know: a hash of all that the judge is shown, the agent's
 * own words among it. The same request has the same word, so that it can be cached.
 */
export class Fence {
  readonly word: string

  constructor(material: JudgeMaterial) {
    this.word = `data-${shortHash(JSON.stringify(material))}`
  }

  around(text: string): string {
    return `<<<${this.word}\n${text}\n${this.word}>>>`
  }
}
