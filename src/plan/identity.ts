import { basename, relative } from 'node:path'
import { canonicalJson } from '../lib/json/stringify.ts'
import { isBelow } from '../lib/paths.ts'
import { shortHash } from '../lib/sha256.ts'
import { agentSettingsOf } from '../model/agent-settings.ts'
import { applicableChecks } from '../model/applicability.ts'
import { type Attempt, IDENTITY_VERSION } from '../model/attempt.ts'
import { type Check, isJudged, judgeNames, nestedChecks } from '../model/check.ts'
import { commandLines } from '../model/commands.ts'
import { recordedExpectation, recordedMessages, requestId } from '../model/messages/recorded-messages.ts'
import type { Mocks } from '../model/mock.ts'
import type { FileHashes, JudgeOf, TargetContents } from '../model/plan.ts'
import type { Suite } from '../model/suite.ts'
import { type Target, USAGE_FIELDS } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import { identifiedSettings } from './agent-folders.ts'

/** Hashes tests and targets, for the ids of attempts. */
export class Identities {
  readonly #hashes: FileHashes
  readonly #contents: TargetContents
  /** Recent checks by their config: tests share those of the suite, and often repeat others. */
  readonly #recentChecks = new Map<unknown, { readonly check: Check; readonly json: string }>()
  #lastGraded = { text: '', hash: shortHash('') }
  #lastJudges = { text: '', hash: '' }
  #lastMocks: { readonly mocks: Mocks; readonly hash: string } | undefined
  readonly #targets = new WeakMap<Target, string>()
  readonly #judges = new WeakMap<Target, string>()

  constructor(hashes: FileHashes, contents: TargetContents) {
    this.#hashes = hashes
    this.#contents = contents
  }

