import type { ResultFacts } from '../../model/run-reader.ts'

/** Means over the attempts of a test that have the figure; undefined without such an attempt. */
export interface UsageMeans {
  /** Cost of an answer in US dollars, without cached answers. */
  readonly cost_usd: number | undefined
  /** Input and output tokens of an answer. */
  readonly tokens: number | undefined
  /** Duration of an answer in milliseconds, without cached answers. */
  readonly duration_ms: number | undefined
}

/** The means over the attempts of a test. A cached answer was paid for and waited for earlier. */
export function usageMeans(results: readonly ResultFacts[]): UsageMeans {
  return { cost_usd: meanOf(results, costOf), tokens: meanOf(results, tokensOf), duration_ms: meanOf(results, timeOf) }
}

type Figure = (facts: ResultFacts) => number | undefined

const costOf: Figure = ({ cost_usd, is_cached }) => (is_cached ? undefined : cost_usd)
const tokensOf: Figure = ({ tokens }) => tokens
const timeOf: Figure = ({ duration_ms, is_cached }) => (is_cached ? undefined : duration_ms)

/** No answer takes more: larger numbers are damage, and would overflow sums of squares. */
const LARGEST = 1e15

function meanOf(results: readonly ResultFacts[], figureOf: Figure): number | undefined {
  let sum = 0
  let count = 0
  for (const facts of results) {
    const figure = figureOf(facts)
    if (figure === undefined || figure > LARGEST) continue
    sum += figure
    count++
  }
  return count === 0 ? undefined : sum / count
}
