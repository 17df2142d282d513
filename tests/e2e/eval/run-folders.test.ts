import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith, run } from '../../support/program.ts'
import { EACH_VERDICT, latestId, recordsOf, runIds, runInfoOf, suiteFolder, YES_AND_NO } from '../../support/runs.ts'

const ONE = ['eval', '--test-id', 'good']

/** A suite in a subfolder with its targets beside it. */
const BELOW = { 'work/evals/EVAL.yaml': EACH_VERDICT, 'work/evals/targets.yaml': YES_AND_NO }

describe('the .assay folder', () => {
  it('is found from a subfolder', async () => {
    const cwd = suiteFolder(EACH_VERDICT, YES_AND_NO, { '.git/HEAD': 'ref: refs/heads/main\n', 'a/b/notes.txt': '' })
    const { code, stderr } = await assay([...ONE, '../..'], { cwd: join(cwd, 'a/b') })
    expect(code).toBe(0)
    expect(runIds(cwd)).toHaveLength(1)
    expect(stderr).toContain(`recorded in ../../.assay/runs/${latestId(cwd)}\n`)
    expect(recordsOf(cwd)).toMatchObject([{ file: 'EVAL.yaml' }])
    expect(existsSync(join(cwd, 'a/b/.assay'))).toBe(false)
  })

  it('is the nearest one', async () => {
    const root = folderWith({ ...BELOW, '.git/HEAD': '', '.assay/config.txt': '', 'work/.assay/config.txt': '' })
    await assay(ONE, { cwd: join(root, 'work/evals') })
    expect(runIds(join(root, 'work'))).toHaveLength(1)
    expect(existsSync(join(root, '.assay/runs'))).toBe(false)
    // Paths are still relative to the repository root.
    expect(recordsOf(join(root, 'work'))).toMatchObject([{ file: 'work/evals/EVAL.yaml' }])
  })

  it('is created in the repository root', async () => {
    const root = folderWith({ ...BELOW, '.git/HEAD': '' })
    await assay(ONE, { cwd: join(root, 'work/evals') })
    expect(runIds(root)).toHaveLength(1)
    expect(existsSync(join(root, 'work/evals/.assay'))).toBe(false)
    expect(readFileSync(join(root, '.assay/.gitignore'), 'utf8')).toBe('runs/\ncache/\n')
  })

  it('is created in the current folder outside a repository', async () => {
    const root = folderWith(BELOW)
    await assay([...ONE, 'evals'], { cwd: join(root, 'work') })
    expect(readdirSync(join(root, 'work')).sort()).toEqual(['.assay', 'evals'])
    expect(readdirSync(join(root, 'work/evals')).sort()).toEqual(['EVAL.yaml', 'targets.yaml'])
    expect(recordsOf(join(root, 'work'))).toMatchObject([{ file: 'evals/EVAL.yaml' }])
  })

  it('is not searched above the repository', async () => {
    const root = folderWith({ ...BELOW, '.assay/config.txt': '', 'work/.git/HEAD': '' })
    await assay(ONE, { cwd: join(root, 'work/evals') })
    expect(runIds(join(root, 'work'))).toHaveLength(1)
    expect(readdirSync(join(root, '.assay'))).toEqual(['config.txt'])
  })

  it('keeps an existing .gitignore', async () => {
    const cwd = suiteFolder(EACH_VERDICT, YES_AND_NO, { '.assay/.gitignore': 'mine\n' })
    await assay(ONE, { cwd })
    expect(readFileSync(join(cwd, '.assay/.gitignore'), 'utf8')).toBe('mine\n')
  })

  it('hides runs from git', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd })
    await git('init', '-q')
    await git('add', '-A')
    await git('commit', '-qm', 'First')
    await assay(ONE, { cwd })
    expect((await git('status', '--porcelain', '--untracked-files=all')).stdout).toBe('?? .assay/.gitignore\n')
    expect(runInfoOf(cwd).git_commit).toBe((await git('rev-parse', 'HEAD')).stdout.trim())
  })
})

