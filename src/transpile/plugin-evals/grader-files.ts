import { quoteCode } from '../../lib/text/quote.ts'
import { type Check, describeCheck } from '../../model/check.ts'
import { inexpressible, type PluginGrader } from '../../model/plugin-grader.ts'
import type { Test } from '../../model/test.ts'
import { WITH_PLUGIN } from '../../spec/plugin-evals/arms.ts'
import { UniqueNames } from '../safe-name.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import type { TranspiledFile } from '../transpiled-file.ts'
import { fitsBody, type Mark, markdownFile } from './marked-text.ts'

/** The graders of a test, each in a file, and what they leave out. */
export function graderFiles(test: Test, folder: string, mark: Mark) {
  const names = new UniqueNames()
  const files: TranspiledFile[] = []
  const issues: TranspileIssue[] = []
  for (const check of test.checks) {
    const { graders, lost } = check.evaluator.plugin?.(check, test) ?? inexpressible()
    const written = check.weight === 0 && !isOnlyWith(check) ? [] : graders
    const losses = [...lost, ...lossesOf(check), ...(isDescribed(check, written) ? [] : ['its description'])]
    if (losses.length > 0 || written.length === 0) issues.push(lossIssue(check, losses, written.length === 0))
    for (const [index, grader] of written.entries()) {
      const name = written.length === 1 ? check.name : `${check.name}-${grader.label ?? index + 1}`
      const file = names.take(name, 'grader')
      files.push(graderFile(`${folder}/graders/${file}.md`, mark, { ...grader, check, name, file }))
    }
  }
  return { files, issues }
}

/** Whether its description is kept: as the text of a grader that has no other. */
function isDescribed({ description }: Check, [first, ...others]: readonly PluginGrader[]): boolean {
  if (description === undefined || first === undefined) return true
  return others.length === 0 && fitsBody(description) && !BODIES.some(key => key in first.keys)
}

interface NamedGrader extends PluginGrader {
  readonly check: Check
  readonly name: string
  /** Name of its file, which is the default of its name. */
  readonly file: string
}

const BODIES = ['pattern', 'criteria']

function graderFile(path: string, mark: Mark, grader: NamedGrader): TranspiledFile {
  const { type, keys, share = 1, check, name, file } = grader
  const [key, body] = Object.entries(keys).find(([key]) => BODIES.includes(key)) ?? []
  const isBody = key !== undefined && fitsBody(String(body))
  const note = key === undefined ? (check.description ?? '') : ''
  const weight = check.weight === 0 ? 1 : check.weight * share
  const rest = Object.entries(keys).filter(([each]) => !isBody || each !== key)
  return markdownFile(
    path,
    mark,
    {
      type,
      ...(name === file ? {} : { name }),
      ...(weight === 1 ? {} : { weight }),
      ...Object.fromEntries(rest),
      ...armOf(grader),
    },
    isBody ? String(body) : note,
  )
}

/** The arms that are graded. Without a word, a grader of the tool `Skill` grades only the arm with the plugin. */
function armOf({ keys, check }: NamedGrader): { readonly arm?: string } {
  const isSkill = keys['tool'] === 'Skill'
  if (isOnlyWith(check)) return isSkill ? {} : { arm: 'with-only' }
  return isSkill && !check.evaluator.trigger && keys['arm'] === undefined ? { arm: 'both' } : {}
}

function isOnlyWith({ applies_to }: Check): boolean {
  return applies_to?.length === 1 && applies_to[0] === WITH_PLUGIN
}

function lossesOf(check: Check): string[] {
  const { weight, required, applies_to } = check
  const isOnly = isOnlyWith(check)
  return [
    ...(required === undefined ? [] : ['that it is required']),
    ...(weight === 0 && !isOnly ? ['the weight 0'] : []),
    ...(weight !== 0 && isOnly ? ['its part in the score, if the test has other checks'] : []),
    ...(applies_to === undefined || isOnly ? [] : ['the targets that it applies to']),
  ]
}

function lossIssue(check: Check, lost: readonly string[], isLeftOut: boolean): TranspileIssue {
  const what = [...new Set(lost)].join(', ')
  const why = check.evaluator.plugin ? what : `they have no grader for the type \`${check.type}\``
  const message = isLeftOut
    ? `plugin evals cannot express the check ${quoteCode(check.name)}, which is left out: ${why}`
    : `plugin evals cannot express these parts of the check ${quoteCode(check.name)}: ${what}`
  const hint = isLeftOut
    ? `as a rubric, it would be: ${describeCheck(check).join('; ')}`
    : 'keep EVAL.yaml as the source'
  return { code: 'unsaid', at: check.at, message, hint }
}
