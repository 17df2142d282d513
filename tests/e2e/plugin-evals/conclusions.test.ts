import { describe, expect, it } from 'vitest'
import { clientCase, clientFile, clientRun, equalCases, graderResult } from '../../support/aggregate-files.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

/** A folder with this aggregate-result.json, and commands in it. */
function inFolder(file: object) {
  const cwd = folderWith({ 'aggregate-result.json': JSON.stringify(file) })
  return (...args: string[]) => assay(args, { cwd })
}

const FILE = 'aggregate-result.json'
const gated = ['--fail-on-regression', '--require-better']

/** Eight cases that a plugin seems to help, unless the runs without it are not what they seem. */
const helped = (without: object, more: object = {}) =>
  clientFile(
    equalCases(8, [1, 1]).map(({ name, arms }) =>
      clientCase(name, {
        with: arms.with,
        without: [clientRun({ score: 0, more: { ...without } }), clientRun({ score: 0, more: { ...without } })],
      }),
    ),
    { ...more },
  )

describe('results of claude plugin eval', () => {
  it('that show a real difference are better', async () => {
    const run = inFolder(clientFile(equalCases(8, [1, 1], [0, 0])))
    const { code, stdout } = await run('compare', FILE, '--require-better')
    expect(stdout).toContain('8 tests compared: 8 improved')
    expect(stdout).toMatch(/\nbetter\n/)
    expect(code).toBe(0)
  })

  it('1: with a judge that failed without the plugin show no difference', async () => {
    const threw = { graders: [graderResult(0, { explanation: 'grader threw: judge call failed: 529' })] }
    const run = inFolder(helped(threw))
    const { code, stdout } = await run('compare', FILE, '--require-better')
    expect(stdout).toContain('inconclusive')
    expect(code).toBe(4)
    expect((await run('report', FILE)).stdout).toMatch(/without \(control\) +8 +0 +0 +0 +8/)
  })

  it('2: of a run that timed out are an error, though its negative graders passed', async () => {
    const timedOut = clientRun({ score: 1, error: 'Timed out after 300s' })
    const { stdout } = await inFolder(clientFile([clientCase('slow', { with: [timedOut] })]))('report', FILE)
    expect(stdout).toContain('target-error: Timed out after 300s')
    expect(stdout).toMatch(/with +1 +0 +0 +0 +1/)
  })

  it('3: that are worse with the plugin fail the gate, and a few of them are inconclusive', async () => {
    const worse = inFolder(clientFile(equalCases(8, [0, 0], [1, 1])))
    const { code, stdout } = await worse('compare', FILE, '--fail-on-regression')
    expect(stdout).toMatch(/\nworse\n/)
    expect(code).toBe(1)
    const few = inFolder(clientFile(equalCases(2, [0, 1], [1, 1])))
    const { stdout: text } = await few('compare', FILE)
    expect(text).toMatch(/difference −0\.500 .*\n/)
    expect(text).toContain('inconclusive')
  })

  it('4: that ended on an API error are errors, and not scores of 0', async () => {
    const run = inFolder(helped({ graders: [] }))
    expect((await run('compare', FILE, '--require-better')).code).toBe(4)
    const { stdout } = await run('report', FILE)
    expect(stdout).toContain('target-error: the run was not graded: it ended on an API error, such as a rate limit')
  })

  it('6: of a grader that cannot pass are errors', async () => {
    const grader = { name: 'style', type: 'tool_used', weight: 1, config: { tool: 'Bash', max: 0 } }
    const cases = [clientCase('never', { with: [clientRun({ score: 0 })], more: { graders: [grader] } })]
    const { stdout } = await inFolder(clientFile(cases))('report', FILE)
    expect(stdout).toContain('not-graded: cannot pass: at least 1 and at most 0 calls are expected')
    const threw = clientRun({
      score: 0,
      more: { graders: [graderResult(0, { explanation: 'grader threw: Invalid regular expression' })] },
    })
    const { stdout: other } = await inFolder(clientFile([clientCase('regex', { with: [threw] })]))('report', FILE)
    expect(other).toContain('grader threw: Invalid regular expression')
  })

  it('7: that lack a case are rejected', async () => {
    const file = clientFile(equalCases(2, [1]))
    const { code, stderr } = await inFolder({ ...file, aggregates: { ...file.aggregates, casesTotal: 3 } })(
      'report',
      FILE,
    )
    expect(stderr).toContain('casesTotal is 3, but 2 are listed: the others have no result.')
    expect(code).toBe(2)
  })

  it('9: with calls of tools that are not mocked are errors', async () => {
    const mocks = {
      servers: [],
      warnings: [],
      calls: { total: 1, errors: 0, unmocked: [{ tool: 'create', count: 1 }] },
    }
    const cases = [clientCase('mocked', { with: [clientRun({ more: { mocks } })] })]
    const { stdout } = await inFolder(clientFile(cases))('report', FILE)
    expect(stdout).toContain('unmocked-call: called without a mock: create')
  })

  it('of graders that were skipped at the cost ceiling are errors, and the run is partial', async () => {
    const llm = { name: 'style', type: 'llm', weight: 1, graderMarkdown: 'Good?', config: { criteria: 'Good?' } }
    const skipped = clientRun({
      score: 0,
      more: { skippedPaidGraders: true, graders: [graderResult(0, { explanation: 'skipped: cost ceiling' })] },
    })
    const cases = [clientCase('dear', { with: [skipped], more: { graders: [llm] } })]
    const file = clientFile(cases, { partial: true, partialReason: 'cost_ceiling' })
    const run = inFolder(file)
    const { stdout } = await run('report', FILE)
    expect(stdout).toContain('partial run: cost ceiling reached, cases may be missing')
    expect(stdout).toContain('not-graded: skipped, because the cost ceiling was reached')
  })

  it('of a run that a mock aborted, because of what the agent sent, are failures', async () => {
    const aborted = { server: 'tracker', tool: 'create', reason: 'expect title: string' }
    const cases = [clientCase('mocked', { with: [clientRun({ score: 0, more: { graders: [], aborted } })] })]
    const { stdout } = await inFolder(clientFile(cases))('report', FILE)
    expect(stdout).toMatch(/with +1 +0 +0 +1 +0/)
    expect(stdout).toContain('aborted by the mock of tracker/create: expect title: string')
    const failed = { ...aborted, reason: 'mock agent responder failed (harness_unreachable)' }
    const other = [clientCase('mocked', { with: [clientRun({ score: 0, more: { graders: [], aborted: failed } })] })]
    expect((await inFolder(clientFile(other))('report', FILE)).stdout).toMatch(/with +1 +0 +0 +0 +1/)
  })

  it('that are partial pass no gate', async () => {
    const cases = equalCases(8, [1, 1], [0, 0])
    const run = inFolder(clientFile(cases, { partial: true, partialReason: 'interrupted' }))
    expect((await run('compare', FILE, ...gated)).code).toBe(3)
    expect((await run('compare', FILE)).code).toBe(0)
  })

  it('are compared with other results, case by case, and not with themselves', async () => {
    const cwd = folderWith({
      'a.json': JSON.stringify(clientFile(equalCases(8, [1, 1]))),
      'b.json': JSON.stringify(clientFile(equalCases(8, [0, 0]))),
      'changed.json': JSON.stringify(
        clientFile(equalCases(8, [0, 0]).map(each => ({ ...each, promptMarkdown: 'Other.' }))),
      ),
    })
    const compare = (...args: string[]) => assay(['compare', ...args, '--fail-on-regression'], { cwd })
    expect((await compare('a.json', 'b.json')).code).toBe(1)
    expect((await compare('a.json', 'a.json')).code).toBe(2)
    expect((await compare('a.json', 'changed.json')).code).toBe(5)
  })

  it('pass by their threshold, and not by ours', async () => {
    const graders = [{ ...graderResult(1) }, { ...graderResult(0), name: 'other', weight: 0.1 }]
    const nearly = clientRun({ score: 1 / 1.1, more: { passed: false, graders } })
    const definitions = ['style', 'other'].map((name, index) => ({
      name,
      type: 'regex',
      weight: index ? 0.1 : 1,
      config: {},
    }))
    const file = clientFile([clientCase('near', { with: [nearly], more: { graders: definitions } })])
    expect((await inFolder(file)('report', FILE)).stdout).toMatch(/with +1 +0 +0 +1 +0/)
    const lower = {
      ...file,
      suite: { ...file.suite, threshold: 0.9 },
      aggregates: { ...file.aggregates, casesPassed: 1 },
    }
    expect((await inFolder(lower)('report', FILE)).stdout).toMatch(/with +1 +1 +0 +0 +0/)
  })
})
