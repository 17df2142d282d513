import { dirname, resolve } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import { firstProblem } from '../../lib/zod-problem.ts'
import { type Answer, answerSchema, NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Provider } from '../../model/provider.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { homeOf } from './targets-file.ts'

interface ProviderContext {
  readonly host: Host
  readonly mistakes: Diagnostics
}

/** The file of a provider of the user's; undefined after a mistake. */
export async function findProvider(
  path: string,
  at: SourceNode,
  { host, mistakes }: ProviderContext,
): Promise<string | undefined> {
  const written = path.replace(/^file:(\/\/)?/, '')
  const candidates = [resolve(homeOf(at.file), written), resolve(dirname(at.file), written)]
  for (const file of candidates) {
    if ((await host.files.stat(file).catch(() => undefined))?.kind === 'file') return file
  }
  const hint = `looked at ${[...new Set(candidates)].join(' and ')}`
  mistakes.add({ code: 'bad-provider', at: at.child('provider'), message: `${quoteCode(path)} does not exist`, hint })
  return undefined
}

/** The provider that a module of the user's exports; undefined after a mistake. */
export async function importProvider(
  path: string,
  at: SourceNode,
  context: ProviderContext,
): Promise<Provider | undefined> {
  const file = await findProvider(path, at, context)
  if (file === undefined) return undefined
  const report = (message: string, hint: string) => {
    context.mistakes.add({ code: 'bad-provider', at: at.child('provider'), message, hint })
    return undefined
  }
  try {
    const { default: provider } = (await context.host.processes.importModule(file)) as { default?: Partial<Provider> }
    if (isProvider(provider)) return guardProvider(provider, path, file)
    const hint = 'make the result of `defineProvider({ config, answer, … })` the default export'
    return report(`${quoteCode(path)} does not export a provider`, hint)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return report(`${quoteCode(path)} cannot be loaded: ${why}`, `looked at ${file}`)
  }
}

function isProvider(value: Partial<Provider> | undefined): value is Provider {
  return typeof value?.answer === 'function' && typeof value.config?.safeParse === 'function'
}

/** What goes wrong inside a provider of the user's is no bug of ours: it is no answer. */
function guardProvider(provider: Provider, path: string, file: string): Provider {
  const { validate, files, service, execution, model } = provider
  return {
    ...provider,
    type: provider.type || path,
    about: config => textOf(() => provider.about?.(config)) ?? '',
    validate: {
      ...validate,
      machine: (config, home, host) => lackOf(async () => validate?.machine?.(config, home, host), path),
    },
    files: {
      ...(files?.workspace ? { workspace: config => textOf(() => files.workspace?.(config)) } : {}),
      ...(files?.folders ? { folders: config => textsOf(() => files.folders?.(config)) } : {}),
      paths: (config, folders) => [file, ...textsOf(() => files?.paths?.(config, folders))],
    },
    ...(service
      ? {
          service: {
            ...service,
            ...(service.endpoint ? { endpoint: config => textOf(() => service.endpoint?.(config)) ?? path } : {}),
          },
        }
      : {}),
    ...(execution
      ? {
          execution: {
            ...execution,
            ...(execution.isCacheable ? { isCacheable: config => isTrue(() => execution.isCacheable?.(config)) } : {}),
          },
        }
      : {}),
    ...(model ? { model: { family: config => textOf(() => model.family(config)) } } : {}),
    answer: async (config, prompt, context) => {
      try {
        return checkAnswer(await provider.answer?.(config, prompt, context), path)
      } catch (error) {
        context.signal.throwIfAborted()
        throw asNoAnswer(error, path)
      }
    },
  }
}

/** What a provider of the user's says about itself; undefined where it says no text, or fails. */
function textOf(word: () => unknown): string | undefined {
  try {
    const said = word()
    return typeof said === 'string' ? said : undefined
  } catch {
    return undefined
  }
}

function textsOf(word: () => unknown): readonly string[] {
  try {
    const said = word()
    return Array.isArray(said) ? said.filter(each => typeof each === 'string') : []
  } catch {
    return []
  }
}

function isTrue(word: () => unknown): boolean {
  try {
    return word() === true
  } catch {
    return false
  }
}

/** What a provider of the user's says that the machine lacks; that it fails is said as such. */
async function lackOf(word: () => Promise<unknown>, path: string): Promise<string | undefined> {
  try {
    const said = await word()
    return typeof said === 'string' ? said : undefined
  } catch (error) {
    return `${quoteCode(path)} threw: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Another copy of the package may have made it, so the name counts and not the class. */
function asNoAnswer(error: unknown, path: string): NoAnswer {
  if (error instanceof NoAnswer) return error
  if (error instanceof Error && error.name === 'NoAnswer') {
    const { code, message } = error as NoAnswer
    return new NoAnswer(code, message, error as NoAnswer)
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new NoAnswer('target-error', `${quoteCode(path)} threw: ${text}`)
}

/** What cannot be written down cannot be judged later. */
function requireJson(answer: Answer, path: string): Answer {
  try {
    JSON.stringify(answer)
    return answer
  } catch (error) {
    throw new NoAnswer(
      'bad-response',
      `${quoteCode(path)} returned an answer that is not JSON: ${(error as Error).message}`,
    )
  }
}

function checkAnswer(given: unknown, path: string): Answer {
  const answer = answerSchema.safeParse(given)
  if (answer.success) {
    // Workspaces, the cache and retries are not the provider's business.
    const { workspace_path, cached, failed_calls, ...rest } = answer.data
    return requireJson(rest, path)
  }
  const problem = firstProblem(answer.error)
  const place = problem.path === '' ? '' : ` at \`${problem.path}\``
  throw new NoAnswer('bad-response', `${quoteCode(path)} returned an invalid answer${place}: ${problem.message}`)
}
