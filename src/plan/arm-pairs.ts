import { compositeKey } from '../lib/collections.ts'
import { canonicalJson } from '../lib/json/stringify.ts'
import { type Arm, isControlOf } from '../model/attempt.ts'
import type { ArmPair } from '../model/run-info.ts'
import type { Target } from '../model/target.ts'

/** Collects the targets that are compared with a control arm, and the fields in which the two differ. */
export class ArmPairs {
  readonly #fields = new Map<string, Set<string>>()
  readonly #pairs = new Map<string, Omit<ArmPair, 'differs_in'>>()
  /** Suites share their targets, so that most pairs are known. */
  readonly #known = new Map<Target, Set<Target>>()

  /** Adds the arms of a test. */
  add(arms: readonly Arm[]): void {
    if (arms.length < 2) return
    const controls = arms.filter(({ is_control }) => is_control)
    for (const arm of arms.filter(({ is_control }) => !is_control)) {
      for (const control of controls) if (isControlOf(control, arm.target.name)) this.#addPair(arm, control)
    }
  }

  /** The pairs in order, with sorted fields. */
  get pairs(): ArmPair[] {
    return Array.from(this.#pairs, ([key, pair]) => ({
      ...pair,
      differs_in: [...(this.#fields.get(key) ?? [])].sort(),
    }))
  }

  #addPair({ target, variant }: Arm, { target: control, variant: other }: Arm): void {
    const known = this.#known.get(target) ?? new Set()
    if (known.has(control)) return
    this.#known.set(target, known.add(control))
    const key = compositeKey(target.name, control.name)
    const fields = this.#fields.get(key) ?? new Set()
    for (const field of differences(target, control)) fields.add(field)
    if (variant !== other) fields.add('input')
    this.#fields.set(key, fields)
    this.#pairs.set(key, { target: target.name, control: control.name })
  }
}

/** The fields in which two targets differ. */
function differences(a: Target, b: Target): string[] {
  const [one, other] = [effectiveFields(a), effectiveFields(b)]
  const { name: _, ...all } = { ...one, ...other }
  return Object.keys(all).filter(field => canonicalJson(one[field]) !== canonicalJson(other[field]))
}

/** The fields as written, and those that follow from them. */
function effectiveFields({ written, provider, config }: Target): Readonly<Record<string, unknown>> {
  return { ...provider.implied?.(config), ...written }
}
