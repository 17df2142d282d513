import type { Check } from '../../../model/check.ts'
import type { CheckWording } from '../../../model/evaluator.ts'
import type { Wording, WrittenWording } from '../../../model/wording.ts'
import { promptFiles, promptText } from './judge-prompt.ts'
import { type Rubric, rubricSentences } from './rubric.ts'

/** The wording of items, under the key that has them. */
export function rubricWording(rubrics: readonly Rubric[], key: string): WrittenWording {
  const sentences = rubricSentences(rubrics, false)
  const items = rubrics.map(({ id }, index) => ({ id, outcome: sentences[index] ?? '' }))
  return { wording: { kind: 'rubrics', items }, key, value: rubrics.map(writtenRubric) }
}

/** An item without the fields that have their default. */
function writtenRubric({ id, outcome, weight, required, required_min_score, score_ranges }: Rubric): object {
  return {
    id,
    ...(outcome === undefined ? {} : { outcome }),
    ...(weight === 1 ? {} : { weight }),
    ...(required === (required_min_score !== undefined) ? {} : { required }),
    ...(required_min_score === undefined ? {} : { required_min_score }),
    ...(score_ranges === undefined ? {} : { score_ranges }),
  }
}

/** Items with other texts: one whose id stays keeps its weight, ranges and whether it is required. */
export function rewordRubrics(rubrics: readonly Rubric[], wording: Wording): Rubric[] {
  if (wording.kind !== 'rubrics') throw new RangeError('Items are not replaced by a prompt.')
  const before = new Map(rubrics.map(rubric => [rubric.id, rubric]))
  return wording.items.map(({ id, outcome }) => ({
    ...(before.get(id) ?? { weight: 1, required: false }),
    id,
    outcome,
  }))
}

interface PromptConfig {
  readonly prompt?: string | undefined
  readonly rubrics?: readonly Rubric[] | undefined
}

/** The wording of a judge with a prompt: its items if it has some, else its prompt. */
export function promptWording<Config extends PromptConfig>(builtIn: string): CheckWording<Config> {
  return {
    of: ({ config: { prompt, rubrics }, files }) => {
      if (rubrics) return rubricWording(rubrics, 'rubrics')
      const text = prompt === undefined ? builtIn : (promptText(prompt, files) ?? prompt)
      return { wording: { kind: 'prompt', text }, key: 'prompt', value: text, file: promptPath(prompt, files) }
    },
    replace: (check, wording) => {
      const { config, files } = check
      if (config.rubrics) return check.with({ config: { ...config, rubrics: rewordRubrics(config.rubrics, wording) } })
      if (wording.kind !== 'prompt') throw new RangeError('A prompt is not replaced by items.')
      const { text } = wording
      const path = promptPath(config.prompt, files)
      if (config.prompt === undefined || path === undefined) return check.with({ config: { ...config, prompt: text } })
      return check.with({ files: new Map([...files, [config.prompt, { path, text }]]) })
    },
  }
}

/** The file of a prompt. */
function promptPath(prompt: string | undefined, files: Check['files']): string | undefined {
  const [reference] = promptFiles(prompt)
  return reference && files.get(reference.value)?.path
}
