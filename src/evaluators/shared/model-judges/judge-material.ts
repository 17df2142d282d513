import { shortHash } from '../../../lib/sha256.ts'
import type { Subject } from '../../../model/evaluator.ts'
import type { Host } from '../../../model/host.ts'
import { expectedText } from '../../../model/message.ts'
import { answerMessages, expectedMessages, judgeMessages, questionText } from '../judge-messages.ts'

/** What a judge may be shown, as text; undefined for what is not there. */
export interface JudgeMaterial {
  readonly question: string
  readonly criteria: string | undefined
  readonly answer: string
  readonly reference_answer: string | undefined
  readonly input_messages: string
  readonly expected_messages: string | undefined
  readonly output_messages: string
  readonly note: string | undefined
}

export async function judgeMaterial({ answer, test }: Subject, host: Host): Promise<JudgeMaterial> {
  const { input, expected_output: expected, criteria, note } = test
  return {
    question: await questionText(input, host, 'inlined'),
    criteria,
    answer: answer.text,
    reference_answer: expectedText(expected),
    input_messages: json(await judgeMessages(input, host)),
    expected_messages: expected === undefined ? undefined : json(await expectedMessages(expected, host)),
    output_messages: json(answerMessages(answer)),
    note,
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

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
