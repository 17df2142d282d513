import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { folderWith } from '../support/program.ts'
import { evalsToSuite, transpileSuite } from '../support/transpile-suite.ts'

interface Item {
  readonly id: number
  readonly prompt: string
  readonly expected_output?: string
  readonly files?: readonly string[]
  readonly should_trigger?: boolean
  readonly assertions: readonly string[]
  readonly source_id?: string
}

const trigger = (skill: string, more: object = {}) => ({ type: 'trigger_judge', skill, ...more })
const has = (value: string, more: object = {}) => ({ type: 'contains', value, ...more })
const composite = (evaluators: readonly object[], more: object = {}) => ({ type: 'composite', evaluators, ...more })
const test = (id: number | string, more: object = {}) => ({ id, criteria: 'Is good', input: `Question ${id}`, ...more })
const suite = (tests: readonly object[], more: object = {}) => ({ name: 'hostile', ...more, tests })

async function transpileItems(written: object | string, files: Record<string, string> = {}) {
  const { files: all, issues } = await transpileSuite(written, files)
  const evals = all.flatMap(({ file, content }) => (/trigger-evals\.json$/.test(file) ? [] : [JSON.parse(content)]))
  return { names: all.map(({ file }) => file), items: (evals[0]?.evals ?? []) as Item[], evals, issues }
}

const itemOf = async (more: object) => {
  const { items } = await transpileItems(suite([test('one', more)]))
  return items[0] ?? expect.unreachable('no item')
}

const lostIn = async (more: object, files: Record<string, string> = {}) => {
  const { issues } = await transpileItems(suite([test('one', more)]), files)
  return issues.filter(({ code }) => code === 'unsaid').map(({ message }) => message)
}

describe('a trigger judge inside another check', () => {
  it('is never a statement, however deep it is', async () => {
    const { assertions, should_trigger } = await itemOf({
      assert: [composite([composite([trigger('csv'), has('x')])])],
    })
    expect({ assertions, should_trigger }).toEqual({
      assertions: ['Is good', "Output contains 'x'"],
      should_trigger: true,
    })
  })

  it('has the opposite label inside a negated check', async () => {
    expect((await itemOf({ assert: [composite([trigger('csv')], { negate: true })] })).should_trigger).toBe(false)
    const twice = composite([trigger('csv', { negate: true })], { negate: true })
    expect((await itemOf({ assert: [twice] })).should_trigger).toBe(true)
  })

  it('leaves the negation to the checks beside it', async () => {
    const { assertions } = await itemOf({ assert: [composite([trigger('csv'), has('x')], { negate: true })] })
    expect(assertions).not.toContain("Output contains 'x'")
    expect(assertions).toHaveLength(2)
  })

  it('has the opposite label if it is negated; two that agree are one label', async () => {
    const own = { assert: [trigger('csv', { negate: true }), trigger('csv', { should_trigger: false })] }
    expect((await itemOf(own)).should_trigger).toBe(false)
  })
})

describe('checks inside a negated composite come back as the deterministic checks they were', () => {
  it('one text', async () => {
    const { evals } = await transpileItems(suite([test('one', { assert: [composite([has('x')], { negate: true })] })]))
    const yaml = await evalsToSuite(JSON.stringify(evals[0]))
    expect(yaml).toContain('type: contains')
    expect(yaml).toContain('negate: true')
  })
})

describe('features that sentences cannot express are listed as lost', () => {
  const two = [has('x', { name: 'a' }), has('y', { name: 'b' })]
  const ranges = { id: 'r', outcome: 'Is kind', score_ranges: { 0: 'Rude', 10: 'Kind' }, required_min_score: 8 }

  it.each<readonly [string, object]>([
    [
      'weights of an aggregator',
      { assert: [composite(two, { aggregator: { type: 'weighted_average', weights: { a: 3 } } })] },
    ],
    ['an aggregator', { assert: [composite(two, { aggregator: 'minimum' })] }],
    ['weights inside a composite', { assert: [composite([has('x', { weight: 2 }), has('y')])] }],
    ['a required check', { assert: [has('x', { required: true })] }],
    ['the judge of an llm_judge', { assert: [{ type: 'llm_judge', prompt: 'Is kind?', target: 'careful' }] }],
    ['the judge of rubrics', { assert: [{ type: 'rubrics', criteria: 'Is kind', target: 'careful' }] }],
    ['the temperature of a judge', { assert: [{ type: 'llm_judge', prompt: 'Is kind?', config: { temperature: 1 } }] }],
    ['a mark of a rubric', { rubrics: [ranges] }],
    ['the weight of a rubric', { rubrics: [{ id: 'r', outcome: 'Is kind', weight: 3 }] }],
    ['arguments', { assert: [{ type: 'tool_trajectory', expected: [{ tool: 'a', args: { b: 1 } }] }] }],
    ['the length of a call', { assert: [{ type: 'tool_trajectory', expected: [{ tool: 'a', max_duration_ms: 1 }] }] }],
    ['which calls count', { assert: [trigger('csv', { scan: 'all' })] }],
    ['the program of a judge', { assert: [{ type: 'code_judge', command: 'true' }] }],
    ['a note to the judges', { note: 'The user is a child' }],
    ['a conversation that tests share', { conversation_id: 'chat' }],
    [
      'a system message',
      {
        input: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'u' },
        ],
      },
    ],
    [
      'an earlier turn',
      {
        input: [
          { role: 'user', content: 'a' },
          { role: 'user', content: 'u' },
        ],
      },
    ],
    [
      'an answer after the last question',
      {
        input: [
          { role: 'user', content: 'u' },
          { role: 'assistant', content: 'a' },
        ],
      },
    ],
    [
      'an image',
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'text', value: 'u' },
              { type: 'image', value: 'data:image/png;base64,iVBORw0KGgo=' },
            ],
          },
        ],
      },
    ],
  ])('%s', async (_, more) => {
    expect(await lostIn(more)).toHaveLength(1)
  })

  it('features that sentences express are not', async () => {
    const plain = [has('x', { negate: true }), composite([has('y')]), { type: 'rubrics', criteria: 'Is kind' }]
    expect(await lostIn({ assert: plain, rubrics: ['Is short'] })).toEqual([])
  })
})

