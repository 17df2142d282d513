import { resolve } from 'node:path'
import { shellWords } from '../lib/text/shell.ts'
import { type RunInfo, unlistedAttempts } from '../model/run-info.ts'
import type { OtelRequest } from '../operations/otel/otel-settings.ts'
import type { RunName } from '../operations/run/resolve-run.ts'
import type { RunRequest } from '../operations/run/run-request.ts'

/** The options of a command as they were given, for the command that follows it. */
export interface GivenOptions {
  readonly request: RunRequest
  readonly queue?: string | undefined
  readonly otel?: OtelRequest | undefined
  readonly output?: readonly string[] | undefined
}

type ShowPath = (file: string) => string

/** The command that resumes a run. A run that grades again starts over, after its source where that was not finished. */
export function commandToResume(info: RunInfo, given: GivenOptions, name: RunName, path: ShowPath): string {
  const { source, stopped } = info
  const { request, queue, otel, output = [] } = given
  const runsDir = runsDirWords(request)
  const resumed = ['eval', ...namedSuites(info, name, path), `--resume=${name.run}`]
  if (source !== undefined && stopped === undefined && unlistedAttempts(info) > 0)
    return shellWords('assay', ...resumed, ...runsDir)
  const command = source === undefined ? resumed : ['grade', name.run, ...judgedBy(request)]
  const outputs = output.flatMap(file => ['-o', file])
  return shellWords('assay', ...command, ...queueWords(queue), ...otelWords(otel), ...runsDir, ...outputs)
}

/** The suites and the targets file of a run whose run.json cannot name them. */
function namedSuites({ options, suites, root }: RunInfo, { is_foreign }: RunName, path: ShowPath): string[] {
  if (!is_foreign) return []
  const { paths, eval_patterns, targets_file } = options as RunRequest
  const named = paths && !eval_patterns ? paths : suites.map(({ file }) => resolve(root, file))
  return [...named.map(path), ...(targets_file === undefined ? [] : ['--targets', path(targets_file)])]
}

function judgedBy({ paths: suites = [], judge, judge_repeats, targets_file }: RunRequest): string[] {
  return [
    ...suites.flatMap(file => ['--suite', file]),
    ...(judge === undefined ? [] : ['--judge', judge]),
    ...(judge_repeats === undefined ? [] : ['--judge-repeats', String(judge_repeats)]),
    ...(targets_file === undefined ? [] : ['--targets', targets_file]),
  ]
}

/** The command that explains the verdict of a test. */
export function commandToExplain(id: string, test: string, request: RunRequest): string {
  return shellWords('assay', 'explain', id, test, ...runsDirWords(request))
}

/** The queue as it was typed, where it holds no password. */
function queueWords(queue: string | undefined): string[] {
  if (queue === undefined) return []
  const isPlain = queue !== '' && !queue.includes('@')
  return isPlain ? ['--queue', queue] : ['--queue']
}

function otelWords(otel: OtelRequest | undefined): string[] {
  if (!otel) return []
  return ['--otel', ...(otel.url === true ? [] : [otel.url]), ...(otel.content ? ['--otel-content'] : [])]
}

function runsDirWords({ runs_dir }: RunRequest): string[] {
  return runs_dir === undefined ? [] : ['--runs-dir', runs_dir]
}
