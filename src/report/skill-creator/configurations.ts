import type { RunReader } from '../../model/run-reader.ts'
import type { Asked } from '../reporter.ts'

/** The two sides of a comparison, by the names of their folders: the reader compares the first with the second. */
const NAMES = ['with_skill', 'without_skill'] as const

export type Configuration = (typeof NAMES)[number]

/** Which target is which side: those that were asked for, in that order, else those of the run. */
export function configurationsOf(run: RunReader, asked: Asked): ReadonlyMap<string, Configuration> {
  const chosen = wantedTargets(run, asked)
  return new Map(NAMES.flatMap((name, index) => (chosen[index] === undefined ? [] : [[chosen[index], name]])))
}

/** Why the targets are not two sides of a comparison. */
export function targetsProblem(run: RunReader, asked: Asked): string | undefined {
  const known = targetsIn(run)
  const stranger = asked.targets?.find(target => !known.includes(target))
  if (stranger !== undefined) return `There is no target ${stranger} in this run: it has ${known.join(', ')}.`
  const wanted = wantedTargets(run, asked)
  if (wanted.length <= NAMES.length) return undefined
  return `There are ${wanted.length} targets, and only two can be compared: choose with --target, first the one with the skill, then the one without. They are ${wanted.join(', ')}.`
}

function wantedTargets(run: RunReader, { targets }: Asked): string[] {
  return targets ? [...new Set(targets)] : targetsIn(run)
}

/** In the order of the plan, also where one has no result yet. */
function targetsIn(run: RunReader): string[] {
  const planned = (run.info?.targets ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  const names = new Set(planned)
  for (const { target } of run.facts()) names.add(target)
  return [...names]
}
