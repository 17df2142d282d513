import { evaluators } from '../evaluators/index.ts'
import type { Evaluator } from '../model/evaluator.ts'
import type { Host } from '../model/host.ts'
import type { Provider } from '../model/provider.ts'
import { checkAnswer } from '../parse/targets/custom-answer.ts'
import { providers } from '../providers/index.ts'
import { userEvaluator } from './user-evaluator.ts'

/** What operations work with: the host, and the types of checks and targets that suites may use. */
export interface Runtime {
  readonly host: Host
  readonly evaluators: readonly Evaluator[]
  readonly providers: readonly Provider[]
}

/** Evaluators and providers of a program that uses the API. */
export interface Extensions {
  /** Types of checks besides those that are built in. */
  readonly evaluators?: readonly Evaluator[]
  /** Providers besides those that are built in. */
  readonly providers?: readonly Provider[]
}

/** A runtime with everything that is built in. */
export function runtimeOn(host: Host, extensions: Extensions = {}): Runtime {
  return {
    host,
    evaluators: [...evaluators, ...(extensions.evaluators ?? []).map(userEvaluator)],
    providers: [...providers, ...(extensions.providers ?? []).map(userProvider)],
  }
}

/** A provider that a program passes to the API. Its answers are checked: records cannot hold invalid ones. */
function userProvider(provider: Provider): Provider {
  return {
    ...provider,
    answer: async (config, prompt, context) =>
      checkAnswer(await provider.answer(config, prompt, context), provider.type),
  }
}
