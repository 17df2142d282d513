import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import { convertAssertions } from './assertions.ts'
import type { Case } from './cases.ts'
import { isScalar } from './fill-variables.ts'
import type { Matrix } from './matrix.ts'
import { simpleNames } from './template.ts'
import { transformsFor } from './transforms.ts'

/** The checks of a suite. */
export interface SharedChecks {
  readonly checks: readonly Fields[]
  /** Variables in the texts of the checks. */
  readonly names: readonly string[]
  readonly has_losses: boolean
}

/** The assertions of all tests as checks of the suite; undefined if they have to be checks of each test. */
export async function sharedChecks(
  { config, targets, defaults, dialect, programs, graders }: Matrix,
  cases: readonly Case[],
  context: ImportContext,
): Promise<SharedChecks | undefined> {
  const assertions = defaults?.get('assert')?.items() ?? []
  if (assertions.length === 0) return undefined
  const transforms = transformsFor({ targets }, defaults)
  const text = JSON.stringify([...assertions, ...transforms].map(({ value }) => value))
  const names = simpleNames(text)
  const isSame = names?.every(name => cases.every(({ vars }) => isScalar(vars[name])))
  const differs = cases.some(({ test: { written } }) => {
    const options = written.get('options')
    const isOwn = ['disableDefaultAsserts', 'provider', 'transform', 'postprocess'].some(key => options?.get(key))
    return written.get('threshold') || isOwn
  })
  if (!isSame || differs || /\bvars\b|file:\/\//.test(text)) return undefined
  const before = context.notes.mark()
  const isScored = !dialect.everyAssertionCounts || defaults?.get('threshold') !== undefined
  const checks = await convertAssertions(assertions, {
    ...context,
    root: config,
    vars: {},
    fill: value => value,
    programs,
    graders,
    providers: [defaults?.get('options')?.get('provider')],
    transforms,
    isScored,
    convertOwn: dialect.assertion,
  })
  const used = simpleNames(JSON.stringify(checks)) ?? []
  return checks.length === 0 ? undefined : { checks, names: used, has_losses: context.notes.hasLossSince(before) }
}
