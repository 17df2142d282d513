import { resolve } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { createRedactor, type Redactor } from '../../lib/redaction/redactor.ts'
import type { Attempt } from '../../model/attempt.ts'
import { hashSuite } from '../../model/suite-hash.ts'
import { withTrial } from '../../plan/reruns.ts'
import type { AttemptRef, RunSettings } from '../../queue/protocol.ts'
import type { Checkout, FoundAttempt, Refusal } from '../../queue/worker-options.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { RECORD_KEYS } from '../../record/record-keys.ts'
import { type PlannedRun, planRun } from '../evaluate.ts'
import { machineContext } from '../run/run-context.ts'
import type { Runtime } from '../runtime.ts'

const OTHER = "this worker's checkout differs from the coordinator's"

interface CheckoutOptions {
  readonly folders: ProjectFolders
  readonly runtime: Runtime
  /** Values to redact besides the secrets of targets. */
  readonly secrets: ReadonlyMap<string, string>
  /** The targets file; without it, the nearest one of each suite. */
  readonly targets_file: string | undefined
  readonly workers: number
  /** Called whenever more secrets are known. */
  onSecrets(redactor: Redactor): void
}

/** The repository in which a worker was started: suites below its root, and its own targets files. */
export class WorkerCheckout implements Checkout {
  readonly #options: CheckoutOptions
  readonly #loaded = new Map<string, Promise<LoadedSuite | Refusal>>()
  readonly #secrets: Map<string, string>
  readonly #semaphore: ReturnType<typeof machineContext>['semaphore']
  #redactor: Redactor

  constructor(options: CheckoutOptions) {
    this.#options = options
    this.#secrets = new Map(options.secrets)
    this.#redactor = createRedactor(this.#secrets, RECORD_KEYS)
    const { semaphore } = this.#machineContext(false)
    this.#semaphore = semaphore
  }

  async find(ref: AttemptRef, asked: RunSettings, run: string): Promise<FoundAttempt | Refusal> {
    const { suite, target, occurrence } = ref
    const key = JSON.stringify([run, suite, target, occurrence])
    const loading = this.#loaded.get(key) ?? this.#load(ref, asked)
    this.#loaded.set(key, loading)
    // A failure may be fixed before the next attempt.
    loading.catch(() => this.#loaded.delete(key))
    const found = foundIn(await loading, ref)
    if ('refusal' in found) this.#loaded.delete(key)
    return found
  }

  async #load({ suite, target, occurrence }: AttemptRef, asked: RunSettings): Promise<LoadedSuite | Refusal> {
    const { runtime, targets_file } = this.#options
    const file = await this.#fileOf(suite)
    if (file === undefined) return { refusal: `${OTHER}: it has no ${suite}` }
    const { ablate, judge, defaults, trials, threshold } = asked
    const selection = { paths: [file], targets: [target], ablate, targets_file, judge, defaults, trials, threshold }
    const planned = await planRun(selection, runtime, {
      equals_before: occurrence - 1,
      is_exact: true,
      is_single_arm: asked.is_single_arm ?? false,
      secrets: this.#options.secrets,
      // The coordinator has checked it, perhaps in another time zone.
      allows_expired: true,
    })
    this.#learn(planned)
    const { plan, diagnostics } = planned
    const error = diagnostics.find(({ severity }) => severity === 'error')
    if (!plan) return { refusal: `${suite} cannot be run here: ${error?.message ?? 'it has errors'}` }
    // A folder of plugin evals may contain other suites.
    const own = plan.attempts.filter(attempt => attempt.suite.file === file)
    const hash = await hashSuite(file, runtime.host)
    return { plan, hash, tests: new Map(own.map(attempt => [attempt.test.id, attempt])) }
  }

  /** The file or folder of a suite below the root, with links resolved; undefined elsewhere. */
  async #fileOf(path: string): Promise<string | undefined> {
    const { folders, runtime } = this.#options
    const { host } = runtime
    const root = await host.files.realPath(folders.root)
    const file = resolve(folders.root, path)
    const real = await host.files.realPath(file).catch(() => undefined)
    const isHere = root !== undefined && real !== undefined && isBelow(real, root)
    const { kind } = (isHere && (await host.files.stat(real))) || {}
    return kind === 'file' || kind === 'folder' ? file : undefined
  }

  #learn({ secrets }: PlannedRun): void {
    const known = this.#secrets.size
    for (const [value, name] of secrets) this.#secrets.set(value, name)
    if (this.#secrets.size === known) return
    this.#redactor = createRedactor(this.#secrets, RECORD_KEYS)
    this.#options.onSecrets(this.#redactor)
  }

  forget(run: string): void {
    for (const key of this.#loaded.keys()) if (JSON.parse(key)[0] === run) this.#loaded.delete(key)
  }

  context({ cache }: RunSettings) {
    return { ...this.#machineContext(cache), semaphore: this.#semaphore }
  }

  #machineContext(cache: boolean | undefined) {
    const { folders, workers, runtime } = this.#options
    const toJson = (value: unknown) => this.#redactor.json(value)
    return machineContext({ folders, previous: undefined, workers, cache, toJson }, runtime.host)
  }

  redacted<T>(value: T): T {
    return JSON.parse(this.#redactor.json(value))
  }
}

interface LoadedSuite extends Pick<FoundAttempt, 'plan'> {
  readonly hash: string
  /** An attempt at each test. */
  readonly tests: ReadonlyMap<string, Attempt>
}

/** The attempt of a reference, if it is identical in this checkout. */
function foundIn(loaded: LoadedSuite | Refusal, ref: AttemptRef): FoundAttempt | Refusal {
  if ('refusal' in loaded) return loaded
  const any = loaded.tests.get(ref.test_id)
  const attempt = any && withTrial(any, ref.trial)
  if (attempt?.id !== ref.id || loaded.hash !== ref.suite_hash) return { refusal: `${OTHER} (${ref.suite})` }
  const { plan } = loaded
  return attempt.judges_hash === ref.judges
    ? { attempt: { ...attempt, is_control: ref.control, control_of: ref.control_of }, plan }
    : { refusal: `${OTHER}: ${ref.suite} has a different judge` }
}
