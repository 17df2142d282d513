import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { transpileSuite } from '../../support/transpile-suite.ts'
import { evaluated, load, suiteOf, TEST, valid } from './seed-suites.ts'

/** The statements of "EVAL Format": the file and its fields. */
const NAMED = { name: 'code-review', tests: [TEST] }

describe('the EVAL.yaml file', () => {
  it('is found in a folder without being named', async () => {
    const files = { 'deep/EVAL.yaml': JSON.stringify(NAMED), 'deep/other.yaml': '- 1\n' }
    expect(await assay(['validate'], { cwd: folderWith(files) })).toMatchObject({ code: 0 })
    expect(await assay(['validate'], { cwd: folderWith({ 'other.yaml': '- 1\n' }) })).toMatchObject({ code: 5 })
  })
})

describe('required and optional fields', () => {
  it('a suite has a name', async () => {
    expect(await valid(NAMED)).toMatchObject({ name: 'code-review' })
  })

  it('a suite without a name gets a warning', async () => {
    // Decided: not an error, because other source texts show suites without one.
    const { suite, warnings } = await load({ tests: [TEST] })
    expect([suite?.tests.length, warnings]).toEqual([1, ['no-name']])
  })

  it('a suite has tests', async () => {
    expect((await load({ name: 'code-review' })).errors).toEqual(['no-tests'])
  })

  it('everything else is optional', async () => {
    expect(await valid(NAMED)).toMatchObject({ version: '1.0', description: undefined, metadata: {}, execution: {} })
  })

  it('an unknown field is rejected', async () => {
    expect((await load({ ...NAMED, descripton: 'x' })).errors).toEqual(['unknown-key'])
  })
})

describe('name', () => {
  const errors = async (name: unknown) => (await load({ name, tests: [TEST] })).errors

  it.each(['code-review', 'document-extraction', 'rag-accuracy', 'a1', 'a-1', 'my--eval'])(
    'accepts lowercase letters, digits and hyphens: %s',
    async name => {
      expect(await valid({ name, tests: [TEST] })).toMatchObject({ name })
    },
  )

  it('accepts one character', async () => {
    // Decided: the length of 1 that the text names, which its pattern does not allow.
    expect(await errors('a')).toEqual([])
  })

  it('accepts 64 characters', async () => {
    expect(await errors('a'.repeat(64))).toEqual([])
  })

  it('rejects 65 characters', async () => {
    expect(await errors('a'.repeat(65))).toEqual(['out-of-range'])
  })

  it('rejects an empty name', async () => {
    expect(await errors('')).toEqual(['bad-format'])
  })

  it('rejects capitals', async () => {
    expect(await errors('Code-Review')).toEqual(['bad-format'])
  })

  it.each(['code_review', 'code review', 'code.review', 'prüfung'])('rejects other characters: %s', async name => {
    expect(await errors(name)).toEqual(['bad-format'])
  })

  it.each(['1-review', '-review'])('rejects a name that does not begin with a letter: %s', async name => {
    expect(await errors(name)).toEqual(['bad-format'])
  })

  it('rejects a hyphen at the end', async () => {
    expect(await errors('review-')).toEqual(['bad-format'])
  })

  it('rejects a value that is not a string', async () => {
    expect(await errors(7)).toEqual(['wrong-type'])
  })
})

describe('version', () => {
  const versioned = (version: unknown) => load({ ...NAMED, version })

  it('is 1.0 by default', async () => {
    expect(await valid(NAMED)).toMatchObject({ version: '1.0' })
  })

  it.each(['1.0', '1', '1.2.3'])('accepts a semantic version of the format: %s', async version => {
    expect(await valid({ ...NAMED, version })).toMatchObject({ version })
  })

  it.each(['one', '1.0-beta', 'v1.0', ''])('rejects an invalid version: %j', async version => {
    expect((await versioned(version)).errors).toEqual(['bad-format'])
  })

  it('rejects a version of another format', async () => {
    expect((await versioned('2.0')).errors).toEqual(['bad-format'])
  })

  it('is a string: a number gets a warning', async () => {
    // Decided: a warning, because the meaning of an unquoted 1.0 is clear.
    const { suite, warnings } = await load('name: x\nversion: 1.0\ntests: [{id: a, criteria: b, input: c}]\n')
    expect([suite?.version, warnings]).toEqual(['1.0', ['unquoted-version']])
  })
})

