import { visibleText } from '../lib/schema-rules.ts'
import { singleLine } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import type { GradeContext, Subject, TestFacts } from '../model/evaluator.ts'
import type { Grade } from '../model/grade.ts'
import type { Issue } from '../model/issue.ts'
import { expectedText } from '../model/message.ts'
import type { PairComparison } from '../model/pair.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { judgeFields, judgeNeeds, judgeOmissions } from './shared/model-judges/judge-fields.ts'
import { Fence, type JudgeMaterial, judgeMaterial } from './shared/model-judges/judge-material.ts'
import { sections } from './shared/model-judges/judge-prompt.ts'
import { type Against, againstField, againstName, againstText, otherText } from './shared/model-judges/pair-against.ts'
import { judgeOrder, type OrderVerdict, orderText, SCORES } from './shared/model-judges/pair-orders.ts'
import { judgeOrPanel } from './shared/model-judges/panel.ts'
import { sentenceOf } from './shared/sentences.ts'

const config = () =>
  judgeOrPanel(
    z.strictObject({
      against: againstField(),
      criteria: visibleText()
        .optional()
        .describe("Description of a good answer, by which the two are compared. Default: the test's `criteria`."),
      ...judgeFields(),
    }),
  )

type Config = z.output<ReturnType<typeof config>>

export const pairwise = defineEvaluator({
  type: 'pairwise',
  summary: 'A model compares the answer with another one, in both orders.',
  notes: [
    'The judge is asked twice, with the answer in the first and in the second place, and is not told which of the two is judged. A side wins only if it wins in both orders; otherwise it is a tie. The score is 1 if the answer wins, 0.5 for a tie and 0 if the other one wins. A tie scores below the pass mark of 0.8, so that a test with this check alone fails; with `execution.threshold: 0.5` it passes. Equal texts are a tie without asking the judge.',
    'With `votes` or `judges`, each order is decided by the majority of all calls; without a majority it is a tie.',
    '`target NAME` must be one of the targets of the test, and have another check that applies to it. The check does not apply to that target itself. If it gives no answer, the check is an error. A run with `--queue` cannot compare targets or runs: grade its answers afterwards with `assay grade`.',
    '`run NAME` compares with the same target if the run has it, else with its only target, and with the same trial, else the first one that has an answer. The answers are part of the identity of the test, so that other answers make another test. `latest` is the run before this one. Reports count wins, losses and ties, and say how often both orders agree and whether the judge prefers a place.',
  ],
  config,
  examples: [
    {
      title: 'Better than the expected output',
      check: { type: 'pairwise', criteria: 'Explains the cause, and is short' },
      expected_output: 'The loop never runs, because the list is empty.',
    },
    { title: 'Better than the answer of another target', check: { type: 'pairwise', against: 'target default' } },
    {
      title: 'Better than an earlier run, by three votes',
      check: { type: 'pairwise', against: 'run latest', votes: 3 },
    },
  ],
  // Each judge is asked in both orders.
  judge: ({ votes = 1, ...settings }) => judgeNeeds({ ...settings, votes: 2 * votes }),
  keys: { literal: ['against'] },
  compares: ({ against }) => (against === 'expected_output' ? undefined : against),
  applies: ({ against }, { name }) =>
    against === 'expected_output' || !('target' in against) || against.target !== name,
  validate: { test: issuesIn },
  // The expected output is a tie with itself.
  probing: { describesAnswers: ({ against }) => against === 'expected_output' },
  sentences: {
    write: ({ config: { against, criteria }, negate }) => [
      sentenceOf(
        `Output is better than ${againstName(against)}${criteria === undefined ? ', by the criteria' : `: ${singleLine(criteria)}`}`,
        negate,
      ),
    ],
    omits: fields => ['the comparison in both orders', ...judgeOmissions(fields)],
  },
  grade,
})

