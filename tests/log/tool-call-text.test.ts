import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callText, readCall } from '../../src/log/tool-call-text.ts'
import { describeWithPython, readPython } from '../support/external/python.ts'
import { hostileText, jsonOf } from '../support/hostile-texts.ts'
import { folderWith } from '../support/program.ts'
import { examples } from '../support/random-examples.ts'

const name = fc.oneof(
  fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,7}[0-9_]$/),
  fc.constantFrom('Größe', '名前', 'имя', '__proto__', 'constructor'),
)
const value = jsonOf(hostileText)
/** The value after a round trip through JSON: without -0, and with `__proto__` as a plain key. */
const fromJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
const named = fc.array(fc.tuple(name, value), { maxLength: 4 }).map(Object.fromEntries).map(fromJson)
const anyInput = fc.oneof(
  { weight: 4, arbitrary: named },
  { weight: 2, arbitrary: fc.dictionary(hostileText, value, { maxKeys: 3, noNullPrototype: true }).map(fromJson) },
  { weight: 2, arbitrary: value.map(fromJson) },
)

describeWithPython('callText', () => {
  it("writes arguments as Python's own repr does", async () => {
    const inputs = fc.sample(named, 2_000)
    const written = await readPython<string[]>(
      `import json, sys
def call(tool, arguments):
    return tool + '(' + ', '.join(f'{name}={value!r}' for name, value in arguments.items()) + ')'
print(json.dumps([call('tool', arguments) for arguments in json.load(sys.stdin)]))`,
      JSON.stringify(inputs),
      folderWith(),
    )
    const differing = inputs.map(input => callText('tool', input)).filter((text, index) => text !== written[index])
    expect(differing).toEqual([])
    expect(written).toHaveLength(2_000)
  })

  it('writes calls that Python evaluates to the same values', async () => {
    const inputs = fc.sample(anyInput, 1_000)
    const calls = inputs.map(input => callText('tool', input))
    const evaluated = await readPython<unknown[]>(
      `import json, sys
def tool(*values, **named):
    return values[0] if values else named
print(json.dumps([eval(call, {'tool': tool}) for call in json.load(sys.stdin)]))`,
      JSON.stringify(calls),
      folderWith(),
    )
    const differing = inputs.filter((input, index) => !isDeepStrictEqual(input, evaluated[index]))
    expect(differing).toEqual([])
    expect(evaluated).toHaveLength(1_000)
  })
})

describe('callText', () => {
  it.each<[input: unknown, text: string]>([
    [undefined, 'f()'],
    [{}, 'f()'],
    [{ name: 'Alice' }, "f(name='Alice')"],
    [{ b: 1, a: [true, false, null] }, 'f(b=1, a=[True, False, None])'],
    [{ text: "it's" }, `f(text="it's")`],
    [{ text: `'"` }, `f(text='\\'"')`],
    [{ 'a b': 1, c: { d: 2 } }, "f(**{'a b': 1, 'c': {'d': 2}})"],
    [[1, 'x'], "f([1, 'x'])"],
    ['x', "f('x')"],
    [{ from: 'a' }, "f(from='a')"],
    [null, 'f(None)'],
    [{ small: 1e-5, tiny: 1.5e-7, large: 1e21 }, 'f(small=1e-05, tiny=1.5e-07, large=1e+21)'],
    [{ tag: '\u{e0001}', half: '\ud800' }, String.raw`f(tag='\U000e0001', half='\ud800')`],
  ])('of %j is %s', (input, text) => {
    expect(callText('f', input)).toBe(text)
  })
})

describe('readCall', () => {
  it('parses what callText writes', () => {
    fc.assert(
      fc.property(fc.constantFrom('greet', 'mcp__files__read', 'web.search', 'ファイル'), anyInput, (tool, input) => {
        expect(readCall(callText(tool, input))).toEqual({ tool, input })
      }),
      { numRuns: examples(2_000) },
    )
  })

  it.each([
    ['lines', 'line\n'.repeat(200_000)],
    ['quotes', `'"\\`.repeat(300_000)],
    ['letters', 'a'.repeat(1_000_000)],
  ])('reads back a text of 1 MB of %s', (_, text) => {
    const { input } = readCall(callText('write', { text, mode: 'w' })) as { input: { text: string } }
    expect(input.text === text).toBe(true)
    expect(Object.keys(input)).toEqual(['text', 'mode'])
  })

  it.each<[written: string, tool: string, input: unknown]>([
    ["greet(name='Alice')", 'greet', { name: 'Alice' }],
    ["greet( name = 'Alice' , times = 2 )", 'greet', { name: 'Alice', times: 2 }],
    ["greet(name='Alice',)", 'greet', { name: 'Alice' }],
    ['f(point=(1, 2), one=(1,), none=())', 'f', { point: [1, 2], one: [1], none: [] }],
    ["f({'a': 1})", 'f', { a: 1 }],
    ['f(x=-1.5e-07, y=+2, z=.5)', 'f', { x: -1.5e-7, y: 2, z: 0.5 }],
    [String.raw`f(x='\x41\u0042\U0001f600\t\r\n\'\"\\')`, 'f', { x: 'AB😀\t\r\n\'"\\' }],
    ['f()', 'f', {}],
    [' f ( ) ', 'f', {}],
  ])('reads %s', (written, tool, input) => {
    expect(readCall(written)).toEqual({ tool, input })
  })

  it.each(
    [
      'greet',
      "greet(name='Alice",
      "greet(name='Al...",
      "greet(name='Al...)",
      "greet(name='Alice', ...)",
      'greet(name=Alice)',
      'greet(name=<object at 0x7f>)',
      "greet(name='Alice' 'Bob')",
      "greet('Alice', 'Bob')",
      "greet('Alice', name='Bob')",
      'greet(name=)',
      'greet(=1)',
      'greet(name=[1, 2)',
      "greet(name={'a': 1)",
      "greet(name={'a'})",
      'greet(name=[1 2])',
      'greet(,)',
      'greet(**)',
      'greet(name=1, **{})',
      'greet(name=1e)',
      'greet(name=nan)',
      String.raw`greet(name='\')`,
      String.raw`greet(name='\U00110000')`,
      String.raw`greet(name='\ud8')`,
      'greet(name={"a": undefined})',
      `greet(deep=${'['.repeat(100_000)}${']'.repeat(100_000)})`,
      `greet(text='${'a'.repeat(100_000)})`,
      `greet(text='${'\\n'.repeat(100_000)})`,
      `greet(text="${"it's ".repeat(20_000)})`,
    ].map(written => [written.slice(0, 60), written]),
  )('returns the tool if the arguments cannot be read: %s', (_, written = '') => {
    expect(readCall(written)).toEqual({ tool: 'greet' })
  })

  it('never throws on truncated or invalid texts', () => {
    const call = fc.tuple(anyInput, fc.nat(), fc.nat(), hostileText).map(([input, from, length, text]) => {
      const whole = callText('tool', input)
      const start = from % whole.length
      return `${whole.slice(0, start)}${text}${whole.slice(start + (length % 4))}`
    })
    fc.assert(
      fc.property(fc.oneof(call, hostileText), text => {
        expect(typeof readCall(text).tool).toBe('string')
      }),
      { numRuns: examples(5_000) },
    )
  })

  it.each(['', '   ', '()', '(', ')', '(x=1)'])('returns the text itself if there is no tool name: %j', text => {
    expect(readCall(text).tool).toBe(text)
  })
})
