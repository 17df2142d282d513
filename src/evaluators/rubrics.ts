import { exactlyOne } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type Inspection, inspectionOf } from './shared/model-judges/inspection.ts'
import { judgeFields, judgeNeeds, judgeOmissions } from './shared/model-judges/judge-fields.ts'
import { Fence, judgeMaterial } from './shared/model-judges/judge-material.ts'
import { everything, sections, subjectInstruction } from './shared/model-judges/judge-prompt.ts'
import { judgeOrPanel } from './shared/model-judges/panel.ts'
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
import { gradeRubrics, missedRubrics } from './shared/model-judges/rubric-grade.ts'
import { rubricGraders } from './shared/model-judges/rubric-graders.ts'
import { rewordRubrics, rubricWording } from './shared/model-judges/wording.ts'
import { isOther, lookAt, nameOf, subjectField, subjectNeeds } from './shared/subject.ts'
import { subjectOmissions, withSubject } from './shared/subject-sentences.ts'

const config = () =>
  exactlyOne(
    judgeOrPanel(
      z.strictObject({
        rubrics: rubricList().optional().describe('Requirements for a good answer, item by item.'),
        criteria: z
          .union([sentenceRubric().transform(rubric => assignIds([rubric])), rubricList()])
          .optional()
          .describe('Another name of `rubrics`; a string is one item.'),
        inspect: z
          .boolean()
          .optional()
          .describe('Whether the judge also inspects the workspace of the target, if there is one.'),
        ...judgeFields(),
        ...subjectField(),
      }),
    ),
    'rubrics',
    'criteria',
  )

export const rubrics = defineEvaluator({
  type: 'rubrics',
  aliases: ['rubric'],
  summary: 'A model judges for each item whether the answer satisfies it.',
  notes: [
    'With `inspect: true`, a judge that can inspect files looks at the workspace of the target that answered, as that of [`agent_judge`](agent_judge.md) does, in at most 10 steps. A target without a workspace, or a judge that cannot inspect files, is judged by the answer alone; the reasoning then says why. This is how the sentences of an `evals.json` are judged.',
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
  needs: subjectNeeds,
  sentences: withSubject<z.output<ReturnType<typeof config>>>({
    write: ({ config, negate }) => rubricSentences(itemsOf(config), negate),
    omits: fields => [...rubricOmissions(itemsOf(fields)), ...judgeOmissions(fields), ...subjectOmissions(fields)],
  }),
  plugin: ({ config, negate }) => rubricGraders(itemsOf(config), { ...config, negate }),
  judge: judgeNeeds,
  wording: {
    of: ({ config }) => rubricWording(itemsOf(config), keyOf(config)),
    replace: (check, wording) => {
      const items = rewordRubrics(itemsOf(check.config), wording)
      return check.with({ config: { ...check.config, [keyOf(check.config)]: items } })
    },
  },
  grade: async (fields, of, context) => {
    const { subject } = fields
    const looked = isOther(subject) ? await lookAt(subject, of, context) : undefined
    if (looked && 'absent' in looked) return missedRubrics(itemsOf(fields), looked.absent)
    const material = await judgeMaterial(of, context.host, looked?.text)
    const fence = new Fence(material, of)
    const intro = looked ? [subjectInstruction(nameOf(subject)), OUR_PROMPT] : [OUR_PROMPT]
    const text = [...intro, ...sections(everything(material), material, fence)].join('\n\n')
    const { look, blind }: Inspection = fields.inspect ? await inspectionOf(of, context) : {}
    const { config, votes, judges } = fields
    const task = { text, fence, temperature: config?.temperature ?? 0, votes, judges, look }
    const grade = await gradeRubrics(itemsOf(fields), task, context)
    return blind === undefined ? grade : { ...grade, reasoning: blind }
  },
})

const OUR_PROMPT = 'Say of each item below whether the answer satisfies it, or how well. Judge each by itself.'

function keyOf({ rubrics }: z.output<ReturnType<typeof config>>): string {
  return rubrics ? 'rubrics' : 'criteria'
}

function itemsOf({ rubrics, criteria }: z.output<ReturnType<typeof config>>): readonly Rubric[] {
  return rubrics ?? criteria ?? []
}
