/** A reference to a value: `state.orders[input.id]`. */
export interface Reference {
  readonly root: 'state' | 'input'
  readonly steps: readonly Step[]
}

/** A key, an index, or a reference to one of them. */
export type Step = string | number | Reference

/** A text that is inserted from a file: `file:fixtures/{input.id}.json`. */
export interface FileReference {
  readonly file: readonly (string | Reference)[]
}

/** A text, or what a template inserts. */
export type Part = string | Reference | FileReference

/** A template or path that cannot be parsed. */
export class BadTemplate extends Error {
  /** Offset of the problem in the text. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Longer paths are not accepted. */
const LONGEST_PATH = 1000

/** Maximum depth of references in brackets. */
const DEEPEST_REFERENCE = 10

/** Parses a text with templates. `\{{` is a literal `{{`. Throws `BadTemplate`. */
export function parseTemplate(text: string, { files = false }: { readonly files?: boolean } = {}): readonly Part[] {
  const parts: Part[] = []
  let literal = ''
  let at = 0
  for (let next = text.indexOf('{{'); next >= 0; next = text.indexOf('{{', at)) {
    if (text[next - 1] === '\\') {
      literal += `${text.slice(at, next - 1)}{{`
      at = next + 2
      continue
    }
    literal += text.slice(at, next)
    if (literal !== '') parts.push(literal)
    literal = ''
    const reader = new TemplateReader(text, next + 2)
    parts.push(reader.template(files))
    at = reader.at
  }
  const rest = literal + text.slice(at)
  return rest === '' && parts.length > 0 ? parts : [...parts, rest]
}

/** Parses a path of `set`, which starts in the state: `orders[input.id].status`. Throws `BadTemplate`. */
export function parseStatePath(path: string): readonly [Step, ...Step[]] {
  const reader = new TemplateReader(path, 0)
  const [first, ...others] = reader.statePath()
  if (first === undefined) throw new BadTemplate('a path is missing', 0)
  return [first, ...others]
}

const NAME = /[^\s.[\]{}"']+/y
const NUMBER = /(?:0|[1-9]\d{0,8})(?=\s*\])/y
const QUOTED = /"(?:[^"\\]|\\.)*"|'[^']*'/y
const BLANKS = /\s*/y
const FILE_TEXT = /[^{}]+/y

/** Reads a template or path from left to right. */
class TemplateReader {
  readonly #text: string
  readonly #start: number
  at: number

  constructor(text: string, start: number) {
    this.#text = text
    this.#start = start
    this.at = start
  }

  /** Reads what follows `{{`, and the closing braces. */
  template(allowsFiles: boolean): Reference | FileReference {
    this.#read(BLANKS)
    const found = allowsFiles && this.#skip('file:') ? this.#file() : this.#reference(0)
    this.#read(BLANKS)
    if (!this.#skip('}}')) throw this.#bad('`}}` is missing after the template')
    return found
  }

  statePath(): Step[] {
    const first = this.#text.startsWith('[') ? [] : [this.#name()]
    const steps = [...first, ...this.#steps(0)]
    if (this.at < this.#text.length) throw this.#bad('this is not part of a path')
    return steps
  }

  #file(): FileReference {
    const file: (string | Reference)[] = []
    while (!this.#text.startsWith('}}', this.at) && this.at < this.#text.length) {
      const text = this.#read(FILE_TEXT)
      if (text !== undefined) file.push(text)
      else if (this.#skip('{')) {
        file.push(this.#reference(0))
        if (!this.#skip('}')) throw this.#bad('`}` is missing after the path')
      } else throw this.#bad('`}}` is missing after the template')
    }
    if (file.length === 0) throw this.#bad('the path of a file is missing')
    return { file: file.map(part => (typeof part === 'string' ? part.trim() : part)) }
  }

  #reference(depth: number): Reference {
    if (depth > DEEPEST_REFERENCE) throw this.#bad('there are too many brackets inside of brackets')
    const start = this.at
    const root = this.#name()
    if (root === 'state' || root === 'input') return { root, steps: this.#steps(depth) }
    this.at = start
    throw this.#bad(`\`${root.slice(0, 60)}\` is unknown: a template begins with \`state\` or \`input\``)
  }

  #steps(depth: number): Step[] {
    const steps: Step[] = []
    while (true) {
      if (this.#skip('.')) steps.push(this.#name())
      else if (this.#skip('[')) steps.push(this.#bracket(depth))
      else return steps
      if (this.at - this.#start > LONGEST_PATH) throw this.#bad(`a path has at most ${LONGEST_PATH} characters`)
    }
  }

  /** Reads a number, a quoted text or another path, and the closing bracket. */
  #bracket(depth: number): Step {
    this.#read(BLANKS)
    const number = this.#read(NUMBER)
    const quoted = number === undefined ? this.#read(QUOTED) : undefined
    const step =
      number !== undefined ? Number(number) : quoted !== undefined ? this.#unquoted(quoted) : this.#reference(depth + 1)
    this.#read(BLANKS)
    if (!this.#skip(']')) throw this.#bad('`]` is missing')
    return step
  }

  #unquoted(quoted: string): string {
    if (quoted.startsWith("'")) return quoted.slice(1, -1)
    try {
      return JSON.parse(quoted)
    } catch {
      throw this.#bad('this is not a valid quoted text')
    }
  }

  #name(): string {
    const name = this.#read(NAME)
    if (name === undefined)
      throw this.#bad(this.at < this.#text.length ? 'a name is missing here' : 'a name is missing')
    return name
  }

  #skip(token: string): boolean {
    if (!this.#text.startsWith(token, this.at)) return false
    this.at += token.length
    return true
  }

  #read(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.#text) ?? []
    this.at += found?.length ?? 0
    return found
  }

  #bad(message: string): BadTemplate {
    return new BadTemplate(message, this.at)
  }
}

/** The references in a template, with those in brackets and in paths of files. */
export function referencesIn(parts: readonly (Part | Step)[]): readonly Reference[] {
  return parts.flatMap(part => {
    if (typeof part !== 'object') return []
    return 'file' in part ? referencesIn(part.file) : [part, ...referencesIn(part.steps)]
  })
}
