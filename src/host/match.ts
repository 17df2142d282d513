import { setFlagsFromString } from 'node:v8'
import { createContext, Script } from 'node:vm'

/** How long a pattern may look for a match. */
const LIMIT_MS = 1000

/** Steps that a pattern takes in no time, however it backtracks. */
const FEW_STEPS = 1e7

/** In texts shorter than this, a search that is linear from each character on takes no time. */
const MODERATE = 10_000

/** Whether a pattern is found; undefined when that takes too long. Patterns that cannot take long pay nothing for this. */
export function matches(pattern: string, flags: string, text: string): boolean | undefined {
  const regex = compiled(pattern, flags)
  try {
    if (isQuick(pattern, text.length)) return regex.test(text)
    if (text.length < MODERATE && isLinear(pattern, flags)) return regex.test(text)
    return testWithLimit(regex, text)
  } catch (error) {
    // The search has run out of stack.
    if ((error as Error).name === 'RangeError') return undefined
    throw error
  }
}

const regexes = new Map<string, RegExp>()

function compiled(pattern: string, flags: string): RegExp {
  const key = `${flags}/${pattern}`
  let regex = regexes.get(key)
  if (!regex) {
    if (regexes.size > 1000) regexes.clear()
    regex = new RegExp(pattern, flags)
    regexes.set(key, regex)
  }
  return regex
}

/** Whether even the worst way through a text is short: no repeated groups, few repeats, few choices. */
function isQuick(pattern: string, length: number): boolean {
  if (/\)[*+{?]|\\[1-9k]/.test(pattern)) return false
  const repeats = pattern.match(/[*+{]/g)?.length ?? 0
  const choices = pattern.match(/[|?]/g)?.length ?? 0
  return (length + 1) ** (repeats + 1) * 2 ** choices < FEW_STEPS
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
    // Compiled anew, now that the engine is there.
    regexes.set(key, new RegExp(pattern, flags))
    linear.set(key, answer)
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
