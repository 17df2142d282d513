import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LoggedRun } from '../../../src/log/logged-run.ts'
import { itWithPython, readPython } from '../../support/external/python.ts'
import { assay } from '../../support/in-process.ts'
import { type LogContent, logsWith, runOf } from '../../support/logs/log-files.ts'
import { publishedLog } from '../../support/logs/published-log.ts'
import { LOGS, logIn, logNames, runIn } from '../../support/logs/written-logs.ts'
import { folderWith } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'

/** The statements of "Eval YAML Format", the format of `.co/evals`. */
const AGENT = providerModule(`
  const text = 'Hello, Alice!'
  const call = { tool: 'greet', input: { name: 'Alice' }, output: text }
  const output_messages = [{ role: 'assistant', tool_calls: [call] }, { role: 'assistant', content: text }]
  return { text, output_messages, model: config.model, token_usage: { input: 100, output: 55 }, cost_usd: 0.0015, duration_ms: 3595 }`)
const target = (name: string, model: string) => ({
  name,
  provider: './agent.mjs',
  model,
  system_prompt: 'You are a helpful assistant...',
})
const NAME = 'say_hello_to_alice'
const INPUT = 'Say hello to Alice'

/** A folder with an agent and the logs of these inputs. */
async function logged(...inputs: readonly string[][]): Promise<string> {
  const targets = [target('default', 'gemini-2.5-flash'), target('other', 'claude-sonnet-4-5')]
  const folder = folderWith({ 'agent.mjs': AGENT, '.assay/targets.yaml': JSON.stringify({ targets }) })
  for (const input of inputs) expect((await assay(['log', 'run', ...input], { cwd: folder })).code).toBe(0)
  return folder
}

let folder: string
beforeAll(async () => {
  folder = await logged([INPUT], [INPUT, '--target', 'other'], ['Open Hacker News and summarize'])
})

const textOf = (file: string) => readFileSync(join(folder, LOGS, file), 'utf8')

describe('the location of evals', () => {
  it('a log is .co/evals/<slug>.yaml, named from the first input of the user', () => {
    expect(logNames(folder)).toEqual(['open_hacker_news_and_summarize', NAME])
  })

  it('the same sequence of inputs adds a run to the same file', () => {
    expect(logIn(folder, NAME).runs).toBe(2)
  })

  it('another sequence of inputs has another file', async () => {
    const other = await logged([INPUT], [INPUT, '--turn', 'And to Bob'])
    expect(logNames(other).map(name => logIn(other, name).turns.map(({ input }) => input))).toEqual([
      [INPUT],
      [INPUT, 'And to Bob'],
    ])
  })

  it('each run has a file in the folder of the same name', () => {
    const runs = (name: string) => readdirSync(join(folder, LOGS, name)).sort()
    expect(runs(NAME)).toEqual(['run_1.yaml', 'run_2.yaml'])
    expect(runs('open_hacker_news_and_summarize')).toEqual(['run_1.yaml'])
  })

  it('nothing else is stored', () => {
    expect(readdirSync(join(folder, LOGS)).sort()).toEqual(logNames(folder).flatMap(name => [name, `${name}.yaml`]))
  })

  it('a log is an eval: with an expected output it is run and judged', async () => {
    const own = await logged([INPUT])
    await assay(['log', 'expect', NAME], { cwd: own })
    expect((await assay(['log', 'eval', '--quiet'], { cwd: own })).code).toBe(0)
    expect(logIn(own, NAME).turns[0]).toMatchObject({ run: 2, expected: 'Hello, Alice!', evaluation: 'pass' })
  })
})

/** A run with the numbers of the source text. */
const run = (duration_ms: number, timestamp: string): LoggedRun => {
  const { turns, ...rest } = runOf(INPUT, 'Hello, Alice!')
  const figures = { tokens: 155, cost: 0, duration_ms }
  return {
    ...rest,
    ...figures,
    model: 'gemini-2.5-flash',
    timestamp,
    turns: turns.map(turn => ({ ...turn, ...figures })),
  }
}

