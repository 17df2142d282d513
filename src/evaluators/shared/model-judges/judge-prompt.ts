import { shown } from '../../../lib/shown.ts'
import { didYouMean } from '../../../lib/suggestion.ts'
import type { Check, CheckFiles } from '../../../model/check.ts'
import type { FileReference } from '../../../model/evaluator.ts'
import type { Issue } from '../../../model/issue.ts'
import { negated } from '../sentences/negated.ts'
import { ALL_VARIABLES, VARIABLES } from './filled-prompt.ts'

/** Whether a prompt is the path of a file: one word with a known ending, or one that begins like a path. */
function isPromptPath(prompt: string): boolean {
  return !/\s/.test(prompt) && /^(\.{1,2}\/|\/)|\.(md|txt|j2|prompt)$/.test(prompt)
}

export function promptFiles(prompt: string | undefined): readonly FileReference[] {
  return prompt !== undefined && isPromptPath(prompt) ? [{ value: prompt, at: ['prompt'], need: 'text' }] : []
}

/** The prompt's text: what is written, or what the file says that it names. */
export function promptText(prompt: string, files: CheckFiles): string | undefined {
  return isPromptPath(prompt) ? files.get(prompt)?.text : prompt
}

/** Variables that do not exist. */
export function promptIssues(prompt: string | undefined, files: CheckFiles): Issue[] {
  const text = prompt === undefined ? undefined : promptText(prompt, files)
  if (prompt === undefined || text === undefined) return []
  const file = isPromptPath(prompt) ? files.get(prompt)?.path : undefined
  return [...text.matchAll(/(?<!\\)\{\{([^{}]*)\}\}/g)].flatMap(match => {
    const name = (match[1] ?? '').trim()
    if (ALL_VARIABLES.includes(name)) return []
    const braces = (variable: string) => `{{${variable}}}`
    const others = `the variables are ${VARIABLES.join(', ')}; \`\\{{\` is literal`
    return {
      code: 'unknown-variable' as const,
      path: ['prompt'],
      message: `no variable ${shown(braces(name))}`,
      hint: didYouMean(braces(name), ALL_VARIABLES.map(braces), others),
      ...(file ? { inFile: { file, offset: match.index, length: match[0].length } } : {}),
    }
  })
}

/** A judge's prompt as a sentence, word by word. */
export function promptSentence(prompt: string, { files, negate }: Check): string {
  const text = (promptText(prompt, files) ?? prompt).trim()
  return negated(text, negate)
}
