import { join, resolve } from 'node:path'
import { type Prepared, prepare, type World } from '../evaluate.ts'
import { isBelow } from '../lib/paths.ts'
import { createRedactor, type Redactor } from '../lib/redaction/redactor.ts'
import { Semaphore } from '../lib/semaphore.ts'
import { sha256 } from '../lib/sha256.ts'
import { logRecordings } from '../log/log-recordings.ts'
import type { Attempt } from '../model/attempt.ts'
import { withTrial } from '../plan/reruns.ts'
import type { AttemptRef, RunSettings } from '../queue/protocol.ts'
import type { Checkout, FoundAttempt, Refusal } from '../queue/worker-options.ts'
import { answerCache } from '../record/answer-cache.ts'
import type { ProjectFolders } from '../record/project-folders.ts'
import { RECORD_KEYS } from '../record/record-keys.ts'
import { recordedPathsFrom } from '../record/recorded-path.ts'
import { createRecordingsReader } from '../record/recordings.ts'

const OTHER = "this worker's checkout is not the coordinator's"

interface CheckoutOptions {
  readonly place: ProjectFolders
  readonly world: World
  /** The targets file; without it, the nearest one of each suite. */
  readonly targets_file: string | undefined
  readonly workers: number
  /** What is printed has no secrets from then on. */
  onSecrets(redactor: Redactor): void
}

/** The repository in which a worker was started: suites below its root, and targets of its own files. */
export class WorkerCheckout implements Checkout {
  readonly #options: CheckoutOptions
  readonly #loaded = new Map<string, Promise<LoadedSuite | Refusal>>()
  readonly #secrets: Map<string, string>
  readonly #turns: Semaphore
  #redactor: Redactor

  constructor(options: CheckoutOptions) {
    this.#options = options
    this.#secrets = new Map(options.world.secrets)
    this.#redactor = createRedactor(this.#secrets, RECORD_KEYS)
    this.#turns = new Semaphore(Math.max(options.workers, 2 * options.world.host.cores))
  }

  async find(ref: AttemptRef, asked: RunSettings, run: string): Promise<FoundAttempt | Refusal> {
    const { suite, target, occurrence } = ref
    const key = JSON.stringify([run, suite, target, occurrence])
    const loading = this.#loaded.get(key) ?? this.#load(ref, asked)
    this.#loaded.set(key, loading)
    // What goes wrong now may go well the next time: somebody may put it right.
    loading.catch(() => this.#loaded.delete(key))
    const found = foundIn(await loading, ref)
    if ('refusal' in found) this.#loaded.delete(key)
    return found
  }

  async #load({ suite, target, occurrence }: AttemptRef, asked: RunSettings): Promise<LoadedSuite | Refusal> {
    const { world, targets_file } = this.#options
    const file = await this.#fileOf(suite)
    if (file === undefined) return { refusal: `${OTHER}: it has no ${suite}` }
    const { judge, defaults, trials } = asked
    const selection = { paths: [file], targets: [target], targets_file, judge, defaults, trials }
    const prepared = await prepare({ ...selection, equals_before: occurrence - 1 }, world)
    this.#learn(prepared)
    const { plan, diagnostics } = prepared
    const mistake = diagnostics.find(({ severity }) => severity === 'error')
    if (!plan) return { refusal: `${suite} cannot be run here: ${mistake?.message ?? 'it has mistakes'}` }
    const hash = sha256(await world.host.files.read(file))
    return { plan, hash, tests: new Map(plan.attempts.map(attempt => [attempt.test.id, attempt])) }
  }

  /** Only what is below the root is looked at, wherever links lead. */
  async #fileOf(path: string): Promise<string | undefined> {
    const { place, world } = this.#options
    const root = await world.host.files.realPath(place.root)
    const file = resolve(place.root, path)
    const real = await world.host.files.realPath(file).catch(() => undefined)
    const isHere = root !== undefined && real !== undefined && isBelow(real, root)
    return isHere && (await world.host.files.stat(real))?.kind === 'file' ? file : undefined
  }

  #learn({ secrets }: Prepared): void {
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
    const { place, world } = this.#options
    const { host } = world
    const toJson = (value: unknown) => this.#redactor.json(value)
    return {
      cache: cache ? answerCache(join(place.settings_folder, 'cache'), toJson, host) : undefined,
      recordings: createRecordingsReader(place.runs_folder, undefined, logRecordings, host),
      recordedPath: recordedPathsFrom(place.root),
      turns: this.#turns,
    }
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

/** The attempt that is meant, if it is the same here. */
function foundIn(loaded: LoadedSuite | Refusal, ref: AttemptRef): FoundAttempt | Refusal {
  if ('refusal' in loaded) return loaded
  const any = loaded.tests.get(ref.test_id)
  const attempt = any && withTrial(any, ref.trial)
  if (attempt?.id !== ref.id || loaded.hash !== ref.suite_hash) return { refusal: `${OTHER} (${ref.suite})` }
  const { plan } = loaded
  return attempt.judges_hash === ref.judges
    ? { attempt, plan }
    : { refusal: `${OTHER}: another target judges ${ref.suite}` }
}
