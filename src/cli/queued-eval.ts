import type { Selection } from '../evaluate.ts'
import { isBelow } from '../lib/paths.ts'
import { sha256 } from '../lib/sha256.ts'
import type { Attempt } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import { UserError } from '../model/user-error.ts'
import { connect } from '../queue/connection.ts'
import { queuedRecords } from '../queue/coordinator.ts'
import type { RunSettings } from '../queue/protocol.ts'
import { recordedPathsFrom } from '../record/recorded-path.ts'
import type { PlanRunner } from '../run/run-plan.ts'
import type { QueuePlace } from './queue-place.ts'
import { terminal } from './terminal/terminal.ts'
import { version } from './version.ts'

interface QueuedEval {
  /** Whether what was made before is to be made again. */
  readonly is_rerun: boolean
  /** The root of the repository: workers find suites from there. */
  readonly root: string
  readonly asked: Selection & Pick<RunSettings, 'timeout_seconds' | 'cache'>
}

/** A connection to the queue, and what makes records by it. */
export async function openQueue({ url }: QueuePlace, plan: Plan, { root, asked, is_rerun }: QueuedEval, host: Host) {
  const hashes = await suiteHashes(plan, root, host)
  let say = (text: string) => terminal.err(`${text}\n`)
  const connection = await connect({ url, name: 'assay-eval', say: text => say(text) })
  const pathOf = recordedPathsFrom(root)
  const refOf = (attempt: Attempt) => {
    const { id, suite, test, target, trial, occurrence } = attempt
    return {
      id,
      suite: pathOf(suite.file),
      suite_hash: hashes.get(suite.file) ?? '',
      test_id: test.id,
      target: target.name,
      judges: attempt.judges_hash,
      trial,
      occurrence,
    }
  }
  const makers = (sayThere: (text: string) => void): PlanRunner => {
    say = sayThere
    return (plan, context) =>
      queuedRecords(plan, context, { connection, version, asked: askedOf(asked), is_rerun, refOf, say: sayThere })
  }
  return { makers, close: () => connection.close() }
}

/** What of a selection workers have to know: names and numbers. */
function askedOf({ judge, defaults, trials, timeout_seconds, cache }: QueuedEval['asked']): RunSettings {
  return {
    judge,
    defaults: defaults && { targets: defaults.targets && [...defaults.targets], judge: defaults.judge },
    trials,
    timeout_seconds,
    cache,
  }
}

async function suiteHashes({ attempts }: Plan, root: string, host: Host): Promise<ReadonlyMap<string, string>> {
  const files = [...new Set(attempts.map(({ suite }) => suite.file))]
  const outside = files.find(file => !isBelow(file, root))
  if (outside !== undefined)
    throw new UserError(`${outside} is not in the repository ${root}: workers could not find it.`)
  return new Map(await Promise.all(files.map(async file => [file, sha256(await host.files.read(file))] as const)))
}
