import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { loadSuite } from '../../src/index.ts'
import { isMapping } from '../../src/lib/objects.ts'
import { logRecordings } from '../../src/log/log-recordings.ts'
import { VARIANTS, type Variant } from '../support/logs/connectonion-logs.ts'
import { logCommand } from '../support/logs/log-command.ts'
import { type LogContent, type Logs, logsWith, runOf } from '../support/logs/log-files.ts'

type Name = keyof typeof VARIANTS
const all = Object.entries(VARIANTS) as [Name, Variant][]

function open(name: Name): Logs {
  return logsWith(VARIANTS[name].files)
}

/** The only log in a folder. */
async function readOnly(logs: Logs) {
  const [name = ''] = await logs.folder.names()
  const log = await logs.folder.read(name)
  if (!log) throw new Error('it was not read')
  return log
}

describe('reads logs of ConnectOnion', () => {
  it('history entries of run, status and meta', async () => {
    const { turns, ...log } = await readOnly(open('history entries of run, status and meta'))
    const times = { created: '2025-12-25 11:56:26', updated: '2025-12-25 11:56:56' }
    expect(log).toEqual({ name: 'greet', ...times, runs: 2, model: 'co/gemini-2.5-flash' })
    const meta = { tokens: 155, cost: 0.0012, duration_ms: 3595, ts: '2025-12-25 11:56:56' }
    const unknown = { output: undefined, tools_called: undefined, expected: '' }
    expect(turns).toEqual([
      {
        input: 'greet',
        run: 2,
        output: 'Hello, Zoë!',
        tools_called: ["greet(name='Zoë')"],
        expected: '',
        evaluation: '',
        meta,
        history: [{ run: 1, evaluation: 'fail', meta, ...unknown }],
      },
    ])
  })

  it('evaluations as mappings, also in the history', async () => {
    const { turns } = await readOnly(open('evaluations as mappings, also in the history'))
    expect(turns[0]).toMatchObject({ evaluation: 'fail: It greeted Bob.', expected: 'Greets Zoë' })
    expect(turns[0]?.history.map(({ evaluation }) => evaluation)).toEqual(['pass'])
  })

  it('pass and analysis beside the evaluation, numbers in the turn, a history in JSON', async () => {
    const { turns } = await readOnly(open('pass and analysis beside it, figures in the turn, a history in JSON'))
    expect(turns[0]).toMatchObject({
      evaluation: 'fail: Not warm enough.',
      meta: { tokens: 311, cost: 0.0042, ts: '2025-12-26 08:00:00' },
    })
    expect(turns[0]?.history).toMatchObject([
      { run: undefined, evaluation: 'pass', meta: { tokens: 155, cost: 0.0012, ts: '2025-12-25 11:56:56' } },
      // Not judged.
      { run: undefined, evaluation: '', meta: { tokens: 0, cost: 0 } },
    ])
  })

  it('the messages of its run files, also if these are not valid YAML', async () => {
    const greeting = { role: 'assistant', content: 'Hello, Zoë!' }
    for (const name of [
      'history entries of run, status and meta',
      'pass and analysis beside it, figures in the turn, a history in JSON',
      'run files that are no YAML',
    ] as const) {
      const messages = (await open(name).folder.readRun('greet', 2))?.messages
      expect([name, messages?.length, messages?.at(-1)]).toEqual([name, 5, greeting])
    }
    const plain = await open('history entries of run, status and meta').folder.readRun('greet', 2)
    expect([plain?.system_prompt, plain?.model]).toEqual(['You greet.', 'co/gemini-2.5-flash'])
    const { folder } = open('run files that are no YAML')
    expect(await folder.readRun('greet', 2)).toMatchObject({ system_prompt: undefined, model: undefined })
    expect((await folder.readRun('greet', 1))?.messages).toEqual([
      { role: 'user', content: 'greet' },
      { role: 'assistant', content: '\x7f Hi \u0085\u2028' },
    ])
    expect(await folder.readRun('greet', 3)).toBeUndefined()
  })

  it('messages as a list, missing, or in invalid UTF-8', async () => {
    const { folder } = open('messages as a list of YAML')
    expect((await folder.readRun('greet', 2))?.messages).toEqual([
      { role: 'user', content: 'greet [all]' },
      { role: 'assistant', content: 'Hello, [Zoë]!' },
    ])
    const broken = logsWith({ 'hi.yaml': 'turns:\n- input: hi\n', 'hi/run_1.yaml': Buffer.from([0xff, 0xfe]) })
    expect(await broken.folder.readRun('hi', 1)).toEqual({ messages: undefined })
  })

  it('turns of different runs', async () => {
    const log = await readOnly(open('turns of different runs'))
    expect([log.runs, ...log.turns.map(({ run }) => run)]).toEqual([5, 5, 3])
  })

  it('values of wrong types, if they are readable', async () => {
    const numbers = await readOnly(open('numbers in place of texts'))
    expect(numbers).toMatchObject({ name: '12', created: '4', runs: 2, model: '6' })
    const [turn] = numbers.turns
    expect(turn).toMatchObject({ input: '12', run: 2, output: '7', tools_called: ['8', '9.5'], expected: '10' })
    expect(turn).toMatchObject({ evaluation: '11', history: [{ run: 1, output: '13' }] })
    expect(turn?.meta).toEqual({})
    const nothing = await readOnly(open('nothing in place of everything'))
    expect(nothing).toMatchObject({ created: undefined, updated: undefined, runs: 0, model: undefined })
    expect(nothing.turns).toEqual([
      {
        input: 'greet',
        run: undefined,
        output: undefined,
        tools_called: undefined,
        expected: '',
        evaluation: '',
        meta: {},
        history: [],
      },
    ])
  })
})

