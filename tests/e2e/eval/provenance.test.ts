import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, git } from '../../support/git.ts'
import { assay } from '../../support/in-process.ts'
import { EACH_VERDICT, latestId, runIds, runInfoOf, suiteFolder, wordTest, YES_AND_NO } from '../../support/runs.ts'

const ONE = ['eval', '--test-id', 'good']

/** A committed suite. */
async function repository(): Promise<{ cwd: string; commit: string }> {
  const cwd = suiteFolder(EACH_VERDICT)
  return { cwd, commit: await commitAll(cwd) }
}

/** An environment where `git` is a given shell script. */
function pathWithGit(bin: string, script: string): { PATH: string } {
  mkdirSync(bin)
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { PATH: `${bin}:${process.env['PATH']}` }
}

const GITHUB = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'o/r',
  GITHUB_RUN_ID: '42',
  GITHUB_REF_NAME: '7/merge',
  GITHUB_HEAD_REF: 'feature',
}

describe('run.json', () => {
  it('has the commit, the branch and the command', async () => {
    const { cwd, commit } = await repository()
    const { stderr } = await assay(ONE, { cwd })
    const info = runInfoOf(cwd)
    expect(info).toMatchObject({ git_commit: commit, git_branch: 'main', git_dirty: false })
    expect(info.command).toEqual(['assay', ...ONE])
    expect(info).not.toHaveProperty('ci_url')
    expect(info).not.toHaveProperty('label')
    expect(stderr).toContain(`recorded in .assay/runs/${info.run_id}\ncommit ${commit.slice(0, 7)} (main)\n`)
  })

  it('stays clean after runs of its own, wherever they are kept', async () => {
    const { cwd } = await repository()
    for (const args of [[], [], ['--runs-dir', 'out'], ['--runs-dir', 'out']]) await assay([...ONE, ...args], { cwd })
    expect(runIds(cwd).map(id => runInfoOf(cwd, id).git_dirty)).toEqual([false, false])
    expect(runIds(cwd, 'out').map(id => runInfoOf(cwd, `../../out/${id}`).git_dirty)).toEqual([false, false])
  })

  it.each([
    ['an edited file', (cwd: string) => appendFileSync(join(cwd, 'EVAL.yaml'), '# edited\n')],
    ['an untracked file', (cwd: string) => writeFileSync(join(cwd, 'new.txt'), '')],
  ])('is dirty with %s', async (_, change) => {
    const { cwd } = await repository()
    await git(cwd, 'config', 'status.showUntrackedFiles', 'no')
    change(cwd)
    const { stderr } = await assay(ONE, { cwd })
    expect(runInfoOf(cwd).git_dirty).toBe(true)
    expect(stderr).toContain('(main, dirty)\n')
  })

  it('does not count ignored files', async () => {
    const { cwd } = await repository()
    writeFileSync(join(cwd, '.git/info/exclude'), 'new.txt\n')
    writeFileSync(join(cwd, 'new.txt'), '')
    await assay(ONE, { cwd })
    expect(runInfoOf(cwd).git_dirty).toBe(false)
  })

  it('is about the worktree in which the run starts', async () => {
    const { cwd, commit } = await repository()
    const other = join(cwd, '.git/tree')
    await git(cwd, 'worktree', 'add', '-q', '-b', 'other', other)
    await assay(ONE, { cwd: other, env: { GIT_DIR: join(cwd, '.git'), GIT_WORK_TREE: cwd } })
    expect(runInfoOf(other)).toMatchObject({ git_commit: commit, git_branch: 'other', git_dirty: false })
  })

  it.each([
    ['no repository', () => {}],
    ['no commit', (cwd: string) => git(cwd, 'init', '-q')],
    ['a corrupt repository', (cwd: string) => mkdirSync(join(cwd, '.git'))],
  ])('has no git facts with %s', async (_, make) => {
    const cwd = suiteFolder(EACH_VERDICT)
    await make(cwd)
    const { code, stderr } = await assay(ONE, { cwd })
    expect(code).toBe(0)
    expect(Object.keys(runInfoOf(cwd)).filter(key => key.startsWith('git_'))).toEqual([])
    expect(stderr).not.toContain('commit')
  })

  it('does not take a corrupt repository for the one around it', async () => {
    const { cwd } = await repository()
    mkdirSync(join(cwd, 'inner/.git'), { recursive: true })
    writeFileSync(join(cwd, 'inner/EVAL.yaml'), EACH_VERDICT)
    writeFileSync(join(cwd, 'inner/targets.yaml'), YES_AND_NO)
    await assay(ONE, { cwd: join(cwd, 'inner') })
    expect(runInfoOf(join(cwd, 'inner'))).not.toHaveProperty('git_commit')
  })

  it('has the commit of the CI where git is not installed', async () => {
    const { cwd } = await repository()
    const env = { PATH: '/nonexistent', GITHUB_SHA: 'a'.repeat(40), ...GITHUB }
    expect((await assay(ONE, { cwd, env })).code).toBe(0)
    const info = runInfoOf(cwd)
    expect(info).toMatchObject({ git_commit: 'a'.repeat(40), git_branch: 'feature' })
    expect(info).not.toHaveProperty('git_dirty')
    expect(info).not.toHaveProperty('source_url')
  })

  it('goes on without git facts if git hangs', async () => {
    const { cwd } = await repository()
    const env = pathWithGit(join(cwd, '.git/bin'), 'sleep 60')
    expect((await assay(ONE, { cwd, env })).code).toBe(0)
    expect(runInfoOf(cwd)).not.toHaveProperty('git_commit')
  })

  it('does not start git outside of a repository', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const env = pathWithGit(join(cwd, 'bin'), `touch '${cwd}/started'`)
    expect((await assay(ONE, { cwd, env })).code).toBe(0)
    expect(existsSync(join(cwd, 'started'))).toBe(false)
    expect(runInfoOf(cwd)).not.toHaveProperty('git_commit')
  })

  it.each([
    [GITHUB, 'feature', 'https://github.com/o/r/actions/runs/42', 'https://github.com/o/r/blob/SHA/'],
    [{ ...GITHUB, GITHUB_HEAD_REF: '' }, '7/merge', 'https://github.com/o/r/actions/runs/42', undefined],
    [
      { CI_COMMIT_REF_NAME: 'mr', CI_JOB_URL: 'https://gl.example/j/1', CI_PROJECT_URL: 'https://gl.example/o/r' },
      'mr',
      'https://gl.example/j/1',
      'https://gl.example/o/r/-/blob/SHA/',
    ],
    [
      { GIT_BRANCH: 'origin/main', BUILD_URL: 'http://jenkins.example/7/' },
      'main',
      'http://jenkins.example/7/',
      undefined,
    ],
    [{ CIRCLE_BUILD_URL: 'javascript:alert(1)' }, undefined, undefined, undefined],
    [{ BUILDKITE_BUILD_URL: 'https://me:secret@b.example/' }, undefined, undefined, undefined],
  ])('has the branch and the job of the CI for a detached head: %j', async (env, branch, job, source) => {
    const { cwd, commit } = await repository()
    await git(cwd, 'checkout', '-q', '--detach')
    const sha = source === undefined ? 'b'.repeat(40) : commit
    await assay(ONE, { cwd, env: { ...env, GITHUB_SHA: sha, CI_COMMIT_SHA: sha } })
    const { git_commit, git_branch, ci_url, source_url } = runInfoOf(cwd)
    expect({ git_commit, git_branch, ci_url, source_url }).toEqual({
      git_commit: commit,
      git_branch: branch,
      ci_url: job,
      source_url: source?.replace('SHA', commit),
    })
  })

  it('has no password of a queue and no secret of a target in the command', async () => {
    const target = { name: 'default', provider: 'cli', command: ['echo', 'yes'], env: { KEY: '${{ SECRET_KEY }}' } }
    const cwd = suiteFolder(EACH_VERDICT, JSON.stringify({ targets: [target] }))
    const args = [...ONE, '--label', 'with s3cret-value-1', '-o', 'https://me:pa/ss@x.json']
    await assay(args, { cwd, env: { SECRET_KEY: 's3cret-value-1' } })
    const { label, command } = runInfoOf(cwd)
    expect(label).toBe('with [SECRET_KEY]')
    expect(command?.slice(5)).toEqual(['with [SECRET_KEY]', '-o', 'https://[redacted]@x.json'])
  })
})