describe('the summary', () => {
  it('is the file of the source text, except for comments', async () => {
    const logs = logsWith()
    await logs.add(run(4438, '2025-12-25 11:56:26'))
    await logs.add(run(3595, '2025-12-25 11:56:56'))
    expect(logs.text(`${NAME}.yaml`)).toBe(publishedLog('2025-12-25 11:56:26', '2025-12-25 11:56:56'))
  })

  it('has name, created, updated, runs, model and turns, in that order', () => {
    expect(Object.keys(logIn(folder, NAME))).toEqual(['name', 'created', 'updated', 'runs', 'model', 'turns'])
  })

  it('has its file name as its name', () => {
    expect(logIn(folder, NAME).name).toBe(NAME)
  })

  it('has its times as local times in quotes', () => {
    expect(textOf(`${NAME}.yaml`)).toMatch(/^created: '\d{4}-\d\d-\d\d \d\d:\d\d:\d\d'\nupdated: '\d{4}-.*'$/m)
  })

  it('has the model of the latest run', () => {
    expect(logIn(folder, NAME).model).toBe('claude-sonnet-4-5')
  })

  it('has input, run, output, tools_called, expected, evaluation, meta and history in each turn', () => {
    expect(Object.keys(logIn(folder, NAME).turns[0] ?? {})).toEqual([
      ...['input', 'run', 'output', 'tools_called', 'expected', 'evaluation', 'meta', 'history'],
    ])
  })

  it('has the calls of tools as Python writes them', () => {
    expect(logIn(folder, NAME).turns[0]?.tools_called).toEqual(["greet(name='Alice')"])
  })

  it('has empty strings if nothing is expected or judged', () => {
    expect(logIn(folder, NAME).turns[0]).toMatchObject({ expected: '', evaluation: '' })
  })

  it('has the whole earlier run in the history', () => {
    const [entry] = logIn(folder, NAME).turns[0]?.history ?? []
    expect(Object.keys(entry ?? {})).toEqual([...['run', 'output', 'tools_called', 'expected', 'evaluation', 'meta']])
  })

  it('has meta as compact JSON in one string, with tokens, cost, duration and time', () => {
    const meta = logIn(folder, NAME).turns[0]?.meta ?? ''
    expect(meta).not.toContain('\n')
    expect(JSON.parse(meta)).toEqual({
      ...{ tokens: 155, cost: 0.0015, duration_ms: 3595 },
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
  })
})

describe('the file of a run', () => {
  const KEYS = ['system_prompt', 'model', 'cwd', 'tokens', 'cost', 'duration_ms', 'timestamp', 'messages']

  it('has its metadata and messages, in that order', () => {
    expect(Object.keys(load(textOf(`${NAME}/run_1.yaml`)) as object)).toEqual(KEYS)
  })

  it('has the system prompt', () => {
    expect(runIn(folder, NAME).system_prompt).toBe('You are a helpful assistant...')
  })

  it('has the model that was used in this run', () => {
    expect([1, 2].map(run => runIn(folder, NAME, run).model)).toEqual(['gemini-2.5-flash', 'claude-sonnet-4-5'])
  })

  it('has the working folder', () => {
    expect(runIn(folder, NAME).cwd).toBe(folder)
  })

  it('has tokens, cost and duration as numbers', () => {
    expect(runIn(folder, NAME)).toMatchObject({ tokens: 155, cost: 0.0015, duration_ms: 3595 })
  })

  it('has its time in quotes', () => {
    expect(textOf(`${NAME}/run_1.yaml`)).toMatch(/^timestamp: "\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$/m)
  })

  it('has the messages as a literal block of JSON, one message on each line', () => {
    const block = textOf(`${NAME}/run_1.yaml`).split('messages: |\n')[1] ?? ''
    const lines = block.trimEnd().split('\n')
    expect([lines[0], lines.at(-1), lines.length - 2]).toEqual(['  [', '  ]', runIn(folder, NAME).messages.length])
    for (const line of lines.slice(1, -1)) expect(JSON.parse(line.trim().replace(/,$/, ''))).toHaveProperty('role')
  })

  it('has the full history in the format of APIs', () => {
    const [system, user, calling, tool, last] = runIn(folder, NAME).messages
    expect([system, user, last]).toEqual([
      { role: 'system', content: 'You are a helpful assistant...' },
      { role: 'user', content: INPUT },
      { role: 'assistant', content: 'Hello, Alice!' },
    ])
    const [call] = calling.tool_calls
    expect(calling.role).toBe('assistant')
    expect(call.function).toEqual({ name: 'greet', arguments: expect.any(String) })
    expect(JSON.parse(call.function.arguments)).toEqual({ name: 'Alice' })
    expect(tool).toEqual({ role: 'tool', content: 'Hello, Alice!', tool_call_id: call.id })
  })
})

describe('design rationale', () => {
  it('files are named from the input, not from the agent', () => {
    expect(logNames(folder).filter(name => name.startsWith('say_hello'))).toEqual([NAME])
  })

  it('runs are compared across model versions', async () => {
    const { stdout } = await assay(['log', 'diff', NAME, '--runs', '1,2'], { cwd: folder })
    expect(stdout).toContain('- gemini-2.5-flash\n    + claude-sonnet-4-5\n')
  })

  it('the latest run is at the top, and the history has all earlier ones, newest first', async () => {
    const own = await logged([INPUT], [INPUT], [INPUT])
    const [turn] = logIn(own, NAME).turns
    expect([turn?.run, turn?.history.map(({ run }) => run)]).toEqual([3, [2, 1]])
  })

  it('a single file holds a run', () => {
    expect(existsSync(join(folder, LOGS, NAME, 'run_1'))).toBe(false)
    expect(readdirSync(join(folder, LOGS, NAME)).filter(name => name.includes('1'))).toEqual(['run_1.yaml'])
  })
})

describe('usage', () => {
  it('the first 30 lines show the latest run', () => {
    expect(textOf(`${NAME}.yaml`).split('\n').slice(0, 30).join('\n')).toContain('  run: 2\n  output: Hello, Alice!')
  })

  itWithPython('Python loads the messages of a run for replay', async () => {
    const program = `import json, yaml
data = yaml.safe_load(open('.co/evals/${NAME}/run_1.yaml'))
print(json.dumps(json.loads(data['messages'])))`
    expect(await readPython(program, '', folder)).toEqual(runIn(folder, NAME).messages)
  })

  it('the messages of a run are printed, ready to be sent again', async () => {
    const { stdout } = await assay(['log', 'messages', NAME, '--run', '1'], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual(runIn(folder, NAME).messages)
  })

  itWithPython('Python reads the metadata of a run', async () => {
    const program = `import json, yaml
data = yaml.safe_load(open('.co/evals/${NAME}/run_1.yaml'))
print(json.dumps([data['model'], data['system_prompt'], data['cwd'], data['tokens'], data['cost'], type(data['timestamp']).__name__]))`
    const read = ['gemini-2.5-flash', 'You are a helpful assistant...', folder, 155, 0.0015, 'str']
    expect(await readPython(program, '', folder)).toEqual(read)
  })

  itWithPython('Python compares the runs of a turn', async () => {
    const program = `import json, yaml
turn = yaml.safe_load(open('.co/evals/${NAME}.yaml'))['turns'][0]
print(json.dumps([[each['run'], each['output']] for each in [turn] + turn.get('history', [])]))`
    expect(await readPython(program, '', folder)).toEqual([
      [2, 'Hello, Alice!'],
      [1, 'Hello, Alice!'],
    ])
  })

  it('a hand-written expected result stays, and is used in the next run', async () => {
    const logs = logsWith({ 'hi.yaml': 'turns:\n- input: hi\n  run: 2\n  output: Hello!\n  expected: "Hello!"\n' })
    await logs.add(runOf('hi'))
    const [turn] = logs.yaml('hi').turns
    expect([turn.expected, turn.history.map(({ expected }: LogContent) => expected)]).toEqual(['Hello!', ['Hello!']])
  })

  itWithPython('Python parses meta', async () => {
    const program = `import json, yaml
meta = json.loads(yaml.safe_load(open('.co/evals/${NAME}.yaml'))['turns'][0]['meta'])
print(json.dumps([meta['tokens'], meta['cost'], meta['duration_ms']]))`
    expect(await readPython(program, '', folder)).toEqual([155, 0.0015, 3595])
  })

  it('the number of runs is a number at the top', () => {
    expect(textOf(`${NAME}.yaml`)).toMatch(/^runs: 2$/m)
  })
})
