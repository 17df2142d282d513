import { withVariables } from './fill-variables.ts'
import type { TargetContext } from './load-target.ts'
import { Mistakes } from './mistakes.ts'
import { addSecret, filledSecrets, isSecret, writtenSecrets } from './secrets.ts'
import type { WrittenTarget } from './targets-file.ts'

/**
 * Learns the secrets of all targets, also of those that nobody asks: their lines may stand beside a mistake, and every
 * program that answers or judges sees the whole environment, so that it can give away any of them.
 */
export function learnSecrets(targets: readonly WrittenTarget[], context: Omit<TargetContext, 'mistakes'>): void {
  const { types, variables, secrets } = context
  for (const { raw, at } of targets) {
    writtenSecrets(raw, secrets)
    // What is wrong there is said when the target is asked for.
    filledSecrets(withVariables(raw, at, { variables, secrets, mistakes: new Mistakes() }), secrets)
  }
  for (const name of types.flatMap(({ provider }) => provider.keyVariables ?? [])) {
    const value = variables(name)
    if (value !== undefined && isSecret(value, [name, 'api_key'])) addSecret(secrets, value, name)
  }
}
