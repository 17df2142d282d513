import {
  CORE_SCHEMA,
  constructFromEvents,
  defineMappingTag,
  EVENT_ID,
  type Event,
  mapTag,
  mergeTag,
  parseEvents,
  YAMLException,
} from 'js-yaml'
import { quoteCode } from '../../lib/text/quote.ts'
import { aliasProblem, MAX_DEPTH } from './yaml-limits.ts'
import type { YamlProblem } from './yaml-problem.ts'
import type { Span } from './yaml-spans.ts'
import { YamlTree } from './yaml-tree.ts'

export interface YamlDocument {
  /** Undefined for an empty document. */
  readonly value: unknown
  readonly tree: YamlTree
}

const MAX_MERGED_KEYS = 1_000_000

/** Parses a YAML text into values and their locations, in one pass, or returns its problems. */
export function readYaml(text: string): { document?: YamlDocument; problems: YamlProblem[] } {
  let events: Event[] = []
  try {
    events = parseEvents(text, { maxDepth: MAX_DEPTH })
    const problem = documentProblem(text, events) ?? aliasProblem(text, events)
    if (problem) return { problems: [problem] }
    return construct(text, events)
  } catch (error) {
    const problem = problemOf(error, text)
    // js-yaml does not locate a key that is a collection.
    const span = COMPLEX_KEY.test(problem.message) ? new YamlTree(text, events).complexKey() : undefined
    return { problems: [span ? { ...problem, span, message: 'a mapping or list cannot be a key' } : problem] }
  }
}

const COMPLEX_KEY = /complex keys/

function construct(text: string, events: Event[]): { document?: YamlDocument; problems: YamlProblem[] } {
  const tree = new YamlTree(text, events)
  const options = { source: text, schema: SCHEMA, maxTotalMergeKeys: MAX_MERGED_KEYS }
  try {
    return { document: { value: constructFromEvents(events, options)[0], tree }, problems: [] }
  } catch (error) {
    const problems = tree.duplicateKeys().map(duplicateProblem)
    if (problems.length === 0) throw error
    try {
      // All duplicates are reported; the last of each is used to check the rest of the file.
      return { document: { value: constructFromEvents(events, { ...options, json: true })[0], tree }, problems }
    } catch (other) {
      return { problems: [...problems, problemOf(other, text)] }
    }
  }
}

const SCHEMA = CORE_SCHEMA.withTags(
  mergeTag,
  defineMappingTag<Record<string, unknown>>(mapTag.tagName, {
    ...mapTag,
    addPair: (mapping, key, value) =>
      key === '__proto__' ? 'the key `__proto__` is not allowed' : mapTag.addPair(mapping, key, value),
  }),
)

function duplicateProblem({ key, span }: { key: string; span: Span }): YamlProblem {
  return { code: 'duplicate-key', span, message: `duplicate key ${quoteCode(key)}`, hint: 'remove one of them' }
}

function documentProblem(text: string, events: readonly Event[]): YamlProblem | undefined {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT)
  if (second < 0) return undefined
  const content = new YamlTree(text, events).span(second + 1)?.start ?? text.length
  const dashes = text.lastIndexOf('---', content)
  const start = (events[second] as { explicitStart?: boolean }).explicitStart && dashes >= 0 ? dashes : content
  return {
    code: 'second-document',
    span: { start, end: start + 3 },
    message: 'a second document begins here',
    hint: 'remove the `---` line, or move this document to its own file',
  }
}

function problemOf(error: unknown, text: string): YamlProblem {
  if (!(error instanceof YAMLException)) throw error
  const { reason } = error
  const unsafe = /maxDepth|maxTotalMergeKeys|__proto__|merge sequence/.test(reason)
  const hint = HINTS.find(([pattern]) => pattern.test(reason))?.[1]
  return {
    code: unsafe ? 'unsafe-yaml' : 'yaml-syntax',
    span: wordAt(text, Math.min(error.mark?.position ?? 0, text.length)),
    message: reason.replace(/exceeded max\w+ \((\d+)\)/, 'exceeds the limit of $1'),
    ...(hint === undefined ? {} : { hint }),
  }
}

/** Returns the word at an offset, including a preceding quote or alias mark. */
function wordAt(text: string, offset: number): Span {
  const start = /["'*]/.test(text[offset - 1] ?? '') ? offset - 1 : offset
  const word = /^["'*]?[\w-]+["']?/.exec(text.slice(start, start + 40))?.[0] ?? ''
  return { start, end: start + Math.max(1, word.length) }
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/null byte/, 'the file may be UTF-16 or binary: save it as UTF-8 text'],
  [/tab characters/, 'indent with spaces'],
  [/unknown \w+ tag/, 'tags are not supported: remove the tag, or put the text in quotes'],
  [/alias/, 'put text that begins with `*` in quotes'],
  [COMPLEX_KEY, 'put text that begins with `{` or `[`, such as `{{name}}`, in quotes'],
  [/escape sequence|hexadecimal/, 'a backslash begins an escape in double quotes: use single quotes'],
  [/deficient indentation/, 'close the quote or bracket, and indent the closing one with spaces'],
  [/unexpected end|stream within/, 'close the quote or bracket'],
  [
    /bad indentation|mapping entry|implicit/,
    'check the indentation; put text in quotes that contains `: ` or begins with a character like `@`, `*` or `{`; escape quotes inside quotes',
  ],
  [/non-printable/, 'write it as an escape in double quotes, such as `"\\e"`'],
]
