import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../../src/evaluators/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { planRun } from '../../../src/operations/evaluate.ts'
import { providers } from '../../../src/providers/index.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import {
  jsonLines,
  mockTargets,
  OWN_TARGET,
  providerModule,
  recordsOf,
  suiteFolder,
  wordTest,
  YES_AND_NO,
} from '../../support/runs.ts'

/** Logs when each answer starts and ends. */
const LOGGING = providerModule(`
    const name = prompt.suite + '/' + prompt.test_id + '#' + prompt.trial
    appendFileSync(config.log, 'start ' + name + '\\n')
    await host.clock.sleep(prompt.test_id.startsWith('slow') ? 120 : 15, signal)
    appendFileSync(config.log, 'end ' + name + '\\n')
    return { text: 'yes' }`)

function loggingFolder(suites: Record<string, object>): { cwd: string; lines(): string[] } {
  const cwd = folderWith({ 'own.mjs': LOGGING })
  const log = join(cwd, 'log.txt')
  const targets = JSON.stringify({ targets: [{ name: 'default', provider: './own.mjs', log }] })
  const files = Object.entries(suites).map(([name, suite]) => [`${name}.eval.yaml`, JSON.stringify({ name, ...suite })])
  const folder = folderWith({ ...Object.fromEntries(files), '.assay/targets.yaml': targets, 'own.mjs': LOGGING })
  return { cwd: folder, lines: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) }
}

/** The maximum number of concurrent answers. */
function maxConcurrency(lines: readonly string[]): number {
  let now = 0
  return lines.reduce((most, line) => {
    now += line.startsWith('start') ? 1 : -1
    return Math.max(most, now)
  }, 0)
}

describe('conversations', () => {
  const talk = { conversation_id: 'talk' }
  const tests = [
    wordTest('slow-1', 'Hi', 'yes', talk),
    wordTest('alone-1', 'Hi', 'yes'),
    wordTest('slow-2', 'Hi', 'yes', talk),
    wordTest('alone-2', 'Hi', 'yes'),
    wordTest('t3', 'Hi', 'yes', talk),
    wordTest('other-1', 'Hi', 'yes', { conversation_id: 'other' }),
    wordTest('other-2', 'Hi', 'yes', { conversation_id: 'other' }),
  ]

  it.each([['1'], ['8']])('run in order and never concurrently, with --workers %s', async workers => {
    const { cwd, lines } = loggingFolder({ one: { tests } })
    const { code } = await assay(['eval', '--workers', workers, '--trials', '2'], { cwd })
    expect(code).toBe(0)
    const ofTalk = lines().filter(line => /slow-|t3/.test(line))
    const inOrder = ['slow-1#1', 'slow-2#1', 't3#1', 'slow-1#2', 'slow-2#2', 't3#2']
    expect(ofTalk).toEqual(inOrder.flatMap(name => [`start one/${name}`, `end one/${name}`]))
    const ofOther = lines().filter(line => line.includes('other-'))
    expect(maxConcurrency(ofOther)).toBe(1)
    if (workers === '1') expect(maxConcurrency(lines())).toBe(1)
    else expect(maxConcurrency(lines())).toBeGreaterThan(1)
  })

  it('with the same name in another suite are independent', async () => {
    const two = [wordTest('slow-1', 'Hi', 'yes', talk), wordTest('slow-2', 'Hi', 'yes', talk)]
    const { cwd, lines } = loggingFolder({ one: { tests: two }, two: { tests: two } })
    await assay(['eval', '--workers', '8'], { cwd })
    for (const name of ['one', 'two']) expect(maxConcurrency(lines().filter(line => line.includes(`${name}/`)))).toBe(1)
    expect(maxConcurrency(lines())).toBe(2)
  })
})

describe('workers', () => {
  const tests = Array.from({ length: 8 }, (_, index) => wordTest(`t${index}`, 'Hi', 'yes'))

  it.each([1, 3])('run at most %d attempts at once', async workers => {
    const { cwd, lines } = loggingFolder({ one: { tests } })
    await assay(['eval', '--workers', String(workers)], { cwd })
    expect(lines()).toHaveLength(16)
    expect(maxConcurrency(lines())).toBe(workers)
  })
})

