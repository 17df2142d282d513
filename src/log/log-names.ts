import { isReservedName } from '../lib/paths.ts'

/** Names that begin alike: `hello`, `hello_2`, `hello_5`. */
export class NumberedNames {
  readonly numbers = new Map<number, string>()
  /** The first name of each conversation that was looked at. */
  readonly byInputs = new Map<string, string>()
  /** Whether all of them were. */
  isLooked = false
  /** No number below is free. */
  free = 1

  add(number: number, name: string, inputs: string | undefined): void {
    this.numbers.set(number, name)
    // Those that nobody has looked at yet will be.
    if (this.isLooked && inputs !== undefined) this.byInputs.set(inputs, name)
  }

  inOrder(): string[] {
    return [...this.numbers].sort(([a], [b]) => a - b).map(([, name]) => name)
  }
}

/** For so many names, they are listed once more with each use. */
const NAMES_PER_USE = 100

/**
 * The names in a folder of logs. Others write into it too, but to list ten thousand for each of ten thousand runs would
 * take longer than all else: they are listed again after some uses, the more there are the later. Whoever writes looks
 * into the file itself before.
 */
export class LogNames {
  readonly #list: () => Promise<readonly string[]>
  #bySlug: Map<string, NumberedNames> | undefined
  #size = 0
  #uses = 0

  constructor(list: () => Promise<readonly string[]>) {
    this.#list = list
  }

  /** The names of one slug. */
  async of(slug: string): Promise<NumberedNames> {
    const isOld = ++this.#uses * NAMES_PER_USE > this.#size
    const bySlug = isOld || !this.#bySlug ? await this.#listed() : this.#bySlug
    return groupOf(slug, bySlug)
  }

  /** A name that has come to be used; `inputs` is what stands for what the user says in it, where that is known. */
  add(name: string, inputs?: string): void {
    if (!this.#bySlug) return
    this.#size++
    for (const [slug, number] of numbersOf(name)) groupOf(slug, this.#bySlug).add(number, name, inputs)
  }

  /** Somebody else has written into the folder. */
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

/** `hello_2` is the first of its own slug, and the second of `hello`. */
function numbersOf(name: string): [slug: string, number: number][] {
  const [, slug, number] = /^(.*)_([1-9]\d{0,14})$/s.exec(name) ?? []
  return slug === undefined || number === '1'
    ? [[name, 1]]
    : [
        [name, 1],
        [slug, Number(number)],
      ]
}

/** The longest name, in characters. */
const LONGEST = 50

/**
 * The name of the log of a conversation that begins with this input, as ConnectOnion names it: anything but letters,
 * digits and underscores of any script becomes `_`. Combining marks do too: Python does not count them as word
 * characters. Names that Windows reserves get a `_` behind them.
 */
export function slugOf(input: string): string {
  const words = input.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, '_')
  const slug = cut(trimmed(words)) || 'default'
  return isReservedName(slug) ? `${slug}_` : slug
}

/** Without `_` at its ends. A pattern would take the square of the length where there are many inside. */
function trimmed(words: string): string {
  let start = 0
  let end = words.length
  while (words[start] === '_') start++
  while (end > start && words[end - 1] === '_') end--
  return words.slice(start, end)
}

/** Cuts a long name before the last `_` that it may have; one without any at its longest. */
function cut(words: string): string {
  const characters = [...words]
  if (characters.length <= LONGEST) return words
  const kept = characters.slice(0, LONGEST).join('')
  const end = kept.lastIndexOf('_')
  return end < 0 ? kept : kept.slice(0, end)
}
