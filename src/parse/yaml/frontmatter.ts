import type { Diagnostics } from '../diagnostics.ts'
import { readDocument } from './read-document.ts'
import { Source } from './source.ts'
import { SourceNode } from './source-node.ts'

/** A Markdown file with optional settings in YAML at its beginning. */
export interface FrontmatterFile {
  /** The settings; undefined if there are none, or if they are not valid YAML. */
  readonly value: unknown
  /** Node of the settings; without any, the beginning of the file. */
  readonly at: SourceNode
  /** The text after the settings, trimmed. */
  readonly body: string
  /** Node of the first line of the text. */
  readonly bodyAt: SourceNode
  /** Whether the file begins with `---` that no second line ends. */
  readonly isOpen: boolean
}

const BEGINNING = /^\uFEFF?---[ \t]*(?:\r?\n|$)/
const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?:.*?\r?\n)?---[ \t]*(?:\r?\n|$)/s

/** Reads the frontmatter and the body of a Markdown file. Reports YAML that is not valid. */
export function readFrontmatter(source: Source, diagnostics: Diagnostics): FrontmatterFile {
  const [frontmatter = ''] = FRONTMATTER.exec(source.text) ?? []
  const rest = source.text.slice(frontmatter.length)
  const body = rest.replace(/^\uFEFF/, '').trim()
  const start = body === '' ? frontmatter.length : source.text.indexOf(body, frontmatter.length)
  const bodyAt = SourceNode.ofText(source, start, body.length)
  const isOpen = frontmatter === '' && BEGINNING.test(source.text)
  const document = frontmatter === '' ? undefined : readSettings(source, frontmatter, diagnostics)
  return { value: document?.value, at: document?.at ?? SourceNode.ofText(source, 0, 0), body, bodyAt, isOpen }
}

function readSettings(source: Source, frontmatter: string, diagnostics: Diagnostics) {
  // The marker at the end would begin another document.
  const yaml = frontmatter.replace(/---[ \t]*(\r?\n)?$/, '')
  return readDocument(new Source(source.file, yaml), diagnostics)
}
