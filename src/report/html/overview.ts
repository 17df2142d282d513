import { PLAIN } from '../../lib/palette.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { Counts, Outcome } from '../outcome.ts'
import { runNotes } from '../run-notes.ts'
import { testsText } from '../summary.ts'
import type { TestOutcome } from '../test-outcome.ts'
import { trialsText } from '../trials-text.ts'
import { triggersText } from '../trigger-text.ts'
import { FiguresOfRun } from './figures.ts'
import type { Overview } from './page-data.ts'

export function overviewOf(run: RunReader, outcome: Outcome): Overview {
  const { planned_tests, not_run, judge_usage } = outcome
  const figures = new FiguresOfRun(run, outcome.tests)
  return {
    run: runOf(run),
    all: figures.all,
    targets: figures.targets,
    suites: figures.suites,
    tests_text: testsText(outcome),
    notes: runNotes(outcome),
    scores: scoresOf(outcome.tests),
    trials: linesOf(trialsText(outcome)),
    triggers: linesOf(triggersText(outcome, PLAIN)),
    planned_tests,
    not_run,
    judge_usage,
  }
}

/** Without the folder of the run: a report is shown to others. */
function runOf({ info }: RunReader): Overview['run'] {
  if (!info) return undefined
  const { run_id, started, assay_version, git_commit, previous, source, shard } = info
  return { run_id, started, assay_version, git_commit, previous, source, shard }
}

const STEPS = 10

function scoresOf(tests: readonly TestOutcome[]): Counts[] {
  const steps = Array.from({ length: STEPS }, () => ({ pass: 0, borderline: 0, fail: 0, error: 0 }))
  for (const { score, verdict } of tests) {
    const step = score === null ? undefined : steps[Math.min(STEPS - 1, Math.floor(score * STEPS + 1e-9))]
    if (step) step[verdict]++
  }
  return steps
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(line => line !== '')
}
