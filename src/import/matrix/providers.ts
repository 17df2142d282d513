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
  /** What changes its answers before they are checked: the same for all targets of a configuration. */
  readonly transform?: Written | undefined
}

/** The targets of the providers of a configuration; providers without an equivalent are noted and left out. */
export async function convertProviders(
  providers: Written | undefined,
  context: ImportContext,
): Promise<MatrixTarget[]> {
  const list = withOneTransform(await listProviders(providers, context), context)
  const taken = new Map<string, number>()
  return list.flatMap((provider): MatrixTarget[] => {
    const target = convertProvider(provider, context)
    if (!target) return []
    const count = (taken.get(target.name) ?? 0) + 1
    taken.set(target.name, count)
    const name = count === 1 ? target.name : `${target.name}-${count}`
    const { id, label, fields } = provider
    const labels = label === undefined ? [id] : [label, id]
    const prompts = fields && textsAt(fields, 'prompts')
    return [{ name, fields: { ...target, name }, labels, prompts, transform: fields?.get('transform') }]
  })
}

/** Checks transform the answers of all targets in one way: providers with another `transform` than the first are left out. */
function withOneTransform(list: readonly ProviderEntry[], { notes }: ImportContext): readonly ProviderEntry[] {
  const transformOf = ({ fields }: ProviderEntry) => fields?.get('transform')?.value
  return list.filter((provider, _, [first]) => {
    const isSame = first !== undefined && transformOf(provider) === transformOf(first)
    if (!isSame) notes.leftOut(provider.at.at, 'a provider with another `transform` than the first one')
    return isSame
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
  const transform = entry?.fields?.get('transform')
  if (transform) context.notes.leftOut(transform.at, '`transform` of a provider that grades', 'key')
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
  if (fields?.get('delay')) notes.leftOut(fields.at.child('delay'), '`delay` of a provider', 'key')
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