describe('the order of the plan', () => {
  it('is kept by every report, regardless of which attempt finishes first', async () => {
    const words = ['late', 'soon', 'later', 'now']
    const delays = { late: 150, soon: 40, later: 300, now: 0 }
    const suite = { name: 'order', tests: words.map(word => wordTest(word, `${word}!`, 'maybe')) }
    const responses = words.map(
      word => [`^${word}!`, 'yes', { delay_ms: delays[word as keyof typeof delays] }] as const,
    )
    const cwd = suiteFolder(suite, mockTargets(...responses.map(([...parts]) => parts as [string, string, object])))
    const { stderr } = await assay(['eval', '-o', 'out.jsonl', '-o', 'out.json'], { cwd })
    // Records are in order of completion, reports in the order of the plan.
    expect(recordsOf(cwd).map(({ test_id }) => test_id)).toEqual(['now', 'soon', 'late', 'later'])
    const lines = jsonLines(readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
    expect(lines.map(({ test_id }) => test_id)).toEqual(words)
    const report = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))
    expect(report.results.map((result: object) => ({ ...result, report_results: 4 }))).toEqual(lines)
    expect(report.summary.tests.map(({ test_id }: { test_id: string }) => test_id)).toEqual(words)
    const failed = [...stderr.matchAll(/^fail (\w+) on default score/gm)].map(([, id]) => id)
    expect(failed).toEqual(words)
  })
})

describe('the identity of an attempt', () => {
  const BASE = `name: same
description: A suite
tests:
  - id: a
    description: The first
    criteria: Is right
    note: Take care
    metadata: {tags: [x], level: {low: 1, high: 2}}
    input: "yes"
    input_files: [notes.txt]
    assert:
      - {type: contains, value: "yes", weight: 2, description: Looks for yes}
      - {type: is_json, schema: {type: object, required: [a]}, negate: true}
      - {type: is_json, schema: person.json, negate: true}
`
  const FILES = { 'notes.txt': 'Some notes\n', 'person.json': '{"type": "object"}' }

  async function attemptId(suite: string, files: Record<string, string> = {}, targets = YES_AND_NO, trials?: number) {
    const cwd = suiteFolder(suite, targets, { ...FILES, ...files })
    const { plan, diagnostics } = await planRun(
      { paths: [cwd], trials },
      { host: nodeHost(cwd), evaluators, providers },
    )
    return plan?.attempts[0]?.id ?? expect.unreachable(JSON.stringify(diagnostics))
  }

  it.each<[what: string, from: string | RegExp, to: string]>([
    ['the description of the test', 'The first', 'Another one'],
    ['the description of the suite', 'A suite', 'Suite'],
    ['the description of a check', 'Looks for yes', 'Whatever'],
    ['comments and line breaks', 'tests:\n', 'tests:\n\n  # The tests.\n'],
    ['quotes', 'criteria: Is right', 'criteria: "Is right"'],
    ['the order of keys in metadata', '{tags: [x], level: {low: 1, high: 2}}', '{level: {high: 2, low: 1}, tags: [x]}'],
    [
      'the order of keys in a check',
      '{type: contains, value: "yes", weight: 2, ',
      '{weight: 2, value: "yes", type: contains, ',
    ],
    ['the order of keys in a schema', '{type: object, required: [a]}', '{required: [a], type: object}'],
    ['the order of keys in a test', /( {4}criteria.*\n)( {4}note.*\n)/, '$2$1'],
    [
      'the long form of input_files',
      / {4}input: "yes"\n {4}input_files: .*\n/,
      `    input:
      - role: user
        content:
          - {type: file, value: notes.txt}
          - {type: text, value: "yes"}
`,
    ],
  ])('does not change with %s', async (_, from, to) => {
    const changed = BASE.replace(from, to)
    expect(changed).not.toBe(BASE)
    expect(await attemptId(changed)).toBe(await attemptId(BASE))
  })

  it.each<[what: string, from: string, to: string]>([
    ['criteria', 'Is right', 'Is wrong'],
    ['input', 'input: "yes"', 'input: "yes!"'],
    ['the note', 'Take care', 'Be quick'],
    ['the id', 'id: a', 'id: b'],
    ['the name of the suite', 'name: same', 'name: other'],
    ['metadata', 'low: 1', 'low: 0'],
    ['the value of a check', 'value: "yes"', 'value: "ye"'],
    ['the weight of a check', 'weight: 2', 'weight: 3'],
    ['negate', '{type: object, required: [a]}, negate: true', '{type: object, required: [a]}'],
    ['a required mark', 'weight: 2', 'weight: 2, required: true'],
    ['the schema of a check', 'required: [a]', 'required: [b]'],
    ['the name of a check', '{type: contains', '{name: yes-yes, type: contains'],
    ['an expected output', '    note:', '    expected_output: "yes"\n    note:'],
    ['one check less', '      - {type: is_json, schema: person.json, negate: true}\n', ''],
  ])('changes with %s', async (_, from, to) => {
    const changed = BASE.replace(from, to)
    expect(changed).not.toBe(BASE)
    expect(await attemptId(changed)).not.toBe(await attemptId(BASE))
  })

  it('changes with file content, the target and the trial, but not with the machine', async () => {
    const base = await attemptId(BASE)
    expect(await attemptId(BASE)).toBe(base)
    expect(await attemptId(BASE, { 'notes.txt': 'Other notes\n' })).not.toBe(base)
    expect(await attemptId(BASE, { 'person.json': '{"type": "array"}' })).not.toBe(base)
    expect(await attemptId(BASE, {}, YES_AND_NO.replace('"response":"yes"', '"response":"yes!"'))).not.toBe(base)
    expect(await attemptId(BASE, {}, YES_AND_NO.replace('"provider"', '"workers":3,"provider"'))).toBe(base)
    expect(await attemptId(BASE, {}, YES_AND_NO, 1)).toBe(base)
    const cwd = suiteFolder(BASE, YES_AND_NO, FILES)
    await assay(['eval', '--workers', '2', '--trials', '2'], { cwd })
    const ids = recordsOf(cwd).map(({ attempt_id }) => attempt_id)
    expect(new Set(ids).size).toBe(2)
    expect(ids).toContain(base)
  })
})

