import { beforeAll, describe, expect, it } from 'vitest'
import { commitAll } from '../../support/git.ts'
import { BASELINE_FILE, callsIn, type GitProject, projectIn } from '../../support/git-project.ts'
import { folderWith } from '../../support/program.ts'

const IDS = ['a', 'b', 'c', 'd', 'e']
const testOf = (id: string) => ({
  id,
  criteria: 'Answers',
  input: [{ role: 'user', content: [{ type: 'file', value: `./${id}.txt` }] }],
  assert: [{ type: 'contains', value: 'yes' }],
})

/** A suite for each test, so that git merges everything but the baseline without conflicts. */
const filesOf = (id: string) => ({
  [`${id}/${id}.txt`]: `yes ${id}\n`,
  [`${id}/EVAL.yaml`]: JSON.stringify({ name: `suite-${id}`, tests: [testOf(id)] }),
})

const TARGETS = JSON.stringify({
  targets: [{ name: 'default', provider: 'cli', command: ['sh', './agent.sh'], cwd: '.' }],
})

async function mainBranch(): Promise<GitProject> {
  const cwd = folderWith({
    ...Object.assign({}, ...IDS.map(filesOf)),
    '.assay/targets.yaml': TARGETS,
    '.gitignore': 'calls.log\n',
    'agent.sh': 'echo x >> calls.log\ncat\n',
  })
  const project = projectIn(cwd)
  await project.assay('eval')
  await project.assay('baseline', 'save')
  await commitAll(cwd)
  return project
}

const edits = (id: string, text: string) => (project: GitProject) => project.write(`${id}/${id}.txt`, text)
const adds = (id: string) => (project: GitProject) => void folderWith(filesOf(id), project.cwd)

/** Makes a change on a branch, runs what it affects, saves, and commits. */
async function changeOn(project: GitProject, branch: string, change: (project: GitProject) => void) {
  await project.git('checkout', '-q', '-b', branch, 'main')
  change(project)
  await project.assay('eval', '--affected')
  await project.assay('baseline', 'save')
  await project.commit(branch)
}

async function mergeOf(
  one: (project: GitProject) => void,
  two: (project: GitProject) => void,
  ...config: string[]
): Promise<GitProject> {
  const project = await mainBranch()
  await changeOn(project, 'one', one)
  await changeOn(project, 'two', two)
  await project.git(...config, 'merge', '-q', '--no-edit', 'one')
  return project
}

describe('two branches that save different tests', () => {
  it.each<[what: string, one: (project: GitProject) => void, two: (project: GitProject) => void, results: number]>([
    ['far apart', edits('a', 'yes 1\n'), edits('d', 'no 2\n'), 5],
    ['on neighbouring lines', edits('b', 'yes 1\n'), edits('c', 'yes 2\n'), 5],
    ['on the first and the last line', edits('a', 'yes 1\n'), edits('e', 'yes 2\n'), 5],
    ['one of which is new, at the end', edits('d', 'no 1\n'), adds('f'), 6],
    ['one of which is new, between the others', edits('a', 'yes 1\n'), adds('b1'), 6],
  ])('merge: %s', async (_, one, two, results) => {
    const project = await mergeOf(one, two)
    expect(await project.git('status', '--porcelain')).toBe('')
    expect((await project.assay('validate')).code).toBe(0)
    expect(await project.affected()).toEqual([])
    const { stdout } = await project.assay('status')
    expect(stdout).toContain(`${results} tests against baseline main: ${results} current, 0 changed, 0 new\n`)
    const calls = callsIn(project)
    await project.assay('eval', '--affected')
    expect(callsIn(project)).toBe(calls)
    // What both saved is what one run of everything saves.
    const merged = project.read(BASELINE_FILE)
    await project.assay('eval')
    expect((await project.assay('baseline', 'save', '--replace')).stdout).toContain(`${results} results`)
    const withoutRuns = (text: string) => text.replace(/"run":"[^"]*"/g, '')
    expect(withoutRuns(project.read(BASELINE_FILE))).toBe(withoutRuns(merged))
  })

  it.each<[what: string, one: (project: GitProject) => void, two: (project: GitProject) => void]>([
    ['the last test changed on one branch, and the other added one after it', edits('e', 'yes 1\n'), adds('f')],
    ['the agent changed on one branch', project => project.edit('agent.sh', 'cat', 'cat #'), adds('f')],
  ])('are a conflict that a run resolves if %s', async (_, one, two) => {
    const project = await mergeOf(one, two)
    expect(await project.git('diff', '--name-only', '--diff-filter=U')).toBe(BASELINE_FILE)
    expect((await project.assay('status')).code).toBe(2)
    await project.assay('eval')
    const { stdout } = await project.assay('baseline', 'save')
    expect(stdout).toContain('6 results')
    expect(stdout).toContain('conflicts of git resolved')
    expect(await project.affected()).toEqual([])
  })
})

