import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import { safeSetting, variableFor } from '../secrets.ts'
import type { Written } from '../written.ts'
import { isProvider, providerTarget } from './provider-ids.ts'

/** A target of a configuration. */
export interface MatrixTarget {
  readonly name: string
  readonly fields: Fields
  /** What tests may call it: its id and its label. */
  readonly labels: readonly string[]
  /** The prompts that it is asked; undefined for all. */
  readonly prompts?: readonly string[] | undefined
}

/** The targets of the providers of a configuration; providers without an equivalent are noted and left out. */
export async function convertProviders(
  providers: Written | undefined,
  context: ImportContext,
): Promise<MatrixTarget[]> {
  const list = await listProviders(providers, context)
  const taken = new Map<string, number>()
  return list.flatMap((provider): MatrixTarget[] => {
    const target = convertProvider(provider, context)
    if (!target) return []
    const count = (taken.get(target.name) ?? 0) + 1
    taken.set(target.name, count)
    const name = count === 1 ? target.name : `${target.name}-${count}`
    const { id, label, fields } = provider
    const labels = label === undefined ? [id] : [label, id]
    return [{ name, fields: { ...target, name }, labels, prompts: fields && textsAt(fields, 'prompts') }]
  })
}

/** The texts of a list under a key; undefined without the key. */
export function textsAt(written: Written, key: string): string[] | undefined {
  return written
    .get(key)
    ?.list()
    .flatMap(item => item.text() ?? [])
}

/** The target of a provider that grades answers; undefined, with a note, if there is no equivalent. */
export function graderTarget(provider: Written, context: ImportContext): Fields | undefined {
  const [entry] = entryOf(provider, context)
  return entry && convertProvider(entry, context)
}

/** A provider with its settings. */
interface ProviderEntry {
  readonly id: string
  readonly label: string | undefined
  readonly fields: Written | undefined
  readonly at: Written
}

async function listProviders(providers: Written | undefined, context: ImportContext): Promise<ProviderEntry[]> {
  const found: ProviderEntry[] = []
  for (const each of providers?.list() ?? []) {
    const reference = typeof each.value === 'string' && /^file:\/\/.*\.(?:ya?ml|json)$/.test(each.value)
    const content = reference ? await context.files.content(each, context.notes) : each
    for (const item of content?.list() ?? []) found.push(...entryOf(item, context))
  }
  return found
}

/** A provider is its id, a mapping with an `id`, or a mapping from the id to settings. */
function entryOf(item: Written, { notes }: ImportContext): ProviderEntry[] {
  if (typeof item.value === 'string') return [{ id: item.value, label: undefined, fields: undefined, at: item }]
  const id = item.get('id')?.text()
  if (id !== undefined) return [{ id, label: item.get('label', 'name')?.text(), fields: item, at: item }]
  const [[only, fields] = [], ...others] = item.entries()
  if (only !== undefined && fields?.isMapping() && others.length === 0)
    return [{ id: fields.get('id')?.text() ?? only, label: fields.get('label')?.text(), fields, at: item }]
  notes.leftOut(item.at, 'a provider without an `id`')
  return []
}

type Target = Fields & { readonly name: string }

function convertProvider({ id, label, fields, at }: ProviderEntry, context: ImportContext): Target | undefined {
  const { notes } = context
  const name = targetName(label ?? id)
  const config = fields?.get('config')
  const settings: Record<string, Written> = Object.fromEntries(config?.entries() ?? [])
  const target = providerTarget(id, settings, { ...context, at: at.at })
  if (!target) {
    const kind = isProvider(id) ? 'with these settings' : 'which Assay does not have'
    notes.leftOut(at.at, `the provider ${quoteCode(familyOf(id))}, ${kind}: write a target for it`)
    return undefined
  }
  const { used, ...own } = target
  const read = new Set([...used, ...COMMON])
  for (const [key, value] of Object.entries(settings))
    if (!read.has(key)) notes.leftOut(value.at, `the setting ${quoteCode(key)} of a provider`, 'key')
  for (const key of ['transform', 'delay'])
    if (fields?.get(key)) notes.leftOut(fields.at.child(key), `\`${key}\` of a provider`, 'key')
  return { name, ...own, ...modelSettings(name, settings, target, context) }
}

/** A name that can be written on a command line and in a file name. */
function targetName(text: string): string {
  return (
    text
      .replace(/^file:\/\//, '')
      .replace(/[^\p{L}\p{N}._:/-]+/gu, '-')
      .replace(/^[-./]+|[-./]+$/g, '') || 'target'
  )
}

/** The beginning of an id, which says what kind of provider it is: the same for all models of a service. */
function familyOf(id: string): string {
  return id.startsWith('file://') ? `file://…${/\.\w+/.exec(id)?.[0] ?? ''}` : (/^[^:]*/.exec(id)?.[0] ?? id)
}

const COMMON = [
  'temperature',
  'max_tokens',
  'maxTokens',
  'max_output_tokens',
  'apiKey',
  'apiKeyEnvar',
  'apiKeyRequired',
]

/** Settings that targets of models share. */
function modelSettings(
  name: string,
  settings: Readonly<Record<string, Written>>,
  target: Fields,
  context: ImportContext,
) {
  if (target['model'] === undefined && target['deployment'] === undefined) return {}
  const number = (...keys: string[]) => keys.map(key => settings[key]?.number()).find(value => value !== undefined)
  const tokens = number('max_tokens', 'maxTokens', 'max_output_tokens')
  const { apiKey, apiKeyEnvar } = settings
  const variable = apiKeyEnvar?.text()
  return withoutNullish({
    temperature: number('temperature'),
    max_tokens: tokens !== undefined && Number.isInteger(tokens) && tokens > 0 ? tokens : undefined,
    api_key:
      variable === undefined
        ? apiKey && safeSetting('apiKey', apiKey, variableFor(name, 'api_key'), context.notes)
        : `\${{ ${variable} }}`,
  })
}
