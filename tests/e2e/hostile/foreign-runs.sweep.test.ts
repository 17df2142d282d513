import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import {
  latestId,
  recordsOf,
  runIds,
  runInfoOf,
  suiteFolder,
  verdictsOf,
  wordTest,
  YES_AND_NO,
} from '../../support/runs.ts'

const SUITE = { name: 'words', tests: [wordTest('good', 'yes', 'yes'), wordTest('bad', 'no', 'yes')] }

/** A suite and targets that write a file when they are executed. */
function payload(marker: string): Record<string, string> {
  const touch = ['node', '-e', `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`]
  const assert = [{ type: 'code_judge', name: 'evil', script: touch }]
  const tests = SUITE.tests.map(test => ({ ...test, assert }))
  const targets = [{ name: 'default', provider: 'cli', command: touch }]
  return {
    'EVAL.yaml': JSON.stringify({ ...SUITE, tests }),
    'targets.yaml': JSON.stringify({ targets }),
  }
}

let cwd: string
/** A foreign run whose run.json names a suite and targets in its own folder. */
let theirs: string
let marker: string

beforeEach(async () => {
  cwd = suiteFolder(SUITE, YES_AND_NO)
  await assay(['eval', '--quiet'], { cwd })
  theirs = join(folderWith(), 'theirs')
  marker = join(folderWith(), 'executed')
  cpSync(join(cwd, '.assay/runs', latestId(cwd)), theirs, { recursive: true })
  folderWith(payload(marker), theirs)
  rewriteInfo(theirs, { paths: [join(theirs, 'EVAL.yaml')], targets_file: join(theirs, 'targets.yaml') })
  // One attempt is missing.
  writeFileSync(
    join(theirs, 'results.jsonl'),
    `${readFileSync(join(theirs, 'results.jsonl'), 'utf8').split('\n')[0]}\n`,
  )
  rmSync(join(theirs, 'answers.jsonl'))
})

function rewriteInfo(folder: string, options: object): void {
  const file = join(folder, 'run.json')
  const info = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...info, options: { ...info.options, ...options } }))
}

const HINT = { grade: '--suite FILE', eval: 'PATH' }

describe.each<[command: 'grade' | 'eval', args: (run: string) => string[], named: (file: string) => string[]]>([
  ['grade', run => ['grade', run], file => ['--suite', file]],
  ['eval', run => ['eval', `--resume=${run}`], file => [file]],
  ['eval', run => ['eval', `--rerun-failed=${run}`], file => [file]],
])('assay %s of a foreign run', (name, args, named) => {
  const run = (path: string, ...more: string[]) => assay([...args(path), ...more], { cwd })
  const refused = (code: number | null) => {
    expect([code, existsSync(marker)]).toEqual([2, false])
    expect(runIds(cwd)).toHaveLength(1)
  }

  it('executes nothing from its run.json, and asks for explicit options', async () => {
    const { code, stderr } = await run(theirs)
    refused(code)
    expect(stderr).toMatch(
      /^The run \S+ is in .*theirs, not in \.assay\/runs, so its run\.json cannot name what is exec/,
    )
    expect(stderr).toContain(`\nhint: name its suites (${HINT[name]}) and its targets file (--targets FILE)\n`)
  })

  it('requires both options', async () => {
    const suite = await run(theirs, '--targets', '.assay/targets.yaml')
    refused(suite.code)
    expect(suite.stderr).toContain(`\nhint: name its suites (${HINT[name]})\n`)
    const targets = await run(theirs, ...named('EVAL.yaml'))
    refused(targets.code)
    expect(targets.stderr).toContain('\nhint: name its targets file (--targets FILE)\n')
  })

  it('rejects a suite and targets inside the run, also behind links and in folders', async () => {
    const inside = join(cwd, 'inside')
    symlinkSync(theirs, inside)
    symlinkSync(join(theirs, 'EVAL.yaml'), join(cwd, 'link.eval.yaml'))
    symlinkSync(join(theirs, 'targets.yaml'), join(cwd, 'link-targets.yaml'))
    const own = ['--targets', '.assay/targets.yaml']
    const tries = [
      [...named(join(theirs, 'EVAL.yaml')), ...own],
      [...named('inside/EVAL.yaml'), ...own],
      [...named('link.eval.yaml'), ...own],
      [...named('.'), ...own],
      [...named(join(theirs, '*.yaml')), ...own],
      [...named('EVAL.yaml'), '--targets', join(theirs, 'targets.yaml')],
      [...named('EVAL.yaml'), '--targets', 'link-targets.yaml'],
    ]
    for (const each of tries) {
      const { code, stderr } = await run(theirs, ...each)
      refused(code)
      expect(stderr).toMatch(/ is inside of the run .*\nhint: name files outside of the run\n/)
    }
  })

  it('accepts files that the user names', async () => {
    const { code, stderr } = await run(theirs, ...named('EVAL.yaml'), '--targets', '.assay/targets.yaml')
    // The missing attempt has no answer to grade.
    expect([code, existsSync(marker)], stderr).toEqual([name === 'grade' ? 3 : 1, false])
  })

  it('treats a link in the runs folder and a linked run.json as foreign', async () => {
    const runs = join(cwd, '.assay/runs')
    symlinkSync(theirs, join(runs, 'linked'))
    const linked = await run('linked')
    expect([linked.code, existsSync(marker)], linked.stderr).toEqual([2, false])
    rmSync(join(runs, 'linked'))
    const id = latestId(cwd)
    rmSync(join(runs, id, 'run.json'))
    symlinkSync(join(theirs, 'run.json'), join(runs, id, 'run.json'))
    refused((await run(id)).code)
  })

  it('treats a folder given with --runs-dir as foreign', async () => {
    const kept = join(cwd, 'kept')
    cpSync(theirs, join(kept, 'theirs'), { recursive: true })
    writeFileSync(join(kept, 'latest'), 'theirs\n')
    refused((await run('latest', '--runs-dir', 'kept')).code)
  })
})

