import { CHANGE_STATES, type ChangeState } from '../../../model/changes.ts'
import { quote, quoteList, splitAt, unquote, unquoteList } from '../quoting.ts'
import { negateField, parseNegation, sentenceOf } from '../sentences.ts'

/** The fields of a check of changes. */
interface ChangesFields {
  readonly expected?: readonly { readonly path: string; readonly state: ChangeState | 'any' }[] | undefined
  readonly allowed?: readonly string[] | undefined
  readonly forbidden?: readonly string[] | undefined
  readonly max_files?: number | undefined
}

const LEAD = 'Agent changed files as asked: '
const NOTHING_ELSE = 'nothing else'
const VERBS = {
  ...Object.fromEntries(CHANGE_STATES.map(state => [state, state])),
  any: 'changed',
} as const as Readonly<Record<ChangeState | 'any', string>>

/** `Agent changed files as asked: modified 'a.js'; only 'src/**'; not 'test/**'; at most 3 files`. */
export function writeChangesSentence(
  { expected, allowed, forbidden, max_files }: ChangesFields,
  negate: boolean,
): string {
  const parts = [
    ...(expected ?? []).map(({ path, state }) => `${VERBS[state]} ${quote(path)}`),
    ...(allowed ? [allowed.length === 0 ? NOTHING_ELSE : `only ${quoteList(allowed)}`] : []),
    ...(forbidden ? [`not ${quoteList(forbidden)}`] : []),
    ...(max_files === undefined ? [] : [`at most ${max_files} files`]),
  ]
  return sentenceOf(`${LEAD}${parts.join('; ')}`, negate)
}

/** Parses such a sentence; undefined for any other. */
export function parseChangesSentence(sentence: string): Record<string, unknown> | undefined {
  const { said, negate } = parseNegation(sentence)
  if (!said.startsWith(LEAD)) return undefined
  const fields: Record<string, unknown> = {}
  const expected: object[] = []
  for (const part of splitAt(said.slice(LEAD.length), '; ')) {
    const entry = parseExpected(part)
    if (entry) expected.push(entry)
    else if (!addLimit(fields, part)) return undefined
  }
  return { ...(expected.length > 0 ? { expected } : {}), ...fields, ...negateField(negate) }
}

function parseExpected(part: string): object | undefined {
  const [, verb, quoted = ''] = /^(\w+) ('.*')$/s.exec(part) ?? []
  const state = Object.entries(VERBS).find(([, word]) => word === verb)?.[0]
  const path = unquote(quoted)
  if (state === undefined || !path) return undefined
  return { path, ...(state === 'any' ? {} : { state }) }
}

/** Adds a limit to the fields; returns false for any other text, or if the limit is repeated. */
function addLimit(fields: Record<string, unknown>, part: string): boolean {
  const [, number] = /^at most (\d+) files$/.exec(part) ?? []
  const limits: Readonly<Record<string, unknown>> = {
    allowed: part === NOTHING_ELSE ? [] : globsAfter('only ', part),
    forbidden: globsAfter('not ', part),
    max_files: number === undefined ? undefined : Number(number),
  }
  const [key, value] = Object.entries(limits).find(([, value]) => value !== undefined) ?? []
  if (key === undefined || key in fields) return false
  fields[key] = value
  return true
}

function globsAfter(word: string, part: string): string[] | undefined {
  const globs = part.startsWith(word) ? unquoteList(part.slice(word.length)) : undefined
  return globs?.includes('') ? undefined : globs
}
