import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay, folderWith, run } from '../../support/program.ts'
import { blocksOf, ROOT, userFolder } from '../docs/documented-commands.ts'
import { runAction } from './action-runner.ts'
import { git } from './checkout.ts'
import { fakeGitHub, TOKENS } from './fake-github.ts'

const QUICK_START = join(ROOT, 'examples/quick-start')
const PAGE = 'docs/guide/ci.md'
const user = userFolder()
let origin = ''

/** A repository with a baseline on main, a branch that changes nothing and one that breaks a test. */
beforeAll(async () => {
  origin = folderWith()
  cpSync(QUICK_START, origin, { recursive: true })
  writeFileSync(join(origin, '.gitignore'), 'node_modules\nreport.html\njunit.xml\n')
  await git(origin, 'init', '-q', '-b', 'main')
  expect(await assay(['eval', '--quiet'], { cwd: origin })).toMatchObject({ code: 0 })
  expect(await assay(['baseline', 'save'], { cwd: origin })).toMatchObject({ code: 0 })
  await commit('main', 'Add the baseline')
  await git(origin, 'branch', 'same')
  await git(origin, 'checkout', '-q', '-b', 'broken')
  const agent = readFileSync(join(origin, 'agent.mjs'), 'utf8')
  writeFileSync(join(origin, 'agent.mjs'), agent.replace('Hello', 'Goodbye'))
  expect(readFileSync(join(origin, 'agent.mjs'), 'utf8')).not.toBe(agent)
  await commit('broken', 'Break the greeting')
})

async function commit(branch: string, message: string): Promise<void> {
  await git(origin, 'add', '.')
  await git(origin, 'commit', '-q', '-m', message)
  expect(await git(origin, 'branch', '--show-current')).toBe(branch)
}

/** A shallow checkout of a branch with the built program in `node_modules`. */
async function checkout(branch: string): Promise<string> {
  const folder = folderWith()
  await git(folder, 'clone', '-q', '--depth=1', `--branch=${branch}`, `file://${origin}`, '.')
  cpSync(join(user.cwd, 'node_modules/.bin'), join(folder, 'node_modules/.bin'), { recursive: true })
  return folder
}

describe('the action with the built program', () => {
  it('fails a pull request that breaks a test, and names the test in the comment', async () => {
    const github = await fakeGitHub()
    const request = { api: github.url, token: TOKENS.write }
    const broken = await runAction({ checkout: await checkout('broken'), ...request })
    expect({ code: broken.code, outputs: broken.outputs['exit-code'] }).toEqual({ code: 1, outputs: '1' })
    expect(github.comments[0]?.body).toContain('greets-by-name')
    const same = await runAction({ checkout: await checkout('same'), ...request, env: { GITHUB_RUN_ID: '1001' } })
    expect(same.code).toBe(0)
    expect(github.comments).toHaveLength(1)
    await github.close()
  })
})

describe('the gates of the guide', () => {
  const [, withoutAction, gitlab] = blocksOf(PAGE)
    .filter(({ language }) => language === 'yaml')
    .map(({ text }) => load(text) as { evals: { script: string[] }; jobs: { evals: { steps: { run?: string }[] } } })
  const jenkins = blocksOf(PAGE).find(({ language }) => language === 'groovy')?.text ?? ''
  const steps = withoutAction?.jobs.evals.steps.flatMap(step => step.run ?? []) ?? []

  it.each<[system: string, variable: string, commands: string[]]>([
    ['GitHub', 'GITHUB_BASE_REF', steps.slice(0, -1)],
    ['GitLab', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME', gitlab?.evals.script ?? []],
    ['Jenkins', 'CHANGE_TARGET', [...jenkins.matchAll(/^ +sh '([^']+)'$/gm)].map(([, command = '']) => command)],
  ])('%s fails on what broke, and passes what did not', async (_, variable, commands) => {
    const [first, ...gate] = commands
    expect([first, gate.length]).toEqual(['npm ci', 2])
    const exitCode = async (branch: string) =>
      (await run('sh', ['-ec', gate.join('\n')], { cwd: await checkout(branch), env: { [variable]: 'main' } })).code
    expect(await exitCode('broken')).toBe(1)
    expect(await exitCode('same')).toBe(0)
  })

  it('resolve a conflict in the baseline', async () => {
    const folder = await checkout('same')
    const change = async (line: string) => {
      writeFileSync(join(folder, 'agent.mjs'), `${readFileSync(join(QUICK_START, 'agent.mjs'), 'utf8')}// ${line}\n`)
      await run('sh', ['-ec', 'npx assay eval --quiet && npx assay baseline save'], { cwd: folder })
      await git(folder, 'commit', '-q', '--all', '-m', line)
    }
    await git(folder, 'branch', 'target')
    await change('mine')
    await git(folder, 'checkout', '-q', 'target')
    await change('theirs')
    await git(folder, 'checkout', '-q', 'same')
    await run('git', ['merge', 'target'], { cwd: folder })
    expect(await git(folder, 'diff', '--name-only', '--diff-filter=U')).toContain('.assay/baselines/main.json')
    await git(folder, 'checkout', '--ours', 'agent.mjs')
    const list = readFileSync(join(ROOT, PAGE), 'utf8').matchAll(/^\d\. `([^`]+)`/gm)
    const commands = [...list].map(([, command = '']) => command.replace(/^assay/, 'npx assay'))
    expect(commands).toHaveLength(4)
    expect(await run('sh', ['-ec', commands.join('\n')], { cwd: folder })).toMatchObject({ code: 0 })
    await git(folder, 'add', 'agent.mjs')
    await git(folder, 'commit', '-q', '-m', 'Merge')
    expect(readFileSync(join(folder, '.assay/baselines/main.json'), 'utf8')).not.toContain('<<<<')
  })
})
