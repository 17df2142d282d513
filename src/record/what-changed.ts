import { canonicalJson } from '../lib/canonical-json.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { RunFacts } from './run-facts.ts'

/** What is different since a run was begun, in words: `agent.py changed`. */
export function whatChanged(before: RunInfo, after: RunFacts): string[] {
  const files = changedNames(byFile(before.target_files ?? []), byFile(after.target_files ?? []))
  const targets = changedNames(byName(before.targets), byName(after.targets)).map(name => `target ${name}`)
  const suites = changedNames(byFile(before.suites), byFile(after.suites))
  const names = [...new Set([...files, ...targets, ...suites])]
  return names.length > 0 ? names.map(name => `${name} changed`) : ['a file that tests or checks name changed']
}

/** The names that both have with another value, or only one has. */
function changedNames(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(name => before.get(name) !== after.get(name))
}

function byFile(files: readonly { readonly file: string; readonly sha256: string }[]): Map<string, string> {
  return new Map(files.map(({ file, sha256 }) => [file, sha256]))
}

function byName(targets: RunInfo['targets']): Map<string, string> {
  return new Map(targets.map(target => [String(target['name']), canonicalJson(target)]))
}
