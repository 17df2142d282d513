import { load, YAML11_SCHEMA } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { itWithPython, pythonReprs } from '../support/external/python.ts'
import { type LogContent, type Logs, logsWith, runOf } from '../support/logs/log-files.ts'

async function addRuns(logs: Logs, input: string | readonly string[], count: number): Promise<void> {
  for (let run = 0; run < count; run++) await logs.add(runOf(input, `answer ${run}`))
}

describe('a hand-written `expected`', () => {
  const cases: [style: string, written: string, value: string][] = [
    ['plain', ' Hello, Alice!   # the one', 'Hello, Alice!'],
    ['in single quotes', " 'It''s # fine'", "It's # fine"],
    ['in double quotes', ' "tab\\there \\u2028 é"', 'tab\there \u2028 é'],
    ['a literal block', ' |\n    two\n\n     lines # no comment\n', 'two\n\n lines # no comment\n'],
    ['a literal block that keeps its end', ' |+\n    two\n', 'two\n\n'],
    ['a literal block with an indent', ' |2-\n      two\n    lines', '  two\nlines'],
    ['a folded block', ' >-\n    one\n    line\n\n    and one', 'one line\nand one'],
    ['over several lines', ' one\n    and the same', 'one and the same'],
    ['a word with a meaning in YAML 1.1', ' yes', 'yes'],
    ['a number', ' 1.50', '1.50'],
    ['a hexadecimal number', ' 0x1F', '0x1F'],
    ['a date', ' 2025-12-25', '2025-12-25'],
    ['with an anchor', ' &good Hello', 'Hello'],
    ['an alias', ' *model', 'small'],
    ['with a tag', ' !!str 12', '12'],
    ['only blanks', " '  '", '  '],
  ]

  it.each(cases)('%s: survives ten runs, here and in the history', async (_, written, value) => {
    const logs = logsWith({
      'hi.yaml': `# mine\nmodel: &model small\nturns:\n# the first\n- input: hi # said\n  run: 1\n  output: a\n  # expected\n  expected:${written}\n  # behind\n  evaluation: ''\n`,
    })
    const nothing = { expected: 'what the test expects' }
    for (let run = 0; run < 10; run++) await logs.add(runOf('hi', `answer ${run}`, nothing))
    const log = await logs.folder.read('hi')
    expect(log?.turns.map(({ run, expected, history }) => [run, expected, history.length])).toEqual([[11, value, 10]])
    expect(log?.turns[0]?.history.map(({ expected }) => expected)).toEqual(Array(10).fill(value))
    expect(logs.warnings).toEqual([])
  })

  itWithPython('has the same value for every YAML reader', async () => {
    const before = cases.map(
      ([, written]) => `model: &model small\nturns:\n- input: hi\n  run: 1\n  expected:${written}\n  evaluation: ''\n`,
    )
    const after: string[] = []
    for (const text of before) {
      const logs = logsWith({ 'hi.yaml': text })
      await addRuns(logs, 'hi', 2)
      const expected = (load(text) as LogContent).turns[0].expected
      const [turn] = logs.yaml('hi').turns
      expect([turn, ...turn.history].map(({ expected }) => expected)).toEqual([expected, expected, expected])
      after.push(logs.text('hi.yaml'))
    }
    const reprs = await pythonReprs([...before, ...after])
    const expectedIn = (repr: string) => repr.match(/'expected': (.*?), 'evaluation'/gs)
    for (const [index] of before.entries()) {
      const [one] = expectedIn(reprs[index] ?? '') ?? []
      expect(expectedIn(reprs[before.length + index] ?? '')).toEqual([one, one, one])
    }
  })

  it('is replaced by the expectation of the test if it is empty', async () => {
    const logs = logsWith({
      'hi.yaml':
        "turns:\n- {input: hi, expected: ''}\n- {input: a, expected: }\n- {input: b, expected: ~}\n- {input: c}\n",
    })
    await logs.add(runOf(['hi', 'a', 'b', 'c'], 'x', { expected: 'y' }))
    expect(logs.yaml('hi').turns.map(({ expected }: LogContent) => expected)).toEqual(['y', 'y', 'y', 'y'])
  })

  it('in a log without runs does not count as a run', async () => {
    const logs = logsWith({ 'hi.yaml': 'turns:\n- input: hi\n  expected: Hello!\n' })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: 1 })
    const [turn] = logs.yaml('hi').turns
    expect([turn.run, turn.expected, turn.history]).toEqual([1, 'Hello!', []])
  })
})

