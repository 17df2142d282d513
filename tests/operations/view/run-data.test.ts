import { createHash } from 'node:crypto'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { assay } from '../../support/in-process.ts'
import { emptyProject, startView, writeRun } from './view-server.ts'

const [FIRST, SECOND, THIRD] = ['20261117-090000-aaaa', '20261117-100000-bbbb', '20261117-110000-cccc']
const failed = { verdict: 'fail', score: 0 } as const

/** A test of one hash on one target. */
const attempt = (test_id: string, more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  test_hash: 'h1',
  attempt_id: `${test_id}-${more.target ?? ''}-${more.trial ?? 1}`,
  ...more,
})

describe('the data of a run', () => {
  it('is what the HTML report contains, and a row has its attempts', async () => {
    const project = emptyProject()
    const results = [
      attempt('a'),
      attempt('a', { trial: 2, ...failed }),
      attempt('b', { target: 'other', tags: ['x'] }),
    ]
    writeRun(project, FIRST, results, { missing: 1 })
    const { send } = await startView(project)
    const { json } = await send(`api/runs/${FIRST}`)
    const report = await assay(['report', FIRST, '--format', 'html'], { cwd: project })
    const [, embedded = ''] = /<script type="application\/json" id="run">(.*)<\/script>/.exec(report.stdout) ?? []
    expect(json).toEqual(JSON.parse(embedded))
    expect(json.notes).toEqual(['partial run: not finished, 3 of 4 attempts made'])
    const rows = await Promise.all([0, 1, 2].map(index => send(`api/runs/${FIRST}/tests/${index}`)))
    expect(rows.map(({ status }) => status)).toEqual([200, 200, 404])
    expect(rows[0]?.json).toMatchObject([{ trial: 1 }, { trial: 2, verdict: 'fail' }])
  })
})

describe('the history of a test', () => {
  it('has the runs of the same file, id and target, oldest first, and says when the test changed', async () => {
    const project = emptyProject()
    const other = [attempt('a', { target: 'other' }), attempt('a', { file: 'more.yaml', attempt_id: 'x' })]
    writeRun(project, FIRST, [attempt('b', { attempt_id: 'b' }), attempt('a', { ...failed, duration_ms: 5 })])
    writeRun(project, SECOND, [...other, attempt('a', { duration_ms: 10, cost_usd: 0.5 })], { info: { label: 'two' } })
    writeRun(project, THIRD, [attempt('a', { test_hash: 'h2' })])
    writeRun(project, '20261117-120000-dddd', other)
    writeFileSync(join(writeRun(project, '20261117-080000-eeee', [attempt('a')]), 'run.json'), 'damaged')
    const { send } = await startView(project)
    const history = (await send(`api/runs/${THIRD}/tests/0/history`)).json
    expect(history.runs).toMatchObject([
      { run: FIRST, index: 1, verdict: 'fail', attempts: 1, passed: 0, is_changed: false, duration_ms: 5 },
      { run: SECOND, index: 2, verdict: 'pass', label: 'two', is_changed: false, duration_ms: 10, cost_usd: 0.5 },
      { run: THIRD, index: 0, verdict: 'pass', is_changed: true },
    ])
    expect(history.runs).toHaveLength(3)
  })
})

describe('the comparison of two runs', () => {
  it('says what assay compare says, with the rows of tests that changed', async () => {
    const project = emptyProject()
    const ids = Array.from({ length: 12 }, (_, index) => `t${index}`)
    const results = (verdictOf: (index: number) => object) => ids.map((id, index) => attempt(id, verdictOf(index)))
    writeRun(
      project,
      FIRST,
      results(() => ({})),
    )
    writeRun(
      project,
      SECOND,
      results(index => (index < 10 ? failed : index === 11 ? { test_hash: 'h2' } : {})),
    )
    const { send } = await startView(project)
    const { json } = await send(`api/compare/${FIRST}/${SECOND}`)
    const told = await assay(['compare', FIRST, SECOND, '--json', '--by', 'tag'], { cwd: project })
    expect(json.comparison).toEqual(JSON.parse(told.stdout))
    expect(json.comparison.comparisons[0].verdict).toBe('worse')
    expect(json.sections[0]).toMatchObject({
      title: `${SECOND} against ${FIRST}`,
      verdict_text: expect.stringMatching(/^worse/),
    })
    expect(json.changed).toHaveLength(11)
    expect(json.changed[0]).toEqual({
      test_id: 't0',
      suite: 'suite',
      target: 'default',
      before: { run: FIRST, index: 0, verdict: 'pass', score: 1 },
      after: { run: SECOND, index: 0, verdict: 'fail', score: 0 },
    })
    expect(json.changed[10]).toMatchObject({ test_id: 't11', is_changed: true })
    const back = (await send(`api/compare/${SECOND}/${FIRST}`)).json
    expect(back.comparison.comparisons[0].verdict).toBe('better')
  })

  it('names parts of runs, and refuses damaged ones as assay compare does', async () => {
    const project = emptyProject()
    writeRun(project, FIRST, [attempt('a')], { missing: 1 })
    writeRun(project, SECOND, [attempt('a')], { more: 'damaged\n' })
    writeRun(project, THIRD, [attempt('a', { ...failed })])
    const { send } = await startView(project)
    const part = (await send(`api/compare/${FIRST}/${THIRD}`)).json
    expect(part.notes).toEqual([`${FIRST}: partial run: not finished, 1 of 2 attempts made`])
    const damaged = await send(`api/compare/${SECOND}/${THIRD}`)
    expect([damaged.status, damaged.json.error]).toEqual([422, expect.stringContaining('1 result is damaged')])
  })
})

