import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const SKILL = '---\nname: my-skill\ndescription: Reads CSV files. Use when the user has one.\n---\n'
const EVALS = {
  skill_name: 'my-skill',
  evals: [{ id: 1, prompt: 'Read it', files: ['evals/files/sales.csv'], expectations: ["Output contains 'Done'"] }],
}
const TARGETS = JSON.stringify({
  targets: [{ name: 'default', provider: 'mock', responses: [{ pattern: '', response: 'Done', tool_calls: [] }] }],
})

/** A skill as it is packed, with its evals. */
const PACKED = {
  '.assay/targets.yaml': TARGETS,
  'my-skill/SKILL.md': SKILL,
  'my-skill/evals/evals.json': JSON.stringify(EVALS),
  'my-skill/evals/files/sales.csv': 'a,b\n1,2\n',
}

async function testsIn(files: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await assay(['list', '--json', ...args], { cwd: folderWith(files) })
  expect([code, stderr]).toEqual([0, ''])
  const suites = JSON.parse(stdout) as { file: string; tests: unknown[] }[]
  return suites.map(({ file, tests }) => `${file}: ${tests.length}`)
}

describe('the folder of a skill', () => {
  it.each([['my-skill'], ['.'], ['my-skill/evals'], ['my-skill/evals/evals.json']])(
    'has its evals as a suite: assay list %s',
    async argument => {
      expect(await testsIn(PACKED, argument)).toEqual(['my-skill/evals/evals.json: 1'])
    },
  )

  it.each(['my-skill', '.'])('runs its evals with files: assay eval %s', async argument => {
    const { code, stderr } = await assay(['eval', argument], { cwd: folderWith(PACKED) })
    expect(stderr).toContain('1 test: 1 passed')
    expect(code).toBe(0)
  })

  it.each(['trigger-evals.json', 'eval_queries.json', 'evals/eval_queries.json', 'evals/trigger-evals.json'])(
    'may have its queries in %s',
    async file => {
      const set = [
        { query: 'Read this csv', should_trigger: true },
        { query: 'What time is it?', should_trigger: false },
      ]
      const files = { '.assay/targets.yaml': TARGETS, 'my-skill/SKILL.md': SKILL }
      const cwd = folderWith({ ...files, [`my-skill/${file}`]: JSON.stringify(set) })
      const { stderr } = await assay(['eval', 'my-skill'], { cwd })
      expect(stderr).toContain('my-skill on default: 1 of 2 correct')
    },
  )

  it('is found behind a link, once', async () => {
    const cwd = folderWith(PACKED)
    symlinkSync('my-skill', join(cwd, 'linked'))
    const { stdout } = await assay(['list', '--json'], { cwd })
    expect(JSON.parse(stdout)).toHaveLength(1)
  })

  it('is found in the hidden folder of an agent if that is named', async () => {
    const files = {
      '.claude/skills/my-skill/SKILL.md': SKILL,
      '.claude/skills/my-skill/evals/evals.json': JSON.stringify({
        ...EVALS,
        evals: [{ prompt: 'a', expectations: ['b'] }],
      }),
    }
    expect(await testsIn(files, '.claude/skills')).toEqual(['.claude/skills/my-skill/evals/evals.json: 1'])
  })
})
