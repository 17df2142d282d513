import { parseJson } from '../../lib/json/parse-json.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { hasVariables, type RawTest, type RawTests } from '../suite/raw-suite.ts'
import { readJsonLine } from './json-line.ts'
import { readYaml } from './read-yaml.ts'
import { readSimpleYaml } from './simple-yaml.ts'
import type { Source } from './source.ts'
import { SourceNode } from './source-node.ts'
import { reportProblems } from './yaml-problem.ts'

/** Reads a YAML file: its value and its root node. Returns undefined if the file cannot be parsed. */
export function readDocument(source: Source, diagnostics: Diagnostics): { value: unknown; at: SourceNode } | undefined {
  const simple = readSimpleYaml(source.text)
  if (simple) return { value: simple.value, at: SourceNode.ofSimpleYaml(source, simple.outline) }
  const { document, problems } = readYaml(source.text)
  reportProblems(problems, source, 0, diagnostics)
  return document && { value: document.value, at: SourceNode.ofYaml(source, document.tree) }
}

/** The tests of a .jsonl file, read lazily, one per line. Blank lines are skipped. */
export function readJsonLines(source: Source, diagnostics: Diagnostics): RawTests {
  return {
    [Symbol.iterator]: () => jsonLines(source, diagnostics, 'tests'),
    usesVariables: () => usesVariables(source),
  }
}

/** A key that gives values to variables, or an escape that may hide one. */
const VARIABLES = /"(vars|rows)"|\\u/

function usesVariables({ text }: Source): boolean {
  if (!VARIABLES.test(text)) return false
  for (const { line } of linesOf(text)) {
    if (VARIABLES.test(line) && hasVariables(parseJson(line))) return true
  }
  return false
}

/** Reads the values of a .jsonl file lazily. An empty file is an error that names what it lacks. */
export function* jsonLines(source: Source, diagnostics: Diagnostics, wanted: string): Generator<RawTest> {
  let blank = true
  for (const { start, line } of linesOf(source.text)) {
    if (line.trim() === '') continue
    blank = false
    const read = readJsonLine(line)
    if ('value' in read) yield { raw: read.value, at: SourceNode.ofJsonLine(source, start, line) }
    else reportProblems(read.problems, source, start, diagnostics)
  }
  if (blank) {
    const hint = 'write one JSON object per line'
    diagnostics.add({ code: 'bad-import', at: source.location(0, 1), message: `this file contains no ${wanted}`, hint })
  }
}

function* linesOf(text: string): Generator<{ start: number; line: string }> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    let last = end
    while (last > start && text[last - 1] === '\r') last--
    yield { start, line: text.slice(start, last) }
    start = end + 1
  }
}