describe('a resumed run', () => {
  const TWO = {
    name: 'two',
    tests: [wordTest('a', 'yes', 'yes'), wordTest('b', 'no', 'yes'), wordTest('c', 'no', 'no')],
  }

  it('keeps where it started, and names another commit', async () => {
    const cwd = suiteFolder(TWO)
    const first = await commitAll(cwd)
    await assay(['eval', '--fail-fast', '--workers', '1', '--label', 'nightly'], { cwd })
    await git(cwd, 'commit', '-q', '--allow-empty', '-m', 'Second')
    const second = await git(cwd, 'rev-parse', 'HEAD')
    writeFileSync(join(cwd, 'notes.txt'), '')
    const { stderr } = await assay(['eval', '--resume'], { cwd })
    const info = runInfoOf(cwd)
    expect(info).toMatchObject({ git_commit: first, git_dirty: false, label: 'nightly' })
    expect(info.command).toContain('--fail-fast')
    expect(info.resumes).toMatchObject([{ git_commit: second, git_dirty: true }])
    const text = `commit ${first.slice(0, 7)} (main), resumed at ${second.slice(0, 7)} (dirty), label nightly\n`
    expect(stderr).toContain(text)
    const { stdout } = await assay(['report', 'latest', '--format', 'csv'], { cwd })
    expect(stdout).toContain(text.trim())
    expect(stdout).not.toContain(first)
  })

  it('has no note for the same commit, nor where nothing is made', async () => {
    const cwd = suiteFolder(TWO)
    await commitAll(cwd)
    await assay(['eval', '--fail-fast', '--workers', '1'], { cwd })
    await assay(['eval', '--resume'], { cwd })
    await git(cwd, 'commit', '-q', '--allow-empty', '-m', 'Second')
    await assay(['eval', '--resume', '--label', 'late'], { cwd })
    expect(runInfoOf(cwd)).not.toHaveProperty('resumes')
    expect(runInfoOf(cwd).label).toBe('late')
  })
})

