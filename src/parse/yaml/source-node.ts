import type { Location, Origin, Part, Path } from '../../model/location.ts'
import { type Outline, ROOT } from './outline.ts'
import type { Source } from './source.ts'
import { LineRegion, type Region, SimpleRegion, TextRegion } from './source-region.ts'
import type { Span } from './yaml-spans.ts'
import type { YamlTree } from './yaml-tree.ts'

type Nodes = Readonly<Record<string | number, SourceNode>>

/**
 * A node of a source file that can be located: a node of the tree, or a step from another node. Tests and checks keep
 * theirs, so it has only the fields that it needs; private methods would take another one.
 */
export class SourceNode implements Origin {
  readonly #within: Region | SourceNode
  /** The node of the tree in the region, or the step from the other node. */
  readonly #step: string | number

  protected constructor(within: Region | SourceNode, step: string | number) {
    this.#within = within
    this.#step = step
  }

  /** The children that are located elsewhere. */
  protected get elsewhere(): Nodes | undefined {
    return undefined
  }

  static ofYaml(source: Source, tree: YamlTree): SourceNode {
    return new SourceNode({ source, start: 0, line: undefined, tree: () => tree }, ROOT)
  }

  static ofSimpleYaml(source: Source, outline: Outline): SourceNode {
    return new SourceNode(new SimpleRegion(source, outline), ROOT)
  }

  static ofJsonLine(source: Source, start: number, text: string): SourceNode {
    return new SourceNode(new LineRegion(source, start, text.length), ROOT)
  }

  /** A node for a part of a file that has no structure. */
  static ofText(source: Source, start: number, length: number): SourceNode {
    return new SourceNode(new TextRegion(source, start, length), ROOT)
  }

  get file(): string {
    return SourceNode.#regionOf(this).source.file
  }

  /** Whether the file, or that of a part that is located elsewhere, may contain an integer beyond the safe range. */
  hasLongDigits(): boolean {
    if (SourceNode.#regionOf(this).source.hasLongDigits) return true
    return this.elsewhere !== undefined && Object.values(this.elsewhere).some(part => part?.hasLongDigits())
  }

  child(...path: (string | number)[]): SourceNode {
    let node: SourceNode = this
    for (const step of path) {
      const { elsewhere } = node
      node = (elsewhere && Object.hasOwn(elsewhere, step) ? elsewhere[step] : undefined) ?? new SourceNode(node, step)
    }
    return node
  }

  /** Returns the nodes of the items of this list, in one pass. */
  items(): SourceNode[] {
    const { region, root, path } = SourceNode.#origin(this)
    return (region.outline?.items(root, path) ?? treeItems(region, root, path)).map(
      item => new SourceNode(region, item),
    )
  }

  /** Returns this node with some of its children located elsewhere. */
  with(elsewhere: Nodes): SourceNode {
    return new PatchedNode(this.#within, this.#step, this.elsewhere ? { ...this.elsewhere, ...elsewhere } : elsewhere)
  }

  /** Returns this node with some children under other keys than in the file. */
  renaming(renamed: Readonly<Record<string, string>>): SourceNode {
    return this.with(Object.fromEntries(Object.entries(renamed).map(([key, written]) => [key, this.child(written)])))
  }

  /** Returns a mapping node that contains this node under a key. */
  wrapped(key: string): SourceNode {
    return this.with({ [key]: this })
  }

  line(): number {
    return SourceNode.#regionOf(this).line ?? SourceNode.#lineOf(this)
  }

  static #lineOf(node: SourceNode): number {
    const { region, root, path } = SourceNode.#origin(node)
    const start = region.outline?.start(root, path) ?? spanIn(region, root, path, 'value').start
    return region.source.lineAt(region.start + start)
  }

  location(part: Part = 'value'): Location {
    const { region, root, path } = SourceNode.#origin(this)
    const { start, end } = spanIn(region, root, path, part)
    return region.source.location(region.start + start, end - start)
  }

  /** Returns the location of a part of a scalar, which is searched in the scalar as written; else that of the scalar. */
  partLocation(find: (written: string) => Span | undefined): Location {
    const { region, root, path } = SourceNode.#origin(this)
    const { source, start } = region
    const tree = region.tree()
    const { node, complete } = tree.find(root, path)
    const content = complete ? tree.contentSpan(node) : undefined
    const part = content && find(source.text.slice(start + content.start, start + content.end))
    if (!content || !part) return this.location()
    return source.location(start + content.start + part.start, part.end - part.start)
  }

  written(): string | undefined {
    const { region, root, path } = SourceNode.#origin(this)
    return region.outline?.written(root, path) ?? writtenIn(region.tree(), root, path)
  }

  static #regionOf(node: SourceNode): Region {
    let within = node.#within
    while (within instanceof SourceNode) within = within.#within
    return within
  }

  /** Returns the region of a node, and the steps to it from a node of the region's tree. */
  static #origin(node: SourceNode): { readonly region: Region; readonly root: number; readonly path: Path } {
    const path: (string | number)[] = []
    let at = node
    while (at.#within instanceof SourceNode) {
      path.unshift(at.#step)
      at = at.#within
    }
    return { region: at.#within, root: at.#step as number, path }
  }
}

/** A node with some children elsewhere. Few have any, so others keep no field for them. */
class PatchedNode extends SourceNode {
  readonly #elsewhere: Nodes

  constructor(within: Region | SourceNode, step: string | number, elsewhere: Nodes) {
    super(within, step)
    this.#elsewhere = elsewhere
  }

  protected override get elsewhere(): Nodes {
    return this.#elsewhere
  }
}

function writtenIn(tree: YamlTree, root: number, path: Path): string | undefined {
  const { node, complete } = tree.find(root, path)
  return complete ? tree.written(node) : undefined
}

function treeItems(region: Region, root: number, path: Path): number[] {
  const tree = region.tree()
  return tree.items(tree.find(root, path).node)
}

const START: Span = { start: 0, end: 1 }

function spanIn(region: Region, root: number, path: Path, part: Part): Span {
  const { whole = START } = region
  const tree = region.tree()
  const { node, key, complete } = tree.find(root, path)
  if (key === undefined) return tree.span(node) ?? tree.emptyItemSpan(node) ?? whole
  const wanted = part === 'key' || !complete ? key : node
  return tree.span(wanted) ?? tree.span(key) ?? whole
}
