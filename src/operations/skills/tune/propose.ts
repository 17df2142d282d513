import { findJsonObjects } from '../../../lib/json/find-objects.ts'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { quoteText, truncate } from '../../../lib/text/quote.ts'
import { firstProblem } from '../../../lib/zod-problem.ts'
import type { Answer } from '../../../model/answer.ts'
import type { Message } from '../../../model/message.ts'
import type { TuningRound } from '../../../model/tuning.ts'
import {
  assistantMessage,
  descriptionProblem,
  type ProposalTask,
  proposalMessages,
  proposalsSchema,
  repairMessage,
} from './proposal-prompt.ts'
import { MOST_CALLS } from './tuning-plan.ts'

/** Asks the proposer. */
export type AskProposer = (messages: readonly Message[]) => Promise<Answer>

/** What a round begins with. */
export interface RoundStart {
  readonly round: number
  /** Number of the first candidate of the round. */
  readonly first: number
  readonly task: ProposalTask
}

/** How much of a reply stays in the conversation. */
const LONGEST_REPLY = 10_000

/** Asks for descriptions until enough of them can be used, or the proposer was asked too often. */
export async function proposeDescriptions({ round, first, task }: RoundStart, ask: AskProposer): Promise<TuningRound> {
  const messages = proposalMessages(task)
  const known = task.tried.map(({ description }) => description)
  const usable: string[] = []
  const rejected: TuningRound['rejected'] = []
  const answers: Answer[] = []
  while (answers.length < MOST_CALLS && usable.length < task.wanted) {
    const answer = await ask(messages)
    answers.push(answer)
    const problems: string[] = []
    const read = readProposals(answer)
    if ('problem' in read) problems.push(read.problem)
    for (const description of 'descriptions' in read ? read.descriptions : []) {
      if (usable.length === task.wanted) break
      const reason = descriptionProblem(description, [...known, ...usable])
      if (reason === undefined) usable.push(description)
      else {
        rejected.push({ description: truncate(description, 2000), reason })
        problems.push(`${quoteText(description)} cannot be used: ${reason}`)
      }
    }
    const lacking = task.wanted - usable.length
    const problem = problems.join('; ') || `There are ${lacking} descriptions too few`
    if (answer.text.trim() !== '') messages.push(assistantMessage(truncate(answer.text, LONGEST_REPLY)))
    messages.push(repairMessage(problem, lacking))
  }
  const costs = answers.flatMap(({ cost_usd }) => cost_usd ?? [])
  return {
    round,
    candidates: usable.map((description, index) => ({ number: first + index, description })),
    rejected,
    calls: answers.length,
    known_cost_usd: costs.reduce((sum, cost) => sum + cost, 0),
    unknown_costs: answers.length - costs.length,
  }
}

type Read = { readonly descriptions: readonly string[] } | { readonly problem: string }

/** Reads the list of a reply: the whole reply, or the last object in it that has one. Trims the descriptions. */
function readProposals({ text, finish_reason }: Answer): Read {
  if (finish_reason === 'length') return { problem: 'The reply was cut off at the maximum number of tokens' }
  const whole = parseJson(text.trim().replace(/^```\w*\s*\n([\s\S]*)\n```$/, '$1'))
  const values = whole === undefined ? [...findJsonObjects(text)].map(parseJson) : [whole]
  const reads = values.map(value => proposalsSchema.safeParse(Array.isArray(value) ? { descriptions: value } : value))
  const good = reads.findLast(read => read.success)
  if (good?.success) return { descriptions: good.data.descriptions.map(description => description.trim()) }
  const [bad] = reads
  if (!bad?.error) return { problem: `The reply is not JSON: ${quoteText(truncate(text.trim(), 100)) || 'nothing'}` }
  const { path, message } = firstProblem(bad.error)
  return { problem: `The reply cannot be used: \`${path || 'the reply'}\`: ${message}` }
}
