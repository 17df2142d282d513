import { dirname, resolve } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { type Check, nestedChecks } from '../../model/check.ts'
import type { Host } from '../../model/host.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import type { TargetType } from '../../spec/targets.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import { findBlindJudges, findJudges, type JudgedChecks, judgedChecks, reportSameFamily } from './find-judges.ts'
import { loadTarget, type TargetContext } from './load-target.ts'
import { type TargetNameOptions, targetNamesFor } from './target-names.ts'
import { collectSecrets, type TargetsWithVariables } from './target-secrets.ts'
import { findTargetsFile, readTargetsFile, type TargetsFile } from './targets-file.ts'
import { findVariables } from './variables.ts'

export interface TargetsOptions extends TargetNameOptions {
  readonly host: Host
  readonly types: readonly TargetType[]
  /** Path of the targets file, if given. */
  readonly file?: string | undefined
  /** Name of the target that judges checks without their own `target`. */
  readonly judge?: string | undefined
  /** Creates targets that replace those of the file, which then need not be usable. */
  readonly standIn?: StandIn | undefined
}

export type StandIn = (name: string, at: Origin) => Target

/** The targets of one suite. */
export class SuiteTargets {
  readonly #suite: Suite
  readonly #options: TargetsOptions
  readonly #files: Files
  readonly #diagnostics: Diagnostics
  readonly #secrets: Map<string, string>
  /** The targets that judge, by their names: also where another stands in for one that answers. */
  readonly judges = new Map<string, Target>()
  /** The targets of its file; there since they were loaded. */
  known: TargetsWithVariables | undefined

  constructor(
    suite: Suite,
    options: TargetsOptions,
    files: Files,
    diagnostics: Diagnostics,
    secrets: Map<string, string>,
  ) {
    this.#suite = suite
    this.#options = options
    this.#files = files
    this.#diagnostics = diagnostics
    this.#secrets = secrets
  }

