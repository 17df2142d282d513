import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PROGRAM } from '../../support/program.ts'
import { judgedResults, judgedRun, labelsIn } from './judged-run.ts'

interface Labeller {
  readonly child: ChildProcess
  label(number: number, note?: string): Promise<number>
}

/** `assay label --browser` as a process of its own. */
async function startLabeller(cwd: string, by: string): Promise<Labeller> {
  const child = spawn(process.execPath, [PROGRAM, 'label', '--browser', '--no-open', '--by', by], { cwd })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stderr.on('data', chunk => {
    output += chunk
  })
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      output += chunk
      const found = /http:\S+/.exec(output)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.on('close', () => reject(new Error(output)))
  })
  const { origin } = new URL(address)
  return {
    child,
    label: async (number, note) => {
      const body = JSON.stringify({ label: 'pass', note })
      return (await fetch(`${address}label/answers/${number}`, { method: 'POST', headers: { origin }, body })).status
    },
  }
}

describe('processes that label', () => {
  it('write to the same file at the same time, and lose nothing', async () => {
    const cwd = judgedRun(judgedResults(40))
    const people = await Promise.all(['ada', 'ben', 'cleo'].map(by => startLabeller(cwd, by)))
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
    await Promise.all(
      people.map(async ({ label }) => {
        for (const number of numbers) expect(await label(number, 'n'.repeat(1500))).toBe(200)
      }),
    )
    const labels = labelsIn(cwd)
    for (const by of ['ada', 'ben', 'cleo']) {
      const own = labels.filter(label => label.by === by)
      expect(new Set(own.map(({ attempt_id }) => attempt_id)).size).toBe(40)
    }
    expect(labels).toHaveLength(120)
    expect(readdirSync(join(cwd, '.assay/labels'))).toEqual(['sums.jsonl'])
  })

  it('keep each label after kill -9, and start again behind it', async () => {
    const cwd = judgedRun(judgedResults(40))
    const first = await startLabeller(cwd, 'ada')
    for (const number of [1, 2, 3]) expect(await first.label(number)).toBe(200)
    const unfinished = first.label(4).catch(() => undefined)
    first.child.kill('SIGKILL')
    await once(first.child, 'close')
    await unfinished
    const kept = labelsIn(cwd).length
    expect([3, 4]).toContain(kept)
    // What a process leaves that is killed while it writes.
    appendFileSync(join(cwd, '.assay/labels/sums.jsonl'), '{"attempt_id":"a1","test')
    const again = await startLabeller(cwd, 'ada')
    expect(labelsIn(cwd)).toHaveLength(kept)
    expect(await again.label(10)).toBe(200)
    expect(labelsIn(cwd)).toHaveLength(kept + 1)
    again.child.kill('SIGINT')
    const [code] = await once(again.child, 'close')
    expect(code).toBe(130)
  })

  it('keep a label whose line break an editor left out', async () => {
    const cwd = judgedRun(judgedResults(4))
    const label = { attempt_id: 'x', test_id: 't', answer_sha256: 'y', label: 'pass', by: 'ada', at: 'today' }
    mkdirSync(join(cwd, '.assay/labels'))
    writeFileSync(join(cwd, '.assay/labels/sums.jsonl'), JSON.stringify(label))
    const { label: send } = await startLabeller(cwd, 'ada')
    expect(await send(1)).toBe(200)
    expect(labelsIn(cwd)).toMatchObject([{ attempt_id: 'x' }, { label: 'pass' }])
  })
})
