import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aligningProject, GOOD, PROMPT, proposing, readPrompt, rejecting } from '../../support/aligning.ts'

const USELESS = 'Is the answer right, all in all? Question: {{question}} Answer: {{answer}}'

describe('assay calibrate --align', () => {
  it('offers a prompt that is shown to be better on held-out labels, and writes it only with --apply', async () => {
    const project = await aligningProject({ proposes: () => proposing(USELESS, GOOD) })
    const run = await project.align('--proposals', '2')
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).toContain('quality, judged by judge: 40 labelled answers, 20 for training, 20 held out')
    expect(run.stderr).toContain('with 20 held-out labels, only an improvement of about 25 points can be shown')
    expect(run.stdout).toContain('shown to be better')
    expect(run.stdout).toContain('of 20 answers, 10 agree only with the proposal and 0 only with the current text')
    expect(run.stdout).toContain('-Is the answer right?\n+Is the answer right and courteous?')
    expect(run.stdout).toContain('run `assay grade` and `assay calibrate`')
    expect(readPrompt(project)).toBe(PROMPT)
    expect(readFileSync(join(project.folder, '.assay/calibration/proposals/quality.md'), 'utf8')).toBe(GOOD)
    const calls = project.server.calls.length
    const again = await project.align('--proposals', '2')
    expect({ ...again, stderr: '' }).toEqual({ ...run, stderr: '' })
    expect(project.server.calls).toHaveLength(calls)
    expect(await project.align('--apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('wrote judge.md') })
    expect(readPrompt(project)).toBe(GOOD)
    expect((await project.align('--apply')).stdout).toContain('has this text already')
  })

  it('refuses a prompt that only fits the training answers, which is all that the proposer sees', async () => {
    const project = await aligningProject({
      proposes: asked => {
        const topics = [...asked.matchAll(/People: fail[\s\S]*?about (topic\d+x)\?/g)].map(([, topic]) => `${topic}`)
        return proposing(rejecting(topics))
      },
    })
    const { code, data, stderr } = await project.aligned('--proposals', '1')
    expect(code, stderr).toBe(1)
    expect(data.result.status).toBe('not-shown')
    expect(data.result.training.candidate.all).toEqual({ agreed: 20, answers: 20 })
    expect(data.result.held_out).toMatchObject({ difference: 0, better: 0, worse: 0 })
    const [asked = ''] = project.asked('proposer')
    const seen = new Set([...asked.matchAll(/topic(\d+)x/g)].map(([, index]) => Number(index)))
    expect(seen.size).toBe(10)
    expect(existsSync(join(project.folder, '.assay/calibration'))).toBe(false)
    expect((await project.align('--proposals', '1')).stdout).toContain('not shown to be better on the held-out labels')
    expect(await project.align('--apply')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('offered no text'),
    })
  })

  it('rejects invalid proposals with their reasons, and asks again', async () => {
    const replies = [
      'not JSON',
      proposing('', PROMPT, 'Is {{reply}} right?', 'Word'),
      proposing('x y'.repeat(5000), GOOD),
    ]
    let nth = 0
    const project = await aligningProject({ proposes: () => replies[nth++] ?? '' })
    const run = await project.align('--proposals', '1', '--rounds', '1')
    expect(run, run.stderr).toMatchObject({ code: 0 })
    for (const reason of [
      'it is empty',
      'it was tried already',
      'unknown variable `{{reply}}`',
      'it is one word',
      'it is longer',
    ])
      expect(run.stdout).toContain(`rejected: ${reason}`)
    expect(project.asked('proposer')).toHaveLength(3)
  })

  it('ends without an offer if no proposal helps, and asks again if none can be used', async () => {
    const project = await aligningProject({ proposes: () => proposing(USELESS) })
    const run = await project.aligned('--proposals', '1', '--rounds', '1')
    expect(run).toMatchObject({ code: 1, data: { result: { status: 'no-candidate' }, offered: false } })
    const other = await aligningProject({ proposes: () => 'sorry' })
    const none = await other.aligned()
    expect(none).toMatchObject({ code: 3, data: { incomplete: { reason: 'no-proposals' } } })
    expect(other.asked('proposer')).toHaveLength(3)
  })

  it('has nothing to improve if the judge agrees on all training labels', async () => {
    const project = await aligningProject({ proposes: () => '', check: { prompt: GOOD } })
    const run = await project.aligned()
    expect(run).toMatchObject({ code: 0, data: { result: { status: 'nothing-to-improve' } } })
    expect(project.asked('proposer')).toEqual([])
  })

  it('rewords rubrics, keeps their ids and weights, and says how to apply them by hand', async () => {
    const rubrics = [{ id: 'rule-1', outcome: 'Is right', weight: 2, required: true }]
    const items = [{ id: 'rule-1', outcome: 'Is right and courteous' }]
    const project = await aligningProject({
      check: { type: 'rubrics', rubrics },
      proposes: () => JSON.stringify({ rubrics: [items, [{ id: 'rule-1', outcome: '' }]] }),
    })
    const run = await project.align('--proposals', '1')
    expect(run, run.stderr).toMatchObject({ code: 0 })
    const file = readFileSync(join(project.folder, '.assay/calibration/proposals/quality.yaml'), 'utf8')
    expect(file).toBe(
      'rubrics:\n  - id: rule-1\n    outcome: Is right and courteous\n    weight: 2\n    required: true\n',
    )
    expect(run.stdout).toContain('Apply it by hand: replace `rubrics` of the check in EVAL.yaml:1')
    expect(await project.align('--apply')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('prompt files only'),
    })
  })

  it('does not apply to a prompt that was edited since', async () => {
    const project = await aligningProject({ proposes: () => proposing(GOOD) })
    expect(await project.align('--proposals', '1')).toMatchObject({ code: 0 })
    writeFileSync(project.prompt, `${PROMPT}Be strict.\n`)
    expect(await project.align('--apply')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was edited since'),
    })
    expect(readPrompt(project)).toBe(`${PROMPT}Be strict.\n`)
  })

  it('stays within --max-cost, and goes on with a higher one without asking again', async () => {
    const project = await aligningProject({
      proposes: () => proposing(GOOD),
      usage: { input: 5_000, output: 5_000 },
    })
    const small = await project.aligned('--proposals', '1', '--max-cost', '0.1', '--workers', '2')
    expect(small, small.stderr).toMatchObject({ code: 3, data: { incomplete: { reason: 'budget' } } })
    expect(project.server.calls.length - 40).toBeLessThanOrEqual(10)
    const enough = await project.aligned('--proposals', '1', '--max-cost', '2')
    expect(enough, enough.stderr).toMatchObject({ code: 0 })
    expect(project.asked('judge')).toHaveLength(80)
    expect(enough.data.totals.known_usd).toBeCloseTo(0.81)
  })

  it('makes no offer if it depends on judgements that ended in errors', async () => {
    const project = await aligningProject({
      tests: 24,
      proposes: () => proposing(GOOD),
      // The proposal is judged only where the answer is bad, and some of the kind answers fail.
      fails: asked => asked.includes('courteous') && /kind question about topic(1|3|5|7|9|11)x/.test(asked),
    })
    const run = await project.align('--proposals', '1')
    expect(run, run.stderr).toMatchObject({ code: 1 })
    expect(run.stdout).toContain('ended in an error')
    expect(run.stdout).toContain('the result depends on these errors, so nothing is offered')
  })
})

