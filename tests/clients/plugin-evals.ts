import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type Evaluated, evaluate } from '../support/evaluation.ts'
import { folderWith } from '../support/program.ts'
import { anthropicModel, type ModelServer, type Refusal, type Said } from './agent-servers.ts'
import { client } from './install.ts'

const RULE = 'Begin with the version in brackets.'

/** A plugin with a skill that knows how release notes begin. */
const PLUGIN = {
  '.claude-plugin/plugin.json': '{"name": "notes", "version": "1.0.0"}',
  'skills/release-notes/SKILL.md': `---\nname: release-notes\ndescription: Writes release notes of a version\n---\n${RULE}\n`,
}

/** Writes the plugin with these files of cases, each below `evals/`. */
export function pluginWith(cases: Record<string, string>, more: Record<string, string> = {}): string {
  const evals = Object.entries(cases).map(([path, text]) => [`evals/${path}`, text])
  return folderWith({ ...PLUGIN, ...Object.fromEntries(evals), ...more })
}

/** What is asked of a model that plays the agent. */
export interface Turn {
  /** The conversation as JSON. */
  readonly text: string
  readonly hasPlugin: boolean
  /** Whether the text of the skill is in the conversation. */
  readonly knowsRule: boolean
  /** The number of results of tools so far. */
  readonly results: number
}

type Answers = (turn: Turn) => readonly Said[] | Refusal

/** What is asked of a model that plays the judge. */
export interface Judgement {
  readonly prompt: string
  readonly by: 'client' | 'assay'
}

type Judges = (judgement: Judgement) => boolean | Refusal

/** A model that plays the agent, the judge of the client, and ours. */
export function evalsModel(agent: Answers, judge: Judges = () => true): Promise<ModelServer> {
  return anthropicModel(({ messages, tools }) => {
    const text = JSON.stringify(messages)
    const names = ((tools ?? []) as { readonly name: string }[]).map(({ name }) => name)
    if (names.includes('StructuredOutput')) {
      const given = judge({ prompt: text, by: 'assay' })
      if (typeof given !== 'boolean') return given
      const items = [{ id: 'rubric-1', satisfied: given, reasoning: 'the answer contains it' }]
      return [{ tool: 'StructuredOutput', input: { items } }]
    }
    if (text.includes('PASS or FAIL')) {
      const given = judge({ prompt: text, by: 'client' })
      return typeof given === 'boolean' ? [{ text: given ? 'PASS' : 'FAIL' }] : given
    }
    const hasPlugin = text.includes('notes:release-notes')
    return agent({
      text,
      hasPlugin,
      knowsRule: text.includes(RULE),
      results: text.split('"tool_result"').length - 1,
    })
  })
}

/** Uses the skill if it is there, and writes notes as far as it knows how. */
export function writesNotes({ hasPlugin, knowsRule, results }: Turn): readonly Said[] {
  if (hasPlugin && results === 0) return [{ tool: 'Skill', input: { skill: 'notes:release-notes' } }]
  return [{ text: knowsRule ? '[2.0] Faster start' : 'Version 2.0 starts faster' }]
}

const environment = ({ url }: ModelServer) => ({
  HOME: folderWith(),
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'anything',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
})

/** The part of `aggregate-result.json` that the tests look at. */
export interface ClientResult {
  readonly cases: readonly {
    readonly name: string
    readonly arms: { readonly with: readonly ClientRun[]; readonly without?: readonly ClientRun[] }
    readonly aggregates: { readonly score: number; readonly scoreWithout?: number; readonly delta?: number }
  }[]
}

interface ClientRun {
  readonly score: number
  readonly error: unknown
  readonly tracePath: string
  readonly graders: readonly { readonly name: string; readonly passed: boolean; readonly explanation: string }[]
}

export interface ClientEnd {
  readonly code: number | null
  readonly stderr: string
  /** Undefined if it wrote no result. */
  readonly result: ClientResult | undefined
}

/** Runs `claude plugin eval`. */
export function clientEval(plugin: string, model: ModelServer, args: readonly string[] = []): Promise<ClientEnd> {
  const file = join(folderWith(), 'result.json')
  const { PATH } = process.env
  const options = ['--trust-plugin', '--no-publish', '-j', '4', '--json', file, ...args]
  const child = spawn(client('claude'), ['plugin', 'eval', plugin, ...options], {
    env: { PATH, ...environment(model) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
      resolve({ code, stderr, result })
    })
  })
}

/** Runs `assay eval` on a plugin. */
export function ourEval(plugin: string, model: ModelServer, args: readonly string[] = []): Promise<Evaluated> {
  const PATH = [dirname(client('claude')), process.env['PATH']].join(delimiter)
  return evaluate(plugin, ['.', ...args], { ...environment(model), PATH, CLAUDE_CODE_MAX_RETRIES: '0' })
}

/** Score and graders of a run. */
export interface RunGrades {
  readonly score: number | null
  readonly graders: Readonly<Record<string, boolean>>
}

export type Grades = Readonly<Record<string, readonly RunGrades[]>>

/** Grades by `case arm`, runs in order. Graders that do not apply to an arm are left out. */
export function clientGrades({ result, stderr }: ClientEnd): Grades {
  if (!result) throw new Error(stderr)
  const entries = result.cases.flatMap(({ name, arms }) =>
    Object.entries(arms).map(([arm, runs]) => [`${name} ${arm}`, runs.map(gradesOfRun)] as const),
  )
  return Object.fromEntries(entries)
}

function gradesOfRun({ score, graders }: ClientRun): RunGrades {
  // Our records have nine digits.
  const rounded = Number(score.toFixed(9))
  return { score: rounded, graders: Object.fromEntries(graders.map(({ name, passed }) => [name, passed])) }
}

/** The same of our records. */
export function ourGrades({ all }: Evaluated): Grades {
  const grades: Record<string, RunGrades[]> = {}
  for (const { test_id, target, score, evaluator_results } of all) {
    const key = `${test_id} ${target.replace('-plugin', '')}`
    const applicable = evaluator_results.filter(({ not_applicable }) => !not_applicable)
    const graders = Object.fromEntries(applicable.map(({ name, passed }) => [name, passed === true]))
    grades[key] = [...(grades[key] ?? []), { score, graders }]
  }
  return grades
}