describe('ids', () => {
  it.each([
    ['0', 0, undefined],
    ['-3', -3, undefined],
    ['9007199254740991', 9007199254740991, undefined],
    ['9007199254740993', 1, '9007199254740993'],
    ['1.0', 1, '1.0'],
    ['1e3', 1, '1e3'],
    ['-0', 1, '-0'],
    ['"7"', 1, '7'],
  ])('%s', async (written, id, source_id) => {
    const { items } = await transpileItems(`name: ids\ntests:\n  - {id: ${written}, criteria: c, input: i}\n`)
    expect(items).toMatchObject([{ id, ...(source_id === undefined ? {} : { source_id }) }])
    expect(Object.hasOwn(items[0] ?? {}, 'source_id')).toBe(source_id !== undefined)
  })
})

describe('file names are safe on every system', () => {
  const namesFor = async (skill: string) => {
    const tests = [test(1, { assert: [trigger(skill)] }), test(2, { assert: [trigger('other')] })]
    return (await transpileItems(suite(tests))).names
  }

  it.each(['CON', 'nul.txt', 'com1', '../../etc/passwd', '..', '.hidden', '数据', '😀', 'a/b\\c:d', 'trailing...'])(
    '%s',
    async skill => {
      const names = await namesFor(skill)
      expect(names).toHaveLength(4)
      for (const name of names) {
        // Not a hidden file, a command-line option or a Windows device.
        expect(name).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*\.(trigger-)?evals\.json$/u)
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i)
      }
    },
  )

  it('however long the name of a skill is', async () => {
    for (const name of await namesFor('x'.repeat(300))) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  })

  it.each([
    ['Foo', 'foo'],
    ['a/b', 'a:b'],
    ['..', 'skill'],
  ])('%s and %s collide', async (first, second) => {
    const { issues } = await transpileItems(
      suite([test(1, { assert: [trigger(first)] }), test(2, { assert: [trigger(second)] })]),
    )
    expect(issues.filter(({ code }) => code === 'same-file-name')).toHaveLength(1)
  })
})

describe('expected output', () => {
  const call = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }
  it.each<readonly [unknown, string | undefined]>([
    ['', ''],
    [42, '42'],
    [['a', 'b'], '["a","b"]'],
    [{ a: 'é' }, '{"a":"é"}'],
    [
      [
        { role: 'assistant', content: 'one' },
        { role: 'assistant', content: 'two' },
        { role: 'user', content: 'u' },
      ],
      'two',
    ],
    // Without an assistant message, there is no expected text.
    [[{ role: 'user', content: 'hi' }], undefined],
    [[{ role: 'assistant', tool_calls: [call] }], undefined],
  ])('%j', async (expected_output, text) => {
    expect((await itemOf({ expected_output })).expected_output).toBe(text)
  })
})

describe('a transpiled evals.json can be read', () => {
  it.each<readonly [string, object]>([
    ['a judge with a blank prompt', { assert: [{ type: 'llm_judge', prompt: '  ' }] }],
    ['score ranges with blank text', { rubrics: [{ id: 'r', score_ranges: { 10: ' ' } }] }],
    ['criteria with blanks around', { criteria: '\n Is good \n\n' }],
    ['odd characters', { criteria: 'a\u0000\u007f\u0085\u2028\ufeff\ufffe\ud800', input: '\u0001\ud83d\ude00\u2029' }],
    ['YAML syntax in texts', { criteria: '- yes: &a *b !c %d @e #f', input: '--- |\n  ? x\n...\n' }],
    ['a megabyte', { input: `${'long line '.repeat(100_000)}\n` }],
  ])('%s', async (_, more) => {
    const { evals, items } = await transpileItems(suite([test('one', more)]))
    const { suites, diagnostics } = await loadFiles(
      [join(folderWith({ 'evals.json': JSON.stringify(evals[0]) }), 'evals.json')],
      { host: nodeHost(), evaluators },
    )
    expect(diagnostics).toEqual([])
    expect(suites).toHaveLength(1)
    expect((await transpileItems(await evalsToSuite(JSON.stringify(evals[0])))).items).toEqual(items)
  })
})
