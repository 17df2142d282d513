import { dirname } from 'node:path'
import { addKnown } from '../lib/numbers.ts'
import { withoutNullish } from '../lib/objects.ts'
import { shortHash } from '../lib/sha256.ts'
import type { Answer } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import type { JudgeRequest, Prompt } from '../model/prompt.ts'
import type { JudgeUsage } from '../model/result.ts'
import type { Target } from '../model/target.ts'

/** Builds the prompt for a judge of an attempt. */
export function judgePrompt(request: JudgeRequest, judge: Target, attempt: Attempt, repeat = 1): Prompt {
  const hasSystem = request.messages.some(({ role }) => role === 'system')
  return {
    messages: request.messages,
    reply_schema: request.reply_schema,
    temperature: request.temperature,
    look: request.look,
    embeds: request.embeds,
    vote: request.vote,
    repeat,
    system_prompt: hasSystem ? undefined : judge.settings.system_prompt,
    test_id: attempt.test.id,
    suite: attempt.suite.name,
    folder: dirname(attempt.suite.file),
    trial: attempt.trial,
    target: judge.name,
    attempt_id: attempt.id,
    request_id: requestId(request, repeat),
  }
}

/** The first vote of the first grading is the only one of most checks, and has the id of a request without votes. */
function requestId({ messages, vote = 1 }: JudgeRequest, repeat: number): string {
  return shortHash(JSON.stringify(vote === 1 && repeat === 1 ? messages : [messages, ...callNumbers({ vote, repeat })]))
}

/**
 * The numbers that tell equal requests apart: of the vote, and of the grading. First ones are left out, so that ids and
 * cached replies without them stay valid.
 */
export function callNumbers({ vote = 1, repeat = 1 }: Pick<Prompt, 'vote' | 'repeat'>): number[] {
  if (repeat === 1) return vote === 1 ? [] : [vote]
  return [vote, repeat]
}

/** Sums up the tokens and costs of the judges of one attempt. */
export class JudgeUsageCounter {
  readonly #answers: Answer[] = []

  add(answer: Answer): void {
    this.#answers.push(answer)
  }

  /** Undefined if no judge was asked. Sums the values that judges report. */
  get total(): JudgeUsage | undefined {
    if (this.#answers.length === 0) return undefined
    let input: number | undefined
    let output: number | undefined
    let cached: number | undefined
    let reasoning: number | undefined
    let cost_usd: number | undefined
    for (const { token_usage, cost_usd: usd } of this.#answers) {
      input = addKnown(input, token_usage?.input)
      output = addKnown(output, token_usage?.output)
      cached = addKnown(cached, token_usage?.cached)
      reasoning = addKnown(reasoning, token_usage?.reasoning)
      cost_usd = addKnown(cost_usd, usd)
    }
    return { calls: this.#answers.length, ...withoutNullish({ input, output, cached, reasoning, cost_usd }) }
  }
}
