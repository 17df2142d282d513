import { frontmatterOf } from '../../lib/text/frontmatter.ts'
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

/** Reads the frontmatter and the body of a Markdown file. Reports YAML that is not valid. */
export function readFrontmatter(source: Source, diagnostics: Diagnostics): FrontmatterFile {
  const found = frontmatterOf(source.text)
  const end = found?.end ?? 0
  const body = source.text
    .slice(end)
    .replace(/^\uFEFF/, '')
    .trim()
  const start = body === '' ? end : source.text.indexOf(body, end)
  const bodyAt = SourceNode.ofText(source, start, body.length)
  const isOpen = !found && BEGINNING.test(source.text)
  const document = found && readDocument(new Source(source.file, found.yaml), diagnostics)
  return { value: document?.value, at: document?.at ?? SourceNode.ofText(source, 0, 0), body, bodyAt, isOpen }
}