describe('the verdict against the baseline', () => {
  const ids = Array.from({ length: 12 }, (_, index) => `t${index}`)

  it('is only given for a whole run, against a baseline of the same tests', async () => {
    const project = emptyProject()
    writeRun(
      project,
      FIRST,
      ids.map(id => attempt(id)),
    )
    expect((await assay(['baseline', 'save', FIRST], { cwd: project })).code).toBe(0)
    const bad = ids.map((id, index) => attempt(id, index < 10 ? failed : {}))
    writeRun(project, SECOND, bad)
    writeRun(project, THIRD, bad, { missing: 1 })
    writeRun(
      project,
      '20261117-120000-dddd',
      bad.map(each => ({ ...each, test_hash: 'h2' })),
    )
    writeRun(project, '20261117-130000-eeee', bad, { more: 'damaged\n' })
    writeRun(project, '20261117-140000-ffff', [...bad, attempt('new')])
    writeRun(project, '20261117-150000-gggg', bad.slice(1))
    const { send } = await startView(project)
    const { runs } = (await send('api/runs')).json
    const verdicts = runs.map(({ baseline }: { baseline?: { verdict: string } }) => baseline?.verdict)
    expect(verdicts).toEqual(['stale', 'stale', undefined, undefined, undefined, 'worse', undefined])
    expect(runs[1].baseline.text).toBe('the baseline main is of other tests: 1 test new')
    expect(runs[5].baseline.text).toBe('worse')
  })

  it('is not better than the worst target, names each, and follows the file', async () => {
    const project = emptyProject()
    const on = (target: string, more: object) => ids.map(id => attempt(id, { target, ...more }))
    writeRun(project, FIRST, [...on('a', failed), ...on('b', {})])
    await assay(['baseline', 'save', FIRST], { cwd: project })
    writeRun(project, SECOND, [...on('a', {}), ...on('b', failed)])
    const { send } = await startView(project)
    expect((await send('api/runs')).json.runs[0].baseline).toEqual({ verdict: 'worse', text: 'a: better\nb: worse' })
    writeFileSync(join(project, '.assay/baselines/main.json'), '<<<<<<< ours')
    expect((await send('api/runs')).json.runs[0].baseline).toMatchObject({ verdict: 'stale' })
  })
})

describe('an image of the input', () => {
  const PNG = Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), Buffer.alloc(50)])
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  it('is served while its file has the recorded content, and only if it is a bitmap of the project', async () => {
    const outside = emptyProject({ 'out.png': PNG })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    const huge = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)])
    const [other, linked] = [Buffer.concat([PNG, Buffer.from('2')]), Buffer.concat([PNG, Buffer.from('3')])]
    writeFileSync(join(outside, 'linked.png'), linked)
    const project = emptyProject({ 'a.png': PNG, 'b.png': svg, 'c.png': huge, 'd.png': other })
    symlinkSync(join(outside, 'linked.png'), join(project, 'e.png'))
    const files = { 'a.png': PNG, 'b.png': svg, 'c.png': huge, 'd.png': other, 'e.png': linked }
    const test_files = Object.entries(files).map(([file, bytes]) => ({ file, sha256: hashOf(bytes) }))
    const content = test_files.map(({ file, sha256 }) => ({ type: 'image', value: file, sha256 }))
    const input = [{ role: 'user', content }]
    writeRun(project, FIRST, [attempt('a', { input }), attempt('b')], { info: { test_files } })
    writeRun(project, SECOND, [attempt('a', { input })], { info: { test_files, root: outside } })
    const { send } = await startView(project)
    const image = (bytes: Uint8Array, path = `${FIRST}/tests/0`) => send(`api/runs/${path}/images/${hashOf(bytes)}`)
    const { status, headers, body } = await image(PNG)
    expect([status, headers['content-type'], body.equals(PNG)]).toEqual([200, 'image/png', true])
    expect(headers['x-content-type-options']).toBe('nosniff')
    for (const bytes of [svg, huge, linked]) expect((await image(bytes)).status).toBe(404)
    expect((await image(PNG, `${FIRST}/tests/1`)).status).toBe(404)
    expect((await image(PNG, `${SECOND}/tests/0`)).status).toBe(404)
    expect((await image(other)).status).toBe(200)
    writeFileSync(join(project, 'd.png'), Buffer.concat([PNG, Buffer.from('changed')]))
    expect((await image(other)).status).toBe(404)
  })
})
