import { withFields } from '../../lib/objects.ts'
import type { Answer, TokenUsage } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Policy } from '../ask.ts'

/** US dollars per million tokens. */
export interface Price {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly cached_input?: number | undefined
}

/** Adds the duration, and the cost from the price of the target, unless the target reports them. */
export function measureUsage(price: Price | undefined, host: Host): Policy {
  return ask => async (prompt, stop) => {
    const start = host.clock.elapsed()
    const answer = await ask(prompt, stop)
    const duration_ms = answer.duration_ms ?? Math.round(host.clock.elapsed() - start)
    return withCost(withFields(answer, { duration_ms }), price)
  }
}

function withCost(answer: Answer, price: Price | undefined): Answer {
  if (answer.cost_usd !== undefined || !price || !answer.token_usage) return answer
  return withFields(answer, { cost_usd: costOf(answer.token_usage, price) })
}

function costOf({ input = 0, output = 0, cached = 0 }: TokenUsage, price: Price): number {
  const perToken = (usd = 0) => usd / 1e6
  const fresh = Math.max(0, input - cached)
  const cachedPrice = price.cached_input ?? price.input
  return fresh * perToken(price.input) + cached * perToken(cachedPrice) + output * perToken(price.output)
}
