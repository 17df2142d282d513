import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { parseJson } from '../../../src/lib/json/parse-json.ts'
import { isMapping } from '../../../src/lib/objects.ts'
import type { Result } from '../../../src/model/result.ts'
import { judgeChecks } from '../../../src/model/verdict.ts'
import { readRun } from '../../../src/record/read-run.ts'
import { RunError } from '../../../src/record/run-error.ts'
import { reportFormats } from '../../../src/report/index.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { assay } from '../../support/in-process.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { mutateBytes } from '../mutate/mutate-bytes.ts'
import { mutateValues } from '../mutate/mutate-file.ts'
import { mutateText } from '../mutate/mutate-text.ts'
import { oddValue } from '../mutate/mutate-value.ts'
import { Random } from '../random.ts'
import { recordedRuns, relocated } from '../recorded-runs.ts'
import { inFolder } from '../work-folder.ts'

const RUNS = '.assay/runs'

/** Run folders with one damaged file: read, reported in every format, compared, merged, resumed and graded again. */
export const runFolders: Fuzzer = {
  name: 'run-folders',
  summary: 'records of runs: report, compare, merge, resume, grade',
  slowness: 10,
  deep: { outcome: 'read', share: 0.3 },
  make: async random => {
    const runs = await recordedRuns()
    const path = random.pick(Object.keys(runs).filter(each => each.startsWith(RUNS)))
    const bytes = runs[path] ?? new Uint8Array()
    return { from: 'runs', files: { [path]: damaged(path, bytes, random) }, salt: random.below(2 ** 31) }
  },
  run: async ({ files, salt }) => {
    const all = { ...(await recordedRuns()), ...files }
    const placed = (folder: string) =>
      Object.fromEntries(Object.entries(all).map(([path, bytes]) => [path, relocated(folder, bytes)]))
    return inFolder(placed, folder => useRuns(folder, new Random(`runs ${salt}`)))
  },
}

/** Runs the commands that only read, then one that writes. */
async function useRuns(folder: string, random: Random): Promise<string> {
  const [a = '', b = '', first = '', second = ''] = RUN_NAMES.map(nth => runNames(folder)[nth] ?? 'gone')
  const read: string[] = []
  for (const name of runNames(folder)) read.push(await mustBeConsistent(join(folder, RUNS, name)))
  const outcome = read.find(each => each !== 'read') ?? 'read'
  const mustRun = (...args: string[]) => mustNotCrash(args, folder)
  for (const { type, load } of reportFormats)
    await mustRun('report', a, '--format', type, ...((await load()).folder ? ['-o', 'out'] : []))
  await mustRun('explain', a, '*')
  await mustRun('compare', a, b)
  await mustRun('compare', a, b, '--json', '--margin', '0.1')
  await mustRun('compare', a, '--target', 'default', '--target', 'other')
  if (!staysInside(folder)) return outcome
  await mustRun(
    ...random.pick([
      ['merge', first, second],
      ['eval', `--resume=${a}`],
      ['eval', `--resume=${first}`, '--quiet'],
      ['eval', `--rerun-failed=${a}`, '--json'],
      ['grade', a],
      ['log', 'import', a, '--log-dir', join(folder, 'logs')],
    ]),
  )
  return outcome
}

const RUN_NAMES = [0, 1, 2, 3]

