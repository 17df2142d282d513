import { extname } from 'node:path'
import type { ImportContext } from '../format.ts'
import { Written } from '../written.ts'
import { rowTest } from './row-test.ts'

/** A test of a configuration, before its variables are expanded. */
export interface MatrixTest {
  readonly written: Written
  /** The table that it is a row of. */
  readonly table?: string | undefined
  readonly vars: readonly (readonly [string, Written])[]
  readonly assertions: readonly Written[]
}

/** Reads the tests of a configuration: inline, from files, and those of its scenarios. */
export async function readTests(config: Written, context: ImportContext): Promise<MatrixTest[]> {
  const own = await testsIn(config.get('tests'), context)
  // Without tests, each prompt is asked once.
  const isBare = !config.get('tests', 'scenarios', 'redteam')
  const found = isBare ? [{ written: config.with({}), vars: [], assertions: [] }] : [...own]
  for (const scenario of await listed(config.get('scenarios'), context))
    found.push(...(await crossed(scenario, context)))
  return found
}

async function testsIn(written: Written | undefined, context: ImportContext): Promise<MatrixTest[]> {
  const found: MatrixTest[] = []
  for (const test of await listed(written, context)) {
    const read = test.isMapping() ? await readTest(test, context) : undefined
    if (read) found.push(read)
    else if (!test.isMapping()) context.notes.leaveTestOut(test.at, 'a test that is not a mapping')
  }
  return found
}

/** The items of a list, in which a text names a file with more of them. */
async function listed(written: Written | undefined, context: ImportContext): Promise<Written[]> {
  const found: Written[] = []
  for (const item of written?.list() ?? []) {
    if (typeof item.value === 'string') found.push(...(await itemsOfFiles(item, context)))
    else if (typeof item.get('path')?.value === 'string' && item.get('vars', 'assert') === undefined)
      found.push(...(await itemsOfFiles(item.get('path') as Written, context)))
    else found.push(item)
  }
  return found
}

async function itemsOfFiles(reference: Written, { files, notes }: ImportContext): Promise<Written[]> {
  const text = String(reference.value)
  if (
    /^(?:https?:|huggingface:|[a-z]+:\/\/(?<!file:\/\/))/.test(text) ||
    /\.(?:[cm]?[jt]s|py|xlsx?)(?:[:#][^/]*)?$/.test(text)
  ) {
    notes.leaveTestOut(reference.at, 'tests that a program, a service or a spreadsheet makes')
    return []
  }
  const found: Written[] = []
  const paths = await files.matches(text, reference.at.file)
  if (paths.length === 0) notes.leaveTestOut(reference.at, 'no file matches the tests')
  for (const path of paths) {
    const parsed = await files.parse(path)
    if ('problem' in parsed) notes.leaveTestOut(reference.at, `the file of the tests ${parsed.problem}`)
    else if (extname(path) === '.csv') found.push(...parsed.items().map(rowTest))
    else found.push(...parsed.list())
  }
  return found
}

async function readTest(written: Written, context: ImportContext): Promise<MatrixTest | undefined> {
  const vars = await readVars(written.get('vars'), context)
  const assertions = written.get('assert', 'assertions')
  const { file } = written.at
  const table = ['.csv', '.jsonl'].includes(extname(file)) ? file : undefined
  return { written, vars, assertions: assertions?.items() ?? [], table }
}

/** The variables of a test, with the content of files in their place. */
export async function readVars(written: Written | undefined, context: ImportContext): Promise<MatrixTest['vars']> {
  const { files, notes } = context
  if (typeof written?.value === 'string') {
    const found: [string, Written][] = []
    for (const path of await files.matches(written.value, written.at.file)) {
      const parsed = await files.parse(path)
      if ('problem' in parsed) notes.leftOut(written.at, `the file of variables ${parsed.problem}`)
      else found.push(...parsed.entries())
    }
    return found
  }
  const found: [string, Written][] = []
  for (const [name, value] of written?.entries() ?? []) found.push([name, await readVar(value, context)])
  return found
}

/** The value of a variable: what it says, the text of a file that it names, or a list of such texts. */
async function readVar(value: Written, context: ImportContext): Promise<Written> {
  const text = value.value
  if (typeof text !== 'string' || !text.startsWith('file://')) return value
  if (/\.(?:[cm]?[jt]s|py)$/.test(text)) {
    context.notes.leftOut(value.at, 'a variable whose value a program makes')
    return value
  }
  const paths = await context.files.matches(text, value.at.file)
  if (paths.length === 0) context.notes.leftOut(value.at, 'no file matches the variable')
  const texts: Written[] = []
  for (const path of paths) {
    const read = await textOfFile(path, value, context)
    if (read !== undefined) texts.push(value.with(read))
  }
  if (texts.length === 0) return value
  return texts.length === 1 ? (texts[0] ?? value) : Written.listOf(texts, value.at)
}

/** The text of a file; structured files are written as JSON. */
async function textOfFile(path: string, { at }: Written, { files, notes }: ImportContext): Promise<string | undefined> {
  const parsed = await files.parse(path)
  if (!('problem' in parsed))
    return typeof parsed.value === 'string' ? parsed.value.trim() : JSON.stringify(parsed.value)
  notes.leftOut(at, `the file of a variable ${parsed.problem}`)
  return undefined
}

/** Every test of a scenario with every row of its configuration. */
async function crossed(scenario: Written, context: ImportContext): Promise<MatrixTest[]> {
  const tests = await testsIn(scenario.get('tests'), context)
  const rows = await listed(scenario.get('config'), context)
  const found: MatrixTest[] = []
  for (const row of rows) {
    const shared = await readVars(row.get('vars'), context)
    const assertions = row.get('assert')?.items() ?? []
    for (const test of tests)
      found.push({ ...test, vars: merged(shared, test.vars), assertions: [...assertions, ...test.assertions] })
  }
  return found
}

/** Variables of two places; the second ones replace the first. */
export function merged(first: MatrixTest['vars'], second: MatrixTest['vars']): MatrixTest['vars'] {
  return [...new Map([...first, ...second])]
}

/** Every combination of the values of variables that are lists, up to a limit. */
export function expandLists(vars: MatrixTest['vars'], isList: (value: Written) => boolean): MatrixTest['vars'][] {
  let combinations: (readonly [string, Written])[][] = [[]]
  for (const [name, value] of vars) {
    const values = isList(value) ? value.items() : [value]
    combinations = combinations.flatMap(before => values.map(each => [...before, [name, each] as const]))
    if (combinations.length > MOST_COMBINATIONS) return [vars]
  }
  return combinations
}

const MOST_COMBINATIONS = 10_000

/** Whether a value is a list that makes several tests: one of texts. Any other list is a value itself. */
export function isListOfValues({ value }: Written): boolean {
  return Array.isArray(value) && typeof value[0] === 'string'
}
