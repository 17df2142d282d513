import { isMapping } from '../../../lib/objects.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import { closestMatch } from '../../../lib/text/suggestion.ts'
import { NoAnswer } from '../../../model/answer.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * The `options` of a target. An SDK ignores unknown options silently, so its reads are observed: options that it has not
 * read when it sends a request are added to the request unchanged, or rejected.
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

  /** Returns the options to add to a request of the SDK: those in the spelling of the service, without capitals. */
  fields(): Options {
    const unread = this.#watched.unread()
    const refused = unread.find(({ path }) => path.length > 1 || /[^a-z]/.test(path[0] ?? ''))
    if (refused) throw unknownOptionError(refused)
    const own = unread.map(({ path: [name = ''] }) => [name, this.#watched.written[name]])
    return { ...this.#service, ...Object.fromEntries(own) }
  }
}

function unknownOptionError({ path, known }: UnreadOption): NoAnswer {
  const near = closestMatch(path.at(-1) ?? '', known)
  const hint = near === undefined ? passThroughHint(path) : `did you mean \`${near}\`?`
  return new NoAnswer(
    'target-error',
    `\`options\`: ${quoteCode(path.join('.'))} is unknown to the provider's SDK; ${hint}`,
  )
}

/** Suggests the spelling of the service, such as `top_k` for `topK`. */
function passThroughHint(path: readonly string[]): string {
  const [name = '', ...inside] = path
  const spelled = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, '_$&').toLowerCase()
  const isSpelled = inside.length === 0 && /^[a-z\d]+(?:_[a-z\d]+)+$/.test(spelled)
  return `names with an underscore are sent unchanged${isSpelled ? `: \`${spelled}\`` : ''}`
}

interface UnreadOption {
  readonly path: readonly string[]
  /** The keys that the SDK has read from the same mapping. */
  readonly known: readonly string[]
}

interface ObservedOptions {
  readonly written: Options
  readonly value: Options
  unread(): readonly UnreadOption[]
}

/**
 * Wraps a mapping to observe which keys are read. With `by name`, copying the whole mapping does not count: an SDK that
 * does so knows none of the keys.
 */
function observeReads(written: Options, reading: 'by name' | 'in any way'): ObservedOptions {
  const read = new Set<string>()
  const copied = new Set<string | symbol>()
  const inside = new Map(
    Object.entries(written).flatMap(([key, value]) =>
      isMapping(value) ? [[key, observeReads(value, 'in any way')] as const] : [],
    ),
  )
  const note = (key: string | symbol) => {
    if (typeof key === 'string' && !copied.delete(key)) read.add(key)
  }
  // A copy, since a proxy cannot change the values of a frozen object.
  const value = new Proxy({ ...written } as Record<string, unknown>, {
    get: (target, key) => {
      note(key)
      return inside.get(String(key))?.value ?? Reflect.get(target, key)
    },
    // A copy lists all keys, then reads each of them.
    ownKeys: target => {
      const keys = Reflect.ownKeys(target)
      for (const key of keys) reading === 'by name' ? copied.add(key) : note(key)
      return keys
    },
  })
  const unread = () =>
    Object.keys(written).flatMap((key): readonly UnreadOption[] => {
      if (!read.has(key)) return [{ path: [key], known: [...read] }]
      return (inside.get(key)?.unread() ?? []).map(({ path, known }) => ({ path: [key, ...path], known }))
    })
  return { written, value, unread }
}
