import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { LogFolder } from '../../src/log/log-folder.ts'
import type { LoggedRun } from '../../src/log/logged-run.ts'
import { describeWithPython, readPython } from '../support/external/python.ts'
import { anyText } from '../support/hostile-texts.ts'
import { conversation, longConversations, SHORT } from '../support/logs/conversations.ts'
import { folderWith } from '../support/program.ts'

/** The content of the files of a conversation; `meta` and `messages` are parsed JSON. */
interface LogContent {
  readonly log: unknown
  readonly runs: unknown[]
}

const MB = 1_000_000
const LONG_TEXT = fc.sample(anyText, 200).join(' ')
const CONVERSATIONS = [...fc.sample(conversation, 500), ...longConversations(LONG_TEXT.repeat(MB / LONG_TEXT.length))]

let root = ''
/** The name of each log; each has a separate folder. */
const names: string[] = []
const folderOf = (index: number) => new LogFolder(join(root, String(index)), nodeHost(root), expect.unreachable)

beforeAll(async () => {
  root = folderWith()
  const all = CONVERSATIONS.entries()
  const written = Array.from({ length: 16 }, async () => {
    for (const [index, runs] of all) {
      const folder = folderOf(index)
      for (const [before, run] of runs.entries()) {
        const { name, run: number } = await folder.add(run)
        expect(number).toBe(before + 1)
        names[index] = name
      }
    }
  })
  await Promise.all(written)
})

/** The expected content. */
function recorded(name: string, runs: readonly LoggedRun[]): LogContent {
  const last = runs.at(-1) as LoggedRun
  const turns = last.turns.map(({ input }, place) => {
    const [newest, ...history] = turnRuns(runs, place).reverse()
    return { input, ...newest, history }
  })
  const created = runs[0]?.timestamp
  return {
    log: { name, created, updated: last.timestamp, runs: runs.length, model: last.model, turns },
    runs: runs.map(({ turns, ...file }) => file),
  }
}

/** The runs of a turn. The first expectation stays. */
function turnRuns(runs: readonly LoggedRun[], place: number) {
  let firstExpected = ''
  return runs.map(({ turns, timestamp }, index) => {
    const turn = turns[place]
    if (!turn) return expect.unreachable()
    const { input, tokens, cost, duration_ms, expected, ...rest } = turn
    firstExpected ||= expected
    return { run: index + 1, ...rest, expected: firstExpected, meta: { tokens, cost, duration_ms, ts: timestamp } }
  })
}

/** The conversations that are not read back as recorded. */
function differences(contents: readonly LogContent[]) {
  return CONVERSATIONS.flatMap((runs, index) => {
    const expected = recorded(names[index] ?? '', runs)
    return isDeepStrictEqual(contents[index], expected)
      ? []
      : [{ contents: short(contents[index]), expected: short(expected) }]
  }).slice(0, 3)
}

const short = (value: unknown) =>
  JSON.stringify(
    value,
    (_, part) => (typeof part === 'string' && part.length > 1000 ? `${part.slice(0, 1000)}…` : part),
    1,
  )

