import type { RunReader } from '../model/run-reader.ts'
import { targetsProblem } from './compared-targets.ts'
import { partialRunText } from './outcome/partial-run.ts'
import { provenanceText } from './provenance.ts'
import type { Reporter, ReportFile, ReportOptions } from './reporter.ts'
import { evalRuns } from './skill-creator/eval-runs.ts'
import { exportNotes } from './skill-creator/notes.ts'
import { evalMetadata, jsonFile, runFiles } from './skill-creator/run-files.ts'

export const skillCreator: Reporter = {
  type: 'skill-creator',
  summary: 'A folder of files that the aggregator and the viewer of skill-creator read.',
  folder: 'iteration',
  accepts_targets: true,
  copies_files: true,
  problem: (run, options) => targetsProblem(run, options, 'skill-creator'),
  notes: exportNotes,
  render: (run, options = {}) => filesOf(run, options),
}

function* filesOf(run: RunReader, options: ReportOptions): Generator<ReportFile> {
  const described = new Set<number>()
  const taken = new Set<string>()
  const partial = partialRunText(run, [...run.facts()].length)
  const facts = { partial, provenance: provenanceText(run.info), kept: options.kept }
  for (const judged of evalRuns(run, options)) {
    const { folder, configuration, result, expectations } = judged
    if (expectations.length === 0) continue
    if (!described.has(folder.id)) yield jsonFile(`${folder.name}/eval_metadata.json`, evalMetadata(judged))
    described.add(folder.id)
    const runPath = runFolder(`${folder.name}/${configuration}`, result.trial, taken)
    for (const file of runFiles(judged, facts)) yield { ...file, path: `${runPath}/${file.path}` }
  }
}

/** Returns a free run folder: two suites with the same name can have the same trials. */
function runFolder(parent: string, trial: number, taken: Set<string>): string {
  let number = trial
  while (taken.has(`${parent}/run-${number}`)) number++
  taken.add(`${parent}/run-${number}`)
  return `${parent}/run-${number}`
}
