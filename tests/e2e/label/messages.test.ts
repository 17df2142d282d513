import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { judgedResult, judgedResults, judgedRun, labelsIn, RUN } from './judged-run.ts'
import { startLabelServer } from './label-server.ts'

describe('assay label', () => {
  it('needs a terminal, and names --browser', async () => {
    expect(await assay(['label'], { cwd: judgedRun(judgedResults(4)) })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'assay label needs a terminal: it shows an answer at a time and reads keys.\nLabel in a browser with --browser, or run it on a terminal.\n',
    })
  })

  it('reports a run that does not exist', async () => {
    const { code, stderr } = await assay(['label', 'nope', '--browser'], { cwd: judgedRun(judgedResults(4)) })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Run nope not found in ') })
    expect(await assay(['label', '--browser'], { cwd: folderWith() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No runs found in '),
    })
  })

  it('reports a run without judged answers', async () => {
    const { judges_hash, ...computed } = judgedResult(0)
    const failed = judgedResult(1, {
      ...{ verdict: 'error', score: null, answer: null },
      error: { code: 'timeout', stage: 'answer', message: 'took too long' },
    })
    expect(await assay(['label', '--browser', '--by', 'ada'], { cwd: judgedRun([computed, failed]) })).toEqual({
      code: 5,
      stdout: '',
      stderr:
        'No answers to label in latest: it has no answer that a model judged. Checks that are computed need no labels.\n',
    })
  })

  it('leaves damaged lines of a run out, and says how many', async () => {
    const cwd = judgedRun(judgedResults(4))
    writeFileSync(join(cwd, '.assay/runs', RUN, 'results.jsonl'), `${JSON.stringify(judgedResult(0))}\n{"torn\n`)
    const server = await startLabelServer(cwd, ['--by', 'ada'])
    const { output } = await server.stop()
    expect(output).toContain('latest: 1 damaged line left out.\n')
    expect(output).toContain('0 of 1 answer labelled by ada')
  })

  it('refuses a file of labels with a line that is no label', async () => {
    const cwd = judgedRun(judgedResults(4))
    mkdirSync(join(cwd, '.assay/labels'))
    writeFileSync(join(cwd, '.assay/labels/sums.jsonl'), '{"label": "pass"}\n')
    const { code, stderr } = await assay(['label', '--browser', '--by', 'ada'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('sums.jsonl:1: this is not a label')
  })

  it.each([
    [['--sample', '0'], 'It must be at least 1.'],
    [['--sample', '1001'], 'It must be at most 1000.'],
    [['--seed', 'x'], 'It must be a whole number.'],
    [['--port', '70000'], 'It must be at most 65535.'],
    [['--by', ' '], 'Name the person with --by NAME.'],
    [['--by', 'a\u001b[31m'], 'Name the person with --by NAME.'],
  ])('rejects %j', async (args, message) => {
    const { code, stderr } = await assay(['label', '--browser', ...args], { cwd: judgedRun(judgedResults(4)) })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })

  it('takes the name of git, else $USER, and asks for one without both', async () => {
    const cwd = judgedRun(judgedResults(4))
    const none = { HOME: cwd, XDG_CONFIG_HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', USER: undefined, USERNAME: undefined }
    expect(await assay(['label', '--browser'], { cwd, env: none })).toMatchObject({
      code: 2,
      stderr: 'Cannot tell who labels: git has no user.name, and $USER is not set.\nName the person with --by NAME.\n',
    })
  })

  it('does not say which verdict is rare', async () => {
    const results = judgedResults(20).filter(({ verdict }, index) => verdict === 'pass' || index === 1)
    const server = await startLabelServer(judgedRun(results), ['--by', 'ada', '--sample', '8'])
    const { output } = await server.stop()
    expect(output).toContain(
      '1 answer of the sample has one verdict and 7 the other: the run has no more of the rare one.',
    )
    expect(output).not.toMatch(/pass|fail/)
  })

  it('writes the labels of each suite to its own file', async () => {
    const results = judgedResults(4).map((result, index) => ({ ...result, suite: index < 2 ? 'one' : 'two/x' }))
    const cwd = judgedRun(results)
    const server = await startLabelServer(cwd, ['--by', 'ada'])
    const { origin } = new URL(server.address)
    for (const number of [1, 2, 3, 4]) {
      const init = { method: 'POST', headers: { origin }, body: '{"label":"fail"}' }
      expect((await fetch(`${server.address}label/answers/${number}`, init)).status).toBe(200)
    }
    const { output, code } = await server.stop()
    expect(code).toBe(130)
    expect(output).toMatch(/4 of 4 answers labelled by ada, in .*(one|two-x-\w+)\.jsonl, .*\.jsonl/)
    expect(labelsIn(cwd)).toHaveLength(4)
    expect(labelsIn(cwd)[0]).toEqual({
      attempt_id: expect.any(String),
      test_id: expect.any(String),
      task_hash: expect.any(String),
      answer_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      label: 'fail',
      drawn_by: expect.any(String),
      by: 'ada',
      at: expect.any(String),
    })
  })
})
