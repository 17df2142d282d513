import { basename, dirname, relative } from 'node:path'
import * as z from 'zod'
import { deepFreeze, isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { FOREIGN_SUITE_KEYS } from '../../spec/foreign-keys.ts'
import { suiteSchema, VERSION } from '../../spec/suite.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { stemOf } from '../file-names.ts'
import { checkShape } from '../shape/check-shape.ts'
import { type Fields, normalizeKeys } from '../shape/normalize-keys.ts'
import { reportLongIntegers } from '../shape/written-scalars.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { executionOf, reportTargets } from './execution.ts'
import { findJudgeFiles } from './judge-files.ts'
import { loadListedChecks } from './load-checks.ts'
import type { LoadContext, SuiteContext } from './load-context.ts'
import { type Defaults, loadTest } from './load-test.ts'
import { otherFormatOf } from './other-formats.ts'
import type { RawTest } from './raw-suite.ts'
import { readTests } from './read-tests.ts'
import { readSuiteFile } from './suite-file.ts'

const SCHEMA = suiteSchema(z.any(), z.any())
const KEYS = { known: new Set(Object.keys(SCHEMA.shape)), foreign: FOREIGN_SUITE_KEYS }

/** Text to suite: the file, what it names, and every shorthand expanded; undefined after at least one error. */
export async function loadSuite(path: string, context: LoadContext): Promise<Suite | undefined> {
  const { files, mistakes } = context
  const before = mistakes.errors
  const suiteFile = await readSuiteFile(path, context)
  if (!suiteFile) return undefined
  const { file, raw, lines, dataset, needsCriteria = true, gradedBy } = suiteFile
  const format = otherFormatOf(raw)
  if (format) {
    context.otherFormats.push({ format, at: suiteFile.at })
    return undefined
  }
  const { fields, at, meant } = normalizeKeys(raw, suiteFile.at, KEYS, mistakes)
  const loading: SuiteContext = { ...context, judges: await findJudgeFiles(dirname(file), files), pending: [] }

  const shape = checkShape(SCHEMA, fields, at, mistakes, meant)
  reportTargets(fields, at, mistakes)
  reportLongIntegers(fields['metadata'], at.child('metadata'), mistakes)
  if (fields['name'] === undefined && !meant.has('name')) reportNoName(at, file, mistakes)
  if (Math.floor(Number(fields['version'])) === 1 && typeof fields['version'] === 'number') {
    reportUnquotedVersion(at.child('version'), mistakes)
  }
  const sound = mistakes.errors
  const checks = loadListedChecks(fields, at, loading)
  const defaults = { checks, broken: mistakes.errors > sound, tags: tagsOf(fields), needsCriteria, gradedBy }
  const imported = new Set<string>()
  const tests = lines ?? (await readTests(fields['tests'], at.child('tests'), imported, loading))
  if (dataset !== undefined && !imported.has(dataset)) reportOwnTests(at, dataset, mistakes)
  const loaded = loadTests(tests, defaults, loading)
  if (!lines && fields['tests'] === undefined && !meant.has('tests')) reportNoTests(at, file, mistakes)
  await settle(loading.pending)
  if (!shape || mistakes.errors > before) return undefined

  const { name = defaultName(file), description, metadata = {} } = shape
  const version = shape.version === undefined ? '1.0' : (at.child('version').written() ?? String(shape.version))
  const execution = executionOf(shape.execution)
  return deepFreeze({ name, version, description, metadata, tags: defaults.tags, file, execution, tests: loaded, at })
}

function loadTests(written: Iterable<RawTest>, defaults: Defaults, loading: SuiteContext): Test[] {
  const first = new Map<string, SourceNode>()
  const tests: Test[] = []
  for (const { raw, at } of written) {
    const test = loadTest(raw, at, defaults, loading)
    const id = test?.id ?? brokenTestId(raw, at)
    if (id !== undefined) reportSameId(id, at, first, loading)
    if (test) tests.push(test)
  }
  return tests
}

/** The id of a test that has a mistake elsewhere. */
function brokenTestId(raw: unknown, at: SourceNode): string | undefined {
  if (!isMapping(raw)) return undefined
  return typeof raw['id'] === 'number'
    ? at.child('id').written()
    : typeof raw['id'] === 'string'
      ? raw['id']
      : undefined
}

function reportSameId(
  id: string,
  at: SourceNode,
  first: Map<string, SourceNode>,
  { mistakes, files }: SuiteContext,
): void {
  const earlier = first.get(id)
  if (!earlier) {
    first.set(id, at)
    return
  }
  const { file, line, column } = earlier.child('id').location()
  const here = at.child('id').location()
  // An alias of a whole test leads back to where the first one stands: the alias itself is the mistake.
  const repeated = here.file === file && here.line === line && here.column === column
  const message = `the id ${quoteCode(id)} is already used at ${relative(files.host.cwd, file)}:${line}:${column}`
  mistakes.add({ code: 'duplicate-id', at: repeated ? at : here, message, hint: 'give each test its own id' })
}

/** A suite with tests of its own beside a dataset that is none of them. */
function reportOwnTests(at: SourceNode, dataset: string, mistakes: Diagnostics): void {
  const name = basename(dataset)
  const message = `the sidecar of \`${name}\` has its own tests`
  const hint = `add \`./${name}\` to \`tests\`, or remove \`tests\``
  mistakes.add({ code: 'bad-import', at: at.child('tests'), part: 'key', message, hint })
}

function reportNoTests(at: SourceNode, file: string, mistakes: Diagnostics): void {
  const hint = `add \`tests\`, or put the tests into \`${basename(stemOf(file))}.jsonl\` beside this file`
  mistakes.add({ code: 'no-tests', at, message: 'this suite has no tests', hint })
}

function reportNoName(at: SourceNode, file: string, mistakes: Diagnostics): void {
  const message = `this suite has no \`name\`; its default name is ${quoteCode(defaultName(file))}`
  const hint = file.endsWith('.jsonl')
    ? `set \`name\` in \`${basename(stemOf(file))}.yaml\` beside this file`
    : 'add `name:` with lowercase letters, digits and hyphens'
  mistakes.add({ code: 'no-name', at, message, hint })
}

function reportUnquotedVersion(at: SourceNode, mistakes: Diagnostics): void {
  const written = at.written() ?? ''
  const quoted = VERSION.test(written) ? written : '1.0'
  const message = `version ${written} is unquoted, so YAML reads it as a number`
  mistakes.add({ code: 'unquoted-version', at, message, hint: `write \`version: "${quoted}"\`` })
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
