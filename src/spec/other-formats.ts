import { isMapping } from '../lib/is-mapping.ts'

/** A format of suites that is not read, recognised as a whole. */
export interface OtherFormat {
  /** What a file of it is, in words. */
  readonly name: string
  /** The key by which it is recognised; undefined where only its tests show it. */
  readonly key: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Keys by which one of the formats that keep prompts apart from tests is told from the other. */
const AGENTV_KEYS = ['name', 'version', 'default_test', 'evaluate_options', 'environment', 'governance', 'workspace']

/**
 * The format of a file that is no suite of ours: prompts with placeholders, and tests that fill them in.
 * A file in which a test has an `input` is one of ours with mistakes.
 */
export function otherFormatOf(raw: Fields): OtherFormat | undefined {
  const tests = (Array.isArray(raw['tests']) ? raw['tests'] : []).filter(isMapping)
  const isOurs = tests.some(test => 'input' in test || 'input_messages' in test) || OLD_TESTS.some(key => key in raw)
  const key = ['prompts', 'scenarios'].find(name => Object.hasOwn(raw, name))
  if (isOurs || (key === undefined && !tests.some(test => Object.hasOwn(test, 'vars')))) return undefined
  const isAgentv = AGENTV_KEYS.some(name => Object.hasOwn(raw, name)) || tests.some(test => Object.hasOwn(test, 'id'))
  return { name: isAgentv ? "a suite of AgentV's current format" : 'a promptfoo configuration', key }
}

const OLD_TESTS = ['eval_cases', 'evalcases', 'input']
