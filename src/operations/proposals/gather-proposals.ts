import { findJsonObjects } from '../../lib/json/find-objects.ts'
import { parseJson } from '../../lib/json/parse-json.ts'
import { quoteText, truncate } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import { firstProblem } from '../../lib/zod-problem.ts'
import type { Answer } from '../../model/answer.ts'
import type { Message } from '../../model/message.ts'
import type { AskProposer } from './proposer.ts'

/** What a proposer is asked for. */
export interface ProposalRequest<Proposal> {
  /** What is proposed, in the plural; the key of the list in the reply. */
  readonly noun: string
  readonly messages: readonly Message[]
  readonly wanted: number
  /** A proposal as it is in the reply. */
  readonly schema: z.ZodType<Proposal>
  /** Describes why a proposal cannot be used; `usable` are those before it. */
  problemOf(proposal: Proposal, usable: readonly Proposal[]): string | undefined | Promise<string | undefined>
  /** The proposal as text. */
  textOf(proposal: Proposal): string
}

/** What a proposer came up with. */
export interface GatheredProposals<Proposal> {
  readonly usable: readonly Proposal[]
  readonly rejected: { proposal: string; reason: string }[]
  /** Number of replies. */
  readonly calls: number
  readonly known_cost_usd: number
  /** Number of replies with unknown cost. */
  readonly unknown_costs: number
}

/** Most replies of the proposer in a round. */
export const MOST_CALLS = 3

/** How much of a reply stays in the conversation. */
const LONGEST_REPLY = 10_000

/** The JSON Schema of a reply. */
export function replySchema({ noun, schema }: Pick<ProposalRequest<unknown>, 'noun' | 'schema'>) {
  return z.toJSONSchema(listSchema(noun, schema), { target: 'draft-7', io: 'input' })
}

/** Asks for proposals until enough of them can be used, or the proposer was asked too often. */
export async function gatherProposals<Proposal>(
  request: ProposalRequest<Proposal>,
  ask: AskProposer,
): Promise<GatheredProposals<Proposal>> {
  const { noun, wanted, textOf } = request
  const messages = [...request.messages]
  const usable: Proposal[] = []
  const rejected: { proposal: string; reason: string }[] = []
  const answers: Answer[] = []
  while (answers.length < MOST_CALLS && usable.length < wanted) {
    const answer = await ask(messages)
    answers.push(answer)
    const problems: string[] = []
    const read = readProposals(answer, request)
    if ('problem' in read) problems.push(read.problem)
    for (const proposal of 'proposals' in read ? read.proposals : []) {
      if (usable.length === wanted) break
      const reason = await request.problemOf(proposal, usable)
      if (reason === undefined) usable.push(proposal)
      else {
        rejected.push({ proposal: truncate(textOf(proposal), 2000), reason })
        problems.push(`${quoteText(textOf(proposal))} cannot be used: ${reason}`)
      }
    }
    const lacking = wanted - usable.length
    const problem = problems.join('; ') || `There are ${lacking} ${noun} too few`
    if (answer.text.trim() !== '') messages.push(message('assistant', truncate(answer.text, LONGEST_REPLY)))
    messages.push(message('user', repairText(problem, lacking, noun)))
  }
  const costs = answers.flatMap(({ cost_usd }) => cost_usd ?? [])
  const known_cost_usd = costs.reduce((sum, cost) => sum + cost, 0)
  return { usable, rejected, calls: answers.length, known_cost_usd, unknown_costs: answers.length - costs.length }
}

/** A message of a conversation with a proposer. */
export function message(role: 'system' | 'user' | 'assistant', value: string): Message {
  return { role, content: [{ type: 'text', value }] }
}

function repairText(problem: string, lacking: number, noun: string): string {
  return `${problem}. Reply again with one JSON object and nothing else, with ${lacking} ${noun} that can be used.`
}

function listSchema<Proposal>(noun: string, schema: z.ZodType<Proposal>) {
  return z.strictObject({ [noun]: z.array(schema) })
}

type Read<Proposal> = { readonly proposals: readonly Proposal[] } | { readonly problem: string }

/** Reads the list of a reply: the whole reply, or the last object in it that has one. */
function readProposals<Proposal>(
  { text, finish_reason }: Answer,
  { noun, schema }: ProposalRequest<Proposal>,
): Read<Proposal> {
  if (finish_reason === 'length') return { problem: 'The reply was cut off at the maximum number of tokens' }
  const whole = parseJson(text.trim().replace(/^```\w*\s*\n([\s\S]*)\n```$/, '$1'))
  const values = whole === undefined ? [...findJsonObjects(text)].map(parseJson) : [whole]
  const list = listSchema(noun, schema)
  const reads = values.map(value => list.safeParse(Array.isArray(value) ? { [noun]: value } : value))
  const good = reads.findLast(read => read.success)
  if (good?.success) return { proposals: good.data[noun] ?? [] }
  const [bad] = reads
  if (!bad?.error) return { problem: `The reply is not JSON: ${quoteText(truncate(text.trim(), 100)) || 'nothing'}` }
  const { path, message } = firstProblem(bad.error)
  return { problem: `The reply cannot be used: \`${path || 'the reply'}\`: ${message}` }
}
