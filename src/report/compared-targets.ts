import type { RunReader } from '../model/run-reader.ts'
import type { ReportOptions } from './reporter.ts'

/** Most targets in a report that compares a target with a baseline. */
const MOST = 2

/** The targets of a report with two sides, the one with the skill first: those that are asked for, or those of the run. */
export function comparedTargets(run: RunReader, { targets }: ReportOptions): string[] {
  if (targets) return [...new Set(targets)]
  const controls = new Set(Array.from(run.facts()).flatMap(({ target, is_control }) => (is_control ? [target] : [])))
  // The control arm is the side without the skill, wherever it is in the plan.
  return targetsIn(run).sort((a, b) => Number(controls.has(a)) - Number(controls.has(b)))
}

/** Explains why the targets cannot be the two sides of a comparison; `reader` is who compares them. */
export function targetsProblem(run: RunReader, options: ReportOptions, reader: string): string | undefined {
  const known = targetsIn(run)
  const unknown = options.targets?.find(target => !known.includes(target))
  if (unknown !== undefined) return `This run has no target ${unknown}. Its targets: ${known.join(', ')}.`
  const selected = comparedTargets(run, options)
  if (selected.length <= MOST) return undefined
  return `This run has ${selected.length} targets, but ${reader} compares two: choose them with --target, the one with the skill first. Targets: ${selected.join(', ')}.`
}

/** Targets in plan order, including those without results. */
function targetsIn(run: RunReader): string[] {
  const planned = (run.info?.targets ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  const names = new Set(planned)
  for (const { target } of run.facts()) names.add(target)
  return [...names]
}