describe('the identity of an attempt on an agent', () => {
  const SUITE = { name: 'skills', tests: [wordTest('a', 'Hi', 'yes')] }
  const TARGETS = JSON.stringify({ targets: [{ name: 'default', provider: 'claude_cli', skills: ['skills'] }] })
  const planned = async (files: Record<string, string>) => {
    const cwd = suiteFolder(SUITE, TARGETS, files)
    const { plan } = await planRun({ paths: [cwd] }, { host: nodeHost(cwd), evaluators, providers })
    return plan?.attempts[0]?.id ?? expect.unreachable('no plan')
  }

  it('changes with every file of its skills', async () => {
    const files = { 'skills/one/SKILL.md': 'Do this.', 'skills/one/scripts/run.py': 'print(1)' }
    const base = await planned(files)
    expect(await planned(files)).toBe(base)
    expect(await planned({ ...files, 'skills/one/SKILL.md': 'Do that.' })).not.toBe(base)
    expect(await planned({ ...files, 'skills/one/scripts/run.py': 'print(2)' })).not.toBe(base)
    expect(await planned({ ...files, 'skills/two/SKILL.md': 'More.' })).not.toBe(base)
  })
})

describe('a custom provider', () => {
  it('may answer synchronously', async () => {
    const module = providerModule("return { text: 'yes' }").replace('async answer', 'answer')
    const cwd = suiteFolder({ name: 'own', tests: [wordTest('a', 'Hi', 'yes')] }, OWN_TARGET, { 'own.mjs': module })
    const { code } = await assay(['eval'], { cwd })
    expect(recordsOf(cwd)).toMatchObject([{ verdict: 'pass', answer: 'yes' }])
    expect(code).toBe(0)
  })
})
