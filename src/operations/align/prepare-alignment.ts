import { join } from 'node:path'
import { canonicalJson } from '../../lib/json/stringify.ts'
import { createRedactor, type Redactor } from '../../lib/redaction/redactor.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { AlignmentSession } from '../../model/alignment.ts'
import { judgeNames } from '../../model/check.ts'
import type { Target } from '../../model/target.ts'
import { UserError } from '../../model/user-error.ts'
import { RECORD_KEYS } from '../../record/record-keys.ts'
import { recordedPathsFrom } from '../../record/recorded-path.ts'
import { shareFor } from '../../report/compare/power.ts'
import { loadNearestConfig } from '../config.ts'
import { type GradeOptions, NOTHING_TO_GRADE, planGrading, type ReadyGrading } from '../grade.ts'
import { InvalidFile } from '../invalid-file.ts'
import { openRun } from '../open-run.ts'
import { MOST_CALLS } from '../proposals/gather-proposals.ts'
import { loadOne, targetHashes } from '../proposals/proposer.ts'
import type { Runtime } from '../runtime.ts'
import { requireTargetsFile } from '../targets-file.ts'
import { type AlignedCheck, chooseCheck, type MatchedAnswer } from './choose-check.ts'
import { attemptKey, labelledResults } from './labelled-answers.ts'
import { AlignmentFolder, alignmentsFolder } from './session-folder.ts'
import { leastChanged, requireBothKinds, seedOf, splitAnswers } from './split-answers.ts'
import { VerdictCounts } from './verdict-counts.ts'

/** What `assay calibrate --align` is asked for. */
export interface AlignOptions extends Pick<GradeOptions, 'targets_file' | 'workers' | 'runs_dir' | 'command'> {
  /** The run whose labelled answers are judged again. */
  readonly run: string
  /** Name of the check. Default: the only one that judges all labelled answers. */
  readonly check?: string | undefined
  /** Name of the target that proposes wordings. Default: the judge. */
  readonly proposer?: string | undefined
  readonly rounds?: number | undefined
  /** Number of wordings that a round proposes. */
  readonly proposals?: number | undefined
  /** Draws other halves. Default: follows from the labelled answers. */
  readonly seed?: number | undefined
  /** Most that the session may cost, in US dollars, with what it has spent before. */
  readonly max_cost_usd?: number | undefined
}

/** What a session will ask, and what it can show. */
export interface AlignmentPlan {
  readonly training: number
  readonly held_out: number
  /** Tests, or clusters of tests, that the held-out answers belong to. */
  readonly held_out_tests: number
  /** How often an answer is judged: with one round, and at most. */
  readonly judgements: { readonly usual: number; readonly most: number }
  /** How often judges are asked for each judgement: a panel, or several votes. */
  readonly calls_each: number
  readonly proposer_calls: { readonly usual: number; readonly most: number }
  /** Fewest held-out tests whose answers must change for a decision. */
  readonly least_changed: number
  /** Smallest improvement in agreement that can be shown at all. */
  readonly least_difference: number
  /** Smallest improvement that is shown in four of five sessions. */
  readonly likely_difference: number
}

/** A session that is ready to start. */
export interface PreparedAlignment {
  readonly options: AlignOptions
  readonly session: AlignmentSession
  readonly folder: AlignmentFolder
  readonly plan: AlignmentPlan
  readonly grading: ReadyGrading
  readonly aligned: AlignedCheck
  readonly proposer: Target
  readonly redactor: Redactor
  readonly timeout_seconds: number | undefined
  /** Labelled answers whose checks changed since the run. */
  readonly changed: number
  /** Labelled answers that the check does not judge. */
  readonly others: number
  /** Earlier sessions of the same check that looked at held-out answers. */
  readonly earlier_looks: number
  readonly is_begun: boolean
}

const DEFAULTS = { rounds: 3, proposals: 3 }

/** Reads everything that a session depends on; nothing is asked or written. */
export async function prepareAlignment(options: AlignOptions, runtime: Runtime): Promise<PreparedAlignment> {
  const { host } = runtime
  const grading = await readyGrading(options, runtime)
  const { folders, planned } = grading
  const { matched, changed, verdicts } = await matchAnswers(grading, options, runtime)
  const aligned = chooseCheck(options.check, matched)
  const labelled = aligned.answers.map(({ labelled: { key, group, passes, result } }) => {
    return { key, group, passes, judge_passes: result.verdict === 'pass' }
  })
  const seed = options.seed ?? seedOf(labelled)
  const answers = splitAnswers(labelled, seed)
  requireBothKinds(answers)
  const { rounds = DEFAULTS.rounds, proposals = DEFAULTS.proposals } = options
  const judges = judgesOf(grading, aligned)
  const { proposer, secrets } = await loadProposer(options, judges[0], runtime)
  const { wording, file } = aligned.written
  const suites = [...new Set(aligned.answers.map(({ attempt }) => attempt.suite.name))]
  const recordedPath = recordedPathsFrom(folders.root)
  const session: AlignmentSession = {
    schema_version: 1,
    run_id: grading.source,
    suites,
    check: aligned.check.name,
    wording,
    ...(file === undefined ? {} : { file: recordedPath(file), file_sha256: sha256(await host.files.read(file)) }),
    ...{ judges: judges.map(judge => judge.name), proposer: proposer.name, seed, rounds, proposals, answers },
    judged: verdicts.of(suites, aligned.check.name),
  }
  const judgesHashes = new Set(aligned.answers.map(({ attempt }) => attempt.judges_hash))
  const made = [session, [...judgesHashes].sort(), await targetHashes([...judges, proposer], host)]
  const name = aligned.check.name.replace(/[^\p{L}\p{N}._-]/gu, '-').slice(0, 60)
  const folder = new AlignmentFolder(
    join(alignmentsFolder(folders), `${name}-${sha256(canonicalJson(made)).slice(0, 8)}`),
    host,
  )
  const { config } = await loadNearestConfig(host)
  return {
    ...{ options, session, folder, grading, aligned, proposer, changed },
    plan: planAlignment(session, aligned),
    redactor: createRedactor(new Map([...planned.secrets, ...secrets]), RECORD_KEYS),
    timeout_seconds: config.timeout_seconds,
    others: matched.length - aligned.answers.length,
    earlier_looks: await earlierLooks(session, folder, runtime),
    is_begun: (await folder.session()) !== undefined,
  }
}

