import { dirname, relative } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Check } from '../../model/check.ts'
import { customCheckSchema } from '../../spec/check.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import { reportLongIntegers } from '../shape/written-scalars.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { buildCheck } from './build-check.ts'
import type { SuiteContext } from './load-context.ts'

/** Loads a custom judge as a check of the evaluator that runs files. Other fields of the entry are its settings. */
export function loadCustomJudge(
  type: string,
  file: string,
  entry: Fields,
  at: SourceNode,
  context: SuiteContext,
): Check | undefined {
  reportLongIntegers(entry, at, context.diagnostics)
  const parsed = checkShape(customCheckSchema(), entry, at, context.diagnostics)
  const evaluator = [...context.lookup.values()].find(({ fromJudgeFile }) => fromJudgeFile)
  if (!parsed || !evaluator?.fromJudgeFile) return undefined
  const { type: _, name, weight, required, negate, applies_to, description, config, ...rest } = parsed
  for (const key of Object.keys(config ?? {}).filter(name => Object.hasOwn(rest, name))) {
    const message = `${quoteCode(key)} is also a key of \`config\`: keep one`
    context.diagnostics.add({ code: 'duplicate-key', at: at.child(key), part: 'key', message })
  }
  // A relative path keeps the identity of the check independent of the checkout folder.
  const path = relative(dirname(at.file), file).replaceAll('\\', '/')
  const own = evaluator.fromJudgeFile(path.startsWith('../') ? path : `./${path}`, { ...config, ...rest })
  const common = { name, weight, required, negate, applies_to, description }
  return buildCheck({ evaluator, type, config: own }, common, at, context)
}
