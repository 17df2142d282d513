import type { Target } from '../../model/target.ts'

/** What a log says of a target, with its variables filled in. */
export function targetFacts({ name, settings, config }: Target): Record<string, unknown> {
  const { model } = config as { readonly model?: unknown }
  return { name, system_prompt: settings.system_prompt, model }
}
