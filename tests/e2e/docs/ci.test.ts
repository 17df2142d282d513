import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { action } from '../action/action-runner.ts'
import { blocksOf, ROOT } from './documented-commands.ts'

const PAGE = 'docs/guide/ci.md'
const TEXT = readFileSync(join(ROOT, PAGE), 'utf8')

interface Step {
  readonly uses?: string
  readonly with?: object
  readonly run?: string
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}

const documents = blocksOf(PAGE)
  .filter(({ language }) => language === 'yaml')
  .map(({ text }) => load(text) as Workflow)
const workflows = documents.filter(({ jobs }) => jobs)
const steps = workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap(job => job.steps))

/** The names in the first column of the table with this head. */
function namesIn(head: string): string[] {
  const [, rows = ''] = new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm').exec(TEXT) ?? []
  return [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name)
}

describe('the guide to CI', () => {
  it('has the inputs and outputs of action.yml', () => {
    expect(namesIn('Input').sort()).toEqual(Object.keys(action.inputs).sort())
    expect(namesIn('Output').sort()).toEqual(Object.keys(action.outputs).sort())
  })

  it('shows workflows that can write a comment, and inputs that exist', () => {
    const uses = steps.filter(step => step.uses?.includes('/assay@'))
    expect(uses).toHaveLength(1)
    for (const { with: inputs = {} } of uses)
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
    const [withAction, without] = workflows
    expect(withAction?.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
    expect(without?.permissions).toEqual({ contents: 'read' })
  })

  it('puts no value of a pull request into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })

  it('has valid YAML for GitHub and GitLab', () => {
    expect(documents).toHaveLength(3)
    expect(documents.map(document => Object.keys(document)[0])).toEqual(['name', 'name', 'evals'])
  })
})
