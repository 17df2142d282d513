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
import { aliasProblem } from './yaml-aliases.ts'
import type { YamlProblem } from './yaml-problem.ts'
import { type Span, YamlTree } from './yaml-tree.ts'

export interface YamlDocument {
  /** Undefined for an empty text. */
  readonly value: unknown
  readonly tree: YamlTree
}

const MAX_DEPTH = 100
const MAX_MERGED_KEYS = 1_000_000

/** Values and places of a YAML text, from one pass over it; or what is wrong with it. */
export function readYaml(text: string): { document?: YamlDocument; problems: YamlProblem[] } {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH })
    const problem = documentProblem(text, events) ?? aliasProblem(text, events)
    if (problem) return { problems: [problem] }
    return construct(text, events)
  } catch (error) {
    return { problems: [problemOf(error, text)] }
  }
}

function construct(text: string, events: Event[]): { document: YamlDocument; problems: YamlProblem[] } {
  const tree = new YamlTree(text, events)
  const options = { source: text, schema: SCHEMA, maxTotalMergeKeys: MAX_MERGED_KEYS }
  try {
    return { document: { value: constructFromEvents(events, options)[0], tree }, problems: [] }
  } catch (error) {
    const problems = tree.duplicateKeys().map(duplicateProblem)
    if (problems.length === 0) throw error
    // All duplicates are known now; the rest of the file is read as if the last of each were the only one.
    return { document: { value: constructFromEvents(events, { ...options, json: true })[0], tree }, problems }
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
  return { code: 'duplicate-key', span, message: `the key \`${key}\` stands here for the second time` }
}

function documentProblem(text: string, events: readonly Event[]): YamlProblem | undefined {
  let documents = 0
  for (const event of events) if (event.type === EVENT_ID.DOCUMENT) documents++
  if (documents <= 1) return undefined
  const separators = [...text.matchAll(/^---(?=\s|$)/gm)]
  const second = separators[separators.length - documents + 1] ?? separators.at(-1)
  const start = second?.index ?? 0
  return { code: 'second-document', span: { start, end: start + 3 }, message: 'a second document begins here' }
}

function problemOf(error: unknown, text: string): YamlProblem {
  if (!(error instanceof YAMLException)) throw error
  const start = Math.min(error.mark?.position ?? 0, text.length)
  const unsafe = /maxDepth|maxTotalMergeKeys|__proto__|merge sequence/.test(error.reason)
  const message = error.reason.replace(/ exceeded max\w+ \((\d+)\)/, ' exceed the limit of $1')
  const hint = HINTS.find(([pattern]) => pattern.test(error.reason))?.[1]
  return {
    code: unsafe ? 'unsafe-yaml' : 'yaml-syntax',
    span: { start, end: start + 1 },
    message,
    ...(hint === undefined ? {} : { hint }),
  }
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/tab characters/, 'indent with spaces'],
  [/unknown \w+ tag/, 'only plain YAML values are read: remove the tag, or put the text in quotes'],
  [/alias/, 'a text that begins with `*` needs quotes'],
  [/complex keys/, 'braces and brackets at the start of a text need quotes'],
  [/bad indentation|mapping entry|implicit/, 'check the indentation, and put texts that contain `: ` in quotes'],
]
