import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import type { AssertionContext } from '../matrix/assertion-context.ts'
import type { Written } from '../written.ts'
import { agentvCheck } from './checks.ts'

/** Reports keys that are left out. */
export function noteKeys(written: Written, known: readonly string[], what: string, { notes }: ImportContext): void {
  for (const [key, { at }] of written.entries())
    if (!known.includes(key) && !key.startsWith('x-')) notes.leftOut(at, `${what} ${quoteCode(key)}`, 'key')
}

export function metadataOf(config: Written): Fields | undefined {
  const metadata = config.get('metadata')
  const tags = config
    .get('tags')
    ?.list()
    .flatMap(item => item.text() ?? [])
  const fields = { ...(metadata?.isMapping() ? (metadata.value as Fields) : {}), ...(tags ? { tags } : {}) }
  return Object.keys(fields).length === 0 ? undefined : fields
}

const EXECUTION_KEYS = [
  'target',
  'targets',
  'trials',
  'timeout_seconds',
  'assert',
  'assertions',
  'evaluators',
  'skip_defaults',
  'threshold',
  'budget_usd',
  'total_budget_usd',
]

export function executionOf(
  execution: Written | undefined,
  names: readonly Written[],
  context: ImportContext,
): Fields | undefined {
  if (execution) noteKeys(execution, EXECUTION_KEYS, 'the setting', context)
  const trials = execution?.get('trials')
  const count = trials?.isMapping() ? trials.get('count')?.number() : trials?.number()
  const budget = trials?.get('cost_limit_usd')?.number() ?? execution?.get('budget_usd', 'total_budget_usd')?.number()
  if (trials?.get('strategy'))
    context.notes.approximated(
      trials.at.child('strategy'),
      'a strategy of trials: reports have pass@k and pass^k of every test',
      'key',
    )
  const texts = names.flatMap(name => name.text() ?? [])
  const fields = withoutNullish({
    target: texts.length === 1 ? texts[0] : undefined,
    targets: texts.length > 1 ? texts : undefined,
    trials: count !== undefined && Number.isInteger(count) && count >= 1 && count <= 100 ? count : undefined,
    timeout_seconds: execution?.get('timeout_seconds')?.number(),
    threshold: execution?.get('threshold')?.number(),
    budget_usd: budget,
  })
  return Object.keys(fields).length === 0 ? undefined : fields
}

const CHECK_KEYS = ['assert', 'assertions', 'evaluators'] as const

/** The checks of a suite or test: its own, those of `execution`, and the judge that `evaluator` names. */
export async function convertChecks(written: Written, context: AssertionContext): Promise<Fields[]> {
  const lists = [written, written.get('execution')].flatMap(owner => CHECK_KEYS.map(key => owner?.get(key)))
  const checks: Fields[] = []
  for (const each of lists.flatMap(list => list?.items() ?? [])) {
    const check = await agentvCheck(each, context)
    if (check) checks.push(check)
  }
  const judge = written.get('evaluator')?.text()?.replaceAll('-', '_')
  if (judge === 'llm_judge' || judge === 'llm_grader') checks.push({ type: 'llm_judge' })
  return checks
}
