import { lazily } from '../../lib/lazily.ts'
import { jsonLineTree } from './json-line.ts'
import type { Outline } from './outline.ts'
import type { Source } from './source.ts'
import type { Span } from './yaml-spans.ts'
import { YamlTree } from './yaml-tree.ts'

/** A part of a file that is parsed as one tree: a whole YAML file, or one line of a .jsonl file. */
export interface Region {
  readonly source: Source
  /** Offset of the region in the file. */
  readonly start: number
  /** Line number of a region that is one line. */
  readonly line: number | undefined
  /** The location of what has none of its own. Default: the first character. */
  readonly whole?: Span
  /** Where nodes begin, if that is known without a tree. */
  readonly outline?: Outline
  tree(): YamlTree
}

/** A file in simple YAML. It has a tree only if more than lines is asked. */
export class SimpleRegion implements Region {
  readonly source: Source
  readonly start = 0
  readonly line = undefined
  readonly outline: Outline
  #tree: YamlTree | undefined

  constructor(source: Source, outline: Outline) {
    this.source = source
    this.outline = outline
  }

  tree(): YamlTree {
    this.#tree ??= jsonLineTree(this.source.text)
    return this.#tree
  }
}

/** A line of a .jsonl file. There can be very many, so each keeps little state. */
export class LineRegion implements Region {
  readonly source: Source
  readonly start: number
  readonly #length: number
  #line: number | undefined

  constructor(source: Source, start: number, length: number) {
    this.source = source
    this.start = start
    this.#length = length
  }

  /** Cached, because a test and all of its checks need it. */
  get line(): number {
    this.#line ??= this.source.lineAt(this.start)
    return this.#line
  }

  tree(): YamlTree {
    const last = lastTrees.get(this.source)
    if (last?.line === this) return last.tree
    const tree = jsonLineTree(this.source.text.slice(this.start, this.start + this.#length))
    lastTrees.set(this.source, { line: this, tree })
    return tree
  }
}

/** The line of each file that was located last, with its tree: the parts of one test are located one after another. */
const lastTrees = new WeakMap<Source, { readonly line: LineRegion; readonly tree: YamlTree }>()

/** A text that is not parsed: all of its nodes are located at its beginning. */
export class TextRegion implements Region {
  readonly source: Source
  readonly start: number
  readonly line = undefined
  readonly whole: Span

  constructor(source: Source, start: number, length: number) {
    this.source = source
    this.start = start
    this.whole = { start: 0, end: length }
  }

  tree(): YamlTree {
    return emptyTree()
  }
}

const emptyTree = lazily(() => new YamlTree('', []))
