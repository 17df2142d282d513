import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import { didYouMean } from '../lib/suggestion.ts'
import type { Host } from '../model/host.ts'
import type { Target } from '../model/target.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'
import type { WrittenTarget } from './targets-file.ts'

interface Surroundings {
  readonly host: Host
  readonly mistakes: Mistakes
  /** The folder that relative paths in the target start from. */
  readonly home: string
}

/** Reports what a target lacks in the files around it. */
export async function checkSurroundings(
  provider: Target['provider'],
  config: Readonly<Record<string, unknown>>,
  at: SourceNode,
  { host, mistakes, home }: Surroundings,
): Promise<void> {
  const issues = (await provider.issuesAt?.(config, home, host)) ?? []
  for (const { path, ...issue } of issues) mistakes.add({ ...issue, at: at.child(...path) })
}

/** Reports dependencies that match no file: these could change unseen. */
export async function checkDependencies(
  depends_on: readonly string[],
  at: SourceNode,
  { host, mistakes, home }: Surroundings,
): Promise<void> {
  for (const [index, pattern] of depends_on.entries()) {
    if ((await host.files.glob([pattern], { cwd: home })).length > 0) continue
    const message = `no file matches ${shown(pattern)}`
    const hint = `patterns start from ${home}, the folder of the targets`
    mistakes.add({ code: 'file-missing', at: at.child('depends_on', index), message, hint })
  }
}

/** Reports a judge that is not in the file. */
export function checkJudgeTarget({ raw, at }: WrittenTarget, names: readonly string[], mistakes: Mistakes): void {
  const judge = isMapping(raw) ? raw['judge_target'] : undefined
  if (typeof judge !== 'string' || names.includes(judge)) return
  const message = `no target named ${shown(judge)} in this file`
  const hint = didYouMean(judge, names, `the targets are ${names.join(', ')}`)
  mistakes.add({ code: 'unknown-target', at: at.child('judge_target'), message, hint })
}