describe('500 conversations, and some of 1 MB', () => {
  it('contain enough special characters', () => {
    const texts = JSON.stringify(CONVERSATIONS.slice(0, 500), (_, part) => part)
    for (const part of ['😀', '你好', '\u2028', '\x85', '\x7f', '\\u0000', '\\t', '\\r', '\\ud800', '---', 'yes'])
      expect(texts).toContain(part)
    expect(CONVERSATIONS.filter(runs => runs.length > 1).length).toBeGreaterThan(125)
    expect(CONVERSATIONS.filter(([run]) => (run?.turns.length ?? 0) > 1).length).toBeGreaterThan(125)
  })

  it('are read back by js-yaml', () => {
    const read = (...path: string[]) => load(readFileSync(join(root, ...path), 'utf8'))
    const contents = CONVERSATIONS.map((runs, index) => {
      const name = names[index] ?? ''
      const log = read(String(index), `${name}.yaml`) as { turns: { meta: string; history: { meta: string }[] }[] }
      const parsed = <Run extends { meta: string }>(run: Run) => ({ ...run, meta: JSON.parse(run.meta) })
      const turns = log.turns.map(turn => ({ ...parsed(turn), history: turn.history.map(parsed) }))
      const files = runs.map((_, before) => read(String(index), name, `run_${before + 1}.yaml`) as { messages: string })
      return {
        log: { ...log, turns },
        runs: files.map(file => ({ ...file, messages: JSON.parse(file.messages) })),
      }
    })
    expect(differences(contents)).toEqual([])
  })

  it('are read back by our own reader', async () => {
    const contents = await Promise.all(
      CONVERSATIONS.map(async (runs, index): Promise<LogContent> => {
        const folder = folderOf(index)
        const name = names[index] ?? ''
        const files = await Promise.all(runs.map((_, before) => folder.readRun(name, before + 1)))
        // The other fields are for people and other programs.
        const whole = runs.map(({ turns, system_prompt, model, messages, ...rest }, place) => ({
          ...rest,
          ...files[place],
        }))
        return { log: await folder.read(name), runs: whole }
      }),
    )
    expect(differences(contents)).toEqual([])
  })

  it('have messages in ASCII', () => {
    for (const [index, name] of names.entries()) {
      const file = readFileSync(join(root, String(index), name, 'run_1.yaml'), 'latin1')
      expect(file.slice(file.indexOf('\nmessages: |'))).not.toMatch(/[^\n -~]/)
    }
  })
})

describe('a text of 2 MB', () => {
  it('is read back, also after the next run', async () => {
    const text = '你好'.repeat(MB)
    const turns = SHORT.turns.map(turn => ({ ...turn, output: text }))
    const folder = new LogFolder(folderWith(), nodeHost(), expect.unreachable)
    await folder.add({ ...SHORT, system_prompt: text, turns, messages: [{ role: 'assistant', content: text }] })
    const { name } = await folder.add(SHORT)
    const log = load(readFileSync(folder.fileOf(name), 'utf8')) as { turns: { history: { output: string }[] }[] }
    expect(log.turns[0]?.history[0]?.output === text).toBe(true)
    const file = await folder.readRun(name, 1)
    expect(file?.system_prompt === text).toBe(true)
    expect(file?.messages?.[0]?.content === text).toBe(true)
  })
})

const PROGRAM = `
import json, re, sys, yaml

HALVES = re.compile('[\\ud800-\\udbff][\\udc00-\\udfff]')

def checked(value):
    """In Python two halves are not one character: JSON would hide that."""
    if isinstance(value, dict):
        for part in value.items():
            checked(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            checked(part)
    elif isinstance(value, str) and HALVES.search(value):
        raise ValueError('halves: ' + ascii(value[:200]))
    return value

def read(path):
    with open(path, encoding='utf-8') as file:
        return yaml.safe_load(file)

def content(folder, name, count):
    log = read(f'{folder}/{name}.yaml')
    for turn in log['turns']:
        for run in [turn, *turn['history']]:
            run['meta'] = json.loads(run['meta'])
            assert type(run['meta']['cost']) in (float, type(None))
    runs = [read(f'{folder}/{name}/run_{number + 1}.yaml') for number in range(count)]
    for run in runs:
        run['messages'] = json.loads(run['messages'])
        assert type(run['cost']) in (float, type(None))
    return checked({'log': log, 'runs': runs})

print(json.dumps([content(*each) for each in json.load(sys.stdin)]))
`

describeWithPython('500 conversations, and some of 1 MB', () => {
  it('are read back by PyYAML', async () => {
    const logs = CONVERSATIONS.map((runs, index) => [String(index), names[index], runs.length])
    expect(differences(await readPython(PROGRAM, JSON.stringify(logs), root))).toEqual([])
  })
})