it('resumes a local run without options, even if `.assay/runs` is a link', async () => {
  const disk = join(folderWith(), 'runs')
  renameSync(join(cwd, '.assay/runs'), disk)
  symlinkSync(disk, join(cwd, '.assay/runs'))
  expect((await assay(['eval', '--resume'], { cwd })).code).toBe(1)
  expect((await assay(['grade', 'latest'], { cwd })).code).toBe(1)
})

describe('a run merged from foreign shards', () => {
  let shards: string[]

  beforeEach(async () => {
    shards = []
    for (const part of ['1/2', '2/2']) {
      await assay(['eval', '--quiet', '--shard', part], { cwd })
      const shard = join(folderWith(), 'shard')
      renameSync(join(cwd, '.assay/runs', latestId(cwd)), shard)
      folderWith(payload(marker), shard)
      rewriteInfo(shard, { paths: [join(shard, 'EVAL.yaml')] })
      shards.push(shard)
    }
  })

  it('does not execute files of its run.json either', async () => {
    expect((await assay(['merge', ...shards], { cwd })).code).toBe(1)
    expect(runInfoOf(cwd)).toMatchObject({ imported: true })
    for (const args of [
      ['grade', 'latest'],
      ['eval', '--resume'],
    ]) {
      const { code, stderr } = await assay(args, { cwd })
      expect([code, existsSync(marker)]).toEqual([2, false])
      expect(stderr).toMatch(/^The run \S+ has records that were merged from elsewhere, so its run\.json cannot name/)
      expect(stderr).toContain('\nhint: name its suites (')
    }
    expect((await assay(['grade', 'latest', '--suite', 'EVAL.yaml'], { cwd })).code).toBe(1)
    expect(verdictsOf(recordsOf(cwd))).toEqual({ good: 'pass', bad: 'fail' })
  })

  it('stays foreign when it is merged again, and is trusted after a resume with named suites', async () => {
    await assay(['merge', ...shards], { cwd })
    const id = latestId(cwd)
    await assay(['merge', id], { cwd })
    expect(runInfoOf(cwd)).toMatchObject({ imported: true })
    expect((await assay(['eval', 'EVAL.yaml', `--resume=${id}`], { cwd })).code).toBe(1)
    expect(runInfoOf(cwd, id)).not.toHaveProperty('imported')
    expect((await assay(['grade', id], { cwd })).code).toBe(1)
    expect(existsSync(marker)).toBe(false)
  })
})
