import { withoutNullish } from '../lib/objects.ts'
import { quoteCode } from '../lib/text/quote.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import { messageText } from '../model/message.ts'
import type { Prompt } from '../model/prompt.ts'
import type { AskContext } from '../model/provider.ts'
import type { Target } from '../model/target.ts'

/** Embeds the texts of a prompt. The vectors are the text of an answer, so that every policy applies to them. */
export async function embedMessages(target: Target, { messages }: Prompt, context: AskContext): Promise<Answer> {
  const { provider, config } = target
  if (!provider.embed)
    throw new NoAnswer('target-error', `targets of the provider ${quoteCode(provider.type)} cannot embed texts`)
  const { vectors, token_usage } = await provider.embed(config, messages.map(messageText), context)
  return { text: JSON.stringify(vectors), ...withoutNullish({ token_usage }) }
}
