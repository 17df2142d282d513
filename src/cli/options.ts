import { InvalidArgumentError, Option } from 'commander'
import { JUDGE_REPEATS } from '../model/judge-repeats.ts'
import { UserError } from '../model/user-error.ts'
import { reportFormats } from '../report/index.ts'
import { isSliceKey } from '../report/slices/slice-key.ts'

export const RUN_ARGUMENT =
  'run: its id or the beginning of it, latest, its folder, a results.jsonl, or an aggregate-result.json'
export const TARGETS_FILE = 'targets file (default: the nearest .assay/targets.yaml)'
const EXTENSIONS = reportFormats.flatMap(({ type, extension }) => {
  if (extension === undefined) return []
  return extension === `.${type}` ? [extension] : [`${extension} (${type})`]
})
export const OUTPUT = `also write a report; the extension chooses its format: ${EXTENSIONS.join(', ')} (repeatable)`

export const REPORT_FORMATS: readonly string[] = reportFormats.map(({ type }) => type)

/** Formats the examples of a command. */
export function example(...commands: string[]): string {
  return `\nExample${commands.length > 1 ? 's' : ''}:\n${commands.map(command => `  $ ${command}\n`).join('')}`
}

/** An option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Parses a name without spaces, which Redis shows as one word. */
export function workerName(text: string): string {
  if (!/^[\w.@-]{1,64}$/.test(text)) throw new InvalidArgumentError('It must be letters, digits, and . _ @ -')
  return text
}

export function positiveNumber(text: string): number {
  if (wholeNumber(text) < 1) throw new InvalidArgumentError('It must be at least 1.')
  return Number(text)
}

export function portNumber(text: string): number {
  if (positiveNumber(text) > 65_535) throw new InvalidArgumentError('It must be at most 65535.')
  return Number(text)
}

export function trialCount(text: string): number {
  if (positiveNumber(text) > 100) throw new InvalidArgumentError('It must be at most 100.')
  return Number(text)
}

export function judgeRepeatsOption(): Option {
  return new Option(
    '--judge-repeats <n>',
    'judge each answer n times, to measure the noise of the judge; the first time counts',
  ).argParser(text => {
    const { least, most } = JUDGE_REPEATS
    const repeats = wholeNumber(text)
    if (repeats < least || repeats > most) throw new InvalidArgumentError(`It must be from ${least} to ${most}.`)
    return repeats
  })
}

export function money(text: string): number {
  const usd = Number(text.replace(/^\$/, ''))
  if (!(usd > 0)) throw new InvalidArgumentError('It must be an amount above 0.')
  return usd
}

