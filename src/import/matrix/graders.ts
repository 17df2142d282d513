import { canonicalJson } from '../../lib/json/stringify.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import type { Written } from '../written.ts'
import { graderTarget, type MatrixTarget } from './providers.ts'

/** The provider of embeddings where a configuration names none, as the documents of promptfoo have it. */
const DEFAULT_EMBEDDINGS = { name: 'embeddings', provider: 'openai', model: 'text-embedding-3-large' }

const EMBEDDING_ID = /^(\w+):embeddings?:(.+)$/s

type Use = 'text' | 'embedding'

/** Collects the targets that grade answers: judges, and models for embeddings. */
export class GraderTargets {
  readonly #targets = new Map<string, Fields>()
  readonly #known: readonly MatrixTarget[]
  /** The target of each provider as it is written; undefined for one without an equivalent, which is noted once. */
  readonly #converted = new Map<string, string | undefined>()

  constructor(known: readonly MatrixTarget[]) {
    this.#known = known
  }

  get targets(): readonly Fields[] {
    return [...this.#targets.values()]
  }

  /** The judge that the first of several providers names; undefined for the judge of the run. */
  judge(providers: readonly (Written | undefined)[], context: ImportContext): string | undefined {
    const own = providerFor('text', providers)
    return own && this.#named(own, 'judge', context)
  }

  /** The target that embeds texts; undefined, with a note, if the provider that is named has no equivalent. */
  embeddings(providers: readonly (Written | undefined)[], at: Written['at'], context: ImportContext) {
    const own = providerFor('embedding', providers)
    if (own) return this.#named(embeddingProvider(own), 'embeddings', context)
    const { name, model } = DEFAULT_EMBEDDINGS
    context.notes.approximated(
      at,
      `\`similar\` names no model: the default of promptfoo, \`${model}\` of OpenAI, is used`,
    )
    this.#targets.set(name, DEFAULT_EMBEDDINGS)
    return name
  }

  #named(provider: Written, use: string, context: ImportContext): string | undefined {
    const known = this.#known.find(({ labels }) => labels.includes(provider.text() ?? ''))
    if (known && use === 'judge') return known.name
    const key = `${use} ${canonicalJson(provider.value)}`
    if (!this.#converted.has(key)) this.#converted.set(key, this.#add(provider, use, context))
    return this.#converted.get(key)
  }

  #add(provider: Written, use: string, context: ImportContext): string | undefined {
    const target = graderTarget(provider, context)
    if (!target) return undefined
    const wanted = `${use}-${String(target['name'])}`
    let name = wanted
    for (let next = 2; this.#targets.has(name); next++) name = `${wanted}-${next}`
    this.#targets.set(name, { ...target, name })
    return name
  }
}

/** The first provider for a use. A mapping may have one for each use; an id says itself whether it embeds texts. */
function providerFor(use: Use, providers: readonly (Written | undefined)[]): Written | undefined {
  for (const provider of providers) {
    const own = provider?.get(use)
    if (own) return own
    const id = provider?.text() ?? provider?.get('id')?.text()
    if (id !== undefined && EMBEDDING_ID.test(id) === (use === 'embedding')) return provider
  }
  return undefined
}

/** A provider of embeddings as one that chats: targets have only one kind of models. */
function embeddingProvider(provider: Written): Written {
  const id = provider.text() ?? provider.get('id')?.text() ?? ''
  const plain = id.replace(EMBEDDING_ID, '$1:$2')
  return provider.isMapping() ? provider.with({ ...(provider.value as Fields), id: plain }) : provider.with(plain)
}
