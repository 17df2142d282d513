import { shown } from '../lib/shown.ts'
import type { Target } from '../model/target.ts'
import type { Mistakes } from './mistakes.ts'

/** Warns of a judge that is of the same model family as a target whose answers it judges. */
export function reportSameFamily(judge: Target, targets: Iterable<Target>, mistakes: Mistakes): void {
  for (const target of targets) {
    const words = closeness(judge, target)
    if (words === undefined) continue
    const hint =
      'models favour answers like their own: let one of another family judge, with `judge_target` or `--judge`'
    const message = `${shown(judge.name)} judges ${words}`
    mistakes.add({ code: 'same-family', at: judge.at.child('name'), message, hint })
  }
}

/** How a judge is too close to a target; undefined where it is not, or where nobody knows. */
function closeness(judge: Target, target: Target): string | undefined {
  if (judge.name === target.name) return judge.provider.family ? 'its own answers' : undefined
  const family = familyOf(judge)
  if (family === undefined || family !== familyOf(target)) return undefined
  return `the answers of ${shown(target.name)}, and both are of the family ${shown(family)}`
}

function familyOf({ provider, config }: Target): string | undefined {
  return provider.family?.(config)
}