describe('two branches that save the same test', () => {
  let project: GitProject
  beforeAll(async () => {
    project = await mergeOf(edits('b', 'yes 1\n'), edits('b', 'no 2\n'))
    project.write('b/b.txt', 'yes 1 and 2\n')
  })

  it.each([
    ['validate'],
    ['status'],
    ['eval', '--affected'],
    ['eval', '--against', 'main'],
    ['compare', 'main', 'latest'],
    ['report', 'latest', '--against', 'main', '--format', 'markdown'],
    ['baseline', 'show'],
    ['baseline', 'list'],
    ['compare', BASELINE_FILE, 'latest'],
  ])('make %s %s %s fail with the line of the conflict', async (...args) => {
    const calls = callsIn(project)
    const { code, stdout, stderr } = await project.assay(...args.filter(Boolean))
    expect(code).toBe(2)
    if (args[1] === 'list') expect(stdout).toContain('invalid')
    else {
      const line =
        project
          .read(BASELINE_FILE)
          .split('\n')
          .findIndex(text => text.startsWith('<<<<<<<')) + 1
      expect(`${stdout}${stderr}`).toContain(`${BASELINE_FILE}:${line}:1 error baseline-conflict`)
    }
    expect(callsIn(project)).toBe(calls)
  })

  it('are not resolved by a run without the test', async () => {
    await project.assay('eval', '--test-id', 'a')
    const before = project.read(BASELINE_FILE)
    const { code, stderr } = await project.assay('baseline', 'save')
    expect(code).toBe(2)
    expect(stderr).toContain('The run cannot resolve the conflicts in the baseline: it has no result of b on default.')
    expect(project.read(BASELINE_FILE)).toBe(before)
  })

  it('are resolved by a run with the test, also of a part', async () => {
    const conflicted = project.read(BASELINE_FILE)
    await project.assay('eval', 'b')
    const part = await project.assay('baseline', 'save')
    expect(part).toMatchObject({ code: 0 })
    expect(part.stdout).toContain('conflicts of git resolved')
    expect(part.stdout).toContain('5 results')
    expect(await project.affected()).toEqual([])
    // The files of the other tests are known too, so that later changes have a reason.
    project.write('a/a.txt', 'yes again\n')
    expect(await project.affected()).toEqual(['a on default: a/a.txt changed'])
    project.write(BASELINE_FILE, conflicted)
    await project.assay('eval')
    expect((await project.assay('baseline', 'save')).stdout).toContain('conflicts of git resolved')
    expect(await project.affected()).toEqual([])
  })
})

it.each([
  ['with the base of both branches', (text: string) => text, ['-c', 'merge.conflictStyle=diff3']],
  ['with Windows line ends', (text: string) => text.replaceAll('\n', '\r\n'), []],
])('resolves conflicts %s', async (_, change, config) => {
  const project = await mergeOf(edits('b', 'yes 1\n'), edits('b', 'no 2\n'), ...config)
  const text = project.read(BASELINE_FILE)
  expect(text).toContain('<<<<<<<')
  expect(text.includes('|||||||')).toBe(config.length > 0)
  project.write(BASELINE_FILE, change(text))
  project.write('b/b.txt', 'yes 1 and 2\n')
  const { code, stdout, stderr } = await project.assay('validate')
  expect(code).toBe(2)
  expect(`${stdout}${stderr}`).toContain('baseline-conflict')
  await project.assay('eval')
  expect((await project.assay('baseline', 'save')).stdout).toContain('conflicts of git resolved')
  expect((await project.assay('validate')).code).toBe(0)
  expect(project.read(BASELINE_FILE)).not.toContain('\r')
  expect(await project.affected()).toEqual([])
})

it('resolves a conflict without a result, and reports it', async () => {
  const project = await mainBranch()
  const text = project.read(BASELINE_FILE)
  const [line = ''] = text.split('\n').filter(each => each.startsWith('"a/a.txt"'))
  project.write(BASELINE_FILE, text.replace(line, `<<<<<<< HEAD\n${line}\n=======\n"a/a.txt": "0"\n>>>>>>> one`))
  expect((await project.assay('status')).code).toBe(2)
  await project.assay('eval')
  const { code, stdout } = await project.assay('baseline', 'save')
  expect(code).toBe(0)
  expect(stdout).toContain('conflicts of git resolved')
  expect(project.read(BASELINE_FILE)).toBe(text)
})

it('reads a baseline with Windows line ends, and writes it with those of git', async () => {
  const project = await mainBranch()
  const text = project.read(BASELINE_FILE)
  project.write(BASELINE_FILE, text.replaceAll('\n', '\r\n'))
  expect(await project.affected()).toEqual([])
  await project.assay('baseline', 'save')
  expect(project.read(BASELINE_FILE)).toBe(text)
})

it('rejects two results of one test, with the line of the second', async () => {
  const project = await mainBranch()
  const lines = project.read(BASELINE_FILE).split('\n')
  const index = lines.findIndex(line => line.includes('"test_id":"c"'))
  project.write(BASELINE_FILE, lines.toSpliced(index, 0, lines[index] ?? '', ',').join('\n'))
  const { code, stderr } = await project.assay('eval', '--against', 'main')
  expect(code).toBe(2)
  expect(stderr).toContain(`${BASELINE_FILE}:${index + 3}:1 error duplicate-result`)
  expect((await project.assay('baseline', 'save')).code).toBe(2)
  expect((await project.assay('baseline', 'save', '--replace')).code).toBe(0)
})
