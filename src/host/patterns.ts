import { setFlagsFromString } from 'node:v8'
import { createContext, Script } from 'node:vm'

/** How long a pattern may look for a match. */
const LIMIT_MS = 1000

/** Steps that a pattern takes in no time, however it backtracks. */
const FEW_STEPS = 1e7

/** In texts shorter than this, a search that is linear from each character on takes no time. */
const MODERATE = 10_000

/** Whether a pattern is found; undefined when that takes too long. Patterns that cannot take long pay nothing for this. */
export function testPattern(pattern: string, flags: string, text: string): boolean | undefined {
  const { regex, worst } = compiled(pattern, flags)
  try {
    if (worst(text.length) < FEW_STEPS) return regex.test(text)
    if (text.length < MODERATE && isLinear(pattern, flags)) return compiled(pattern, flags).regex.test(text)
    return testWithLimit(regex, text)
  } catch (error) {
    // The search has run out of stack.
    if ((error as Error).name === 'RangeError') return undefined
    throw error
  }
}

interface Compiled {
  readonly regex: RegExp
  /** Steps that it takes at worst in a text of this length. */
  worst(length: number): number
}

const patterns = new Map<string, Compiled>()

function compiled(pattern: string, flags: string): Compiled {
  const key = `${flags}/${pattern}`
  let known = patterns.get(key)
  if (!known) {
    if (patterns.size > 1000) patterns.clear()
    known = { regex: new RegExp(pattern, flags), worst: worstOf(pattern) }
    patterns.set(key, known)
  }
  return known
}

/** Few for patterns without repeated groups, with few repeats and few choices. */
function worstOf(pattern: string): (length: number) => number {
  if (/\)[*+{?]|\\[1-9k]/.test(pattern)) return () => Number.POSITIVE_INFINITY
  const repeats = pattern.match(/[*+{]/g)?.length ?? 0
  const choices = pattern.match(/[|?]/g)?.length ?? 0
  return length => (length + 1) ** (repeats + 1) * 2 ** choices
}

const linear = new Map<string, boolean>()

/** Whether V8 leaves backtracking for its linear engine when it gets long, which it does for patterns that this can run. */
function isLinear(pattern: string, flags: string): boolean {
  if (linear.size === 0) {
    setFlagsFromString('--enable-experimental-regexp-engine')
    setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
  }
  const key = `${flags}/${pattern}`
  let answer = linear.get(key)
  if (answer === undefined) {
    answer = compiles(pattern, `${flags}l`)
    linear.set(key, answer)
    // To be compiled anew, now that the engine is there.
    patterns.delete(key)
  }
  return answer
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags)
    return true
  } catch {
    return false
  }
}

const TEST = new Script('regex.test(text)')
let context: { regex?: RegExp; text?: string } | undefined

function testWithLimit(regex: RegExp, text: string): boolean | undefined {
  context ??= createContext({}) as { regex?: RegExp; text?: string }
  context.regex = regex
  context.text = text
  try {
    return TEST.runInContext(context, { timeout: LIMIT_MS }) as boolean
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