  /** A hash of the messages, with the content of their files, of the setup, the mocked servers and the settings of the agent. */
  request(suite: Pick<Suite, 'execution' | 'file'>, test: Test): string {
    const { input, mocks } = test
    const setup = test.execution.setup ?? suite.execution.setup
    const agent = agentSettingsOf(suite, test)
    const asked: object[] = recordedMessages(input, this.#hashes)
    if (setup !== undefined) asked.push({ setup: commandLines(setup).lines })
    if (mocks) asked.push({ mocks: this.#mocks(mocks) })
    if (agent) asked.push({ agent: identifiedSettings(agent, suite, this.#hashes) })
    return requestId(asked)
  }

  /** Many tests have the mocks of their suite, which may be large. */
  #mocks(mocks: Mocks): string {
    if (mocks !== this.#lastMocks?.mocks) this.#lastMocks = { mocks, hash: shortHash(canonicalJson(mocks.servers)) }
    return this.#lastMocks.hash
  }

  /** A hash of the prompt and the checks, and one of the checks with their threshold alone. */
  test(
    suite: Suite,
    test: Test,
    { request_id, threshold }: Pick<Attempt, 'request_id' | 'threshold'>,
    /** What the checks compare with besides the test itself. */
    compared = '',
  ): { readonly test_hash: string; readonly checks_hash: string } {
    const { id, criteria, expected_output, note, metadata } = test
    const expected = recordedExpectation(expected_output, this.#hashes)
    const content = canonicalJson([IDENTITY_VERSION, suite.name, id, request_id, criteria, expected, note, metadata])
    let graded = threshold === undefined ? '' : `\nthreshold ${threshold}`
    if (compared !== '') graded += `\ncompared ${compared}`
    for (const check of test.checks) graded += `\n${this.#checkJson(check)}`
    return { test_hash: shortHash(content + graded), checks_hash: this.#hashOfChecks(graded) }
  }

  /** Many tests have the same checks: the hash of the previous ones is kept. */
  #hashOfChecks(graded: string): string {
    if (graded !== this.#lastGraded.text) this.#lastGraded = { text: graded, hash: shortHash(graded) }
    return this.#lastGraded.hash
  }

  /** A hash of the target as written, with the content of its files. */
  target(target: Target): string {
    let hash = this.#targets.get(target)
    if (hash === undefined) {
      const files = (this.#contents.get(target) ?? []).map(({ path, hash }) => [nameOf(path, target.home), hash])
      const absent = target.absent_servers ? [target.absent_servers] : []
      hash = shortHash(canonicalJson([asWritten(target), files, ...absent]))
      this.#targets.set(target, hash)
    }
    return hash
  }

  /**
   * A hash of a target that judges. Its model and its prompt may come from variables: with other values, it is another
   * judge, and a calibration does not hold for it.
   */
  judge(target: Target): string {
    let hash = this.#judges.get(target)
    if (hash === undefined) {
      const { model } = target.config as { readonly model?: unknown }
      const filled = { model, system_prompt: target.settings.system_prompt }
      const hasVariable = Object.keys(filled).some(key => VARIABLE.test(String(target.written[key] ?? '')))
      hash = hasVariable ? shortHash(canonicalJson([this.target(target), filled])) : this.target(target)
      this.#judges.set(target, hash)
    }
    return hash
  }

  /** A hash of the targets that judge an attempt; empty if there are none. */
  judges(attempt: Pick<Attempt, 'suite' | 'test' | 'target'>, judgeOf: JudgeOf): string {
    if (!attempt.test.checks.some(isJudged)) return ''
    const hashes = new Set<string>()
    for (const check of applicableChecks(attempt.test.checks, attempt.target)) {
      for (const member of judgeNames(check)) {
        const judge = judgeOf(attempt, check, member)
        if (judge) hashes.add(this.judge(judge))
      }
    }
    return hashes.size === 0 ? '' : this.#hashOfJudges([...hashes].join('\n'))
  }

  /** Most tests have the same judges. */
  #hashOfJudges(judges: string): string {
    if (judges !== this.#lastJudges.text) this.#lastJudges = { text: judges, hash: shortHash(judges) }
    return this.#lastJudges.hash
  }

  #checkJson(check: Check): string {
    const known = this.#recentChecks.get(check.config)
    if (known && isSameCheck(known.check, check)) return known.json
    const json = this.#check(check)
    if (this.#recentChecks.size >= RECENT) this.#recentChecks.clear()
    this.#recentChecks.set(check.config, { check, json })
    return json
  }

  #check(check: Check): string {
    const { type, name, weight, required, negate, applies_to } = check
    const { evaluators, ...config } = check.config as Record<string, unknown>
    const nested = nestedChecks(check).map(child => this.#check(child))
    const files = [...check.files].map(([written, { path }]) => [written, this.#hashes.get(path)])
    const own = nested.length > 0 ? config : check.config
    const targets = applies_to ? [[...new Set(applies_to)].sort()] : []
    return canonicalJson([type, name, weight, required, negate, own, nested, files, ...targets])
  }
}

/** Whether two checks with the same config have the same identity. Checks with files have a config of their own. */
function isSameCheck(a: Check, b: Check): boolean {
  return (
    a.type === b.type &&
    a.name === b.name &&
    a.weight === b.weight &&
    a.required === b.required &&
    a.negate === b.negate &&
    a.applies_to === b.applies_to &&
    a.files === b.files
  )
}

/** Number of checks whose text is kept. */
const RECENT = 256

const VARIABLE = /\$\{\{/

/** A name of a file that does not depend on the location of the repository. */
function nameOf(path: string, home: string): string {
  return isBelow(path, home) ? relative(home, path) : basename(path)
}

/** The fields that are part of the identity of a target. */
function asWritten({ written }: Target): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(written).filter(([key]) => !USAGE_FIELDS.includes(key)))
}

export function attemptId(test: string, target: string, trial: number, occurrence: number): string {
  return shortHash(`${test} ${target} ${trial} ${occurrence}`)
}