describe('a merged run', () => {
  const shard = (index: number) => ['eval', '--shard', `${index}/2`, '--label', 'sharded']

  it('has the provenance that its shards share', async () => {
    const { cwd, commit } = await repository()
    for (const index of [1, 2]) await assay(shard(index), { cwd })
    const ids = runIds(cwd)
    await assay(['merge', ...ids], { cwd })
    expect(runInfoOf(cwd)).toMatchObject({
      git_commit: commit,
      git_dirty: false,
      label: 'sharded',
      command: ['assay', 'merge', ...ids],
      merged_from: ids.map(run_id => ({ run_id, git_commit: commit })),
    })
  })

  it('claims no commit where its shards have several', async () => {
    const { cwd, commit } = await repository()
    await assay(shard(1), { cwd })
    await git(cwd, 'commit', '-q', '--allow-empty', '-m', 'Second')
    await assay(shard(2), { cwd })
    await assay(['merge', ...runIds(cwd)], { cwd })
    const second = await git(cwd, 'rev-parse', 'HEAD')
    expect(runInfoOf(cwd)).not.toHaveProperty('git_commit')
    const { stdout } = await assay(['report', 'latest', '--format', 'text'], { cwd })
    expect(stdout).toMatch(
      new RegExp(`commits (${commit.slice(0, 7)}|${second.slice(0, 7)}), \\w{7}, label sharded\n$`),
    )
  })

  it('is dirty if one of its shards is', async () => {
    const { cwd } = await repository()
    await assay(shard(1), { cwd })
    writeFileSync(join(cwd, 'notes.txt'), '')
    await assay(shard(2), { cwd })
    await assay(['merge', ...runIds(cwd)], { cwd })
    expect(runInfoOf(cwd).git_dirty).toBe(true)
  })
})

describe('assay grade', () => {
  it('records its own provenance, and names the run that it grades', async () => {
    const { cwd } = await repository()
    await assay([...ONE, '--label', 'first'], { cwd })
    const source = latestId(cwd)
    await git(cwd, 'commit', '-q', '--allow-empty', '-m', 'Second')
    const second = await git(cwd, 'rev-parse', 'HEAD')
    const { stderr } = await assay(['grade', source, '--label', 'again'], { cwd })
    expect(runInfoOf(cwd)).toMatchObject({ git_commit: second, label: 'again', source })
    expect(stderr).toContain(`answers of ${source}, graded at commit ${second.slice(0, 7)} (main), label again\n`)
  })
})

describe('--label', () => {
  it.each(['', '  ', 'x'.repeat(101)])('rejects %j', async label => {
    const { code, stderr } = await assay([...ONE, '--label', label], { cwd: suiteFolder(EACH_VERDICT) })
    expect(code).toBe(2)
    expect(stderr).toContain('It must have 1 to 100 characters.')
  })
})
