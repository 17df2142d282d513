import type { LanguageModelUsage } from 'ai'
import { defined } from '../../../lib/defined.ts'
import type { TokenUsage } from '../../../model/answer.ts'

/** The tokens that a model reports; undefined where it reports none. */
export function tokenUsage(usage: LanguageModelUsage): TokenUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage
  const known = defined({
    input: inputTokens,
    output: outputTokens,
    cached: inputTokenDetails.cacheReadTokens,
    reasoning: outputTokenDetails.reasoningTokens,
  })
  return Object.keys(known).length > 0 ? known : undefined
}
