import { quoteCode } from '../../../lib/text/quote.ts'
import { didYouMean } from '../../../lib/text/suggestion.ts'
import type { CheckFiles } from '../../../model/check.ts'
import type { CheckInWords, FileReference } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { Issue } from '../../../model/issue.ts'
import { sentenceOf } from '../sentences.ts'
import { ANSWERS, type Fence, type JudgeMaterial } from './judge-material.ts'

/** Other names of variables. */
const OTHER_NAMES: Readonly<Record<string, keyof JudgeMaterial>> = {
  input: 'question',
  input_text: 'question',
  output: 'answer',
  output_text: 'answer',
  expected_output: 'reference_answer',
  expected_output_text: 'reference_answer',
  candidate_answer: 'answer',
}

/** Fills in the variables of a prompt, and appends what a judge must see if the prompt does not mention it. */
export function fillPrompt(template: string, material: JudgeMaterial, fence: Fence): string {
  const written = new Map<string, keyof JudgeMaterial>()
  const filled = template.replace(/(\\?)\{\{([^{}]*)\}\}/g, (text, backslash: string, variable: string) => {
    if (backslash !== '') return text.slice(1)
    const name = subjectOrAnswer(nameOf(variable.trim()), material)
    written.set(variable.trim(), name)
    return fence.enclose(name, material)
  })
  const mentioned = new Set(written.values())
  if (mentioned.size > 0 && [...mentioned].every(name => isEmpty(material[name])))
    throw emptyPrompt([...written.keys()])
  const judged: readonly (keyof JudgeMaterial)[] = material.subject === undefined ? ANSWERS : ['subject']
  const seesIt = judged.some(name => mentioned.has(name))
  const needed = (seesIt ? NOTE : everything(material)).filter(name => !mentioned.has(name))
  return [filled, ...sections(needed, material, fence)].join('\n\n')
}

/** By default, the answer is what is judged. */
function subjectOrAnswer(name: keyof JudgeMaterial, { subject }: JudgeMaterial): keyof JudgeMaterial {
  return name === 'subject' && subject === undefined ? 'answer' : name
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text.trim() === ''
}

function emptyPrompt(variables: readonly string[]): Unjudged {
  const names = variables.map(variable => `\`{{${variable}}}\``).join(', ')
  const words = `${names} ${variables.length === 1 ? 'has' : 'have'} no value`
  return new Unjudged('empty-prompt', `the prompt is empty for this test: ${words}`)
}

/** Texts for a judge, each under its title; missing ones are skipped. */
export function sections(names: readonly (keyof JudgeMaterial)[], material: JudgeMaterial, fence: Fence): string[] {
  return names.flatMap(name =>
    material[name] === undefined ? [] : [`# ${TITLES[name]}\n${fence.enclose(name, material)}`],
  )
}

/** The texts that every judge must see: another subject replaces the answer. */
export function everything({ subject }: JudgeMaterial): readonly (keyof JudgeMaterial)[] {
  return ['question', 'criteria', 'reference_answer', 'note', subject === undefined ? 'answer' : 'subject']
}
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
  subject: 'To be judged',
}

/** The variables of a prompt. */
const VARIABLES: readonly string[] = Object.keys(TITLES)

/** The variables that a prompt of a judge may use, with their other names. */
export const JUDGE_VARIABLES: readonly string[] = [...VARIABLES, ...Object.keys(OTHER_NAMES)]

function nameOf(variable: string): keyof JudgeMaterial {
  return OTHER_NAMES[variable] ?? (variable as keyof JudgeMaterial)
}

/** Whether a prompt is the path of a file: without spaces, and with a known extension or a leading `./`, `../` or `/`. */
function isPromptPath(prompt: string): boolean {
  return !/\s/.test(prompt) && /^(\.{1,2}\/|\/)|\.(md|txt|j2|prompt)$/.test(prompt)
}

export function promptFiles(prompt: string | undefined): readonly FileReference[] {
  return prompt !== undefined && isPromptPath(prompt) ? [{ value: prompt, at: ['prompt'], need: 'text' }] : []
}

/** The text of a prompt: inline, or from its file. */
export function promptText(prompt: string, files: CheckFiles): string | undefined {
  return isPromptPath(prompt) ? files.get(prompt)?.text : prompt
}

/** A variable of a prompt, with its name. */
const VARIABLE = /(?<!\\)\{\{([^{}]*)\}\}/g

/** Unknown variables of a prompt. */
export function promptIssues(prompt: string | undefined, files: CheckFiles): Issue[] {
  const text = prompt === undefined ? undefined : promptText(prompt, files)
  if (prompt === undefined || text === undefined) return []
  const file = isPromptPath(prompt) ? files.get(prompt)?.path : undefined
  return [...text.matchAll(VARIABLE)].flatMap(match => {
    const name = (match[1] ?? '').trim()
    if (JUDGE_VARIABLES.includes(name)) return []
    const braces = (variable: string) => `{{${variable}}}`
    const others = `the variables are ${VARIABLES.join(', ')}; \`\\{{\` is literal`
    return {
      code: 'unknown-variable' as const,
      path: ['prompt'],
      message: `unknown variable ${quoteCode(braces(name))}`,
      hint: didYouMean(braces(name), JUDGE_VARIABLES.map(braces), others),
      ...(file ? { inFile: { file, offset: match.index, length: match[0].length } } : {}),
    }
  })
}

/** A prompt that fills in other texts, but never what is judged: it is then appended. */
export function promptDoubts(prompt: string | undefined, files: CheckFiles): Issue[] {
  const text = prompt === undefined ? undefined : promptText(prompt, files)
  const variables = [...(text ?? '').matchAll(VARIABLE)].map(match => (match[1] ?? '').trim())
  if (variables.length === 0 || variables.some(name => ANSWERS.includes(nameOf(name)))) return []
  const names = [...new Set(variables)].map(name => `\`{{${name}}}\``).join(', ')
  return [
    {
      code: 'judge-without-answer',
      path: ['prompt'],
      message: `the prompt of this judge fills in ${names}, but never the answer`,
      hint: 'write `{{answer}}` where the judge should read it; it is appended to the end of this prompt',
    },
  ]
}

/** Tells the judge that what it judges is not the answer. The prompts of judges speak of the answer. */
export function subjectInstruction(name: string): string {
  return `What is to be judged here, and called "the answer", is ${name}, as the agent left it: the text under "To be judged".`
}

/** The prompt of a judge as a sentence. */
export function promptSentence(prompt: string, { files, negate }: CheckInWords): string {
  const text = (promptText(prompt, files) ?? prompt).trim()
  return sentenceOf(text, negate)
}
