import { agentv } from './agentv/agentv.ts'
import type { ImportFormat } from './format.ts'
import { inspect } from './inspect/inspect.ts'
import { openaiEvals } from './openai-evals/openai-evals.ts'
import { otel } from './otel/otel.ts'
import { promptfoo } from './promptfoo/promptfoo.ts'

/** The formats that are imported, in the order in which a file is compared with them. */
export const importFormats: readonly ImportFormat[] = [promptfoo, agentv, openaiEvals, inspect, otel]
