import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const WORKFLOWS = join(ROOT, '.github/workflows')

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly needs?: string; readonly uses?: string; readonly steps?: Step[] }>>
}

const read = (name: string) => load(readFileSync(join(WORKFLOWS, name), 'utf8')) as Workflow

describe('workflows', () => {
  it.each(readdirSync(WORKFLOWS))(
    '%s has read-only permissions by default, and pins the version of each action',
    name => {
      const { permissions, jobs } = read(name)
      expect(permissions).toEqual({ contents: 'read' })
      const steps = Object.values(jobs).flatMap(job => job.steps ?? [])
      for (const { uses, run } of steps) {
        if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
        // A title or a branch name would run as a script.
        expect(run ?? '').not.toContain('${{')
      }
    },
  )

  it('and action.yml put no value into a script, and pin the version of each action', () => {
    const { runs } = load(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as { runs: { steps: Step[] } }
    expect(runs.steps.length).toBeGreaterThan(0)
    for (const { uses, run, shell } of runs.steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
      else expect([run?.includes('${{'), shell]).toEqual([false, 'bash'])
    }
  })

  it('run the same check on a push, on a pull request and before a release', () => {
    expect(read('ci.yml').jobs['check']?.steps?.at(-1)).toEqual({ run: '.ci/run' })
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).not.toBe(0)
    const { jobs } = read('release.yml')
    expect(jobs['check']?.uses).toBe('./.github/workflows/ci.yml')
    expect(jobs['publish']?.needs).toBe('check')
    expect(jobs['publish']?.steps?.at(-1)).toMatchObject({ run: 'npm publish --provenance --access public' })
  })
})

describe('.ci/run', () => {
  const script = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  /** What is left out on the newest Node, and of the sweeps on the oldest one. */
  const [newest = [], oldest = []] = [...script.matchAll(/npx vitest run (?:.*\\\n)*.*/g)].map(([command]) =>
    [...command.matchAll(/--exclude '(.+?)'/g)].map(([, pattern = '']) => pattern),
  )
  const sweepsBut = (ignore: readonly string[]) =>
    globSync('tests/**/*.sweep.test.ts', { cwd: ROOT, ignore: [...ignore], expandDirectories: false }).sort()

  it('leaves out only folders and sweeps that exist', () => {
    const patterns = [...newest, ...oldest].flatMap(pattern => {
      const [all = '', choices = ''] = /\{(.+)\}/.exec(pattern) ?? []
      return choices.split(',').map(choice => pattern.replace(all, choice))
    })
    expect(patterns.length).toBeGreaterThan(10)
    expect(patterns.filter(pattern => globSync(pattern, { cwd: ROOT }).length === 0)).toEqual([])
  })

  it('runs each sweep once', () => {
    expect([...sweepsBut(newest), ...sweepsBut(oldest)].sort()).toEqual(sweepsBut([]))
  })
})

describe('issue forms', () => {
  const forms = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).filter(name => name !== 'config.yml')

  it.each(forms)('%s has a name, a description and questions with labels', name => {
    const form = load(readFileSync(join(ROOT, '.github/ISSUE_TEMPLATE', name), 'utf8'))
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const { body } = form as { body: { type: string; attributes: { label?: string; value?: string } }[] }
    expect(body.filter(({ type, attributes }) => !(type === 'markdown' ? attributes.value : attributes.label))).toEqual(
      [],
    )
  })
})
