import { isBelow } from '../../lib/paths.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Host } from '../../model/host.ts'
import type { Plan } from '../../model/plan.ts'
import { hashSuite } from '../../model/suite-hash.ts'
import { UserError } from '../../model/user-error.ts'
import { connect } from '../../queue/connection.ts'
import { queuedRecords } from '../../queue/coordinator.ts'
import type { RunSettings } from '../../queue/protocol.ts'
import { recordedPathsFrom } from '../../record/recorded-path.ts'
import type { PlanRunner } from '../../run/run-plan.ts'
import type { RunOptions } from '../run/record-run.ts'
import { requireOwnAnswers } from '../run/require-comparable.ts'
import { isSingleArm, type RunRequest } from '../run/run-request.ts'
import { version } from '../version.ts'

export interface QueuedRun {
  /** Has workers anywhere make the records. */
  readonly records: PlanRunner
  close(): void
}

/** Connects a run to the queue whose workers make its attempts. */
export async function queueRun(
  url: string,
  plan: Plan,
  { request, folders, resumes, observer }: RunOptions,
  host: Host,
): Promise<QueuedRun> {
  const { root } = folders
  requireOwnAnswers(plan.attempts)
  const hashes = await suiteHashes(plan, root, host)
  const say = (text: string) => observer?.onMessage?.(text)
  const connection = await connect({ url, name: 'assay-eval', host, say })
  const pathOf = recordedPathsFrom(root)
  const refOf = (attempt: Attempt) => {
    const { id, suite, test, target, is_control, control_of, trial, occurrence } = attempt
    return {
      id,
      suite: pathOf(suite.file),
      suite_hash: hashes.get(suite.file) ?? '',
      test_id: test.id,
      target: target.name,
      control: is_control,
      control_of,
      judges: attempt.judges_hash,
      trial,
      occurrence,
    }
  }
  const is_rerun = resumes?.rerun_failed ?? false
  const asked = workerRequest(request)
  return {
    records: (plan, context) => queuedRecords(plan, context, { connection, version, asked, is_rerun, refOf, say }),
    close: () => connection.close(),
  }
}

/** The part of a request that workers have to know: names and numbers. */
function workerRequest(request: RunRequest): RunSettings {
  const { ablate, judge, judge_repeats, defaults, trials, threshold, timeout_seconds, cache } = request
  return {
    ablate,
    is_single_arm: isSingleArm(request),
    judge,
    judge_repeats,
    defaults: defaults && { targets: defaults.targets && [...defaults.targets], judge: defaults.judge },
    trials,
    threshold,
    timeout_seconds,
    cache,
  }
}

async function suiteHashes({ attempts }: Plan, root: string, host: Host): Promise<ReadonlyMap<string, string>> {
  const files = [...new Set(attempts.map(({ suite }) => suite.file))]
  const outside = files.find(file => !isBelow(file, root))
  if (outside !== undefined)
    throw new UserError(`${outside} is outside the repository ${root}: workers cannot find it.`)
  return new Map(await Promise.all(files.map(async file => [file, await hashSuite(file, host)] as const)))
}
