import { ANSWERS, type Fence } from './fence.ts'
import type { JudgeMaterial } from './judge-material.ts'

/** Other names of what a judge is shown. */
const OTHER_NAMES: Readonly<Record<string, keyof JudgeMaterial>> = {
  input: 'question',
  output: 'answer',
  expected_output: 'reference_answer',
  candidate_answer: 'answer',
}

/** A prompt with its variables filled in, and with what a judge must see where the prompt does not mention it. */
export function filledPrompt(template: string, material: JudgeMaterial, fence: Fence): string {
  const mentioned = new Set<keyof JudgeMaterial>()
  const filled = template.replace(/(\\?)\{\{([^{}]*)\}\}/g, (written, backslash: string, variable: string) => {
    if (backslash !== '') return written.slice(1)
    const name = nameOf(variable.trim())
    mentioned.add(name)
    return fence.shown(name, material)
  })
  const seesTheAnswer = ANSWERS.some(name => mentioned.has(name))
  const needed = seesTheAnswer ? NOTE : EVERYTHING
  return [
    filled,
    ...sections(
      needed.filter(name => !mentioned.has(name)),
      material,
      fence,
    ),
  ].join('\n\n')
}

/** What a judge is shown, each under its name; what is not there is left out. */
export function sections(names: readonly (keyof JudgeMaterial)[], material: JudgeMaterial, fence: Fence): string[] {
  return names.flatMap(name =>
    material[name] === undefined ? [] : [`# ${TITLES[name]}\n${fence.shown(name, material)}`],
  )
}

/** What every judge must see. */
export const EVERYTHING: readonly (keyof JudgeMaterial)[] = [
  'question',
  'criteria',
  'reference_answer',
  'note',
  'answer',
]
const NOTE: readonly (keyof JudgeMaterial)[] = ['note']

const TITLES: Readonly<Record<keyof JudgeMaterial, string>> = {
  question: 'Question',
  criteria: 'Criteria',
  answer: 'Answer to be judged',
  reference_answer: 'A good answer, for comparison',
  input_messages: 'Input messages',
  expected_messages: 'Expected messages',
  output_messages: 'Messages to be judged',
  note: 'Note for the judge',
}

function nameOf(variable: string): keyof JudgeMaterial {
  return OTHER_NAMES[variable] ?? (variable as keyof JudgeMaterial)
}
