import { isMapping } from '../../lib/objects.ts'
import type { RawTarget } from './extend-targets.ts'
import type { TargetsFile } from './targets-file.ts'

/** The name of the copy of a target without a field. */
export function ablatedName(name: string, field: string): string {
  return `${name}-without-${field.replaceAll('_', '-')}`
}

/** Adds a copy without the field for each target that has it. A target of the file keeps its name. */
export function addAblations(file: TargetsFile, field: string): TargetsFile {
  const names = new Set(file.targets.map(({ name }) => name))
  const ablated = file.targets.flatMap(target => ablate(target, field) ?? [])
  return { ...file, targets: [...file.targets, ...ablated.filter(({ name }) => !names.has(name))] }
}

/** A copy of a target in which a list or mapping is empty and any other field is gone; undefined if it has no value. */
function ablate(target: RawTarget, field: string): RawTarget | undefined {
  const { raw, name } = target
  if (name === undefined || !isMapping(raw) || isEmpty(raw[field])) return undefined
  const { [field]: value, ...others } = raw
  const ablated = ablatedName(name, field)
  // An empty list is not the same as none: an agent without a list of skills has those of the user.
  const empty = Array.isArray(value) ? { [field]: [] } : isMapping(value) ? { [field]: {} } : {}
  return { ...target, name: ablated, raw: { ...others, ...empty, name: ablated }, ablates: name }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
