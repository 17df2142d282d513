import * as z from 'zod'
import { exactlyOne } from '../lib/schema-rules.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { judgeFields, judgeOmissions } from './shared/model-judges/judge-fields.ts'
import { Fence, judgeMaterial } from './shared/model-judges/judge-material.ts'
import { EVERYTHING, sections } from './shared/model-judges/judge-prompt.ts'
import {
  assignIds,
  type Rubric,
  rubricIds,
  rubricIssues,
  rubricList,
  rubricOmissions,
  rubricSentences,
  sentenceRubric,
} from './shared/model-judges/rubric.ts'
import { gradeRubrics } from './shared/model-judges/rubric-grade.ts'

const config = exactlyOne(
  z.strictObject({
    rubrics: rubricList.optional().describe('Requirements for a good answer, item by item.'),
    criteria: z
      .union([sentenceRubric.transform(rubric => assignIds([rubric])), rubricList])
      .optional()
      .describe('Another name of `rubrics`; a string is one item.'),
    ...judgeFields,
  }),
  'rubrics',
  'criteria',
)

export const rubrics = defineEvaluator({
  type: 'rubrics',
  aliases: ['rubric'],
  summary: 'A model judges for each item whether the answer satisfies it.',
  notes: [
    'An item with `score_ranges` is scored from 0 to 10 and counts that score divided by 10. It is missed below 5, or below its `required_min_score`; an item without ranges is missed if it is not satisfied. A missed required item fails the test, whatever its score. Other tools read `required` differently: some fail only a score of 0, some every score below 10. Set `required_min_score` to be explicit.',
  ],
  config,
  examples: [
    { title: 'One sentence', check: { type: 'rubrics', criteria: 'Names November as the best month' } },
    {
      title: 'Weighted, one of them required',
      check: {
        type: 'rubrics',
        rubrics: [
          { id: 'finds-bug', outcome: 'Says that the loop never runs', weight: 2, required: true },
          {
            id: 'clear',
            outcome: 'Is easy to follow',
            score_ranges: { 0: 'Confusing', 5: 'Readable', 10: 'A pleasure' },
          },
        ],
      },
    },
  ],
  validate: {
    check: fields => rubricIssues(itemsOf(fields), keyOf(fields)),
    ids: fields => rubricIds(itemsOf(fields), keyOf(fields)),
  },
  sentences: {
    write: ({ config, negate }) => rubricSentences(itemsOf(config), negate),
    omits: fields => [...rubricOmissions(itemsOf(fields)), ...judgeOmissions(fields)],
  },
  judge: ({ target }) => ({ target }),
  grade: async (fields, subject, context) => {
    const material = await judgeMaterial(subject, context.host)
    const fence = new Fence(material, subject)
    const text = [OUR_PROMPT, ...sections(EVERYTHING, material, fence)].join('\n\n')
    return gradeRubrics(itemsOf(fields), { text, fence, temperature: fields.config?.temperature ?? 0 }, context)
  },
})

const OUR_PROMPT = 'Say of each item below whether the answer satisfies it, or how well. Judge each by itself.'

function keyOf({ rubrics }: z.output<typeof config>): string {
  return rubrics ? 'rubrics' : 'criteria'
}

function itemsOf({ rubrics, criteria }: z.output<typeof config>): readonly Rubric[] {
  return rubrics ?? criteria ?? []
}