/** The history of a turn after its run has moved into it. */
function historyAfter({ input, history, ...ran }: LogContent): { earlier: LogContent[]; unread: LogContent } {
  const hasRun = Object.keys(ran).some(key => key !== 'expected')
  const listed = typeof history === 'string' ? JSON.parse(history) : (history ?? [])
  const isList = Array.isArray(listed)
  return { earlier: [...(hasRun ? [ran] : []), ...(isList ? listed : [])], unread: isList ? undefined : listed }
}

/** Words that appear only because of a bug. */
const OURS = /undefined|NaN|\[object|null,? tokens|TypeError/

describe.each(all)('%s', (_, { files, inputs }) => {
  const [file = ''] = Object.keys(files)
  const name = file.replace('.yaml', '')

  it('is listed and printed, with unknown values marked', async () => {
    const logs = logsWith(files)
    const { turns, runs } = await readOnly(logs)
    const logDir = logs.path
    const list = await logCommand(logDir, 'list')
    expect([list.code, list.stderr]).toEqual([0, ''])
    expect(list.stdout).toMatch(new RegExp(`^${name} +${runs} runs? +${turns.length} turns? `))
    const show = await logCommand(logDir, 'show', name)
    expect([show.code, show.stderr]).toEqual([0, ''])
    for (const [index, { input, run, output, tools_called }] of turns.entries()) {
      const [, part = ''] = show.stdout.split(`\nTurn ${index + 1}: ${input}\n`)
      expect(part).toMatch(new RegExp(`^  run +${run ?? 'unknown'}[,\n]`))
      if (output === undefined) expect(part).toContain('  output   unknown\n')
      if (tools_called === undefined) expect(part).toContain('  tools    unknown\n')
    }
    expect(list.stdout + show.stdout).not.toMatch(OURS)
    const json = await logCommand(logDir, 'show', name, '--json')
    expect(JSON.parse(json.stdout).turns).toHaveLength(turns.length)
    expect(JSON.parse((await logCommand(logDir, 'list', '--json')).stdout)).toHaveLength(1)
  })

  it('prints its messages or reports that it has none', async () => {
    const logs = logsWith(files)
    const { runs } = await readOnly(logs)
    for (let run = 0; run <= runs; run++) {
      const wanted = run === 0 ? runs : run
      const messages = (await logs.folder.readRun(name, wanted))?.messages
      const args = run === 0 ? [] : ['--run', String(run)]
      const { code, stdout, stderr } = await logCommand(logs.path, 'messages', name, ...args)
      expect(code).toBe(messages ? 0 : 2)
      if (messages) expect(JSON.parse(stdout)).toEqual(messages)
      else expect(stderr).toMatch(/has no file of run|cannot be read/)
    }
  })

  it('can be compared, converted to a suite and replayed', async () => {
    const logs = logsWith(files)
    const { turns } = await readOnly(logs)
    const numbers = [...new Set(turns.flatMap(turn => [turn, ...turn.history].flatMap(({ run }) => run ?? [])))]
    const diff = await logCommand(logs.path, 'diff', name)
    expect(diff.code).toBe(numbers.length < 2 ? 2 : 0)
    if (numbers.length < 2) expect(diff.stderr).toContain('nothing to compare')
    else expect(diff.stdout).toContain('Turn 1: ')
    const output = join(logs.path, 'suite/EVAL.yaml')
    const suite = await logCommand(logs.path, 'to-eval', '-o', output)
    const hasAnswer = turns.some(({ output, expected }) => output !== undefined || expected !== '')
    expect(suite.code).toBe(hasAnswer ? 0 : 5)
    const loaded = hasAnswer ? await loadSuite(output) : undefined
    expect(loaded?.diagnostics ?? []).toEqual([])
    const answered = turns.filter(({ output, expected }) => output || expected)
    expect(loaded?.suite?.tests.length ?? 0).toBe(answered.length)
    expect(diff.stdout + diff.stderr + (hasAnswer ? logs.text('suite/EVAL.yaml') : '')).not.toMatch(OURS)
    const recordings = await logRecordings(logs.path, '/', nodeHost())
    expect(recordings?.test_ids.size).toBe(turns.length)
    for (const [index] of turns.entries()) {
      const messages = inputs.slice(0, index + 1).map(content => ({ role: 'user', content }))
      await recordings?.to({ messages, test_id: 'other' } as unknown as Parameters<typeof recordings.to>[0])
    }
  })

  it('keeps its content when a run is added', async () => {
    const logs = logsWith(files)
    const before = load(files[file] ?? '') as LogContent
    const { runs } = await readOnly(logs)
    const highest = Math.max(runs, ...Object.keys(files).map(path => Number(/run_(\d+)/.exec(path)?.[1] ?? 0)))
    expect(await logs.add(runOf(inputs, 'New'))).toEqual({ name, run: highest + 1 })
    const after = logs.yaml(name)
    expect(after).toMatchObject({ runs: highest + 1, model: 'small' })
    const others = ({ turns }: LogContent) => turns.filter((turn: unknown) => !isMapping(turn))
    expect(others(after)).toEqual(others(before))
    for (const [index, was] of before.turns.filter(isMapping).entries()) {
      const turn = after.turns.filter(isMapping)[index]
      expect(turn).toMatchObject({ input: was.input, run: highest + 1, output: 'New', meta: expect.any(String) })
      expect(turn.expected).toEqual(was.expected || '')
      const { earlier, unread } = historyAfter(was)
      expect([turn.history, turn.unread_history]).toEqual([earlier, unread])
    }
    for (const [path, text] of Object.entries(files)) if (path !== file) expect(logs.text(path)).toBe(text)
    expect(await logs.add(runOf(inputs, 'Newer'))).toEqual({ name, run: highest + 2 })
    expect(logs.warnings).toEqual([])
  })
})
