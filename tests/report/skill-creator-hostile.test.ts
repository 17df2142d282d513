import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiJson } from '../../src/lib/json/stringify.ts'
import { slug } from '../../src/lib/paths.ts'
import type { Result } from '../../src/model/result.ts'
import { filesOf, readReport } from '../support/external/skill-creator.ts'
import { checkResult, runOf } from '../support/recorded-run.ts'

const IDS: [id: string, folder: string][] = [
  ['../../etc/passwd', 'etc-passwd'],
  ['..', 'test'],
  ['.', 'test'],
  ['/', 'test'],
  ['C:\\Windows\\system32', 'c-windows-system32'],
  ['CON', 'con'],
  ['nul.txt', 'nul-txt'],
  ['trailing. ', 'trailing'],
  ['-rf', 'rf'],
  ['a\u0000b\nc', 'a-b-c'],
  ['$(touch x) `y` *?<>|"\'', 'touch-x-y'],
  ['Ünïcödé', 'unicode'],
  ['日本語', 'test'],
  ['🙂', 'test'],
  ['\ud800', 'test'],
  ['ﬁn', 'fin'],
  ['İ', 'i'],
  ['with_skill', 'with-skill'],
  ['old_skill', 'old-skill'],
  ['run-7', 'run-7'],
  ['__proto__', 'proto'],
  ['constructor', 'constructor'],
  ['A', 'a'],
  ['a', 'a'],
  ['x'.repeat(300), 'x'.repeat(50)],
  [`${'y'.repeat(49)} z`, 'y'.repeat(49)],
  [' ', 'test'],
]

const attempt = (test_id: string, more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  evaluator_results: [checkResult()],
  ...more,
})

describe('ids of tests', () => {
  const run = runOf(IDS.map(([id]) => attempt(id)))
  const folders = [...new Set(Object.keys(filesOf(run)).map(path => path.split('/')[0]))]

  it.each(IDS.map(([id, name], index) => [id, index + 1, name] as const))('%j has its own folder', (_, id, name) => {
    expect(folders[id - 1]).toBe(`eval-${id}-${name}`)
  })

  it('stay inside the folder, and the scripts can read them', async () => {
    for (const path of Object.keys(filesOf(run))) expect(path).toMatch(/^eval-\d+-[a-z0-9-]+\/[\w/.-]+$/)
    const { viewed, aggregated } = await readReport(run)
    expect(viewed.map(({ eval_id }) => eval_id)).toEqual(IDS.map((_, index) => index + 1))
    expect(aggregated['with_skill']).toHaveLength(IDS.length)
  })

  it('that two suites share become two evals', () => {
    const two = runOf([attempt('a'), attempt('a', { suite: 'other' }), attempt('a', { file: 'b.eval.yaml' })])
    expect(Object.keys(filesOf(two)).filter(path => path.split('/').length === 2)).toEqual([
      'eval-1-a/eval_metadata.json',
      'eval-2-a/eval_metadata.json',
      'eval-3-a/eval_metadata.json',
    ])
  })

  it('in two suites of the same name become two runs', () => {
    const twice = runOf([
      attempt('a', { answer: 'x' }),
      attempt('a', { trial: 2, answer: 'y' }),
      attempt('a', { answer: 'z' }),
    ])
    const answers = Object.entries(filesOf(twice)).filter(([path]) => path.endsWith('answer.md'))
    expect(answers).toEqual([
      ['eval-1-a/with_skill/run-1/outputs/answer.md', 'x'],
      ['eval-1-a/with_skill/run-2/outputs/answer.md', 'y'],
      ['eval-1-a/with_skill/run-3/outputs/answer.md', 'z'],
    ])
  })

  it('become file names that are valid everywhere', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.integer({ min: 1, max: 60 }), (text, longest) => {
        const name = slug(text, longest)
        expect(name).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
        expect(name.length).toBeLessThanOrEqual(longest)
      }),
    )
  })
})

describe('texts', () => {
  const HARD = [
    '',
    '</script><img src=x onerror=alert(1)>',
    'ü 日本語 🙂 \u2028 \u202e',
    '\u0000\u001b[31m\r\nb\r',
    '{"timing": {}}',
    '---\nname: x\n---\n',
    'x'.repeat(200_000),
  ]

  it('are written unchanged', async () => {
    const checks = (text: string) => [checkResult({ text: `Says ${text}`, hits: [text], reasoning: text })]
    const run = runOf(
      HARD.map((text, index) => ({
        test_id: `t${index}`,
        answer: text,
        input: [{ role: 'user', content: text }],
        evaluator_results: checks(text),
      })),
    )
    const { viewed } = await readReport(run, {}, 'C.UTF-8')
    expect(viewed.map(({ outputs }) => outputs)).toEqual(HARD.map(text => ({ 'answer.md': text })))
    expect(viewed.map(({ prompt }) => prompt)).toEqual(HARD)
    // With an ASCII locale, only the answers are unreadable.
    const ascii = await readReport(run)
    expect(ascii.viewed.map(({ prompt }) => prompt)).toEqual(HARD)
  })

  it('with a lone surrogate do not break the JSON', () => {
    const files = filesOf(runOf([attempt('a', { input: [{ role: 'user', content: 'cut \ud83d' }] })]))
    const text = files['eval-1-a/eval_metadata.json'] ?? ''
    expect(text).toContain('cut \\ud83d')
    expect(JSON.parse(text).prompt).toBe('cut \ud83d')
  })

  it('are always pure ASCII in JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
        const text = asciiJson(value)
        expect(text).toMatch(/^[\n -~]*$/)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