export function share(text: string): number {
  const rate = Number(text)
  if (text.trim() === '' || !(rate >= 0 && rate <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return rate
}

function passMark(text: string): number {
  const mark = Number(text)
  if (!(mark > 0 && mark <= 1)) throw new InvalidArgumentError('It must be a number above 0 and at most 1.')
  return mark
}

export function thresholdOption(): Option {
  return new Option('--threshold <score>', 'lowest score that passes; lower ones fail (default: 0.8)').argParser(
    passMark,
  )
}

export function shardOf(text: string): { index: number; of: number } {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (!(index >= 1 && index <= of)) throw new InvalidArgumentError('It must be like 1/3, from 1/3 to 3/3.')
  return { index, of }
}

export function testIdOption(): Option {
  return new Option('--test-id <id>', 'only tests whose id matches (wildcards: * and ?; repeatable)').argParser(collect)
}

export function tagOption(): Option {
  return new Option('--tag <tag>', 'only tests with this tag (repeatable)').argParser(collect)
}

export function byOption(): Option {
  return new Option('--by <key>', 'also show slices: by tag, suite, target or metadata.KEY').argParser(text => {
    if (!isSliceKey(text)) throw new InvalidArgumentError('It must be tag, suite, target or metadata.KEY.')
    return text
  })
}

const LONGEST_LABEL = 100

export function labelOption(): Option {
  return new Option('--label <text>', 'name the run, so that assay runs finds it').argParser(labelText)
}

export function labelText(text: string): string {
  if (text.trim() === '' || text.length > LONGEST_LABEL)
    throw new InvalidArgumentError(`It must have 1 to ${LONGEST_LABEL} characters.`)
  return text
}

export function failOn(): Option {
  return new Option('--fail-on <verdict>', 'mildest verdict that fails the run')
    .choices(['fail', 'borderline'])
    .conflicts('minPassRate')
}

export function minPassRate(): Option {
  return new Option('--min-pass-rate <rate>', 'fail below this pass rate of a target instead, such as 0.9').argParser(
    share,
  )
}

export function gateOption(): Option {
  return new Option(
    '--gate <rate>',
    'pass rate that --min-pass-rate is compared with: raw as judged, or corrected by labels (default: raw)',
  ).choices(['corrected', 'raw'])
}

export function untilDecided(): Option {
  return new Option(
    '--until-decided',
    'make attempts until it is decided: better than the control, or above --min-pass-rate',
  )
}

/** What to do instead of options that `--until-decided` does not go with. */
const INSTEAD: Readonly<Record<string, readonly [option: string, advice: string]>> = {
  trials: ['--trials', 'It chooses the number of trials: bound it with --max-trials.'],
  queue: ['--queue', 'Run it on one machine, or make a fixed number of --trials with --queue.'],
  shard: ['--shard', 'Run it on one machine, or make a fixed number of --trials with --shard.'],
  failFast: ['--fail-fast', 'It stops by itself, as soon as the answer is clear.'],
  affected: ['--affected', 'It decides about all tests: run it without --affected.'],
  against: ['--against', 'It compares with a control arm: finish the run, then use `assay compare`.'],
  rerunFailed: ['--rerun-failed', 'Attempts that repeat only failures would bias the decision: use --resume.'],
}

/** What to do instead of options that `--watch` does not go with. */
const INSTEAD_OF_WATCH: Readonly<Record<string, readonly [option: string, advice: string]>> = {
  resume: ['--resume', 'Finish that run first, or start with `--watch --affected --against RUN`.'],
  rerunFailed: ['--rerun-failed', 'Press f while it watches: failed tests run again.'],
  shard: ['--shard', 'Select tests with --test-id or --tag.'],
  queue: ['--queue', 'It runs on this machine: limit it with --workers.'],
  untilDecided: ['--until-decided', 'Run that once the edits are done, without --watch.'],
  plan: ['--plan', 'Show the plan first, without --watch.'],
  otel: ['--otel', 'Send a run once the edits are done, without --watch.'],
  json: ['--json', 'Write the results of each run to a file with -o results.jsonl.'],
}

interface CombinedOptions {
  readonly untilDecided?: boolean
  readonly affected?: boolean
  readonly watch?: boolean
}

/** Throws where options are given that contradict each other. */
export function requireCompatible(options: CombinedOptions): void {
  if (options.watch)
    for (const [name, [option, advice]] of Object.entries(INSTEAD_OF_WATCH))
      if (name in options) throw new UserError(`--watch cannot be used with ${option}.`, advice)
  if (options.affected && 'shard' in options)
    throw new UserError(
      '--affected cannot be used with --shard.',
      'Run it on one machine, or on many with --queue: only what has changed is run.',
    )
  if (!options.untilDecided) return
  for (const [name, [option, advice]] of Object.entries(INSTEAD))
    if (name in options) throw new UserError(`--until-decided cannot be used with ${option}.`, advice)
}

export function allowFlaky(): Option {
  return new Option('--allow-flaky', 'accept tests that passed in at least one attempt')
}

/** The queue of a command. Without a URL behind it, `ASSAY_QUEUE` names it. */
export function queueOption(what: string): Option {
  return new Option('--queue [url]', `${what}: Redis URL, such as redis://host:6379 (default: $ASSAY_QUEUE)`)
}