/** The recorded answers with the checks as they are now. */
async function readyGrading(options: AlignOptions, runtime: Runtime): Promise<ReadyGrading> {
  const grading = await planGrading(options.run, options, runtime)
  if (grading.kind === 'ready') return grading
  if (grading.kind === 'invalid') throw new InvalidFile(grading.planned.diagnostics)
  throw new UserError(NOTHING_TO_GRADE[grading.kind])
}

/** Finds the attempts that judge the labelled answers. Checks that changed since would compare other verdicts. */
async function matchAnswers(
  { folders, planned, source }: ReadyGrading,
  { run, runs_dir }: AlignOptions,
  { host }: Runtime,
): Promise<{ readonly matched: MatchedAnswer[]; readonly changed: number; readonly verdicts: VerdictCounts }> {
  const reader = await openRun(run, runs_dir, host)
  try {
    const labelled = await labelledResults(reader.results(), folders.settings_folder, host)
    if (labelled.length === 0)
      throw new UserError(
        `No answer of ${source} is labelled as a pass or a fail.`,
        'Label answers with `assay label`.',
      )
    const recordedPath = recordedPathsFrom(reader.info?.root ?? folders.root)
    const attempts = new Map(
      planned.plan.attempts.map(attempt => [attemptKey(attempt, recordedPath(attempt.test.at.file)), attempt]),
    )
    const matched = labelled.flatMap(each => {
      const attempt = attempts.get(each.key)
      return attempt?.checks_hash === each.result.checks_hash && attempt ? [{ labelled: each, attempt }] : []
    })
    if (matched.length === 0)
      throw new UserError(
        'The checks of all labelled tests have changed since the run.',
        `Grade the answers by the present checks with \`assay grade ${source}\`, then label some with \`assay label\`.`,
      )
    return { matched, changed: labelled.length - matched.length, verdicts: new VerdictCounts(reader.results()) }
  } finally {
    reader.close()
  }
}

/** The targets that judge the answers: a panel has several, and each target may have its own judge. */
function judgesOf({ planned }: ReadyGrading, { answers, check }: AlignedCheck): [Target, ...Target[]] {
  const found = answers.flatMap(({ attempt }) => {
    const own = attempt.test.checks.find(({ name }) => name === check.name) ?? check
    return judgeNames(own).flatMap(name => planned.plan.judgeOf(attempt, own, name) ?? [])
  })
  const [first, ...others] = new Map(found.map(judge => [judge.name, judge])).values()
  // Of several, the first one proposes.
  if (first) return [first, ...others]
  throw new UserError(
    `No target judges the check ${check.name}.`,
    'Set the `judge_target` of the target, or name a target `judge`.',
  )
}

async function loadProposer({ proposer, targets_file }: AlignOptions, judge: Target, { host }: Runtime) {
  if (proposer === undefined) return { proposer: judge, secrets: new Map<string, string>() }
  const file = { file: await requireTargetsFile(targets_file, host), config: await loadNearestConfig(host), host }
  const loaded = await loadOne(proposer, file)
  return { proposer: loaded.target, secrets: loaded.secrets }
}

function planAlignment(session: AlignmentSession, { check }: AlignedCheck): AlignmentPlan {
  const { answers, rounds, proposals } = session
  const held = answers.filter(({ part }) => part === 'held-out')
  const [training, held_out] = [answers.length - held.length, held.length]
  const tests = new Set(held.map(({ group }) => group)).size
  const least_changed = leastChanged(answers)
  const fixed = training + 2 * held_out
  return {
    training,
    held_out,
    held_out_tests: tests,
    judgements: { usual: fixed + proposals * training, most: fixed + rounds * proposals * training },
    calls_each: judgeNames(check).length * (check.evaluator.judge?.(check.config)?.calls ?? 1),
    proposer_calls: { usual: 1, most: rounds * MOST_CALLS },
    least_changed,
    least_difference: least_changed / tests,
    likely_difference: shareFor(least_changed, tests),
  }
}

/** Each look at the held-out answers has its own chance of a false offer. */
async function earlierLooks(session: AlignmentSession, own: AlignmentFolder, runtime: Runtime): Promise<number> {
  const { host } = runtime
  const place = join(own.path, '..')
  let looks = 0
  for (const name of await host.files.listNames(place).catch(() => [])) {
    const folder = new AlignmentFolder(join(place, name), host)
    if (folder.path === own.path) continue
    const other = await folder.session().catch(() => undefined)
    const isSame = other?.check === session.check && other.suites.some(suite => session.suites.includes(suite))
    if (isSame && (await folder.result().catch(() => undefined))?.held_out) looks++
  }
  return looks
}
