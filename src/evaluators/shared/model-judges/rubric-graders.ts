import { plural } from '../../../lib/text/format.ts'
import { inexpressible, PLUGIN_VOTES, type PluginGraders } from '../../../model/plugin-grader.ts'
import { placeOf, wordsOf } from '../plugin-graders.ts'
import type { CheckSubject } from '../subject.ts'
import { type JudgeSettings, judgeOmissions } from './judge-fields.ts'
import { type Rubric, rubricSentences } from './rubric.ts'

interface RubricCheck extends JudgeSettings {
  readonly negate: boolean
  readonly subject?: CheckSubject
}

/** Items that a model judges, as graders of plugin evals: one for each. */
export function rubricGraders(
  items: readonly Rubric[],
  { negate, subject, votes = 1, ...judge }: RubricCheck,
): PluginGraders {
  const place = placeOf(subject)
  if (!place) return inexpressible(`\`subject: ${wordsOf(subject)}\``)
  if (negate && items.length > 1) return inexpressible('that at least one of several rubrics must fail')
  const total = items.reduce((sum, { weight }) => sum + weight, 0)
  const focus = place.value === undefined ? {} : { focus: place.value }
  return {
    graders: items
      .filter(({ weight }) => weight > 0)
      .map(item => ({
        type: 'llm',
        label: item.id,
        share: item.weight / total,
        keys: { criteria: rubricSentences([item], negate).join(''), ...focus },
      })),
    lost: [
      ...(items.some(({ weight }) => weight === 0) ? ['rubrics of weight 0'] : []),
      ...(items.some(({ required }) => required) ? ['that rubrics are required'] : []),
      ...(items.some(({ score_ranges }) => score_ranges !== undefined) ? ['score ranges'] : []),
      ...judgeOmissions(judge),
      ...(votes === PLUGIN_VOTES
        ? []
        : [`that the judge votes ${plural(votes, 'time')} (there, ${PLUGIN_VOTES} times)`]),
      ...place.lost,
    ],
  }
}
