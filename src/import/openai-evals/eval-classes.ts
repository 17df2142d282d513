import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import type { Programs } from '../matrix/programs.ts'
import type { Written } from '../written.ts'

/** How the answers of an eval are compared with ideal answers. */
export interface EvalClass {
  readonly check: (typeof CLASSES)[string]
  readonly ignoresCase?: boolean
  /** The prompt of a judge. */
  readonly prompt?: string | undefined
}

/** Classes of evals that have an equivalent, by name. */
export const CLASSES: Readonly<Record<string, 'match' | 'includes' | 'fuzzy' | 'json' | 'classify'>> = {
  Match: 'match',
  Includes: 'includes',
  FuzzyMatch: 'fuzzy',
  JsonMatch: 'json',
  ModelBasedClassify: 'classify',
}

type Context = ImportContext & { readonly programs: Programs }

/** The check of a sample; undefined if it has nothing to compare with. */
export function sampleCheck(
  kind: EvalClass,
  ideal: readonly string[],
  sample: Written,
  context: Context,
): Fields | undefined {
  if (kind.check === 'classify') return judge(kind, sample, context)
  if (ideal.length === 0 || ideal.some(text => text === '')) return undefined
  return COMPARISONS[kind.check](ideal, kind, context)
}

type Compare = (ideal: readonly string[], kind: EvalClass, context: Context) => Fields

const COMPARISONS: Readonly<Record<'match' | 'includes' | 'fuzzy' | 'json', Compare>> = {
  match: ideal => ({ type: 'regex', value: `^(?:${ideal.map(escapePattern).join('|')})` }),
  includes: (ideal, { ignoresCase }) => ({ type: ignoresCase ? 'icontains_any' : 'contains_any', value: [...ideal] }),
  fuzzy: (ideal, _, context) => program(FUZZY_MATCH, ideal, context),
  json: (ideal, _, context) => program(JSON_MATCH, ideal, context),
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function program(code: string, ideal: readonly string[], { programs }: Context): Fields {
  return {
    type: 'code_judge',
    script: [...programs.runner('javascript')],
    config: { code, vars: { ideal: [...ideal] } },
  }
}

/** Equal, or one in the other, without punctuation, articles and case. */
const FUZZY_MATCH = `const plain = text => text.toLowerCase()
  .replace(/[!-\\/:-@[-\`{-~]/g, '').replace(/\\b(a|an|the)\\b/g, ' ').split(/\\s+/).filter(Boolean).join(' ')
const answer = plain(output)
return context.vars.ideal.map(plain).some(ideal =>
  answer === '' || ideal === '' ? answer === ideal : answer.includes(ideal) || ideal.includes(answer))
`

/** Equal as JSON, whatever the order of the keys; an absent key is null. */
const JSON_MATCH = `const same = (a, b) => {
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]))
  if (a && b && typeof a === 'object' && typeof b === 'object')
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(key => same(a[key] ?? null, b[key] ?? null))
  return a === b
}
let answer = null
try { answer = JSON.parse(output) } catch {}
return context.vars.ideal.some(ideal => same(answer, JSON.parse(ideal)))
`

function judge({ prompt }: EvalClass, sample: Written, { notes }: Context): Fields {
  notes.approximated(
    sample.at,
    '`ModelBasedClassify` → `llm_judge`: the judge gives a score, and does not choose an option',
  )
  return prompt === undefined ? { type: 'llm_judge' } : { type: 'llm_judge', prompt }
}
