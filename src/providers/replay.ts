import { quoteCode } from '../lib/text/quote.ts'
import { didYouMean } from '../lib/text/suggestion.ts'
import * as z from '../lib/zod.ts'
import { NoAnswer } from '../model/answer.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Recording, Recordings } from '../model/recordings.ts'
import { defineProvider } from './define-provider.ts'

export const replay = defineProvider({
  type: 'replay',
  summary: 'Recorded answers of an earlier run or of logs.',
  config: () =>
    z.strictObject({
      from: z
        .string()
        .min(1)
        .describe(
          'A run (its id, `latest`, its folder or a `results.jsonl`) or a folder of logs, such as `.co/evals`.',
        ),
      target: z.string().min(1).optional().describe('Target whose answers to use, if the run had several.'),
    }),
  examples: [
    { title: 'The last run again', target: { name: 'default', provider: 'replay', from: 'latest' } },
    { title: 'Logged answers', target: { name: 'default', provider: 'replay', from: '.co/evals' } },
  ],
  // `latest` may be a different run next time.
  execution: { isLocal: true, reportsChanges: true, isCacheable: () => false },
  about: ({ from, target }) => `the answers of ${target === undefined ? '' : `${target} in `}${from}`,
  answer: async ({ from, target }, prompt, context) => {
    const recordings = await context.recordings(from)
    const all = await recordings.to(prompt)
    const recorded = preferSameTest(
      all.filter(each => target === undefined || each.target === target),
      prompt,
    )
    const found = recorded.filter(({ trial }) => trial === prompt.trial)
    if (found.length === 1 && found[0])
      return { ...found[0].answer, workspace_path: undefined, cached: undefined, failed_calls: undefined }
    if (found.length > 1) throw new NoAnswer('no-recording', severalTargetsMessage(found))
    if (all.length > 0 && recorded.length === 0)
      throw new NoAnswer('no-recording', otherTargetsMessage(all, target, from))
    throw new NoAnswer(
      'no-recording',
      `${quoteCode(from)} has no answer to this prompt; ${describeNearest(prompt, recorded, recordings)}`,
    )
  },
})

/** Prefers the answers of the same test: several tests may have the same input. */
function preferSameTest(recorded: readonly Recording[], { test_id }: Prompt): readonly Recording[] {
  const own = recorded.filter(each => each.test_id === test_id)
  return own.length > 0 ? own : recorded
}

function severalTargetsMessage(found: readonly Recording[]): string {
  return `the recorded run has answers of several targets to this prompt (${targetNames(found)}): choose one with \`target\``
}

function otherTargetsMessage(all: readonly Recording[], target: string | undefined, from: string): string {
  return `${quoteCode(from)} has no answer of ${quoteCode(target)} to this prompt, only of ${targetNames(all)}`
}

function targetNames(recorded: readonly Recording[]): string {
  return [...new Set(recorded.map(({ target }) => quoteCode(target)))].join(', ')
}

/** Describes the recorded answer that is closest to the prompt. */
function describeNearest({ test_id, trial }: Prompt, recorded: readonly Recording[], { test_ids }: Recordings): string {
  if (recorded.length > 0) {
    return `this is trial ${trial}, and only trial ${recorded.map(each => each.trial).join(', ')} was recorded`
  }
  if (test_ids.has(test_id)) return `${quoteCode(test_id)} was recorded with a different input`
  return didYouMean(test_id, test_ids, `no test ${quoteCode(test_id)} was recorded`)
}
