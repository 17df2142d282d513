import { relative, sep } from 'node:path'
import { dump } from 'js-yaml'
import { singleLine } from '../../lib/text/quote.ts'
import type { Suite } from '../../model/suite.ts'
import type { TranspiledFile } from '../transpiled-file.ts'

/** Unknown keys are errors in these files: a comment marks those of a suite. */
export type Mark = string

/** The comment in all files made of a suite, without the `#`. */
export function markOf(suite: Suite, folder: string): Mark {
  const source = relative(folder, suite.file).split(sep).join('/')
  return `Written by assay transpile from ${singleLine(source)}; edit that file instead.`
}

const LAST_LINE = 5

/** Whether a text has the mark, near its beginning. */
export function hasMark(text: string, mark: Mark): boolean {
  return text.split(/\r?\n/, LAST_LINE).some(line => line === `# ${mark}`)
}

type Keys = Readonly<Record<string, unknown>>

/** A Markdown file with frontmatter. */
export function markdownFile(file: string, mark: Mark, keys: Keys, body: string): TranspiledFile {
  const text = body === '' ? '' : `\n${body}\n`
  return markedFile(file, mark, `---\n# ${mark}\n${yamlOf(keys)}---\n${text}`)
}

export function yamlFile(file: string, mark: Mark, keys: Keys): TranspiledFile {
  return markedFile(file, mark, `# ${mark}\n${yamlOf(keys)}`)
}

export function markedFile(file: string, mark: Mark, content: string): TranspiledFile {
  return { file, content, isEarlier: text => hasMark(text, mark) }
}

/** A file that cannot have a comment: it is ours if another one is. */
export function unmarkedFile(file: string, content: string, beside: string): TranspiledFile {
  return { file, content, beside, isEarlier: () => true }
}

/** Quotes every text, so that readers of YAML 1.1 do not take `yes` or `1e3` for other values. */
function yamlOf(keys: Keys): string {
  return Object.keys(keys).length === 0
    ? ''
    : dump(keys, { forceQuotes: true, quoteStyle: 'double', lineWidth: -1, noRefs: true })
}

/** Whether a reader gets a text back from the body of a file, which is trimmed. */
export function fitsBody(text: string): boolean {
  return text !== '' && text.trim() === text && !text.includes('\r')
}
