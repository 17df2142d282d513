import { createContext, Script } from 'node:vm'
import { lazily } from '../lib/lazily.ts'
import { compileLinear, type LinearPattern } from './linear-pattern.ts'

/** How long a search may take. */
const LIMIT_MS = 1000

/** Steps that a search takes a few milliseconds for, however it backtracks. */
const FEW_STEPS = 1e7

/** Steps that RE2 takes at most a second for. */
const MOST_LINEAR_STEPS = 4e7

/** Whether a pattern matches; undefined when that takes too long. Patterns that cannot take long have no overhead. */
export function testPattern(pattern: string, flags: string, text: string): boolean | undefined {
  const compiled = compile(pattern, flags)
  return withinStack(() => {
    if (compiled.worst(text.length) < FEW_STEPS) return compiled.regex.test(text)
    return testLinear(compiled, text) ?? (runWithLimit(TEST, compiled.regex, text) as boolean | undefined)
  })
}

/** Counts the matches that do not overlap, as `matchAll` finds them; undefined when that takes too long. */
export function countPattern(pattern: string, flags: string, text: string): number | undefined {
  const compiled = compile(pattern, flags)
  return withinStack(() => {
    // RE2 may find matches of another length, but only where the expression matches too.
    if (compiled.worst(text.length) >= FEW_STEPS && testLinear(compiled, text) === false) return 0
    return runWithLimit(COUNT, new RegExp(pattern, `${flags}g`), text) as number | undefined
  })
}

/** Undefined when a search has run out of stack. */
function withinStack<Value>(search: () => Value): Value | undefined {
  try {
    return search()
  } catch (error) {
    if ((error as Error).name === 'RangeError') return undefined
    throw error
  }
}

interface CompiledPattern {
  readonly regex: RegExp
  /** The most steps that it takes in a text of this length. */
  worst(length: number): number
  readonly linear: () => LinearPattern | undefined
}

const MOST_PATTERNS = 1000
const patterns = new Map<string, CompiledPattern>()

function compile(pattern: string, flags: string): CompiledPattern {
  const key = `${flags}/${pattern}`
  let known = patterns.get(key)
  if (!known) {
    if (patterns.size >= MOST_PATTERNS) patterns.clear()
    const regex = new RegExp(pattern, flags)
    known = { regex, worst: worstOf(pattern), linear: lazily(() => compileLinear(pattern, flags)) }
    patterns.set(key, known)
  }
  return known
}

/** Few for patterns without repeated groups, with few repeats and few choices. */
function worstOf(pattern: string): (length: number) => number {
  if (/\)[*+{]|\\[1-9k]/.test(pattern)) return () => Number.POSITIVE_INFINITY
  const repeats = pattern.match(/[*+{]/g)?.length ?? 0
  const choices = pattern.match(/[|?]/g)?.length ?? 0
  return length => (length + 1) ** (repeats + 1) * 2 ** choices
}

/** Undefined when RE2 cannot take the pattern, or would take long itself. */
function testLinear({ linear }: CompiledPattern, text: string): boolean | undefined {
  const pattern = linear()
  return pattern && pattern.size * text.length < MOST_LINEAR_STEPS ? pattern.test(text) : undefined
}

const TEST = new Script('regex.test(text)')
/** After an empty match, the search continues one character later. */
const COUNT = new Script(`(() => {
  let count = 0
  for (let found = regex.exec(text); found !== null; found = regex.exec(text)) {
    count++
    if (found[0] === '') regex.lastIndex += regex.unicode && text.codePointAt(regex.lastIndex) > 0xffff ? 2 : 1
  }
  return count
})()`)
let context: { regex?: RegExp; text?: string } | undefined

/** Runs a script on a regular expression and a text; undefined when that takes too long. */
function runWithLimit(script: Script, regex: RegExp, text: string): unknown {
  context ??= createContext({}) as { regex?: RegExp; text?: string }
  context.regex = regex
  context.text = text
  try {
    return script.runInContext(context, { timeout: LIMIT_MS })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
