import fc from 'fast-check'
import { dump, load, type MappingNode } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { isMapping } from '../../src/lib/objects.ts'
import { addRun } from '../../src/log/edit-log.ts'
import { type Log, readLog } from '../../src/log/log.ts'
import { isMappingNode, plainValue, readYaml, yamlText } from '../../src/log/yaml-nodes.ts'
import { type LogContent, logsWith, runOf } from '../support/logs/log-files.ts'
import { examples } from '../support/random-examples.ts'

const text = fc.string({ unit: 'binary', maxLength: 12 })
const anything = fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 })
const others = fc.dictionary(
  text.filter(key => key !== '__proto__'),
  anything,
  { maxKeys: 4 },
)
const JUDGED = ['run', 'output', 'tools_called', 'expected', 'evaluation', 'meta', 'pass', 'analysis', 'status']
const RUN_KEYS = [...JUDGED, 'tokens', 'cost', 'ts']

/** Some of these keys, with any values. */
function some(keys: readonly string[], value: fc.Arbitrary<unknown> = anything): fc.Arbitrary<object> {
  return fc.record(Object.fromEntries(keys.map(key => [key, value])), { requiredKeys: [] })
}

function together(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<LogContent> {
  return fc.tuple(...parts).map(all => Object.assign({}, ...all))
}

const run = together(others, some(RUN_KEYS))
const runs = fc.array(fc.oneof(run, anything), { maxLength: 3 })
const history = fc.oneof(
  runs,
  runs.map(list => JSON.stringify(list)),
  anything,
)
const turn = together(run, some(['input']), fc.oneof(fc.constant({}), fc.record({ history })))
const turns = fc.array(fc.oneof({ weight: 4, arbitrary: turn }, { weight: 1, arbitrary: anything }), { maxLength: 3 })
const anyLog = together(others, some(['name', 'created', 'updated', 'runs', 'model']), fc.record({ turns }))
const written = fc.tuple(anyLog, fc.constantFrom(dump, JSON.stringify)).map(([log, write]) => write(log) as string)

function rootOf(yaml: string): MappingNode {
  const root = readYaml(yaml)
  if (!isMappingNode(root)) throw new Error('it is no mapping')
  return root
}

function logIn(yaml: string): Log {
  const log = readLog('any', plainValue(rootOf(yaml)))
  if (!log) throw new Error('it is no log')
  return log
}

/** Adds a run to a log. */
function withRun(yaml: string, number: number): string {
  const root = rootOf(yaml)
  const inputs = logIn(yaml).turns.map(({ input }) => input)
  addRun(root, 'any', runOf(inputs, `answer ${number}`), number)
  return yamlText(root)
}

function without(value: LogContent, keys: readonly string[]): LogContent {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** The runs that a history lists. */
function listed(history: unknown): unknown[] | undefined {
  if (Array.isArray(history)) return history
  try {
    const list = typeof history === 'string' ? JSON.parse(history) : undefined
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

function expectKept(before: LogContent, after: LogContent, number: number): void {
  expect(after).toMatchObject({ run: number, output: `answer ${number}`, evaluation: '' })
  expect(without(after, [...RUN_KEYS, 'history', 'unread_history'])).toEqual(without(before, [...RUN_KEYS, 'history']))
  const ran = Object.entries(before).filter(([key]) => RUN_KEYS.includes(key))
  const earlier = ran.some(([key]) => key !== 'expected') ? [Object.fromEntries(ran)] : []
  expect(after.history).toEqual([...earlier, ...(listed(before.history) ?? [])])
  const isLost = before.history !== undefined && before.history !== null && before.history !== ''
  expect(after.unread_history).toEqual(isLost && !listed(before.history) ? before.history : undefined)
  const hasExpected = before.expected !== undefined && before.expected !== null && before.expected !== ''
  expect(after.expected).toEqual(hasExpected ? before.expected : '')
}

describe('any mapping with a list of turns', () => {
  it('keeps everything when a run is added', () => {
    fc.assert(
      fc.property(written, yaml => {
        const before = load(yaml) as LogContent
        const { turns, runs } = logIn(yaml)
        expect(Number.isSafeInteger(runs)).toBe(true)
        expect(turns).toHaveLength(before.turns.filter(isMapping).length)
        fc.pre(turns.length > 0)
        const after = load(withRun(yaml, runs + 1)) as LogContent
        const known = ['name', 'created', 'updated', 'runs', 'model', 'turns']
        expect(without(after, known)).toEqual(without(before, known))
        expect(after).toMatchObject({ runs: runs + 1, model: 'small' })
        for (const [index, turn] of before.turns.entries()) {
          if (isMapping(turn)) expectKept(turn, after.turns[index], runs + 1)
          else expect(after.turns[index]).toEqual(turn)
        }
        expect(after.turns).toHaveLength(before.turns.length)
      }),
      { numRuns: examples(100) },
    )
  })

  it('keeps every run that is added', () => {
    fc.assert(
      fc.property(written, yaml => {
        const { turns, runs } = logIn(yaml)
        fc.pre(turns.length > 0)
        const second = withRun(withRun(yaml, runs + 1), runs + 2)
        const log = logIn(second)
        expect(log.runs).toBe(runs + 2)
        for (const [index, turn] of log.turns.entries()) {
          expect(turn).toMatchObject({ run: runs + 2, output: `answer ${runs + 2}`, input: turns[index]?.input })
          expect(turn.history[0]).toMatchObject({ run: runs + 1, output: `answer ${runs + 1}` })
        }
      }),
      { numRuns: examples(50) },
    )
  })

  it('is read and extended by the folder', async () => {
    const noted = fc.tuple(others, turn).map(([log, turn]) => ({ ...log, turns: [{ ...turn, input: 'hi' }] }))
    await fc.assert(
      fc.asyncProperty(noted, async log => {
        const logs = logsWith({ 'hi.yaml': dump(log) })
        const { runs } = (await logs.folder.read('hi')) ?? { runs: -1 }
        expect(await logs.add(runOf('hi', `answer ${runs + 1}`))).toEqual({ name: 'hi', run: runs + 1 })
        expectKept((load(dump(log)) as LogContent).turns[0], logs.yaml('hi').turns[0], runs + 1)
        expect(logs.warnings).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})