describe('an unknown key', () => {
  const UNKNOWN = `flag: yes
no_flag: off
day: 2025-12-25
moment: 2025-12-25 11:56:26
hex: 0x1F
octal: 017
thousand: 1_000
time: 1:30
float: 1.50
infinity: -.inf
nothing: ~
nothing_written:
quoted: "yes"
other_quoted: '0x1F'
bytes: !!binary aGVsbG8=
set: !!set {a, b}
list: [yes, 2025-12-25, 0x1F, 1_000, "no"]
nested: {on: off, k: {1: 2}}
text: |
  two
    lines
folded: >
  one
  line
shared: &shared {deep: [1, 2.0]}
again: *shared`

  /** The value according to YAML 1.1. */
  const old = (text: string): LogContent => load(text, { schema: YAML11_SCHEMA })
  const indented = (by: string) => UNKNOWN.replace(/^/gm, by).replaceAll('shared', `shared${by.length}`)
  const FILE = `before: 1
${UNKNOWN}
name: hi
${indented('').replaceAll(/^(\w+):/gm, 'x_$1:')}
turns:
- first: yes
${indented('  ')}
  input: hi
  run: 7
  middle: 0x1F
  output: a
  history:
  - run: 6
${indented('    ')}
    output: b
  - {mine: yes, day: 2025-12-25}
  last: 1_000
after: no
`

  itWithPython('keeps its position and type, in the file, in turns and in their history', async () => {
    const logs = logsWith({ 'hi.yaml': FILE })
    await addRuns(logs, 'hi', 3)
    expect(logs.warnings).toEqual([])
    const text = logs.text('hi.yaml')
    const before = old(FILE)
    const after = old(text)
    const known = new Set('name created updated runs model turns'.split(' '))
    expect(Object.keys(after).filter(key => !known.has(key))).toEqual(
      Object.keys(before).filter(key => !known.has(key)),
    )
    expect(after).toMatchObject({ ...before, turns: expect.anything() })
    const { run, output, history, ...rest } = before.turns[0]
    expect(after.turns[0]).toMatchObject(rest)
    expect(Object.keys(after.turns[0])).toEqual([
      ...Object.keys(before.turns[0]).slice(0, -2),
      ...['tools_called', 'expected', 'evaluation', 'meta', 'history', 'last'],
    ])
    expect(after.turns[0].history.slice(-2)).toEqual(history)
    for (const line of ['flag: yes', '  hex: 0x1F', '    thousand: 1_000', '  last: 1_000', 'after: no'])
      expect(text.split('\n')).toContain(line)
    const reprs = await pythonReprs([FILE, text])
    const [was = '', is = ''] = reprs
    // Python has its own types: dates, numbers in other bases, yes and no.
    const unknown = /'flag': True.*?'again\w*': \{[^}]*\}/g
    expect(was.match(unknown)).toHaveLength(3)
    expect(was).toContain("'hex': 31, 'octal': 15, 'thousand': 1000, 'time': 90")
    expect(is.match(unknown)).toEqual(was.match(unknown))
    expect(is).toContain("{'mine': True, 'day': datetime.date(2025, 12, 25)}")
  })

  it('stays in a file written as JSON', async () => {
    const log = { z: [1, { a: null }], turns: [{ input: 'hi', k: 'v\nw', run: 1, output: 'a\nb', history: [] }], e: '' }
    const logs = logsWith({ 'hi.yaml': JSON.stringify(log) })
    await logs.add(runOf('hi', 'c: d\n- e # f'))
    await logs.add(runOf('hi', '}'))
    expect(logs.yaml('hi')).toMatchObject({ z: log.z, e: '', runs: 3, turns: [{ k: 'v\nw', run: 3, output: '}' }] })
    const { history } = logs.yaml('hi').turns[0]
    expect(history.map(({ run, output }: LogContent) => [run, output])).toEqual([
      [2, 'c: d\n- e # f'],
      [1, 'a\nb'],
    ])
  })

  it('stays when `expected` is written', async () => {
    const { setExpected } = await import('../../src/log/edit-log.ts')
    const logs = logsWith({ 'hi.yaml': FILE })
    await logs.folder.edit('hi', root => setExpected(root, 1, 'yes'))
    const { turns, ...rest } = old(FILE)
    const { turns: after, ...others } = old(logs.text('hi.yaml'))
    expect(others).toEqual(rest)
    expect(after).toEqual([{ ...turns[0], expected: 'yes' }])
  })
})
