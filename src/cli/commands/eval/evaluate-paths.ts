import { printableLine } from '../../../lib/text/escape.ts'
import type { Plan } from '../../../model/plan.ts'
import type { Provenance } from '../../../model/provenance.ts'
import type { PlannedRun } from '../../../operations/evaluate.ts'
import type { OtelSettings } from '../../../operations/otel/otel-settings.ts'
import type { RunOptions } from '../../../operations/run/record-run.ts'
import type { ResolvedRun } from '../../../operations/run/resolve-run.ts'
import type { RunRequest } from '../../../operations/run/run-request.ts'
import type { ComparedRun } from '../../../report/compare/compared-run.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { reportMissing } from '../../missing-suites.ts'
import { reportNothing } from '../../nothing-to-run.ts'
import { requireCompatible } from '../../options.ts'
import { exportSpans, otelOf, otelRequestOf } from '../../otel-options.ts'
import { diagnosticsText } from '../../terminal/diagnostics.ts'
import type { EvalOptions } from './eval-options.ts'

/** Plans a run, makes it, and reports how it ended. */
export async function evaluatePaths(
  given: RunRequest,
  options: EvalOptions,
  context: CommandContext,
): Promise<ExitCode> {
  requireCompatible(options)
  const { host } = context
  const [{ checkOutputs }, { resolveRun }, { checkGate }, { projectCalibrations }, { beginProvenance }] =
    await Promise.all([
      import('../../../operations/write-reports.ts'),
      import('../../../operations/run/resolve-run.ts'),
      import('../../../operations/run/check-gate.ts'),
      import('../../../operations/project-calibrations.ts'),
      import('../../../operations/run/begin-provenance.ts'),
    ])
  await checkOutputs(options.output, host)
  const resolved = await resolveRun(given, host)
  checkGate(resolved.request)
  // A damaged file is reported before targets are asked.
  await projectCalibrations(host)
  reportResolved(resolved, context)
  if (options.plan) return evaluateResolved(resolved, { given, options, provenance: undefined }, context)
  const { provenance, cancel } = beginProvenance(resolved, host)
  try {
    return await evaluateResolved(resolved, { given, options, provenance }, context)
  } finally {
    cancel()
  }
}

/** A run as it was asked for. */
interface Asked {
  readonly given: RunRequest
  readonly options: EvalOptions
  readonly provenance: Promise<Provenance> | undefined
}

async function evaluateResolved(resolved: ResolvedRun, asked: Asked, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { options } = asked
  const [{ planRun }, { runtimeOn }, required, { requireControl }] = await Promise.all([
    import('../../../operations/evaluate.ts'),
    import('../../../operations/runtime.ts'),
    import('../../../operations/run/deciding-settings.ts'),
    import('../../../operations/run/require-control.ts'),
  ])
  const queue = await queueOf(options, context)
  const otel = await otelOf(options, context)
  const { request, config, files_before, folders, resumes } = resolved
  const planned = await planRun(request, runtimeOn(host), {
    config,
    files_before,
    compared: { runs_folder: folders.runs_folder, after: resumes?.info },
    secrets: new Map([...(queue?.secrets ?? []), ...(otel?.secrets ?? [])]),
    until_decided: request.deciding !== undefined,
  })
  terminal.redactWith(planned.redactor.text)
  const { found, loaded, diagnostics } = planned
  if (diagnostics.length > 0)
    terminal.err(diagnosticsText({ ...loaded, diagnostics }, terminal.path, terminal.palette('stderr')))
  if (!planned.plan) return reportMissing(found, EXIT.userError, context)
  if (planned.plan.total === 0) return reportNothing(planned, planned.plan, context)
  const { plan, reference } = await compareWithSaved(planned.plan, resolved, context)
  required.requireQuestion(plan.attempts, request)
  requireControl(plan, request)
  const [{ showPlan, warnOfLimits }, { noteUnusedRepeats }] = await Promise.all([
    import('../../show-plan.ts'),
    import('../../unused-repeats.ts'),
  ])
  noteUnusedRepeats(plan, request, context)
  if (options.plan) {
    await showPlan(plan, request, options, context)
    return reportMissing(found, EXIT.ok, context)
  }
  await warnOfLimits(plan, request, context)
  const invocation = { ...asked, queue: queue?.url, otel, reference }
  const code = await runPlanned({ ...planned, plan }, resolved, invocation, context)
  return reportMissing(found, code, context)
}

/** Reads the saved results of `--against`, and leaves only affected tests in the plan for `--affected`. */
async function compareWithSaved(
  planned: Plan,
  { request, folders, resumes }: ResolvedRun,
  { host, terminal }: CommandContext,
): Promise<{ readonly plan: Plan; readonly reference: ComparedRun | undefined }> {
  if (request.against === undefined && !request.affected) return { plan: planned, reference: undefined }
  const { planAffected, readAgainst } = await import('../../../operations/run/affected-run.ts')
  const { affectedText } = await import('../../terminal/status-text.ts')
  if (!request.affected) return { plan: planned, reference: await readAgainst(planned, request, host) }
  const { plan, statuses } = await planAffected(planned, request, folders, resumes?.info, host)
  terminal.err(affectedText(plan, statuses))
  return { plan, reference: await readAgainst(plan, request, host) }
}

/** Reports surprises of a resumed run. */
function reportResolved({ is_first, unlogged }: ResolvedRun, { terminal }: CommandContext): void {
  if (is_first) terminal.err('No earlier run found: starting a new one.\n')
  if (unlogged !== undefined)
    terminal.err(
      `Not logged: ${printableLine(String(unlogged))} is outside of this repository. Name it with --log-dir.\n`,
    )
}

async function queueOf({ queue }: EvalOptions, { host }: CommandContext) {
  if (queue === undefined) return undefined
  const { resolveQueue } = await import('../../../operations/queue/queue.ts')
  return resolveQueue(queue, host)
}

type ReadyRun = PlannedRun & { readonly plan: NonNullable<PlannedRun['plan']> }

interface Invocation extends Asked {
  /** The URL of the queue, with variables filled in. */
  readonly queue: string | undefined
  readonly otel: OtelSettings | undefined
  /** Saved results that the run is compared with. */
  readonly reference: ComparedRun | undefined
}

async function runPlanned(
  ready: ReadyRun,
  { request, folders, resumes, name }: ResolvedRun,
  { given, options, provenance, queue, otel, reference }: Invocation,
  context: CommandContext,
): Promise<ExitCode> {
  const [{ runAndReport }, { TerminalObserver }] = await Promise.all([
    import('../../run-and-report.ts'),
    import('../../terminal/terminal-observer.ts'),
  ])
  const { json, quiet, verbose, output, by } = options
  const { cache, rerun_failed } = given
  const { affected } = request
  const observer = new TerminalObserver(
    { cache, affected, rerun_failed, json, quiet, verbose },
    context.terminal,
    context.host,
  )
  const run = { request, folders, provenance, resumes, observer }
  const queued = queue === undefined ? undefined : await connectQueue(queue, ready, run, context)
  try {
    const shown = {
      observer,
      spans: await exportSpans(otel, ready.redactor, context),
      given: { request: given, queue: options.queue, otel: otelRequestOf(options), output },
      ...{ quiet, by, name, reference },
    }
    return await runAndReport(ready, { ...run, records: queued?.records }, shown, context)
  } finally {
    queued?.close()
  }
}

async function connectQueue(url: string, { plan }: ReadyRun, run: RunOptions, { host }: CommandContext) {
  const { queueRun } = await import('../../../operations/queue/queue-records.ts')
  return queueRun(url, plan, run, host)
}
