import { canonicalJson } from '../../lib/json/stringify.ts'
import { lazily } from '../../lib/lazily.ts'
import * as z from '../../lib/zod.ts'
import type { AlignmentRound, WordingCandidate } from '../../model/alignment.ts'
import type { Check } from '../../model/check.ts'
import type { Wording } from '../../model/wording.ts'
import { gatherProposals, replySchema } from '../proposals/gather-proposals.ts'
import { Incomplete } from '../proposals/incomplete.ts'
import { createProposer } from '../proposals/proposer.ts'
import type { Runtime } from '../runtime.ts'
import type { AlignRun } from './judge-answers.ts'
import type { PreparedAlignment } from './prepare-alignment.ts'
import { alignmentTotals } from './session-totals.ts'
import { type TriedWording, wordingMessages, wordingText } from './wording-prompt.ts'

const MOST_ITEMS = 30
const LONGEST_ITEM = 1000
const LONGEST_PROMPT = 10_000

const proposalKinds = lazily(() => ({
  prompt: {
    noun: 'prompts',
    schema: z.string().transform((text): Wording => ({ kind: 'prompt', text })),
  },
  rubrics: {
    noun: 'rubrics',
    schema: z
      .array(z.strictObject({ id: z.string(), outcome: z.string() }))
      .transform((items): Wording => ({ kind: 'rubrics', items })),
  },
}))

/** Has wordings proposed, and records them before they are measured. Throws `Incomplete`. */
export async function proposeWordings(
  round: number,
  tried: readonly TriedWording[],
  prepared: PreparedAlignment,
  run: AlignRun,
  { host }: Runtime,
): Promise<readonly WordingCandidate[]> {
  const { folder, session, proposer, aligned, grading, timeout_seconds, options } = prepared
  const recorded = await folder.round(round)
  if (recorded) return recorded.candidates
  const { known_usd, estimated_usd = known_usd } = await alignmentTotals(prepared, host)
  if (options.max_cost_usd !== undefined && estimated_usd >= options.max_cost_usd - 1e-9)
    throw new Incomplete('budget', 'The budget is spent.')
  const asked = proposalKinds()[session.wording.kind]
  const onWarning = (message: string) => run.observer.onWarning?.(message)
  const shared = { folders: grading.folders, timeout_seconds, signal: run.signal, onWarning, host }
  const { suite } = aligned.answers[0]?.attempt ?? {}
  if (!suite) throw new RangeError('The check has no labelled answers.')
  const ask = await createProposer(proposer, suite, { ...shared, reply_schema: replySchema(asked) })
  const known = tried.map(({ wording }) => wording)
  const { usable, ...totals } = await gatherProposals<Wording>(
    {
      ...asked,
      messages: wordingMessages({ tried, wanted: session.proposals }),
      wanted: session.proposals,
      problemOf: (wording, before) => wordingProblem(wording, [...known, ...before], aligned.check),
      textOf: wordingText,
    },
    ask,
  )
  if (usable.length === 0 && tried.length === 1) {
    const reason = totals.rejected[0]?.reason ?? 'no reply had the form that was asked for'
    throw new Incomplete('no-proposals', `${proposer.name} proposed no text that can be used: ${reason}.`)
  }
  const candidates = usable.map((wording, index) => ({ number: tried.length + index, wording }))
  const made: AlignmentRound = { round, candidates, ...totals }
  await folder.addRound(made)
  return candidates
}

/** Describes why a wording cannot be used; undefined if it can. */
async function wordingProblem(wording: Wording, known: readonly Wording[], check: Check): Promise<string | undefined> {
  const own = wording.kind === 'prompt' ? promptProblem(wording.text) : itemsProblem(wording.items)
  if (own !== undefined) return own
  if (known.some(each => isSame(each, wording))) return 'it was tried already'
  const replaced = check.evaluator.wording?.replace(check, wording)
  const issues = replaced && (await check.evaluator.validate?.check?.(replaced.config, replaced.files))
  return issues?.[0]?.message
}

const CONTROL = /[\p{Cs}\p{Cc}]/u

/** Characters that hide text, or show it in another order: people could not review the text. */
const INVISIBLE = /[\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u

function promptProblem(text: string): string | undefined {
  if (text.trim() === '') return 'it is empty'
  if (text.length > LONGEST_PROMPT) return `it is longer than ${LONGEST_PROMPT} characters`
  if (!/\s/.test(text.trim())) return 'it is one word'
  if (INVISIBLE.test(text)) return 'it has invisible characters'
  return CONTROL.test(text.replace(/[\n\r\t]/g, '')) ? 'it has control characters' : undefined
}

function itemsProblem(items: readonly { readonly id: string; readonly outcome: string }[]): string | undefined {
  if (items.length === 0) return 'it has no items'
  if (items.length > MOST_ITEMS) return `it has more than ${MOST_ITEMS} items`
  if (items.some(({ id }) => !/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(id))) return 'an id is not a name'
  if (items.some(({ outcome }) => outcome.trim() === '')) return 'an item is empty'
  if (items.some(({ outcome }) => outcome.length > LONGEST_ITEM))
    return `an item is longer than ${LONGEST_ITEM} characters`
  if (items.some(({ outcome }) => INVISIBLE.test(outcome))) return 'an item has invisible characters'
  return items.some(({ outcome }) => CONTROL.test(outcome)) ? 'an item has control characters' : undefined
}

function isSame(one: Wording, other: Wording): boolean {
  const trimmed = (wording: Wording) =>
    wording.kind === 'prompt'
      ? wording.text.trim()
      : canonicalJson(wording.items.map(({ id, outcome }) => [id, outcome.trim()]))
  return trimmed(one) === trimmed(other)
}
