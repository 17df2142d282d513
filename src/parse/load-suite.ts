import { basename, dirname, relative } from 'node:path'
import { z } from 'zod'
import { deepFreeze } from '../lib/deep-freeze.ts'
import { isMapping } from '../lib/is-mapping.ts'
import { FOREIGN_SUITE_KEYS } from '../spec/foreign-keys.ts'
import { type Suite, suiteSchema } from '../spec/suite.ts'
import type { Test } from '../spec/test.ts'
import { executionOf } from './execution.ts'
import { findJudgeFiles } from './judge-files.ts'
import { type Fields, knownFields } from './keys.ts'
import { loadListedChecks } from './load-checks.ts'
import { type Defaults, loadTest } from './load-test.ts'
import type { LoadContext, Loading } from './loading.ts'
import type { Mistakes } from './mistakes.ts'
import { readTests } from './read-tests.ts'
import { checkShape } from './shape.ts'
import type { SourceNode } from './source-node.ts'
import { readSuiteFile, stemOf } from './suite-file.ts'
import type { WrittenTest } from './written-test.ts'

const SCHEMA = suiteSchema(z.any(), z.any())
const KEYS = { known: new Set(Object.keys(SCHEMA.shape)), foreign: FOREIGN_SUITE_KEYS }

/** Text to suite: the file, what it names, and every shorthand expanded; undefined after at least one error. */
export async function loadSuite(file: string, context: LoadContext): Promise<Suite | undefined> {
  const { files, mistakes } = context
  const before = mistakes.errors
  const suiteFile = await readSuiteFile(file, context)
  if (!suiteFile) return undefined
  const { raw, at: written, lines } = suiteFile
  const { fields, at } = knownFields(raw, written, KEYS, mistakes)
  const loading: Loading = { ...context, judges: await findJudgeFiles(dirname(file), files), pending: [] }

  const shape = checkShape(SCHEMA, fields, at, mistakes)
  const checks = loadListedChecks(fields, at, loading)
  const tags = tagsOf(fields)
  const tests = lines ?? (await readTests(fields['tests'], at.child('tests'), loading))
  if (lines === undefined && fields['tests'] === undefined) reportNoTests(at, file, mistakes)
  const loaded = loadTests(tests, { checks, tags }, loading)
  await settle(loading.pending)
  if (shape) reportDescription(shape, fields, at, file, mistakes)
  if (!shape || mistakes.errors > before) return undefined

  const { name = defaultName(file), version = '1.0', description, metadata = {} } = shape
  const execution = executionOf(shape.execution, at.child('execution'), mistakes)
  const suite = { name, version: String(version), description, metadata, tags, file, execution, tests: loaded, at }
  return mistakes.errors > before ? undefined : deepFreeze(suite)
}

function loadTests(written: readonly WrittenTest[], defaults: Defaults, loading: Loading): Test[] {
  const first = new Map<string, SourceNode>()
  const tests: Test[] = []
  for (const { raw, at } of written) {
    const test = loadTest(raw, at, defaults, loading)
    const id = test?.id ?? (isMapping(raw) && typeof raw['id'] === 'string' ? raw['id'] : undefined)
    if (id !== undefined) reportSameId(id, at, first, loading)
    if (!test) continue
    reportGrading(test, at, loading.mistakes)
    tests.push(test)
  }
  return tests
}

function reportSameId(id: string, at: SourceNode, first: Map<string, SourceNode>, { mistakes, files }: Loading): void {
  const earlier = first.get(id)
  if (!earlier) {
    first.set(id, at)
    return
  }
  const { file, line, column } = earlier.child('id').place()
  const message = `a test with the id \`${id}\` stands at ${relative(files.host.cwd, file)}:${line}:${column} already`
  mistakes.add({ code: 'duplicate-id', at: at.child('id'), message })
}

/** A test that nothing can grade, or of which nobody can read what it is about. */
function reportGrading({ criteria, checks }: Test, at: SourceNode, mistakes: Mistakes): void {
  if (criteria !== undefined) return
  if (checks.length > 0) mistakes.add({ code: 'no-criteria', at, message: 'this test has no `criteria`' })
  else {
    const hint = 'add `criteria`, `rubrics` or `assert`'
    mistakes.add({ code: 'nothing-grades', at, message: 'nothing can grade this test', hint })
  }
}

function reportNoTests(at: SourceNode, file: string, mistakes: Mistakes): void {
  const hint = `add \`tests\`, or put the tests into \`${basename(stemOf(file))}.jsonl\` beside it`
  mistakes.add({ code: 'no-tests', at, message: 'this suite has no tests', hint })
}

/** What only describes a suite, and can be improved. */
function reportDescription(
  shape: z.output<typeof SCHEMA>,
  fields: Fields,
  at: SourceNode,
  file: string,
  mistakes: Mistakes,
): void {
  if (shape.name === undefined) {
    const message = `this suite has no \`name\`; it is called \`${defaultName(file)}\``
    mistakes.add({ code: 'no-name', at, message, hint: 'add `name:` with small letters, digits and hyphens' })
  }
  if (typeof fields['version'] === 'number') {
    const message = `the version ${fields['version']} is a number here`
    mistakes.add({
      code: 'unquoted-version',
      at: at.child('version'),
      message,
      hint: `write \`version: "${at.child('version').written()}"\``,
    })
  }
}

/** The name of a suite that has none: of its folder for `EVAL.yaml`, else of its file. */
function defaultName(file: string): string {
  return /^EVAL\.ya?ml$/.test(basename(file)) ? basename(dirname(file)) : basename(stemOf(file)).replace(/[<>]/g, '')
}

function tagsOf(fields: Fields): string[] {
  const tags = isMapping(fields['metadata']) ? fields['metadata']['tags'] : undefined
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : []
}

/** Waits for all that is pending, and for what that adds. */
async function settle(pending: Promise<void>[]): Promise<void> {
  while (pending.length > 0) await Promise.all(pending.splice(0))
}
