import { shortHash } from '../../../lib/sha256.ts'
import type { Subject } from '../../../model/evaluator.ts'
import type { Host } from '../../../model/host.ts'
import { expectedText } from '../../../model/message.ts'
import { isOwn } from '../../../model/messages/subagents.ts'
import { answerMessages, expectedMessages, judgeMessages, questionText, transcriptText } from '../judge-messages.ts'

/** Texts for a judge; undefined if the test has none. */
export interface JudgeMaterial {
  readonly question: string
  readonly criteria: string | undefined
  readonly answer: string
  readonly reference_answer: string | undefined
  readonly input_messages: string
  readonly expected_messages: string | undefined
  readonly output_messages: string
  readonly note: string | undefined
  /** What the check looks at instead of the answer. */
  readonly subject?: string | undefined
}

export async function judgeMaterial(
  { answer, test }: Subject,
  host: Host,
  subject?: string | undefined,
): Promise<JudgeMaterial> {
  const { input, expected_output: expected, criteria, note } = test
  return {
    question: await questionText(input, host, 'inlined'),
    criteria,
    answer: answer.text,
    reference_answer: expectedText(expected),
    input_messages: json(await judgeMessages(input, host)),
    expected_messages: expected === undefined ? undefined : json(await expectedMessages(expected, host)),
    output_messages: transcriptText(answer),
    note,
    ...(subject === undefined ? {} : { subject }),
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/**
 * Marks around the text of an agent, with a word that it cannot know: a hash of all texts for the judge. The same
 * request has the same word, so that it can be cached.
 */
export class Fence {
  readonly word: string
  readonly #held: readonly (keyof JudgeMaterial)[]
  readonly #hasSubagents: boolean

  /** `others` are further texts for the judge. */
  constructor(
    material: JudgeMaterial,
    { test, answer }: Pick<Subject, 'test' | 'answer'>,
    others: readonly string[] = [],
  ) {
    this.word = `data-${shortHash(JSON.stringify(others.length === 0 ? material : [material, ...others]))}`
    const isConversation = test.input.some(({ role }) => role === 'assistant' || role === 'tool')
    this.#held = isConversation ? [...ANSWERS, ...QUESTIONS] : ANSWERS
    this.#hasSubagents = !answerMessages(answer).every(isOwn)
  }

  /** A text for the judge, between marks if the agent wrote part of it. */
  enclose(name: keyof JudgeMaterial, material: JudgeMaterial): string {
    const text = material[name] ?? ''
    const enclosed = this.#held.includes(name) ? this.wrap(text) : text
    return name === 'output_messages' && this.#hasSubagents ? `${SUBAGENTS}\n${enclosed}` : enclosed
  }

  /** Puts a text between marks. */
  wrap(text: string): string {
    return `<<<${this.word}\n${text}\n${this.word}>>>`
  }
}

const SUBAGENTS =
  'Indented messages with an `agent_id` are from subagents: the agent has delegated work to them, but did not say this itself.'

/** Texts of the agent. */
export const ANSWERS: readonly (keyof JudgeMaterial)[] = ['answer', 'output_messages', 'subject']

/** Texts of the prompt; in a conversation, they include earlier answers of the agent. */
const QUESTIONS: readonly (keyof JudgeMaterial)[] = ['question', 'input_messages']
