import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { CommandContext } from '../../../src/cli/command-context.ts'
import { commands } from '../../../src/cli/commands/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { assay, PLAIN_TERMINAL } from '../../support/in-process.ts'
import { folderWith, run } from '../../support/program.ts'

const GITHUB = '.github/workflows/assay.yml'
const GITLAB = '.gitlab-ci.yml'
const INCLUDED = '.gitlab/assay.gitlab-ci.yml'

async function written(system: string, files: Record<string, string> = {}) {
  const cwd = folderWith(files)
  const { code, stdout, stderr } = await assay(['init', '--ci', system], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return { cwd, stdout, read: (name: string) => readFileSync(join(cwd, name), 'utf8') }
}

interface GithubWorkflow {
  readonly on: unknown
  readonly permissions: unknown
  readonly jobs: { readonly eval: { readonly steps: { name?: string; if?: string; run?: string; uses?: string }[] } }
}

async function githubWorkflow(): Promise<GithubWorkflow> {
  return load((await written('github')).read(GITHUB)) as GithubWorkflow
}

async function gitlabJob() {
  const { assay: job } = load((await written('gitlab')).read(GITLAB)) as { assay: Record<string, unknown> }
  return job as typeof job & { script: string[] }
}

/** Each call of assay in the files, also in comments. */
async function commandLines(): Promise<string[][]> {
  const texts = [(await written('github')).read(GITHUB), (await written('gitlab')).read(GITLAB)]
  const lines = texts.flatMap(text => [...text.matchAll(/npx --yes assay (.*)/g)].map(([, line = '']) => line))
  return lines.map(line => line.split(' ').map(word => word.replace(/^"(.*)"$/, '$1')))
}

describe('init --ci', () => {
  it('writes a GitHub workflow that reads the repository and nothing else', async () => {
    const { on, permissions, jobs } = await githubWorkflow()
    expect(on).toEqual({ pull_request: null, push: { branches: ['main'] } })
    expect(permissions).toEqual({ contents: 'read' })
    for (const { uses, run } of jobs.eval.steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
      // A branch name would run as a script.
      expect(run ?? '').not.toContain('${{')
    }
    expect(jobs.eval.steps[0]).toMatchObject({ with: { 'fetch-depth': 0, 'persist-credentials': false } })
    expect(jobs.eval.steps.at(-1)).toMatchObject({ with: { path: 'report.html' } })
  })

  it('writes a GitLab job for merge requests and the default branch', async () => {
    expect(await gitlabJob()).toMatchObject({
      image: 'node:22',
      rules: [
        { if: '$CI_PIPELINE_SOURCE == "merge_request_event"' },
        { if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
      ],
      artifacts: { when: 'always', paths: ['report.html'], reports: { junit: 'junit.xml' } },
    })
  })

  it('keeps a workflow that exists', async () => {
    const { stdout, read } = await written('github', { [GITHUB]: 'mine\n' })
    expect(stdout).toContain(`kept  ${GITHUB} (already exists)`)
    expect(read(GITHUB)).toBe('mine\n')
  })

  it('writes a file to include where GitLab has a configuration', async () => {
    const { stdout, read, cwd } = await written('gitlab', { [GITLAB]: 'mine: 1\n' })
    expect(stdout).toContain(`wrote ${INCLUDED}`)
    expect(stdout).toContain(`${GITLAB} exists and was not changed.`)
    expect(stdout).toContain(`include:\n  - local: ${INCLUDED}\n`)
    expect(read(GITLAB)).toBe('mine: 1\n')
    expect(load(read(INCLUDED))).toHaveProperty('assay')
    const { include, kept } = JSON.parse((await assay(['init', '--ci', 'gitlab', '--json'], { cwd })).stdout)
    expect(include).toBe(INCLUDED)
    expect(kept).toContain(INCLUDED)
  })

  it('keeps its own GitLab configuration, also an edited one', async () => {
    const { read, cwd } = await written('gitlab')
    for (const text of [read(GITLAB), `${read(GITLAB)}\nother: {script: [make]}\n`]) {
      const { stdout } = await assay(['init', '--ci', 'gitlab'], { cwd: folderWith({ [GITLAB]: text }, cwd) })
      expect(stdout).toContain(`kept  ${GITLAB} (already exists)`)
      expect(stdout).not.toContain('include')
      expect(read(GITLAB)).toBe(text)
    }
  })

  it('writes to the root of the repository', async () => {
    const root = folderWith({ '.git/HEAD': 'ref: refs/heads/main\n' })
    const { stdout } = await assay(['init', 'evals', '--ci', 'github'], { cwd: root })
    expect(stdout).toContain('wrote evals/EVAL.yaml')
    expect(stdout).toContain(`wrote ${GITHUB}`)
  })

  it('writes to the folder outside of a repository', async () => {
    const cwd = join(folderWith({ 'package.json': '{}', 'project/notes.md': '' }), 'project')
    const { stdout } = await assay(['init', '--ci', 'github'], { cwd })
    expect(stdout).toContain(`wrote ${GITHUB}`)
  })

  it('reports a workflow that cannot be written', async () => {
    const { code, stderr } = await assay(['init', '--ci', 'github'], { cwd: folderWith({ '.github': '' }) })
    expect(code).toBe(2)
    expect(stderr).toContain(`Cannot write ${GITHUB}`)
  })

  it('rejects another system', async () => {
    const { code, stderr } = await assay(['init', '--ci', 'jenkins'], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toContain('Allowed choices are github, gitlab.')
  })
})

describe('the commands of the workflows', () => {
  /** Parses a command line with the parser of the program, without running it. */
  async function parse([name = '', ...args]: readonly string[]): Promise<void> {
    const context = new CommandContext(nodeHost(), PLAIN_TERMINAL)
    const command = await commands.find(entry => entry.name === name)?.load(context)
    if (!command) throw new Error(`unknown command '${name}'`)
    const [inner] = args
    const called = command.commands.find(each => each.name() === inner) ?? command
    for (const each of [command, called])
      each
        .exitOverride()
        .configureOutput({ writeErr: () => {} })
        .action(() => {})
    await command.parseAsync(args, { from: 'user' })
  }

  it('are accepted by the program', async () => {
    const lines = await commandLines()
    expect(lines.length).toBeGreaterThanOrEqual(6)
    for (const line of lines) await parse(line)
  })

  /** Runs scripts in a clone, with programs that print how they were called. */
  async function called(scripts: readonly string[], hasBaseline: boolean, env: Record<string, string>) {
    const print = '#!/bin/sh\necho "$(basename "$0") $*"\n'
    const bin = folderWith({ npx: print, npm: print })
    const origin = folderWith({ 'package.json': '{}', ...(hasBaseline && { '.assay/baselines/main.json': '{}' }) })
    const cwd = join(folderWith(), 'clone')
    const git = `git -C ${origin}`
    const identity = '-c user.name=a -c user.email=a@example.com'
    const setUp = `chmod +x ${bin}/*; ${git} init -q -b main; ${git} add .; ${git} ${identity} commit -qm a; git clone -q ${origin} ${cwd}`
    expect(await run('sh', ['-ec', setUp], { cwd: origin })).toMatchObject({ code: 0 })
    const path = `${bin}:${process.env['PATH']}`
    const { code, stdout } = await run('sh', ['-ec', scripts.join('\n')], { cwd, env: { PATH: path, ...env } })
    expect(code).toBe(0)
    return stdout.trim().split('\n')
  }

  it.each([true, false])('run in GitHub with a baseline: %s', async hasBaseline => {
    const { steps } = (await githubWorkflow()).jobs.eval
    const onPullRequest = steps.filter(step => step.run?.includes('$BASE') || step.name === 'Install')
    const lines = await called(
      onPullRequest.map(step => step.run ?? ''),
      hasBaseline,
      { BASE: 'main' },
    )
    expect(lines).toEqual([
      'npm install',
      ...(hasBaseline ? [] : ['No baseline on main: running all tests']),
      `npx --yes assay eval ${hasBaseline ? '--affected --against git:origin/main --fail-on-regression --fail-on-new-failures ' : ''}-o report.md -o report.html`,
    ])
  })

  it.each([
    ['a merge request with a baseline', true, 'main'],
    ['a merge request without a baseline', false, 'main'],
    ['the default branch', true, ''],
  ])('run in GitLab for %s', async (_, hasBaseline, base) => {
    const { script } = await gitlabJob()
    const lines = await called(script, hasBaseline, { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: base })
    const compared = hasBaseline && base !== ''
    expect(lines).toEqual([
      'npm install',
      `npx --yes assay eval ${compared ? '--affected --against git:origin/main --fail-on-regression --fail-on-new-failures ' : ''}-o report.html -o junit.xml`,
    ])
  })
})
