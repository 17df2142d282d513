import { sha256 } from '../lib/sha256.ts'
import type { Check } from '../model/check.ts'
import { nestedChecks } from '../model/check.ts'
import { filesIn } from '../model/files-in.ts'
import type { Host } from '../model/host.ts'
import { looksLikeMessages } from '../model/message.ts'
import type { FileHashes } from '../model/plan.ts'
import type { Test } from '../model/test.ts'
import { hashOfFile } from './hash-of-file.ts'

/** Hashes of all files that tests and their checks name. */
export async function hashFiles(
  selected: readonly { readonly tests: readonly Test[] }[],
  host: Host,
): Promise<FileHashes> {
  const hashes = new Map<string, string>()
  const paths = new Set<string>()
  const seen = new Set<Check>()
  const addCheck = (check: Check) => {
    const nested = nestedChecks(check)
    if ((check.files.size === 0 && nested.length === 0) || seen.has(check)) return
    seen.add(check)
    for (const { path, text } of check.files.values()) {
      if (text === undefined) paths.add(path)
      else hashes.set(path, sha256(text))
    }
    nested.forEach(addCheck)
  }
  for (const { tests } of selected) {
    for (const { input, expected_output, checks } of tests) {
      for (const path of filesIn(input)) paths.add(path)
      if (looksLikeMessages(expected_output)) for (const path of filesIn(expected_output)) paths.add(path)
      checks.forEach(addCheck)
    }
  }
  for (const path of paths) {
    if (!hashes.has(path)) hashes.set(path, await hashOfFile(path, host))
  }
  return hashes
}