function issuesIn({ against, criteria }: Config, test: TestFacts): Issue[] {
  const lacksText = against === 'expected_output' && expectedText(test.expected_output) === undefined
  return [
    ...(lacksText
      ? [
          {
            code: 'no-comparison' as const,
            path: [],
            message: 'the test has no `expected_output` to compare the answer with',
            hint: 'add an `expected_output`, or compare with another answer: `against: target NAME` or `against: run NAME`',
          },
        ]
      : []),
    ...(criteria === undefined && test.criteria === undefined
      ? [
          {
            code: 'no-comparison' as const,
            path: [],
            message: 'neither this check nor its test has `criteria` by which to compare',
            hint: 'add `criteria` that describe a good answer',
          },
        ]
      : []),
  ]
}

async function grade(
  { against, criteria, config, votes, judges }: Config,
  of: Subject,
  context: GradeContext,
): Promise<Grade> {
  const other = await otherText(against, of, context)
  const { text: answer } = of.answer
  if (answer.trim() === other.trim()) return equalGrade(against)
  const material = await pairMaterial(against, criteria, of, context)
  const fence = new Fence(material, of, [other])
  const ask = (answer_first: boolean) => {
    const texts = answer_first ? [answer, other] : [other, answer]
    const text = promptOf(material, fence, texts)
    return judgeOrder({ text, fence, temperature: config?.temperature ?? 0, votes, judges, answer_first }, context)
  }
  return gradeOf(against, ...(await Promise.all([ask(true), ask(false)])))
}

/** What the judge knows besides the two answers. */
async function pairMaterial(
  against: Against,
  criteria: string | undefined,
  of: Subject,
  { host }: GradeContext,
): Promise<JudgeMaterial> {
  const material = await judgeMaterial(of, host)
  return {
    ...material,
    criteria: criteria ?? material.criteria,
    // The judge must not learn which of the two it is.
    reference_answer: against === 'expected_output' ? undefined : material.reference_answer,
  }
}

const PROMPT =
  'Two answers to the same question follow. Decide by the criteria which of them is better, or that neither is. Their order says nothing about them, and neither does their length, unless the criteria ask for it.'

function promptOf(material: JudgeMaterial, fence: Fence, [first = '', second = '']: readonly string[]): string {
  return [
    PROMPT,
    ...sections(['question', 'criteria', 'reference_answer', 'note'], material, fence),
    `# First answer\n${fence.wrap(first)}`,
    `# Second answer\n${fence.wrap(second)}`,
  ].join('\n\n')
}

/** A winner must win in both orders. */
function gradeOf(against: Against, first: OrderVerdict, second: OrderVerdict): Grade {
  const pair = { against: againstText(against), answer_first: first.winner, answer_second: second.winner }
  const winner = first.winner === second.winner ? first.winner : 'tie'
  const reason = `${reasonOf(pair, against)}${first.winner === second.winner && first.reasoning !== '' ? `: ${first.reasoning}` : ''}`
  const reasoning = [first, second].map(({ reasoning }, index) => `${orderText(index === 0)}: ${reasoning}`).join('\n')
  const votes = [...first.votes, ...second.votes]
  return {
    score: SCORES[winner],
    hits: winner === 'answer' ? [reason] : [],
    misses: winner === 'answer' ? [] : [reason],
    // A tie speaks for neither side.
    ...(winner === 'tie' ? { negated_misses: [reason] } : {}),
    reasoning,
    pair,
    ...(votes.length > 2 ? { votes } : {}),
  }
}

/** Says in words how a comparison came out. */
function reasonOf({ answer_first: first, answer_second: second }: PairComparison, against: Against): string {
  const other = againstName(against)
  if (first === second)
    return first === 'tie'
      ? `no better and no worse than ${other}, in both orders`
      : `${first === 'answer' ? 'better' : 'worse'} than ${other}, in both orders`
  if (first !== 'tie' && second !== 'tie')
    return `tie with ${other}: the judge prefers the ${first === 'answer' ? 'first' : 'second'} place in both orders`
  const half = first === 'tie' ? second : first
  const order = orderText(first !== 'tie')
  return `tie with ${other}: the judge prefers ${half === 'answer' ? 'the answer' : other} only ${order}`
}

function equalGrade(against: Against): Grade {
  const reason = `tie: equal to ${againstName(against)}, so no judge was asked`
  const pair = { against: againstText(against), answer_first: 'tie', answer_second: 'tie', equal: true } as const
  return { score: SCORES.tie, hits: [], misses: [reason], negated_misses: [reason], pair }
}
