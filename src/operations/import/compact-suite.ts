import { criteriaOf } from '../../import/criteria.ts'
import type { ImportedTest } from '../../import/format.ts'
import { withRows } from '../../import/rows.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Host } from '../../model/host.ts'
import { type LoadableSuite, loadsWith } from './loadable.ts'
import { stemOf } from './placed-suite.ts'

/** Writes a suite as a person would: tests of one table as rows, and each test with its criteria. */
export async function compactSuite(suite: LoadableSuite, host: Host): Promise<LoadableSuite> {
  const { tests, files } = withRows(suite.tests, stemOf(suite.source))
  const compact = { ...suite, tests, programs: new Map([...suite.programs, ...files]) }
  const isShorter = tests.length < suite.tests.length && !makesVariables(suite)
  const chosen = isShorter && (await loadsWith(compact, suite.tests.length, host)) ? compact : suite
  return { ...chosen, tests: chosen.tests.map(test => withCriteria(test, suite)) }
}

/** Whether rows would turn a text with `{{…}}` into a template, in a suite that has no variables. */
function makesVariables({ suite, tests }: LoadableSuite): boolean {
  const hasVariables = 'variants' in suite || 'vars' in suite || tests.some(({ fields }) => 'vars' in fields)
  return !hasVariables && /\{\{/.test(JSON.stringify([suite, tests.map(({ fields }) => fields)]))
}

function withCriteria(test: ImportedTest, { suite }: LoadableSuite): ImportedTest {
  const { id, description, criteria, ...others } = test.fields
  if (criteria !== undefined) return test
  const { execution, rubrics } = others
  const skips = isMapping(execution) && execution['skip_defaults'] === true
  const inherited = skips ? [] : checksOf(suite)
  const own = criteriaOf([...(rubrics ? [{ type: 'rubrics', rubrics }] : []), ...checksOf(others), ...inherited])
  if (own === undefined) return test
  const head = { id, ...(description === undefined ? {} : { description }), criteria: own }
  return { ...test, fields: { ...head, ...others } }
}

function checksOf({ assert }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return Array.isArray(assert) ? assert.filter(isMapping) : []
}
