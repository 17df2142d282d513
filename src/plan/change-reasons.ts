import { printableLine } from '../lib/text/escape.ts'
import { agentSettingsOf } from '../model/agent-settings.ts'
import { type Attempt, IDENTITY_VERSION } from '../model/attempt.ts'
import { type Baseline, type BaselineTest, fileHash } from '../model/baseline.ts'
import type { Plan } from '../model/plan.ts'
import { fieldHashes, type Target } from '../model/target.ts'
import { testInArm } from '../model/variant.ts'
import { agentFolders } from './agent-folders.ts'
import { filesOfChecks, filesOfExpectation, filesOfRequest } from './file-hashes.ts'

/** Says what has changed since results were saved. */
export class ChangeReasons {
  readonly #plan: Plan
  readonly #baseline: Baseline
  readonly #recordedPath: (file: string) => string
  /** Suites share their targets. */
  readonly #targets = new Map<Target, readonly string[]>()

  constructor(plan: Plan, baseline: Baseline, recordedPath: (file: string) => string) {
    this.#plan = plan
    this.#baseline = baseline
    this.#recordedPath = recordedPath
  }

  /** Empty if test, target and judges are what they were. */
  of(attempt: Attempt, known: BaselineTest): string[] {
    const isSameTest = known.test_hash === attempt.test_hash
    if (!isSameTest && this.#baseline.identity_version !== IDENTITY_VERSION)
      return ['saved by another version of Assay, which identifies tests differently']
    return [
      ...new Set([
        ...(isSameTest ? [] : this.#testReasons(attempt, known)),
        ...(known.target_hash === attempt.target_hash ? [] : this.#targetReasons(attempt.target)),
        ...((known.judges_hash ?? '') === attempt.judges_hash ? [] : ['the judge changed']),
      ]),
    ]
  }

  #testReasons({ suite, test, request_id, checks_hash, variant }: Attempt, known: BaselineTest): string[] {
    const parts = {
      setup: (test.execution.setup ?? suite.execution.setup) !== undefined,
      mocks: test.mocks !== undefined,
      'settings of the agent': agentSettingsOf(suite, test) !== undefined,
    }
    const isSameInput = known.input_hash === request_id
    const isSameGrading = known.checks_hash === checks_hash
    if (known.input_hash === undefined || known.checks_hash === undefined) return ['the test changed']
    if (isSameInput && isSameGrading)
      return this.#orElse(filesOfExpectation(test), 'expected output, criteria, note or metadata changed')
    return [
      ...(isSameInput
        ? []
        : this.#orElse(
            [...filesOfRequest(testInArm(test, { variant })), ...agentFolders(suite, test)],
            `${askedWords(parts)} changed`,
          )),
      ...(isSameGrading
        ? []
        : this.#orElse(
            [...filesOfChecks(test.checks)].map(({ path }) => path),
            'the checks changed',
          )),
    ]
  }

  /** The files that changed, or a text if none did. */
  #orElse(paths: Iterable<string>, text: string): string[] {
    const changed = this.#changedFiles(Array.from(paths, path => ({ path, hash: this.#plan.hashes.get(path) ?? '' })))
    return changed.length > 0 ? changed : [text]
  }

  #targetReasons(target: Target): readonly string[] {
    const known = this.#targets.get(target)
    if (known) return known
    const files = this.#changedFiles(this.#plan.contents.get(target) ?? [])
    const reasons = [...files, ...this.#changedFields(target)]
    const found = reasons.length > 0 ? reasons : [`files of target ${target.name} changed`]
    this.#targets.set(target, found)
    return found
  }

  #changedFields({ name, written }: Target): string[] {
    const known = this.#baseline.targets.filter(each => each.target === name)
    const now = fieldHashes(written)
    const changes = known.map(({ fields: before }) =>
      [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(field => before[field] !== now[field]),
    )
    // Suites may have different targets of one name: the most similar one is meant.
    const fields = changes.reduce((least, each) => (each.length < least.length ? each : least), changes[0] ?? [])
    return fields.map(field => `${field} of target ${name} changed`)
  }

  #changedFiles(files: readonly { readonly path: string; readonly hash: string }[]): string[] {
    const { files: before } = this.#baseline
    return files.flatMap(({ path, hash }) => {
      const file = this.#recordedPath(path)
      const saved = Object.hasOwn(before, file) ? before[file] : undefined
      return saved === fileHash(hash) ? [] : [`${printableLine(file)} ${saved === undefined ? 'is new' : 'changed'}`]
    })
  }
}

/** What the hash of a request covers: `the input or the setup`. */
function askedWords(parts: Readonly<Record<string, boolean>>): string {
  const present = Object.keys(parts).filter(name => parts[name])
  return ['input', ...present].map(name => `the ${name}`).join(' or ')
}
