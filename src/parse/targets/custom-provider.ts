import { dirname, resolve } from 'node:path'
import { lazily } from '../../lib/lazily.ts'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import { NoAnswer } from '../../model/answer.ts'
import { commandFields } from '../../model/commands.ts'
import { embeddingsSchema } from '../../model/embeddings.ts'
import type { Host } from '../../model/host.ts'
import type { AskContext, Provider } from '../../model/provider.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { checkAnswer, checkReturned } from './custom-answer.ts'
import { homeOf } from './targets-file.ts'

interface ProviderContext {
  readonly host: Host
  readonly diagnostics: Diagnostics
}

/** Finds the file of a custom provider; reports a missing one. */
export async function findProvider(
  path: string,
  at: SourceNode,
  { host, diagnostics }: ProviderContext,
): Promise<string | undefined> {
  const written = path.replace(/^file:(\/\/)?/, '')
  const candidates = [resolve(homeOf(at.file), written), resolve(dirname(at.file), written)]
  for (const file of candidates) {
    if ((await host.files.stat(file).catch(() => undefined))?.kind === 'file') return file
  }
  const hint = `looked at ${[...new Set(candidates)].join(' and ')}`
  diagnostics.add({
    code: 'bad-provider',
    at: at.child('provider'),
    message: `${quoteCode(path)} does not exist`,
    hint,
  })
  return undefined
}

/** Imports a custom provider; reports a module that cannot be used. */
export async function importProvider(
  path: string,
  at: SourceNode,
  context: ProviderContext,
): Promise<Provider | undefined> {
  const file = await findProvider(path, at, context)
  if (file === undefined) return undefined
  const report = (message: string, hint: string) => {
    context.diagnostics.add({ code: 'bad-provider', at: at.child('provider'), message, hint })
    return undefined
  }
  try {
    const { default: provider } = (await context.host.processes.importModule(file)) as { default?: CustomProvider }
    const schema = typeof provider?.config === 'function' ? provider.config() : provider?.config
    if (isProvider(provider) && isSchema(schema))
      return guardProvider({ ...provider, config: () => schema }, path, file)
    const hint = 'make the result of `defineProvider({ config, answer, … })` the default export'
    return report(`${quoteCode(path)} does not export a provider`, hint)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return report(`${quoteCode(path)} cannot be loaded: ${why}`, `looked at ${file}`)
  }
}

/** A provider as a module may export it: its schema need not be a function. */
type CustomProvider = Partial<Omit<Provider, 'config'>> & { readonly config?: unknown }

function isProvider(value: CustomProvider | undefined): value is Provider {
  return typeof value?.answer === 'function'
}

function isSchema(value: unknown): value is z.ZodObject {
  return typeof (value as Partial<z.ZodObject> | undefined)?.safeParse === 'function'
}

/** Wraps a custom provider so that its failures become `NoAnswer`, not bugs. */
function guardProvider(provider: Provider, path: string, file: string): Provider {
  const { validate, files, service, execution, model } = provider
  return {
    ...provider,
    type: provider.type || path,
    about: config => callForText(() => provider.about?.(config)) ?? '',
    implied: config => callForFields(() => provider.implied?.(config)),
    validate: {
      ...validate,
      machine: (config, home, host) => callForLack(async () => validate?.machine?.(config, home, host), path),
    },
    files: {
      ...(files?.workspace ? { workspace: config => callForText(() => files.workspace?.(config)) } : {}),
      ...(files?.commands ? { commands: config => callForCommands(() => files.commands?.(config)) } : {}),
      ...(files?.folders ? { folders: config => callForTexts(() => files.folders?.(config)) } : {}),
      ...(files?.find
        ? { find: (config, home, host) => callForPaths(async () => files.find?.(config, home, host)) }
        : {}),
      paths: (config, folders) => [file, ...callForTexts(() => files?.paths?.(config, folders))],
    },
    ...(service
      ? {
          service: {
            ...service,
            ...(service.endpoint ? { endpoint: config => callForText(() => service.endpoint?.(config)) ?? path } : {}),
          },
        }
      : {}),
    execution: {
      ...execution,
      reportsChanges: true,
      ...(execution?.isCacheable ? { isCacheable: config => callForFlag(() => execution.isCacheable?.(config)) } : {}),
    },
    ...(provider.skills
      ? { skills: (config, folders, host) => callForNames(async () => provider.skills?.(config, folders, host)) }
      : {}),
    ...(model ? { model: { family: config => callForText(() => model.family(config)) } } : {}),
    ...(provider.embed
      ? {
          embed: (config, texts, context) =>
            guardCall(
              async () =>
                checkReturned(
                  embeddingsSchema(),
                  await provider.embed?.(config, texts, context),
                  'invalid embeddings',
                  path,
                ),
              path,
              context,
            ),
        }
      : {}),
    answer: (config, prompt, context) =>
      guardCall(async () => checkAnswer(await provider.answer?.(config, prompt, context), path), path, context),
  }
}

/** Asks a custom provider. */
async function guardCall<Reply>(call: () => Promise<Reply>, path: string, { signal }: AskContext): Promise<Reply> {
  try {
    return await call()
  } catch (error) {
    signal.throwIfAborted()
    throw toNoAnswer(error, path)
  }
}

/** Calls a function of a custom provider; undefined if it throws or does not return a string. */
function callForText(call: () => unknown): string | undefined {
  try {
    const value = call()
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function callForFields(call: () => unknown): Readonly<Record<string, unknown>> {
  try {
    const value = call()
    return isMapping(value) ? value : {}
  } catch {
    return {}
  }
}

function callForTexts(call: () => unknown): readonly string[] {
  try {
    const value = call()
    return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** Returns the commands around a target of a custom provider; none if they have another shape. */
function callForCommands(call: () => unknown): z.output<ReturnType<typeof commands>> {
  try {
    return commands().safeParse(call()).data ?? {}
  } catch {
    return {}
  }
}

const commands = lazily(() => z.object(commandFields()))

/** Returns the skills of a target of a custom provider; undefined if they are not a list of names. */
async function callForNames(call: () => Promise<unknown>): Promise<readonly string[] | undefined> {
  const names = await call().catch(() => undefined)
  return Array.isArray(names) && names.every(name => typeof name === 'string') ? names : undefined
}

/** Returns the files that a custom provider finds; none if it throws or returns something else. */
async function callForPaths(call: () => Promise<unknown>): Promise<readonly string[]> {
  return (await callForNames(call)) ?? []
}

function callForFlag(call: () => unknown): boolean {
  try {
    return call() === true
  } catch {
    return false
  }
}

/** Returns what the machine lacks according to a custom provider, or the error that it throws. */
async function callForLack(call: () => Promise<unknown>, path: string): Promise<string | undefined> {
  try {
    const value = await call()
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    return `${quoteCode(path)} threw: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Compares names, not classes: another copy of the package may have created the error. */
function toNoAnswer(error: unknown, path: string): NoAnswer {
  if (error instanceof NoAnswer) return error
  if (error instanceof Error && error.name === 'NoAnswer') {
    const { code, message } = error as NoAnswer
    return new NoAnswer(code, message, error as NoAnswer)
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new NoAnswer('target-error', `${quoteCode(path)} threw: ${text}`)
}
