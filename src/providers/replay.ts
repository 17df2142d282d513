import * as z from 'zod'
import { quoteCode } from '../lib/text/quote.ts'
import { didYouMean } from '../lib/text/suggestion.ts'
import { NoAnswer } from '../model/answer.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Recording, Recordings } from '../model/recordings.ts'
import { defineProvider } from './define-provider.ts'

export const replay = defineProvider({
  type: 'replay',
  summary: 'Answers from the records of an earlier run, or from logs.',
  config: z.strictObject({
    from: z
      .string()
      .min(1)
      .describe('A run: its id, `latest`, its folder, or a `results.jsonl`; or a folder of logs, such as `.co/evals`.'),
    target: z.string().min(1).optional().describe('Whose answers, where the run had several targets.'),
  }),
  examples: [
    { title: 'The last run again', target: { name: 'default', provider: 'replay', from: 'latest' } },
    { title: 'What was logged', target: { name: 'default', provider: 'replay', from: '.co/evals' } },
  ],
  // Another run may be the latest the next time.
  execution: { isLocal: true, isCacheable: () => false },
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
      `${quoteCode(from)} has no answer to this; ${describeNearest(prompt, recorded, recordings)}`,
    )
  },
})

/** Several tests may ask the same: then each has its own answer. */
function preferSameTest(recorded: readonly Recording[], { test_id }: Prompt): readonly Recording[] {
  const own = recorded.filter(each => each.test_id === test_id)
  return own.length > 0 ? own : recorded
}

function severalTargetsMessage(found: readonly Recording[]): string {
  return `the recorded run had several answers to this, of ${targetNames(found)}: say which with \`target\``
}

function otherTargetsMessage(all: readonly Recording[], target: string | undefined, from: string): string {
  return `${quoteCode(from)} has no answer of ${quoteCode(target)} to this, only of ${targetNames(all)}`
}

function targetNames(recorded: readonly Recording[]): string {
  return [...new Set(recorded.map(({ target }) => quoteCode(target)))].join(', ')
}

/** What was recorded that comes nearest to the prompt. */
function describeNearest({ test_id, trial }: Prompt, recorded: readonly Recording[], { test_ids }: Recordings): string {
  if (recorded.length > 0) {
    return `it was recorded for trial ${recorded.map(each => each.trial).join(', ')}, and this is trial ${trial}`
  }
  if (test_ids.has(test_id)) return `${quoteCode(test_id)} was recorded with another input`
  return didYouMean(test_id, test_ids, `no test like ${quoteCode(test_id)} was recorded`)
}
