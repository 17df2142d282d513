import type { RunReader } from '../model/run-reader.ts'
import { benchmarkOf } from './agentskills/benchmark.ts'
import { type GuideRun, guideRuns } from './agentskills/guide-runs.ts'
import { guideNotes } from './agentskills/notes.ts'
import { targetsProblem } from './compared-targets.ts'
import type { Reporter, ReportFile, ReportOptions } from './reporter.ts'
import { outputFiles } from './skill-creator/output-files.ts'
import { gradeSummary, jsonFile, timingOf } from './skill-creator/run-files.ts'

export const agentskills: Reporter = {
  type: 'agentskills',
  summary: 'A folder of files as the guide of agentskills.io lays them out.',
  folder: 'iteration',
  accepts_targets: true,
  copies_files: true,
  problem: (run, options) => targetsProblem(run, options, 'agentskills'),
  notes: guideNotes,
  render: (run, options = {}) => filesOf(run, options),
}

function* filesOf(run: RunReader, options: ReportOptions): Generator<ReportFile> {
  const written: GuideRun[] = []
  for (const each of guideRuns(run, options).written) {
    yield* runFiles(each, options)
    written.push(each)
  }
  if (written.length > 0) yield jsonFile('benchmark.json', benchmarkOf(written))
}

function* runFiles({ judged, folder }: GuideRun, { kept }: ReportOptions): Generator<ReportFile> {
  const { files, missing } = outputFiles(judged.result, kept)
  const { total_duration_seconds, ...timing } = timingOf(judged.result)
  const grading = { assertion_results: judged.expectations, summary: gradeSummary(judged) }
  for (const file of files) yield { ...file, path: `${folder}/${file.path}` }
  yield jsonFile(`${folder}/grading.json`, {
    ...grading,
    ...(missing.length === 0 ? {} : { outputs_missing: missing }),
  })
  yield jsonFile(`${folder}/timing.json`, timing)
}
