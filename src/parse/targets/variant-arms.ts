import { groupBy } from '../../lib/collections.ts'
import type { Target } from '../../model/target.ts'
import { type Variant, variantName } from '../../model/variant.ts'
import { ablatedName } from './ablate-targets.ts'
import type { ArmName, TargetName } from './target-names.ts'

/** How the arms of a suite with variants are compared. */
interface VariantArmOptions {
  /** The target, or the variant on a target, that is the control arm. */
  readonly control?: TargetName | undefined
  readonly ablate?: string | undefined
  readonly is_exact?: boolean | undefined
}

/** Resolves the arms of a test in a suite with variants: each variant on each target. */
export function variantArms(
  names: readonly TargetName[],
  variants: readonly Variant[],
  { control, ablate, is_exact }: VariantArmOptions,
): readonly ArmName[] {
  const arms = uniqueArms(names.flatMap(name => armsOf(name, variants)))
  if (is_exact) return arms
  if (ablate !== undefined) return arms.flatMap(arm => [arm, ablatedArm(arm, ablate)])
  return control ? withControl(arms, control, variants) : withControlVariant(arms, variants)
}

/** `NAME/VARIANT` is one arm, `NAME` one for each variant. */
function armsOf({ name, at }: TargetName, variants: readonly Variant[]): ArmName[] {
  const one = variants.find(variant => name.endsWith(`/${variant.name}`))
  const base = one ? name.slice(0, -one.name.length - 1) : name
  return (one ? [one] : variants).map(variant => armOf(base, variant.name, at))
}

function armOf(base: string, variant: string, at: TargetName['at']): ArmName {
  return { name: variantName(base, variant), base, variant, at }
}

function uniqueArms(arms: readonly ArmName[]): ArmName[] {
  return [...new Map(arms.toReversed().map(arm => [arm.name, arm])).values()].toReversed()
}

function ablatedArm({ name, base, variant, at }: ArmName, field: string): ArmName {
  const copy = ablatedName(base, field)
  return {
    name: variantName(copy, variant),
    base: copy,
    variant,
    at,
    is_control: true,
    ablates: base,
    control_of: name,
  }
}

/** Marks the control arm: one that all others are compared with, or a target whose variants are each compared with theirs. */
function withControl(arms: readonly ArmName[], control: TargetName, variants: readonly Variant[]): ArmName[] {
  const named = armsOf(control, variants)
  const isOneArm = named.some(({ name }) => name === control.name)
  const names = new Set(named.map(({ name }) => name))
  const others = arms.filter(({ name }) => !names.has(name))
  const controls = named.flatMap((arm): ArmName[] => {
    if (isOneArm) return [{ ...arm, is_control: true }]
    const control_of = others.filter(({ variant }) => variant === arm.variant).map(({ name }) => name)
    const isNeeded = control_of.length > 0 || arms.some(({ name }) => name === arm.name)
    return isNeeded ? [{ ...arm, is_control: true, control_of }] : []
  })
  return [...others, ...controls]
}

/** Marks the control variant of each target that has other variants too. */
function withControlVariant(arms: readonly ArmName[], variants: readonly Variant[]): ArmName[] {
  const control = variants.find(({ is_control }) => is_control)?.name
  if (control === undefined) return [...arms]
  const others = groupBy(
    arms.filter(({ variant }) => variant !== control),
    ({ base }) => base,
  )
  return arms.map(arm => {
    const control_of = others.get(arm.base)?.map(({ name }) => name)
    return arm.variant === control && control_of ? { ...arm, is_control: true, control_of } : arm
  })
}

/** A target as one of its variants: the same agent, with a name of its own. */
export function targetInArm(target: Target, { name, base, variant }: ArmName): Target {
  return variant === undefined ? target : { ...target, name, base, written: { ...target.written, name } }
}