  async targets(tests: readonly Test[]): Promise<ReadonlyMap<string, Target>> {
    const targets = new Map<string, Target>()
    const places = this.#places(tests)
    const { host, types, standIn } = this.#options
    const file = await this.#read()
    const folder = dirname(this.#suite.file)
    const variables = await findVariables(folder, this.#files)
    const context = { host, types, variables, suite: folder, secrets: this.#secrets, diagnostics: this.#diagnostics }
    collectSecrets(file?.targets ?? [], context)
    this.known = file && { targets: file.targets, variables }
    if (standIn) for (const [name, at] of places) targets.set(name, standIn(name, at))
    if (!file && standIn) await this.#reportNoJudges(tests, targets)
    if (!file) return targets
    for (const [name, at] of places) {
      if (targets.has(name)) continue
      const written = file.targets.find(target => target.name === name)
      const target = written ? await loadTarget(written, context) : await this.#reportUnknown(name, at, file)
      if (target) targets.set(name, target)
    }
    await this.#addJudges(tests, targets, file, context)
    await this.#reportBlindJudges(tests, targets)
    return targets
  }

  /** The names of the targets that answer, and where they are written first. */
  #places(tests: readonly Test[]): Map<string, Origin> {
    const places = new Map<string, Origin>()
    for (const test of tests) {
      for (const { name, at } of targetNamesFor(this.#suite, test, this.#options))
        if (!places.has(name)) places.set(name, at)
    }
    return places
  }

  /** Without a targets file nobody judges. */
  async #reportNoJudges(tests: readonly Test[], targets: ReadonlyMap<string, Target>): Promise<void> {
    const judges = findJudges(this.#judged(tests, targets), this.#suite, this.#options)
    for (const { check } of judges.values()) await this.#reportNoJudge(check)
  }

  /** The targets that judge: those that answer may be among them. */
  async #addJudges(
    tests: readonly Test[],
    targets: ReadonlyMap<string, Target>,
    file: TargetsFile,
    context: TargetContext,
  ): Promise<void> {
    const judges = findJudges(this.#judged(tests, targets), this.#suite, this.#options)
    for (const [name, { at, check, targets: judged }] of judges) {
      const written = file.targets.find(target => target.name === name)
      if (!written && !at) await this.#reportNoJudge(check)
      else if (!written) await this.#reportUnknown(name, at ?? check.at, file)
      else {
        const answering = this.#options.standIn ? undefined : targets.get(name)
        const judge = answering ?? (await loadTarget(written, context))
        if (!judge) continue
        this.judges.set(name, judge)
        reportSameFamily(judge, judged, this.#diagnostics)
      }
    }
  }

  *#judged(tests: readonly Test[], targets: ReadonlyMap<string, Target>): Generator<JudgedChecks> {
    for (const test of tests) {
      if (test.checks.every(check => judgedChecks(check).length === 0)) continue
      const names = targetNamesFor(this.#suite, test, this.#options)
      yield { checks: test.checks, targets: names.flatMap(({ name }) => targets.get(name) ?? []) }
    }
  }

  async #reportNoJudge({ at, evaluator, config }: Check): Promise<void> {
    if (evaluator.judge?.(config).is_optional) return
    const hint = 'add a target named `judge`, set `judge_target` in the target, or pass `--judge`'
    await this.#add({ code: 'no-judge', at, message: 'no judge for this check', hint })
  }

  async #reportBlindJudges(tests: readonly Test[], targets: ReadonlyMap<string, Target>): Promise<void> {
    const able = this.#options.types.filter(({ provider }) => provider.looks).map(({ provider }) => provider.type)
    const hint = `use a target of one of these providers: ${able.join(', ')}; or use \`llm_judge\``
    for (const { check, name } of findBlindJudges(
      this.#judged(tests, targets),
      this.#suite,
      this.#options,
      this.judges,
    )) {
      const message = `the target ${quoteCode(name)} judges this check, but cannot explore folders`
      await this.#add({ code: 'judge-cannot-look', at: check.at, message, hint })
    }
  }

  /** Checks that this machine cannot grade. */
  async reportUngradable(tests: readonly Test[]): Promise<void> {
    const checks = new Set<Check>()
    const add = (check: Check) => {
      if (check.evaluator.validate?.machine) checks.add(check)
      nestedChecks(check).forEach(add)
    }
    for (const test of tests) test.checks.forEach(add)
    for (const { at, evaluator, config, files } of checks) {
      const message = await evaluator.validate?.machine?.(config, files, this.#options.host)
      if (message !== undefined) await this.#add({ code: 'not-available', at, message })
    }
  }

  async #read(): Promise<TargetsFile | undefined> {
    const { file: named, host } = this.#options
    const file =
      named === undefined ? await findTargetsFile(dirname(this.#suite.file), this.#files) : resolve(host.cwd, named)
    if (file !== undefined) return readTargetsFile(file, this.#files, this.#diagnostics)
    if (this.#options.standIn) return undefined
    const message = 'no targets file found'
    const hint =
      'create `.assay/targets.yaml`, such as `targets: [{name: default, provider: cli, command: [node, agent.mjs]}]`; `assay init` creates one'
    await this.#add({ code: 'no-targets', at: this.#suite.at, message, hint })
    return undefined
  }

  async #reportUnknown(name: string, at: Origin, { targets, at: file }: TargetsFile): Promise<undefined> {
    const names = targets.flatMap(target => target.name ?? [])
    const known = names.length > 0 ? `the targets are ${names.join(', ')}` : 'the file has no targets'
    const isWritten = at !== this.#suite.at
    const message = `no target named ${quoteCode(name)}${isWritten ? ` in ${file.file}` : ''}`
    const hint = didYouMean(name, names, `${known}; choose one with \`--target\` or \`execution.target\``)
    await this.#add({ code: 'unknown-target', at: isWritten ? at : file.child('targets'), message, hint })
  }

  async #add(diagnostic: Parameters<Diagnostics['add']>[0] & { at: Origin }): Promise<void> {
    await this.#files.read(diagnostic.at.file)
    this.#diagnostics.add(diagnostic)
  }
}
