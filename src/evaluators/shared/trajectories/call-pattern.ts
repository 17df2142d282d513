import { lazily } from '../../../lib/lazily.ts'
import { regexProblem, wildcard } from '../../../lib/patterns.ts'
import { regexSamples } from '../../../lib/regex/regex-samples.ts'
import { singleLine } from '../../../lib/text/quote.ts'
import * as z from '../../../lib/zod.ts'
import type { ToolCall } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import type { Path } from '../../../model/location.ts'
import { quote } from '../quoting.ts'
import { matchesPattern } from '../unjudged.ts'
import { argsMatch } from './expected-call.ts'

/** The fields that every pattern for calls has. */
export const callFields = lazily(() => ({
  tool: z.string().min(1).describe('Name of the tool; `*` matches any text and `?` any character.'),
  input_match: z
    .string()
    .min(1)
    .optional()
    .describe('Regular expression that matches somewhere in the compact JSON of the input.'),
}))

/** Which calls are meant: all conditions must hold. */
export interface CallPattern {
  readonly tool: string
  readonly input_match?: string | undefined
  readonly output_match?: string | undefined
  readonly args?: Readonly<Record<string, unknown>> | undefined
}

/** Tells for each call whether it matches. */
export function callMatcher(pattern: CallPattern, host: Host): (call: ToolCall) => boolean {
  const { tool, input_match, output_match, args } = pattern
  const name = wildcard(tool)
  return call =>
    name.test(call.tool) &&
    argsMatch(call.input, args) &&
    (input_match === undefined || matchesPattern(input_match, '', inputText(call), host)) &&
    (output_match === undefined ||
      (call.output !== undefined && matchesPattern(output_match, '', outputText(call), host)))
}

/** The compact JSON of the input; a call without input has no arguments. */
function inputText({ input = {} }: ToolCall): string {
  return JSON.stringify(input)
}

function outputText({ output }: ToolCall): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** A call that matches a pattern, as far as that can be made. */
export function sampleCall({ tool, input_match, output_match, args }: CallPattern): ToolCall {
  const text = (pattern: string | undefined) => (pattern === undefined ? undefined : regexSamples(pattern).texts[0])
  return {
    tool: tool.replace(/[*?]/g, 'x'),
    input: args ?? text(input_match) ?? {},
    ...(output_match === undefined ? {} : { output: text(output_match) ?? '' }),
  }
}

/** Invalid regular expressions of a pattern. */
export function callPatternIssues(pattern: CallPattern, at: Path = []): Issue[] {
  return (['input_match', 'output_match'] as const).flatMap((key): Issue[] => {
    const value = pattern[key]
    const message = value === undefined ? undefined : regexProblem(value)
    return message === undefined ? [] : [{ code: 'bad-regex', path: [...at, key], message }]
  })
}

/** Names the calls that are meant, for messages: `Bash with input matching /npm test/`. */
export function describePattern({ tool, input_match, output_match, args }: CallPattern): string {
  const conditions = [
    ...(input_match === undefined ? [] : [`input matching ${slashed(input_match)}`]),
    ...(args === undefined ? [] : [`the arguments ${JSON.stringify(args)}`]),
    ...(output_match === undefined ? [] : [`output matching ${slashed(output_match)}`]),
  ]
  return conditions.length === 0 ? tool : `${tool} with ${conditions.join(' and ')}`
}

function slashed(pattern: string): string {
  return `/${singleLine(pattern)}/`
}

/** A quoted text in a sentence, as a part of a regular expression. */
export const QUOTED_TEXT = "'[^'\\\\]*(?:\\\\.[^'\\\\]*)*'"

/** Names the calls that are meant, in a sentence that can be parsed: `'Bash' with input matching 'npm test'`. */
export function patternSentence({ tool, input_match }: CallPattern): string {
  return input_match === undefined ? quote(tool) : `${quote(tool)} with input matching ${quote(input_match)}`
}

/** The calls that are meant, as keys of a grader of plugin evals, which takes names as they are; undefined for a wildcard. */
export function callKeys({ tool, input_match }: CallPattern) {
  if (/[*?]/.test(tool)) return undefined
  return { tool, ...(input_match === undefined ? {} : { input_match }) }
}
