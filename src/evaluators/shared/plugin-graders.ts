import { inexpressible, type PluginGraders } from '../../model/plugin-grader.ts'
import type { CheckSubject } from './subject.ts'

interface RegexCheck {
  readonly pattern: string
  readonly flags?: string | undefined
  readonly subject?: CheckSubject
  readonly negate?: boolean
  /** Exact number of matches. */
  readonly count?: number
}

/** A check that looks for a regular expression, as a grader. */
export function regexGraders({ pattern, flags, subject, negate = false, count }: RegexCheck): PluginGraders {
  const place = placeOf(subject)
  if (!place) return inexpressible(`\`subject: ${wordsOf(subject)}\``)
  const match = count === undefined ? (negate ? 'not_contains' : undefined) : `count:${count}`
  return {
    graders: [
      {
        type: 'regex',
        keys: {
          pattern,
          ...(flags ? { flags } : {}),
          ...(match === undefined ? {} : { match }),
          ...(place.value === undefined ? {} : { target: place.value }),
        },
      },
    ],
    lost: place.lost,
  }
}

interface Place {
  /** Value of `target` or `focus`; undefined for the last message. */
  readonly value?: unknown
  readonly lost: readonly string[]
}

/** What a grader looks at in place of a subject; undefined if it cannot. */
export function placeOf(subject: CheckSubject): Place | undefined {
  if (typeof subject === 'object')
    return subject.file === undefined ? undefined : { value: { source: 'file', path: subject.file }, lost: [] }
  return PLACES[subject ?? 'answer']
}

const PLACES: Readonly<Record<Extract<CheckSubject, string>, Place | undefined>> = {
  answer: { lost: [] },
  transcript: { value: 'trace', lost: ['the text of the transcript (there, it is a stream of JSON lines)'] },
  mock_calls: { value: 'mock_calls', lost: ['the keys of mocked calls (there: tool, input, output, verdict)'] },
  files: { value: 'files', lost: [] },
  changes: undefined,
  tool_calls: undefined,
}

/** Names a subject that graders do not have. */
export function wordsOf(subject: CheckSubject): string {
  return typeof subject === 'object' ? `{mock: ${subject.mock}}` : String(subject)
}

/** Regular expressions that match what text checks look for. */
export const patternOf = {
  text: escapePattern,
  /** Texts are compared trimmed. */
  start: (text: string) => `^\\s*${escapePattern(text.trim())}`,
  end: (text: string) => `${escapePattern(text.trim())}\\s*$`,
  whole: (text: string) => `^\\s*${escapePattern(text.trim())}\\s*$`,
  any: (texts: readonly string[]) => texts.map(escapePattern).join('|'),
  all: (texts: readonly string[]) => `^${texts.map(text => `(?=[\\s\\S]*${escapePattern(text)})`).join('')}`,
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