describe('description', () => {
  it('is kept with its lines', async () => {
    const text = 'name: x\ndescription: |\n  Covers:\n  - bugs\n  - style\ntests: [{id: a, criteria: b, input: c}]\n'
    expect(await valid(text)).toMatchObject({ description: 'Covers:\n- bugs\n- style\n' })
  })

  it('accepts 2048 characters', async () => {
    expect((await load({ ...NAMED, description: 'x'.repeat(2048) })).errors).toEqual([])
  })

  it('rejects 2049 characters', async () => {
    expect((await load({ ...NAMED, description: 'x'.repeat(2049) })).errors).toEqual(['out-of-range'])
  })

  it('rejects a value that is not a string', async () => {
    expect((await load({ ...NAMED, description: ['x'] })).errors).toEqual(['wrong-type'])
  })
})

describe('metadata', () => {
  const METADATA = {
    author: 'my-organization',
    license: 'Apache-2.0',
    tags: ['coding', 'review'],
    skill: 'code-review',
  }

  it('keeps author, license, tags and skill', async () => {
    expect((await valid({ ...NAMED, metadata: METADATA })).metadata).toEqual(METADATA)
  })

  it('keeps any other data', async () => {
    const metadata = { custom_field: 'custom_value', deep: { list: [1, null, true] } }
    expect((await valid({ ...NAMED, metadata })).metadata).toEqual(metadata)
  })

  it.each([
    ['author', 1],
    ['license', ['MIT']],
    ['skill', {}],
    ['tags', 'coding'],
  ])('reserves %s for its own type', async (key, value) => {
    expect((await load({ ...NAMED, metadata: { [key]: value } })).errors).toEqual(['wrong-type'])
  })

  it('rejects a value that is not an object', async () => {
    expect((await load({ ...NAMED, metadata: 'coding' })).errors).toEqual(['wrong-type'])
  })

  it('links the suite to a skill with `skill`', async () => {
    const [file] = (await transpileSuite({ ...NAMED, metadata: METADATA })).files
    expect(JSON.parse(file?.content ?? '')).toMatchObject({ skill_name: 'code-review' })
  })

  it('selects tests by `tags`', async () => {
    const suite = { ...NAMED, metadata: METADATA }
    const selected = await evaluated(suite, { args: ['--tag', 'coding'] })
    const others = await evaluated(suite, { args: ['--tag', 'cooking'] })
    expect([selected.results.length, others.results.length, others.code]).toEqual([1, 0, 5])
  })
})

describe('execution', () => {
  const TARGETS = [
    { name: 'default', provider: 'mock', response: 'no' },
    { name: 'other', provider: 'mock', response: 'ok' },
    { name: 'slow', provider: 'mock', responses: [{ pattern: '', response: 'ok', delay_ms: 60_000 }] },
  ]
  const run = (execution: object, args: string[] = []) =>
    evaluated({ ...suiteOf(), execution }, { targets: TARGETS, args })

  it('sets the target of all tests with `target`', async () => {
    expect((await run({ target: 'other' })).results).toMatchObject([{ target: 'other', answer: 'ok', verdict: 'pass' }])
  })

  it('limits the duration of an answer with `timeout_seconds`', async () => {
    const { results, code } = await run({ target: 'slow', timeout_seconds: 1 })
    expect(results).toMatchObject([{ verdict: 'error', error: { code: 'timeout' } }])
    expect(code).toBe(3)
  })

  it('adds default checks to all tests with `assert`', async () => {
    const tests = [TEST, { ...TEST, id: 'two' }]
    const suite = { name: 'suite', execution: { assert: [{ name: 'quality', type: 'equals', value: 'ok' }] }, tests }
    const { results } = await evaluated(suite)
    const names = results.map(({ evaluator_results }) => evaluator_results.map(({ name }) => name))
    expect(names).toEqual([
      ['contains', 'quality'],
      ['contains', 'quality'],
    ])
  })

  it('rejects unknown keys', async () => {
    expect((await load({ ...suiteOf(), execution: { timeout: 1 } })).errors).toEqual(['unknown-key'])
  })
})