describe('--runs-dir', () => {
  it('sets the folder of the runs', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const { stderr } = await assay([...ONE, '--runs-dir', 'kept/here'], { cwd })
    expect(runIds(cwd, 'kept/here')).toEqual([latestId(cwd, 'kept/here')])
    expect(stderr).toContain(`recorded in kept/here/${latestId(cwd, 'kept/here')}\n`)
    expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
    const explained = await assay(['explain', 'latest', 'good', '--runs-dir', 'kept/here'], { cwd })
    expect(explained.code).toBe(0)
    expect((await assay(['explain', 'latest', 'good'], { cwd })).code).toBe(2)
  })

  it('creates no other files', async () => {
    const cwd = folderWith({ 'EVAL.yaml': EACH_VERDICT, 'targets.yaml': YES_AND_NO })
    await assay([...ONE, '--runs-dir', 'kept'], { cwd })
    expect(readdirSync(cwd).sort()).toEqual(['EVAL.yaml', 'kept', 'targets.yaml'])
  })

  it('is an error with a message if it is a file', async () => {
    const cwd = suiteFolder(EACH_VERDICT, YES_AND_NO, { kept: 'a file' })
    const { code, stderr } = await assay([...ONE, '--runs-dir', 'kept'], { cwd })
    expect(code).not.toBe(70)
    expect(stderr).not.toContain('bug')
    expect(stderr).toContain('kept')
  })
})

describe('a RUN argument', () => {
  it('is an id, a prefix, latest, a folder or a results.jsonl', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay(ONE, { cwd })
    const id = latestId(cwd)
    const forms = [id, id.slice(0, 10), 'latest', `.assay/runs/${id}`, `.assay/runs/${id}/results.jsonl`]
    const texts = await Promise.all(forms.map(form => assay(['explain', form, 'good'], { cwd })))
    expect(texts.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(new Set(texts.map(({ stdout }) => stdout)).size).toBe(1)
  })

  it('is rejected if a prefix is ambiguous', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    for (const id of ['20240101-000000-aaaa', '20240101-000001-bbbb']) {
      mkdirSync(join(cwd, '.assay/runs', id), { recursive: true })
      writeFileSync(join(cwd, '.assay/runs', id, 'results.jsonl'), '')
    }
    const { code, stderr } = await assay(['explain', '2024', 'good'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toBe('Several runs start with 2024: 20240101-000000-aaaa, 20240101-000001-bbbb.\n')
  })

  it('is rejected before any request if its files are not writable', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay(ONE, { cwd })
    const answers = join(cwd, '.assay/runs', latestId(cwd), 'answers.jsonl')
    rmSync(answers)
    mkdirSync(answers)
    const { code, stderr } = await assay(['eval', '--resume'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Cannot write records to .*: EISDIR/)
  })

  it('may have damaged lines, which are skipped with a notice', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay(ONE, { cwd })
    appendFileSync(join(cwd, '.assay/runs', latestId(cwd), 'results.jsonl'), 'no record\n{"schema_version":1}\n')
    const explained = await assay(['explain', 'latest', 'good'], { cwd })
    expect(explained).toMatchObject({ code: 0, stderr: 'latest: 2 damaged lines left out.\n' })
    const merged = await assay(['merge', 'latest'], { cwd })
    expect(merged.code).toBe(0)
    expect(merged.stderr).toContain('2 damaged lines of the shards are left out.\n')
  })

  it('may be a merged run, which git ignores as well', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay([...ONE, '--runs-dir', 'shards'], { cwd })
    const [id = ''] = readdirSync(join(cwd, 'shards'))
    expect((await assay(['merge', `shards/${id}`], { cwd })).code).toBe(0)
    expect(runIds(cwd)).toHaveLength(1)
    expect(readFileSync(join(cwd, '.assay/.gitignore'), 'utf8')).toBe('runs/\ncache/\n')
  })
})
