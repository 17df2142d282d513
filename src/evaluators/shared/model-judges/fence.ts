import { shortHash } from '../../../lib/sha256.ts'
import type { Subject } from '../../../model/evaluator.ts'
import type { JudgeMaterial } from './judge-material.ts'

/**
 * Marks around what an agent wrote, with a word that it cannot know: a hash of all that the judge is shown, the agent's
 * own words among it. The same request has the same word, so that it can be cached.
 */
export class Fence {
  readonly word: string
  readonly #held: readonly (keyof JudgeMaterial)[]

  constructor(material: JudgeMaterial, { test }: Pick<Subject, 'test'>) {
    this.word = `data-${shortHash(JSON.stringify(material))}`
    const isConversation = test.input.some(({ role }) => role === 'assistant' || role === 'tool')
    this.#held = isConversation ? [...ANSWERS, ...QUESTIONS] : ANSWERS
  }

  /** Part of what a judge is shown, between marks where the agent has a part in it. */
  shown(name: keyof JudgeMaterial, material: JudgeMaterial): string {
    const text = material[name] ?? ''
    return this.#held.includes(name) ? `<<<${this.word}\n${text}\n${this.word}>>>` : text
  }
}

/** What the agent wrote. */
export const ANSWERS: readonly (keyof JudgeMaterial)[] = ['answer', 'output_messages']

/** What it was asked; in a conversation, its earlier answers are part of that. */
const QUESTIONS: readonly (keyof JudgeMaterial)[] = ['question', 'input_messages']
