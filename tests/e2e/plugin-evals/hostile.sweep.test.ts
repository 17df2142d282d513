import { describe, expect, it } from 'vitest'
import { clientCase, clientFile, clientRun, equalCases, graderResult } from '../../support/aggregate-files.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const FILE = 'aggregate-result.json'

/** Reports on a file with this text, and compares it. */
async function readText(text: string) {
  const cwd = folderWith({ [FILE]: text })
  const [report, compare] = [await assay(['report', FILE], { cwd }), await assay(['compare', FILE, FILE], { cwd })]
  return { ...report, codes: [report.code, compare.code] }
}

const whole = () => clientFile(equalCases(2, [1, 0], [0, 0]))
const text = JSON.stringify(whole(), null, 2)

describe('an aggregate-result.json that cannot be read whole', () => {
  it.each<[name: string, text: string, message: string]>([
    ['is cut off', text.slice(0, text.length / 2), 'it is not valid JSON'],
    ['has NaN', text.replace('"durationSeconds": 14', '"durationSeconds": NaN'), 'it is not valid JSON'],
    ['has a number that is too large', text.replace('"costUsd": 0.1', '"costUsd": 1e999'), 'costUsd'],
    [
      'is of another version',
      text.replace('"schemaVersion": 1', '"schemaVersion": 2'),
      'its schemaVersion is 2, and only 1 is known',
    ],
    [
      'has a version that is a text',
      text.replace('"schemaVersion": 1', '"schemaVersion": "1"'),
      'its schemaVersion is "1"',
    ],
    ['has no arm with the plugin', text.replaceAll('"with":', '"others":'), 'cases.0.arms.with'],
    ['has a negative cost', text.replaceAll('"costUsd": 0.02', '"costUsd": -1'), 'cases.0.arms.with.0.costUsd'],
    ['has a score above 1', text.replaceAll('"score": 1,', '"score": 2,'), 'cases.0.arms.with.0.score'],
    ['has a threshold of 0', text.replace('"threshold": 1', '"threshold": 0'), 'suite.threshold'],
    [
      'has no cases',
      JSON.stringify({
        ...clientFile(equalCases(1, [1])),
        cases: [],
        aggregates: { casesTotal: 0, casesPassed: 0, overallScore: 0, overallPassRate: 0 },
      }),
      'it has no cases',
    ],
    [
      'is nested too deeply',
      text.replace('"pattern": "x"', `"pattern": ${'['.repeat(2000)}${']'.repeat(2000)}`),
      'Cannot read',
    ],
    ['is only a version', '{"schemaVersion": 1}', 'it is not a whole aggregate-result.json'],
  ])('ends with exit code 2 if it %s', async (_, damaged, message) => {
    const { codes, stdout, stderr } = await readText(damaged)
    expect(codes).toEqual([2, 2])
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr.length).toBeLessThan(2500)
  })
})

type File = ReturnType<typeof whole>

describe('an aggregate-result.json that contradicts itself', () => {
  const first = (file: File) => file.cases[0] as File['cases'][number]
  it.each<[name: string, change: (file: File) => object, message: string]>([
    [
      'a score that its runs do not give',
      file => Object.assign(first(file).aggregates, { score: 0.9 }),
      'has the score 0.9, but its runs give 0.5',
    ],
    [
      'a difference that its arms do not give',
      file => Object.assign(first(file).aggregates, { delta: 1 }),
      'has the delta 1, but its runs give 0.5',
    ],
    [
      'a mean that its cases do not give',
      file => Object.assign(file.aggregates, { overallScore: 1 }),
      'overallScore is 1, but the cases give 0.5',
    ],
    [
      'a mean difference that its cases do not give',
      file => Object.assign(file.aggregates, { meanDelta: 0.6 }),
      'meanDelta is 0.6',
    ],
    [
      'too many passed cases',
      file => Object.assign(file.aggregates, { casesPassed: 2 }),
      'casesPassed is 2, but 0 of the cases reach the threshold',
    ],
    ['a case without a score', file => Object.assign(first(file), { aggregates: {} }), 'has no score'],
    [
      'fewer runs than planned',
      file => Object.assign(first(file), { runsPerCase: 3 }),
      'has 2 of 3 runs, but partial is false',
    ],
    [
      'more runs than planned',
      file => Object.assign(first(file), { runsPerCase: 1 }),
      'has 2 runs, but runsPerCase is 1',
    ],
    [
      'a run whose graders give another score',
      file => Object.assign(first(file).arms.with[1] as object, { graders: [graderResult(1)] }),
      'has the score 0, but its graders give 1',
    ],
    [
      'a run that passed with a score of 0',
      file => Object.assign(first(file).arms.with[1] as object, { passed: true }),
      'has the score 0, but passed is true',
    ],
    [
      'a grader that the case does not have',
      file => Object.assign(first(file).arms.with[0] as object, { graders: [graderResult(1, { name: 'other' })] }),
      'has graders that the case does not list',
    ],
    [
      'a grader with another weight',
      file => Object.assign(first(file).arms.with[0] as object, { graders: [graderResult(1, { weight: 2 })] }),
      'gives the grader `style` another weight',
    ],
    [
      'two cases in one folder',
      file => Object.assign(file, { cases: [first(file), first(file)] }),
      'There are two cases `case-1` in `evals/case-1`',
    ],
    [
      'an arm that was not asked for',
      file => Object.assign(file.suite, { ablation: 'none' }),
      'has runs without the plugin, but `ablation` is `none`',
    ],
  ])('ends with exit code 2 if it has %s', async (_, change, message) => {
    const file = structuredClone(whole())
    change(file)
    const { codes, stderr } = await readText(JSON.stringify(file))
    expect(stderr).toContain(message)
    expect(codes).toEqual([2, 2])
  })
})

describe('an aggregate-result.json with hostile texts', () => {
  it('is shown without control characters', async () => {
    const name = '\u001b[31mred\u202e</script><img onerror=x>\n日本語'
    const failed = clientRun({
      score: 0,
      more: { graders: [graderResult(0, { explanation: '\u001b]0;title\u0007 \ud800' })] },
    })
    const { stdout, codes } = await readText(JSON.stringify(clientFile([clientCase(name, { with: [failed] })])))
    expect(codes).toEqual([0, 0])
    expect(stdout).toContain('日本語')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })

  it('may have cases of the same name in different folders', async () => {
    const cases = equalCases(2, [1]).map(each => ({ ...each, name: 'same' }))
    const { stdout } = await readText(JSON.stringify(clientFile(cases)))
    expect(stdout).toMatch(/sample +with +2 +2/)
  })

  it('may be large', async () => {
    const { stdout, codes } = await readText(JSON.stringify(clientFile(equalCases(2000, [1, 1, 0], [0, 1, 0]))))
    expect(codes[0]).toBe(0)
    expect(stdout).toMatch(/sample +with +2000 +0/)
  })
})
