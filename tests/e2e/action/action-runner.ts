import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { folderWith, run } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')

interface Step {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly 'continue-on-error'?: boolean
  readonly 'working-directory'?: string
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string | boolean>>
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export const action = load(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action

export interface ActionRun {
  /** The exit code of the job. */
  readonly code: number
  readonly log: string
  /** What a runner would obey: lines of the log that are commands, and not between `stop-commands` and its token. */
  readonly commands: readonly string[]
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
  /** What `actions/upload-artifact` was given. */
  readonly upload: Readonly<Record<string, string>> | undefined
}

export interface ActionRequest {
  readonly checkout: string
  readonly inputs?: Readonly<Record<string, string>>
  readonly api?: string
  readonly token?: string
  readonly event?: object
  readonly env?: NodeJS.ProcessEnv
  readonly matrix?: { readonly index: number; readonly total: number }
  /** What a run has made: only the steps after it are run. */
  readonly made?: { readonly report: string; readonly code?: number }
}

const PULL_REQUEST = {
  pull_request: { number: 7, head: { sha: 'c0ffee', repo: { full_name: 'octo/agent' } } },
}

/** Runs the steps of action.yml as a runner does: expressions filled in, each script in its own bash. */
export async function runAction(request: ActionRequest): Promise<ActionRun> {
  const temp = folderWith({ 'event.json': JSON.stringify(request.event ?? PULL_REQUEST), summary: '' })
  const values = contextOf(request)
  const job = { code: 0, log: '', upload: undefined as ActionRun['upload'] }
  const first = request.made ? stepsUntilRun(request.made, temp, values) : 0

  for (const [index, step] of action.runs.steps.entries()) {
    if (index < first || !isDue(step, values, job.code)) continue
    if (step.uses) {
      job.upload = Object.fromEntries(
        Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(String(value), values)]),
      )
      continue
    }
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value, values)]))
    folderWith({ [`step-${index}.sh`]: step.run ?? '', output: '' }, temp)
    const result = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', join(temp, `step-${index}.sh`)], {
      cwd: join(request.checkout, fill(step['working-directory'] ?? '.', values)),
      env: { ...runnerEnv(request, temp), ...request.env, ...env },
    })
    job.log += result.stdout + result.stderr
    for (const [key, value] of outputsIn(temp)) values.set(`steps.${step.id}.outputs.${key}`, value)
    if (result.code !== 0 && !step['continue-on-error'] && job.code === 0) job.code = result.code ?? -1
  }

  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value, values)])
  const summary = readFileSync(join(temp, 'summary'), 'utf8')
  return { ...job, commands: commandsIn(job.log), summary, outputs: Object.fromEntries(outputs) }
}

/** Writes the outputs of the steps up to the run; returns their number. */
function stepsUntilRun(
  { report, code = 0 }: NonNullable<ActionRequest['made']>,
  temp: string,
  values: Map<string, string>,
): number {
  folderWith({ 'report/report.md': report }, temp)
  values.set('steps.inputs.outputs.name', 'ci/evals')
  values.set('steps.run.outputs.report', join(temp, 'report'))
  values.set('steps.run.outputs.exit-code', String(code))
  return action.runs.steps.findIndex(({ id }) => id === 'run') + 1
}

function contextOf({ inputs = {}, token = '', matrix = { index: 0, total: 1 } }: ActionRequest): Map<string, string> {
  for (const name of Object.keys(inputs)) if (!(name in action.inputs)) throw new Error(`no input ${name}`)
  const values = new Map([
    ['github.token', token],
    ['strategy.job-index', String(matrix.index)],
    ['strategy.job-total', String(matrix.total)],
  ])
  for (const [name, input] of Object.entries(action.inputs))
    values.set(`inputs.${name}`, inputs[name] ?? fill(input.default, values))
  return values
}

/** The variables of a runner. Those of a runner that runs this test are replaced. */
function runnerEnv({ checkout, api = 'http://127.0.0.1:9' }: ActionRequest, temp: string): NodeJS.ProcessEnv {
  return {
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_WORKSPACE: checkout,
    GITHUB_OUTPUT: join(temp, 'output'),
    GITHUB_ENV: join(temp, 'env'),
    GITHUB_PATH: join(temp, 'path'),
    GITHUB_STATE: join(temp, 'state'),
    GITHUB_STEP_SUMMARY: join(temp, 'summary'),
    GITHUB_EVENT_PATH: join(temp, 'event.json'),
    GITHUB_API_URL: api,
    GITHUB_GRAPHQL_URL: `${api}/graphql`,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'octo/agent',
    GITHUB_WORKFLOW: 'ci',
    GITHUB_JOB: 'evals',
    GITHUB_BASE_REF: 'main',
    GITHUB_SHA: 'decade',
    GITHUB_RUN_ID: '1000',
    GITHUB_RUN_NUMBER: '12',
    GITHUB_RUN_ATTEMPT: '1',
    RUNNER_TEMP: temp,
    ASSAY_API_TIMEOUT_MS: '3000',
    TOKEN: '',
  }
}

/** A condition of the forms that action.yml uses: `always()` and comparisons, joined by `&&`. */
function isDue(step: Step, values: Map<string, string>, code: number): boolean {
  const terms = (step.if ?? 'success()').split(' && ')
  const isAlways = terms.includes('always()')
  const holds = terms.every(term => {
    if (term === 'always()' || term === 'success()') return true
    const [, name = '', operator, expected] = /^([\w.-]+) (==|!=) '([^']*)'$/.exec(term) ?? []
    if (operator === undefined) throw new Error(`unknown condition: ${term}`)
    return (valueAt(name, values) === expected) === (operator === '==')
  })
  return holds && (isAlways || code === 0)
}

function fill(text: string, values: Map<string, string>): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => valueAt(name, values))
}

/** An output that a step did not write is empty; any other unknown name is a mistake in action.yml. */
function valueAt(name: string, values: Map<string, string>): string {
  const [, id] = /^steps\.([\w-]+)\.outputs\./.exec(name) ?? []
  const isOutput = action.runs.steps.some(step => step.id !== undefined && step.id === id)
  const value = values.get(name) ?? (isOutput ? '' : undefined)
  if (value === undefined) throw new Error(`unknown expression: ${name}`)
  return value
}

function outputsIn(temp: string): [string, string][] {
  const lines = readFileSync(join(temp, 'output'), 'utf8').split('\n').filter(Boolean)
  return lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
}

function commandsIn(log: string): string[] {
  let pause: string | undefined
  return log.split(/\r?\n/).filter(line => {
    if (pause !== undefined) {
      if (line === `::${pause}::`) pause = undefined
      return false
    }
    pause = /^\s*::stop-commands::(.+)/.exec(line)?.[1]
    return pause === undefined && (/^\s*::\w/.test(line) || line.includes('##['))
  })
}
