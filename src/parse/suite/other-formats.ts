import { relative } from 'node:path'
import { groupBy } from '../../lib/collections.ts'
import { isMapping } from '../../lib/objects.ts'
import { printableLine } from '../../lib/text/escape.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** A file with a suite of another format. */
export interface OtherFormatFile {
  readonly format: OtherFormat
  readonly at: SourceNode
}

const HINT = 'convert it with `assay import`, which reports what it cannot carry over'

/** Reports files of other formats, once per format at the first file. */
export function reportOtherFormats(files: readonly OtherFormatFile[], cwd: string, diagnostics: Diagnostics): void {
  for (const [name, [first, ...others]] of groupBy(files, ({ format }) => format.name)) {
    const { at, format } = first
    const message = `this is ${name}, which Assay does not support${othersText(others, cwd)}`
    const location = format.key === undefined ? { at } : ({ at: at.child(format.key), part: 'key' } as const)
    diagnostics.add({ code: 'other-format', ...location, message, hint: HINT })
  }
}

const MOST_NAMED = 3

function othersText(files: readonly OtherFormatFile[], cwd: string): string {
  if (files.length === 0) return ''
  const names = files.slice(0, MOST_NAMED).map(({ at }) => printableLine(relative(cwd, at.file)))
  const rest = files.length - names.length
  const have = files.length === 1 ? '1 more file has' : `${files.length} more files have`
  return `; ${have} the same format: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** An unsupported format of suites. */
interface OtherFormat {
  /** Description of such a file. */
  readonly name: string
  /** Key that identifies the format; undefined if only its tests do. */
  readonly key: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Keys that distinguish AgentV from promptfoo. */
const AGENTV_KEYS = ['name', 'version', 'default_test', 'evaluate_options', 'environment', 'governance', 'workspace']

/**
 * Detects suites of other tools: prompts with placeholders, and tests that fill them in.
 * A file in which a test has an `input` is an invalid suite of this format instead.
 */
export function otherFormatOf(raw: Fields): OtherFormat | undefined {
  const tests = (Array.isArray(raw['tests']) ? raw['tests'] : []).filter(isMapping)
  const isOurs =
    tests.some(test => OUR_KEYS.some(key => Object.hasOwn(test, key))) || OUR_SUITE_KEYS.some(key => key in raw)
  const key = ['prompts', 'scenarios'].find(name => Object.hasOwn(raw, name))
  if (isOurs || (key === undefined && !tests.some(test => Object.hasOwn(test, 'vars')))) return undefined
  const isAgentv = AGENTV_KEYS.some(name => Object.hasOwn(raw, name)) || tests.some(test => Object.hasOwn(test, 'id'))
  return { name: isAgentv ? "a suite of AgentV's current format" : 'a promptfoo configuration', key }
}

const OUR_KEYS = ['input', 'input_messages', 'rows']
const OUR_SUITE_KEYS = ['variants', 'eval_cases', 'evalcases', 'input']