describe('the labels for --align', () => {
  it.each([
    ['no labels', () => undefined, 'is labelled as a pass or a fail'],
    ['only unsure ones', () => ({ label: 'unsure' as const }), 'is labelled as a pass or a fail'],
    ['one kind only', () => ({ label: 'pass' as const }), 'at least 2 that are a fail'],
    ['few tests', (index: number) => (index < 6 ? {} : undefined), 'Label answers of at least 4 more tests'],
  ])('are too few with %s', async (_, labels, message) => {
    const project = await aligningProject({ proposes: () => '', labels })
    const run = await project.align()
    expect(run.code).toBe(2)
    expect(run.stderr).toContain(message)
    expect(project.server.calls).toHaveLength(40)
  })

  it('stop with the candidates if a check is unknown', async () => {
    const project = await aligningProject({ proposes: () => '' })
    const run = await project.align('--check', 'tone')
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('Name one with --check: `quality`') })
  })

  it('are not compared with checks that changed since the run', async () => {
    const project = await aligningProject({ proposes: () => '' })
    writeFileSync(project.prompt, `${PROMPT}Be strict.\n`)
    const run = await project.align()
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('have changed since the run') })
  })

  it('asks nothing with --dry-run', async () => {
    const project = await aligningProject({ proposes: () => '' })
    const run = await project.align('--dry-run', '--max-cost', '2')
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('judgements: usually 120, at most 240') })
    expect(project.server.calls).toHaveLength(40)
  })
})
