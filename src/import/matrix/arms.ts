import type { Written } from '../written.ts'
import { meansLabel, meansPrompt, type Prompt } from './prompts.ts'
import { type MatrixTarget, textsAt } from './providers.ts'

/** The targets and the prompts of a configuration, each of which may be asked only with some of the others. */
export interface Arms {
  readonly targets: readonly MatrixTarget[]
  readonly prompts: readonly Prompt[]
  /** Whether the prompts are variants of the suite. */
  readonly are_variants: boolean
}

/** The names of what is asked: targets, or variants of a target where not all of them are. */
export function armNames({ targets, prompts, are_variants }: Arms, test?: Written): string[] {
  const providers = test && textsAt(test, 'providers')
  const own = test && textsAt(test, 'prompts')
  return targets.flatMap(({ name, labels, prompts: only }) => {
    if (providers && !providers.some(reference => labels.some(label => meansLabel(reference, label)))) return []
    const asked = promptsNamed(promptsNamed(prompts, only), own)
    if (asked.length === prompts.length || !are_variants) return asked.length === 0 ? [] : [name]
    return asked.map(prompt => `${name}/${prompt.name}`)
  })
}

/** The prompts that one of several references means; all without references. */
export function promptsNamed(prompts: readonly Prompt[], references: readonly string[] | undefined): readonly Prompt[] {
  return references ? prompts.filter(prompt => references.some(each => meansPrompt(each, prompt))) : prompts
}

/** Names of variants that no target ends with, so that `TARGET/VARIANT` is never the name of a target. */
export function distinctFrom(targets: readonly MatrixTarget[], prompts: readonly Prompt[]): Prompt[] {
  const isTaken = (name: string) => targets.some(target => target.name.endsWith(`/${name}`))
  return prompts.map(prompt => (isTaken(prompt.name) ? { ...prompt, name: `${prompt.name}-prompt` } : prompt))
}
