import { isMapping } from '../../../lib/objects.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import { closestMatch } from '../../../lib/text/suggestion.ts'
import { NoAnswer } from '../../../model/answer.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * The `options` of a target. An SDK drops what it does not know without a word, so it is watched: what it has not read
 * when it sends a request goes into the request as it is, or is refused.
 */
export class ModelOptions {
  /** The options for the SDK. */
  readonly sdk: Options
  readonly #service: Options
  readonly #watched: ObservedOptions

  constructor(options: Options = {}) {
    const entries = Object.entries(options)
    this.#service = Object.fromEntries(entries.filter(([name]) => name.includes('_')))
    this.#watched = observeReads(Object.fromEntries(entries.filter(([name]) => !name.includes('_'))), 'by name')
    this.sdk = this.#watched.value
  }

  /** Fields to add to a request that the SDK has made: those in the spelling of a service, which has no capitals. */
  fields(): Options {
    const unread = this.#watched.unread()
    const refused = unread.find(({ path }) => path.length > 1 || /[^a-z]/.test(path[0] ?? ''))
    if (refused) throw unknownOptionError(refused)
    const own = unread.map(({ path: [name = ''] }) => [name, this.#watched.written[name]])
    return { ...this.#service, ...Object.fromEntries(own) }
  }
}

function unknownOptionError({ path, known }: UnreadOption): NoAnswer {
  const meant = closestMatch(path.at(-1) ?? '', known)
  const hint = meant === undefined ? passThroughHint(path) : `did you mean \`${meant}\`?`
  return new NoAnswer(
    'target-error',
    `\`options\`: ${quoteCode(path.join('.'))} is unknown to the provider's SDK; ${hint}`,
  )
}

/** The hint for a name that is meant for the service, as `topK` for `top_k`. */
function passThroughHint(path: readonly string[]): string {
  const [name = '', ...inside] = path
  const spelled = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, '_$&').toLowerCase()
  const isSpelled = inside.length === 0 && /^[a-z\d]+(?:_[a-z\d]+)+$/.test(spelled)
  return `names with an underscore are sent as they are${isSpelled ? `: \`${spelled}\`` : ''}`
}

interface UnreadOption {
  readonly path: readonly string[]
  /** What was asked for in the same mapping. */
  readonly known: readonly string[]
}

interface ObservedOptions {
  readonly written: Options
  readonly value: Options
  unread(): readonly UnreadOption[]
}

/**
 * A mapping that knows which of its keys were read, and which others were asked for. `by name`: copying all of it is
 * not reading, since an SDK that does so knows none of the keys.
 */
function observeReads(written: Options, reading: 'by name' | 'in any way'): ObservedOptions {
  const asked = new Set<string>()
  const copied = new Set<string | symbol>()
  const inside = new Map(
    Object.entries(written).flatMap(([key, value]) =>
      isMapping(value) ? [[key, observeReads(value, 'in any way')] as const] : [],
    ),
  )
  const note = (key: string | symbol) => {
    if (typeof key === 'string' && !copied.delete(key)) asked.add(key)
  }
  // A copy, since a proxy may not change what a frozen object gives.
  const value = new Proxy({ ...written } as Record<string, unknown>, {
    get: (target, key) => {
      note(key)
      return inside.get(String(key))?.value ?? Reflect.get(target, key)
    },
    // Copying asks for all keys, then reads each.
    ownKeys: target => {
      const keys = Reflect.ownKeys(target)
      for (const key of keys) reading === 'by name' ? copied.add(key) : note(key)
      return keys
    },
  })
  const unread = () =>
    Object.keys(written).flatMap((key): readonly UnreadOption[] => {
      if (!asked.has(key)) return [{ path: [key], known: [...asked] }]
      return (inside.get(key)?.unread() ?? []).map(({ path, known }) => ({ path: [key, ...path], known }))
    })
  return { written, value, unread }
}
