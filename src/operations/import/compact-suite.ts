import { evaluators } from '../../evaluators/index.ts'
import { lookupOf } from '../../evaluators/lookup.ts'
import { criteriaOf } from '../../import/criteria.ts'
import type { ImportedTest } from '../../import/format.ts'
import type { ImportNotes } from '../../import/import-notes.ts'
import { withRows } from '../../import/rows.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Host } from '../../model/host.ts'
import { type LoadableSuite, loadableSuite, loadedWith } from './loadable.ts'
import { type PlacedSuite, stemOf } from './placed-suite.ts'

/** Makes a suite that loads, as a person would write it: tests of one table as rows, and each test with its criteria. */
export async function compactSuite(suite: PlacedSuite, notes: ImportNotes, host: Host): Promise<LoadableSuite> {
  const chosen = (await tabledSuite(suite, host)) ?? (await withoutBrokenTests(suite, notes, host))
  return { ...chosen, tests: chosen.tests.map(test => withCriteria(test, suite)) }
}

async function withoutBrokenTests(suite: PlacedSuite, notes: ImportNotes, host: Host): Promise<LoadableSuite> {
  const loadable = await loadableSuite(suite, notes, host)
  const isShorter = loadable.tests.length < suite.tests.length
  return (isShorter ? await tabledSuite(loadable, host) : undefined) ?? loadable
}

/** The suite with rows; undefined if no tests can be rows, or if it does not load. */
async function tabledSuite(suite: PlacedSuite, host: Host): Promise<LoadableSuite | undefined> {
  const { tests, files } = withRows(suite.tests, stemOf(suite.source))
  if (tests.length === suite.tests.length || makesVariables(suite)) return undefined
  const programs = new Map([...suite.programs, ...files])
  return loadedWith({ ...suite, tests, programs }, suite.tests.length, host)
}

/** Whether rows would turn a text with `{{…}}` into a template, in a suite that has no variables. */
function makesVariables({ suite, tests }: PlacedSuite): boolean {
  const hasVariables = 'variants' in suite || 'vars' in suite || tests.some(({ fields }) => 'vars' in fields)
  return !hasVariables && /\{\{/.test(JSON.stringify([suite, tests.map(({ fields }) => fields)]))
}

function withCriteria(test: ImportedTest, { suite }: PlacedSuite): ImportedTest {
  const { id, description, criteria, ...others } = test.fields
  if (criteria !== undefined) return test
  const { execution, rubrics } = others
  const skips = isMapping(execution) && execution['skip_defaults'] === true
  const inherited = skips ? [] : checksOf(suite)
  const checks = [...(rubrics ? [{ rubrics }] : []), ...checksOf(others), ...inherited]
  const own = criteriaOf(checks, isJudged)
  if (own === undefined) return test
  const head = { id, ...(description === undefined ? {} : { description }), criteria: own }
  return { ...test, fields: { ...head, ...others } }
}

const lookup = lookupOf(evaluators)

/** Whether a model judges checks of a type. */
function isJudged(type: string): boolean {
  return lookup.get(type)?.judge !== undefined
}

function checksOf({ assert }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return Array.isArray(assert) ? assert.filter(isMapping) : []
}
