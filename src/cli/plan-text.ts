import { groupBy } from '../lib/group-by.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import type { Plan } from '../plan/attempt.ts'
import { renderTable } from '../report/table.ts'

/** What a run would do. */
export function planText({ attempts, total }: Plan, json = false): string {
  const groups = groupBy(attempts, ({ suite, target }) => JSON.stringify([suite.file, target.name]))
  const rows = [...groups.values()].map(group => {
    const [{ suite, target }] = group
    const tests = new Set(group.map(({ test }) => test)).size
    return { suite: suite.name, target: target.name, provider: target.provider.type, tests, attempts: group.length }
  })
  if (json) return `${JSON.stringify({ attempts: attempts.length, total, suites: rows }, null, 2)}\n`
  const header = ['suite', 'target', 'provider', 'tests', 'attempts']
  const cells = rows.map(({ suite, target, provider, tests, attempts }) => [
    ...[suite, target, provider].map(onOneLine),
    ...[tests, attempts].map(String),
  ])
  const shard = attempts.length < total ? ` of ${total}` : ''
  return `${renderTable([header, ...cells], 3)}\n${plural(attempts.length, 'attempt')}${shard}\n`
}
