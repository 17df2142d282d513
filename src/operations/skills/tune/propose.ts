import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import type { TuningRound } from '../../../model/tuning.ts'
import { gatherProposals, replySchema } from '../../proposals/gather-proposals.ts'
import type { AskProposer } from '../../proposals/proposer.ts'
import { descriptionProblem, type ProposalTask, proposalMessages } from './proposal-prompt.ts'

/** What a round begins with. */
export interface RoundStart {
  readonly round: number
  /** Number of the first candidate of the round. */
  readonly first: number
  readonly task: ProposalTask
}

const descriptions = lazily(() => ({
  noun: 'descriptions',
  schema: z
    .string()
    .transform(text => text.trim())
    .describe('A proposed description, on one line.'),
}))

/** JSON Schema of the reply. */
export const proposalsSchema = lazily(() => replySchema(descriptions()))

/** Asks for descriptions until enough of them can be used, or the proposer was asked too often. */
export async function proposeDescriptions({ round, first, task }: RoundStart, ask: AskProposer): Promise<TuningRound> {
  const known = task.tried.map(({ description }) => description)
  const request = {
    ...descriptions(),
    messages: proposalMessages(task),
    wanted: task.wanted,
    problemOf: (description: string, usable: readonly string[]) =>
      descriptionProblem(description, [...known, ...usable]),
    textOf: (description: string) => description,
  }
  const { usable, rejected, ...totals } = await gatherProposals(request, ask)
  return {
    round,
    candidates: usable.map((description, index) => ({ number: first + index, description })),
    rejected: rejected.map(({ proposal, reason }) => ({ description: proposal, reason })),
    ...totals,
  }
}