function runNames(folder: string): string[] {
  return readdirSync(join(folder, RUNS), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

async function mustNotCrash(args: readonly string[], cwd: string): Promise<void> {
  const { code, stderr } = await assay(args, { cwd })
  must(code !== EXIT.bug, () => `a bug: ${stderr}`)
}

/** Throws unless every verdict follows from its checks, and the counts add up. */
async function mustBeConsistent(folder: string): Promise<string> {
  const found = { folder, results: join(folder, 'results.jsonl') }
  const run = await readRun(found, nodeHost(folder)).catch(error => {
    if (!(error instanceof RunError)) throw error
    return undefined
  })
  if (!run) return 'no run'
  for (const result of run.results()) mustAgree(result)
  const { tests, counts, not_run } = outcomeOf(run)
  run.close()
  must(not_run >= 0, () => `${not_run} attempts were not run`)
  const counted = Object.values(counts).reduce((sum, count) => sum + count, 0)
  must(counted === tests.length, () => `${counted} verdicts of ${tests.length} tests`)
  return run.damaged > 0 ? 'read with damage' : 'read'
}

function mustAgree({ evaluator_results, error, score, verdict, test_id }: Result): void {
  const judged = error?.stage === 'answer' ? { score: null, verdict: 'error' } : judgeChecks(evaluator_results)
  const isSame = verdict === judged.verdict && Math.abs((score ?? 0) - (judged.score ?? 0)) < 1e-6
  must(isSame, () => `${test_id}: ${verdict} with ${score}, though its checks say ${JSON.stringify(judged)}`)
}

/** Whether all paths of the options stay in the folder: suites elsewhere could start programs. */
function staysInside(folder: string): boolean {
  return runNames(folder).every(name => {
    const text = readFileSync(join(folder, RUNS, name, 'run.json'), 'utf8')
    const info = parseJson(text)
    const options = isMapping(info) ? JSON.stringify(info['options'] ?? null) : ''
    const paths = options.match(/"[^"]*[/*.][^"]*"/g) ?? []
    return paths.every(path => path.startsWith(`"${folder}`) && !path.includes('..'))
  })
}

/** The fields that verdicts and resume depend on. */
const KEY_FIELDS = {
  jsonl: [
    'score',
    'verdict',
    'weight',
    'passed',
    'required',
    'error',
    'evaluator_results',
    'not_applicable',
    'items',
    'attempt_id',
    'answer',
  ],
  json: [
    'total',
    'total_tests',
    'tests',
    'not_applicable',
    'target_skills',
    'attempts',
    'shard',
    'options',
    'targets',
    'source',
    'plan_id',
    'run_id',
  ],
}
const OPTIONS = ['paths', 'targets', 'trials', 'test_ids', 'tags', 'judge', 'defaults', 'eval_patterns', 'fail_on']

/** Replaces one key field of a record. */
function withOddField(text: string, form: 'json' | 'jsonl', random: Random): string {
  const lines = form === 'json' ? [text] : text.split('\n')
  const at = random.below(Math.max(1, lines.length - 1))
  const record = parseJson(lines[at] ?? '')
  if (!isMapping(record)) return text
  const options = record['options']
  const [first] = Array.isArray(record['evaluator_results']) ? record['evaluator_results'] : []
  const inside = isMapping(options) ? options : isMapping(first) && random.chance(0.4) ? first : record
  const key = random.pick(isMapping(options) && random.chance(0.5) ? OPTIONS : KEY_FIELDS[form])
  const owner = isMapping(options) && !OPTIONS.includes(key) ? record : inside
  owner[key] = random.chance(0.5)
    ? oddValue(random)
    : random.pick([0, 1, 0.5, -1, 3, true, false, null, 'pass', 'fail', 'error'])
  return lines.toSpliced(at, 1, JSON.stringify(record)).join('\n')
}

/** Damages a file as a disk, an editor or an attacker would. */
function damaged(path: string, bytes: Uint8Array, random: Random): Uint8Array {
  if (random.chance(0.35)) return mutateBytes(bytes, random)
  const text = new TextDecoder().decode(bytes)
  const form = path.endsWith('.jsonl') ? 'jsonl' : 'json'
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const changed = random.pick([
    () => withOddField(text, form, random),
    () => withOddField(text, form, random),
    () => mutateValues(text, form, random, []),
    () => mutateValues(text, form, random, []),
    () => mutateText(text, random, [text]),
    () => lines.toSpliced(at, 1).join('\n'),
    () => lines.toSpliced(at, 0, lines[at] ?? '').join('\n'),
    () => lines.toReversed().join('\n'),
  ])()
  return new TextEncoder().encode(changed)
}
