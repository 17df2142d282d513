import { isMapping } from '../lib/is-mapping.ts'
import type { Host } from '../model/host.ts'
import type { TargetSettings } from '../model/target.ts'
import type { TargetType } from '../spec/targets.ts'
import { checkWrittenTarget } from './check-target.ts'
import { findProvider } from './custom-provider.ts'
import { homeOf } from './find-targets.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'
import { checkDependencies, checkSurroundings } from './target-surroundings.ts'

/** Reports what is wrong with a target as it is written and in the files around it, as far as that depends on no variable. */
export async function checkWithoutVariables(
  raw: unknown,
  named: TargetType | string | undefined,
  at: SourceNode,
  context: { readonly host: Host; readonly mistakes: Mistakes },
): Promise<void> {
  const before = context.mistakes.errors
  checkWrittenTarget(raw, named, at, context.mistakes)
  if (named === undefined || !isMapping(raw) || context.mistakes.errors > before) return
  const around = { ...context, home: homeOf(at.file) }
  const fixed = Object.fromEntries(Object.entries(raw).filter(([, value]) => !hasVariables(value)))
  if (typeof named !== 'string') await checkSurroundings(named.provider, fixed, at, around)
  else if ((await findProvider(named, at, context)) === undefined) return
  const { depends_on = [] } = fixed as TargetSettings
  await checkDependencies(depends_on, at, around)
}

function hasVariables(value: unknown): boolean {
  return JSON.stringify(value).includes('${{')
}
