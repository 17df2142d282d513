import type { LanguageModelMiddleware, ToolSet } from 'ai'
import type { Look } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'
import type { SdkModel } from '../models/sdk-model.ts'
import { lookingTools } from './looking-tools.ts'
import { Looks } from './looks.ts'

type Request = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']

/** What a model is asked with that may look around, so often, and then has to decide. */
export function lookingModel(
  { wrapLanguageModel, stepCountIs }: typeof import('ai'),
  model: SdkModel,
  { folder, max_steps }: Look,
  schemaWithTools: boolean,
  context: AskContext,
) {
  const looks = new Looks(max_steps)
  const transformParams = async ({ params }: { params: Request }) => {
    looks.next()
    if (schemaWithTools) return looks.areUsedUp ? { ...params, toolChoice: { type: 'none' as const } } : params
    const { tools, toolChoice, responseFormat, ...rest } = params
    const either = looks.areUsedUp ? { responseFormat } : { tools, toolChoice }
    return { ...rest, ...either } as Request
  }
  const tools: ToolSet = lookingTools(folder, looks, context)
  return {
    model: wrapLanguageModel({ model, middleware: { specificationVersion: 'v3', transformParams } }),
    tools,
    stopWhen: stepCountIs(max_steps + 1),
  }
}
