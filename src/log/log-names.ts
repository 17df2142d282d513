import { isReservedName } from '../lib/paths.ts'

/** Names with the same slug: `hello`, `hello_2`, `hello_5`. */
export class NumberedNames {
  readonly numbers = new Map<number, string>()
  /** The first name of each conversation. */
  readonly byInputs = new Map<string, string>()
  /** Whether `byInputs` is complete. */
  isLooked = false
  /** All numbers below are taken. */
  free = 1

  add(number: number, name: string, inputs: string | undefined): void {
    this.numbers.set(number, name)
    // If it is not complete yet, this name is read with the others.
    if (this.isLooked && inputs !== undefined) this.byInputs.set(inputs, name)
  }

  inOrder(): string[] {
    return [...this.numbers].sort(([a], [b]) => a - b).map(([, name]) => name)
  }
}

/** Names per use after which the folder is listed again. */
const NAMES_PER_USE = 100

/**
 * The names in a folder of logs. Other processes write to it too, but listing 10,000 names for each of 10,000 runs would
 * be too slow: they are listed again after some uses, less often if there are more. A writer checks the file itself.
 */
export class LogNames {
  readonly #list: () => Promise<readonly string[]>
  #bySlug: Map<string, NumberedNames> | undefined
  #size = 0
  #uses = 0

  constructor(list: () => Promise<readonly string[]>) {
    this.#list = list
  }

  /** Returns the names with a slug. */
  async of(slug: string): Promise<NumberedNames> {
    const isOld = ++this.#uses * NAMES_PER_USE > this.#size
    const bySlug = isOld || !this.#bySlug ? await this.#listed() : this.#bySlug
    return groupOf(slug, bySlug)
  }

  /** Adds a name; `inputs` is the hash of its inputs, if known. */
  add(name: string, inputs?: string): void {
    if (!this.#bySlug) return
    this.#size++
    for (const [slug, number] of numbersOf(name)) groupOf(slug, this.#bySlug).add(number, name, inputs)
  }

  /** Drops the list, because another process has written to the folder. */
  forget(): void {
    this.#bySlug = undefined
  }

  async #listed(): Promise<Map<string, NumberedNames>> {
    const names = await this.#list()
    this.#bySlug = new Map()
    this.#uses = 0
    this.#size = 0
    for (const name of names) this.add(name)
    return this.#bySlug
  }
}

function groupOf(slug: string, bySlug: Map<string, NumberedNames>): NumberedNames {
  let group = bySlug.get(slug)
  if (!group) {
    group = new NumberedNames()
    bySlug.set(slug, group)
  }
  return group
}

/** `hello_2` is number 1 of its own slug and number 2 of `hello`. */
function numbersOf(name: string): [slug: string, number: number][] {
  const [, slug, number] = /^(.*)_([1-9]\d{0,14})$/s.exec(name) ?? []
  return slug === undefined || number === '1'
    ? [[name, 1]]
    : [
        [name, 1],
        [slug, Number(number)],
      ]
}

/** Maximum length in characters. */
const LONGEST = 50

/**
 * Returns the name of the log of a conversation that starts with this input, as ConnectOnion does: anything but letters,
 * digits and underscores of any script becomes `_`. Combining marks do too: Python does not count them as word
 * characters. A `_` is appended to names that Windows reserves.
 */
export function slugOf(input: string): string {
  const words = input.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, '_')
  const slug = cut(trimmed(words)) || 'default'
  return isReservedName(slug) ? `${slug}_` : slug
}

/** Removes `_` at both ends. A regular expression would take quadratic time. */
function trimmed(words: string): string {
  let start = 0
  let end = words.length
  while (words[start] === '_') start++
  while (end > start && words[end - 1] === '_') end--
  return words.slice(start, end)
}

/** Cuts a long name at the last `_` within the limit, else at the limit. */
function cut(words: string): string {
  const characters = [...words]
  if (characters.length <= LONGEST) return words
  const kept = characters.slice(0, LONGEST).join('')
  const end = kept.lastIndexOf('_')
  return end < 0 ? kept : kept.slice(0, end)
}
