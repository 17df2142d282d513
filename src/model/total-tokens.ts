import type { TokenUsage } from './answer.ts'

/** Input and output together, where both are known. Cached tokens are part of the one, reasoning of the other. */
export function totalTokens(usage: TokenUsage | undefined): number | undefined {
  return usage?.input === undefined || usage.output === undefined ? undefined : usage.input + usage.output
}
