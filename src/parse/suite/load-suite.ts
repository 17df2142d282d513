import { basename, dirname, relative } from 'node:path'
import { lazily } from '../../lib/lazily.ts'
import { deepFreeze, isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import type { Mocks } from '../../model/mock.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { FOREIGN_SUITE_KEYS } from '../../spec/foreign-keys.ts'
import { suiteSchema, VERSION } from '../../spec/suite.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { stemOf } from '../file-names.ts'
import { reportMissingMocks } from '../mocks/check-needs.ts'
import { checkShape } from '../shape/check-shape.ts'
import { type Fields, normalizeKeys } from '../shape/normalize-keys.ts'
import { reportLongIntegers } from '../shape/written-scalars.ts'
import { type ExpandedFields, expandSuiteChecks, hasTemplatedChecks } from '../variables/expand-test.ts'
import { SuiteVariables, type TestVariables, usesVariables } from '../variables/suite-variables.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { reportAgentFolders } from './agent-folders.ts'
import { executionOf, reportExecution } from './execution.ts'
import { findJudgeFiles } from './judge-files.ts'
import { loadListedChecks } from './load-checks.ts'
import type { LoadContext, SuiteContext } from './load-context.ts'
import { type Defaults, loadTest } from './load-test.ts'
import { SuiteVariants } from './load-variants.ts'
import { otherFormatOf } from './other-formats.ts'
import type { RawTest, RawTests } from './raw-suite.ts'
import { readTests } from './read-tests.ts'
import { RecentChecks } from './recent-checks.ts'
import { readSuiteFile } from './suite-file.ts'

// Mocks are checked when they are loaded.
const writtenSuite = lazily(() => suiteSchema(z.any(), z.any(), z.any()))
const suiteKeys = lazily(() => ({ known: new Set(Object.keys(writtenSuite().shape)), foreign: FOREIGN_SUITE_KEYS }))

/** Loads a suite with the files it names, every shorthand expanded. Returns undefined if it has errors. */
export async function loadSuite(path: string, context: LoadContext): Promise<Suite | undefined> {
  const { files, diagnostics } = context
  const before = diagnostics.errors
  const suiteFile = await readSuiteFile(path, context)
  if (!suiteFile) return undefined
  const { file, raw, lines, dataset, needsCriteria = true, gradedBy } = suiteFile
  const format = otherFormatOf(raw)
  if (format) {
    context.otherFormats.push({ format, at: suiteFile.at })
    return undefined
  }
  const { fields, at, suggested } = normalizeKeys(raw, suiteFile.at, suiteKeys(), diagnostics)
  const judges = await findJudgeFiles(dirname(file), files)
  const suiteContext: SuiteContext = { ...context, judges, recent: new RecentChecks(), pending: [] }

  const shape = checkShape(writtenSuite(), fields, at, diagnostics, suggested)
  reportExecution(fields, at, context)
  reportLongIntegers(fields['metadata'], at.child('metadata'), diagnostics)
  if (fields['name'] === undefined && !suggested.has('name')) reportNoName(at, file, diagnostics)
  if (Math.floor(Number(fields['version'])) === 1 && typeof fields['version'] === 'number') {
    reportUnquotedVersion(at.child('version'), diagnostics)
  }
  const inherit = inheritedChecks(fields, at, suiteContext)
  const mocks = await mocksOf(fields, at, suiteContext)
  const imported = new Set<string>()
  const tests = lines ?? (await readTests(fields['tests'], at.child('tests'), imported, suiteContext))
  if (dataset !== undefined && !imported.has(dataset)) reportOwnTests(at, dataset, diagnostics)
  const variables = usesVariables(fields, tests) ? new SuiteVariables(fields, at, suiteContext) : undefined
  const variants = SuiteVariants.read(fields, at, diagnostics)
  const defaults = { inherit, mocks, variants, tags: tagsOf(fields), needsCriteria, gradedBy }
  const loaded = await loadTests(tests, variables, defaults, suiteContext)
  if (!lines && fields['tests'] === undefined && !suggested.has('tests')) reportNoTests(at, file, diagnostics)
  const execution = executionOf(shape?.execution)
  const owners = [{ execution, at }, ...loaded]
  variants?.reportControlTargets(owners, suiteContext)
  await reportAgentFolders(owners, file, { host: files.host, diagnostics })
  await settle(suiteContext.pending)
  // Mocks with errors are reported already.
  if (diagnostics.errors === before) reportMissingMocks(loaded, diagnostics)
  if (!shape || diagnostics.errors > before) return undefined

  const { name = defaultName(file), description, metadata = {} } = shape
  const version = versionOf(shape.version, at.child('version'))
  const { targets } = suiteFile
  const { tags } = defaults
  const facts = { name, version, description, metadata, tags, file, execution }
  return deepFreeze({ ...facts, tests: loaded, variants: variants?.list, targets, at })
}

/** A version without quotes as it is written: `1.10` is not `1.1`. */
function versionOf(version: string | number | undefined, at: SourceNode): string {
  return typeof version === 'number' ? (at.written() ?? String(version)) : (version ?? '1.0')
}

async function mocksOf(fields: Fields, at: SourceNode, context: SuiteContext): Promise<Mocks | undefined> {
  if (fields['mocks'] === undefined) return undefined
  const { loadMocks } = await import('../mocks/load-mocks.ts')
  return loadMocks(fields['mocks'], at.child('mocks'), context)
}

/** Loads the checks of a suite: once, or for each test if they may have variables. */
function inheritedChecks(fields: Fields, at: SourceNode, context: SuiteContext): Defaults['inherit'] {
  const load = (expanded: ExpandedFields) => {
    const before = context.diagnostics.errors
    const checks = loadListedChecks(expanded.fields, expanded.at, context)
    return { checks, broken: context.diagnostics.errors > before }
  }
  let shared = hasTemplatedChecks(fields) ? undefined : load({ fields, at })
  return variables => {
    if (variables && !shared) return load(expandSuiteChecks(fields, at, variables.templates, context.lookup))
    shared ??= load({ fields, at })
    return shared
  }
}

/** From here on, the tests of a suite take more memory than the program itself. */
const MANY_TESTS = 2000

async function loadTests(
  written: RawTests,
  variables: SuiteVariables | undefined,
  defaults: Defaults,
  suiteContext: SuiteContext,
): Promise<Test[]> {
  const first = new Map<string, IdNodes>()
  const tests: Test[] = []
  const load = (raw: RawTest, own: TestVariables | undefined) => {
    const test = loadTest(raw, own, defaults, suiteContext)
    const id = test?.id ?? (own?.row_id === undefined ? brokenTestId(raw) : undefined)
    if (id !== undefined)
      reportSameId(id, own?.row_id_at ? { test: raw.at, id: own.row_id_at } : raw.at, first, suiteContext)
    if (test) tests.push(test)
    if (tests.length === MANY_TESTS) suiteContext.files.host.limitYoungGeneration()
  }
  for (const raw of written) {
    if (!variables) load(raw, undefined)
    else for (const own of await variables.variablesOf(raw)) load(raw, own)
  }
  variables?.reportUnused()
  return tests
}

/** Returns the id of a test that cannot be loaded. */
function brokenTestId({ raw, at }: RawTest): string | undefined {
  if (!isMapping(raw)) return undefined
  return typeof raw['id'] === 'number'
    ? at.child('id').written()
    : typeof raw['id'] === 'string'
      ? raw['id']
      : undefined
}

/** A test whose id is its own key, which needs no node of its own in large suites, or a test with the node of its id. */
type IdNodes = SourceNode | { readonly test: SourceNode; readonly id: SourceNode }

function reportSameId(
  id: string,
  nodes: IdNodes,
  first: Map<string, IdNodes>,
  { diagnostics, files }: SuiteContext,
): void {
  const earlier = first.get(id)
  if (!earlier) {
    first.set(id, nodes)
    return
  }
  const { file, line, column } = idNode(earlier).location()
  const here = idNode(nodes).location()
  const test = 'test' in nodes ? nodes.test : nodes
  // An alias of a whole test has the location of the first one: report the alias itself.
  const repeated = here.file === file && here.line === line && here.column === column
  const message = `the id ${quoteCode(id)} is already used at ${relative(files.host.cwd, file)}:${line}:${column}`
  diagnostics.add({ code: 'duplicate-id', at: repeated ? test : here, message, hint: 'give each test its own id' })
}

function idNode(nodes: IdNodes): SourceNode {
  return 'test' in nodes ? nodes.id : nodes.child('id')
}

/** Reports a sidecar whose own `tests` do not name its dataset. */
function reportOwnTests(at: SourceNode, dataset: string, diagnostics: Diagnostics): void {
  const name = basename(dataset)
  const message = `the sidecar of \`${name}\` has its own tests`
  const hint = `add \`./${name}\` to \`tests\`, or remove \`tests\``
  diagnostics.add({ code: 'bad-import', at: at.child('tests'), part: 'key', message, hint })
}

function reportNoTests(at: SourceNode, file: string, diagnostics: Diagnostics): void {
  const hint = `add \`tests\`, or put the tests into \`${basename(stemOf(file))}.jsonl\` beside this file`
  diagnostics.add({ code: 'no-tests', at, message: 'this suite has no tests', hint })
}

function reportNoName(at: SourceNode, file: string, diagnostics: Diagnostics): void {
  const message = `this suite has no \`name\`; its default name is ${quoteCode(defaultName(file))}`
  const hint = file.endsWith('.jsonl')
    ? `set \`name\` in \`${basename(stemOf(file))}.yaml\` beside this file`
    : 'add `name:` with lowercase letters, digits and hyphens'
  diagnostics.add({ code: 'no-name', at, message, hint })
}

function reportUnquotedVersion(at: SourceNode, diagnostics: Diagnostics): void {
  const written = at.written() ?? ''
  const quoted = VERSION.test(written) ? written : '1.0'
  const message = `version ${written} is unquoted, so YAML reads it as a number`
  diagnostics.add({ code: 'unquoted-version', at, message, hint: `write \`version: "${quoted}"\`` })
}

/** Returns the default name of a suite: its folder for `EVAL.yaml`, otherwise its file. */
function defaultName(file: string): string {
  return /^EVAL\.ya?ml$/.test(basename(file)) ? basename(dirname(file)) : basename(stemOf(file)).replace(/[<>]/g, '')
}

function tagsOf(fields: Fields): string[] {
  const tags = isMapping(fields['metadata']) ? fields['metadata']['tags'] : undefined
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : []
}

/** Waits for all pending work, including work that is added meanwhile. */
async function settle(pending: Promise<void>[]): Promise<void> {
  while (pending.length > 0) await Promise.all(pending.splice(0))
}
