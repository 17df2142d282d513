import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderValue, ToolError } from '../../src/mocks/render.ts'
import { applyChange, changeState } from '../../src/mocks/state.ts'
import { BadTemplate, parseStatePath, parseTemplate } from '../../src/mocks/template.ts'

const scope = {
  state: { orders: { A1: { status: 'shipped', items: ['pen', 2] } }, 'a b': null, size: 'größe' },
  input: { id: 'A1', n: 1, none: null, list: [] },
  files: { 'fixtures/A1.json': '{"a": 1}' },
}

describe('templates', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['{{state.orders[input.id]}}', scope.state.orders.A1],
    ['{{ state.orders["A1"].items[input.n] }}', 2],
    ["{{state['a b']}}", null],
    ['{{state.orders.A1.items.length}}', 2],
    ['{{input.n}}', 1],
    ['{{input}}', scope.input],
    ['#{{input.n}}: {{state.orders.A1.items}} {{input.none}}', '#1: ["pen",2] null'],
    ['{{state.size}}{{state.size}}', 'größegröße'],
    ['\\{{state.size}}', '{{state.size}}'],
    ['\\{{ {{input.id}} }}', '{{ A1 }}'],
    ['{{file:fixtures/{input.id}.json}}', '{"a": 1}'],
    ['{ "a": {} }', '{ "a": {} }'],
  ])('fill in %s', (text, value) => {
    expect(renderValue(text, scope)).toEqual(value)
  })

  it('fill in lists and mappings', () => {
    expect(renderValue({ a: ['{{input.n}}', { b: '{{input.id}}!' }], c: 1 }, scope)).toEqual({
      a: [1, { b: 'A1!' }],
      c: 1,
    })
  })

  it.each([
    ['{{state.orders.A9}}', 'state.orders.A9 does not exist'],
    ['{{state.orders[input.id].x.y}}', 'state.orders["A1"].x does not exist'],
    ['{{state.__proto__}}', 'state.__proto__ does not exist'],
    ['{{state.constructor.name}}', 'state.constructor does not exist'],
    ['{{state.size.length}}', 'state.size.length does not exist'],
    ['{{state[input.list]}}', 'input.list is not a text or a number, so it cannot be a key'],
    ['{{file:fixtures/../{input.id}}}', 'the file fixtures/../A1 does not exist'],
  ])('%s is an error of the tool', (text, message) => {
    expect(() => renderValue(text, scope)).toThrow(new ToolError(message))
  })

  it.each([
    '{{',
    '{{}}',
    '{{state',
    '{{x.y}}',
    '{{state.}}',
    '{{state[}}',
    '{{state[0}}',
    '{{state["a]}}',
    '{{state a}}',
    '{{file:}}',
  ])('%s is invalid', text => {
    expect(() => parseTemplate(text, { files: true })).toThrow(BadTemplate)
  })

  it('reject paths that are too long or too deep', () => {
    expect(() => parseTemplate(`{{state${'.a'.repeat(600)}}}`)).toThrow('at most 1000 characters')
    expect(() => parseTemplate(`{{${'state['.repeat(50)}0${']'.repeat(50)}}}`)).toThrow('too many brackets')
  })

  it('parse or reject any text without a crash', () => {
    const texts = fc.array(
      fc.constantFrom('{{', '}}', 'state', 'input', '.', '[', ']', '"', "'", '0', 'a', '\\', ' ', 'file:', '{', '}'),
    )
    fc.assert(
      fc.property(texts, parts => {
        for (const parse of [(text: string) => parseTemplate(text, { files: true }), parseStatePath]) {
          try {
            parse(parts.join(''))
          } catch (error) {
            if (!(error instanceof BadTemplate)) throw error
          }
        }
      }),
    )
  })
})

describe('changes of a state', () => {
  it('are made in a copy, in order, and can be repeated', () => {
    const { state, changes } = changeState(
      { 'orders[input.id].status': 'gone', last: '{{state.orders.A1.status}}', 'orders.A1.items[2]': '{{input}}' },
      scope,
    )
    expect(state).toMatchObject({ orders: { A1: { status: 'gone', items: ['pen', 2, { id: 'A1' }] } }, last: 'gone' })
    expect(scope.state.orders.A1).toEqual({ status: 'shipped', items: ['pen', 2] })
    const again = structuredClone(scope.state)
    for (const change of JSON.parse(JSON.stringify(changes))) applyChange(again, change)
    expect(again).toEqual(state)
  })

  it('never contain the state itself', () => {
    const { state } = changeState({ copy: '{{state}}' }, scope)
    expect(JSON.parse(JSON.stringify(state))).toMatchObject({ copy: { size: 'größe' } })
  })

  it('do not reach prototypes', () => {
    const { state } = changeState({ '["__proto__"]': { polluted: true }, constructor: 1 }, { state: {}, input: {} })
    expect(Object.hasOwn(state, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(() => changeState({ '["__proto__"].polluted': true }, { state: {}, input: {} })).toThrow('does not exist')
  })

  it.each(['orders.A9.status', 'size.x', 'orders.A1.items[9]', 'orders.A1.items.length', 'orders.A1.items["-1"]'])(
    'at %s are errors of the tool',
    path => {
      expect(() => changeState({ last: 1, [path]: 1 }, scope)).toThrow(ToolError)
    },
  )

  it('stop at a depth that a record can have', () => {
    let state: Record<string, unknown> = { a: {} }
    const wrap = () => {
      for (let n = 0; n < 300; n++) state = changeState({ a: { inner: '{{state.a}}' } }, { state, input: {} }).state
    }
    expect(wrap).toThrow('nested more than 200 levels deep')
  })
})
