import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import type { Attempt, Plan } from '../plan/attempt.ts'
import { renderTable } from '../report/table.ts'

/** What a run would do. */
export function planText({ attempts, total }: Plan, json = false): string {
  const groups = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    const key = JSON.stringify([attempt.suite.file, attempt.target.name])
    const group = groups.get(key)
    if (group) group.push(attempt)
    else groups.set(key, [attempt])
  }
  const rows = [...groups.values()].map(group => ({
    suite: group[0]?.suite.name ?? '',
    target: group[0]?.target.name ?? '',
    provider: group[0]?.target.provider.type ?? '',
    tests: new Set(group.map(({ test }) => test)).size,
    attempts: group.length,
  }))
  if (json) return `${JSON.stringify({ attempts: attempts.length, total, suites: rows }, null, 2)}\n`
  const header = ['suite', 'target', 'provider', 'tests', 'attempts']
  const cells = rows.map(({ suite, target, provider, tests, attempts }) => [
    ...[suite, target, provider].map(onOneLine),
    ...[tests, attempts].map(String),
  ])
  const shard = attempts.length < total ? ` of ${total}` : ''
  return `${renderTable([header, ...cells], 3)}\n${plural(attempts.length, 'attempt')}${shard}\n`
}
