import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import type { Host } from '../../src/model/host.ts'
import { knownSkills } from '../../src/providers/shared/agents/agent-skills.ts'
import { folderWith } from '../support/program.ts'

const FILES = {
  '.git/HEAD': '',
  'skills/csv-report/SKILL.md': '---\nname: csv-report\n---\n',
  'skills/pdf/SKILL.md': '\uFEFF---\r\ndescription: x\r\nname: "pdf reader"\r\n---\r\n',
  'evals/EVAL.yaml': '',
}

/** The skills that a target with these fields is known to have. */
function skillsOf(fields: object, files: Record<string, string> = {}, env: Host['env'] = {}) {
  const home = folderWith({ ...FILES, ...files })
  const host = { ...nodeHost(home), env }
  return knownSkills(fields, { home, suite: join(home, 'evals') }, host)
}

describe('the skills of a coding agent', () => {
  it('are those of the target, by folder and by name', async () => {
    expect(await skillsOf({ skills: ['skills/csv-report'] })).toEqual(['csv-report'])
    expect(await skillsOf({ skills: ['skills'] })).toEqual(['csv-report', 'pdf', 'pdf reader'])
  })

  it('are none if the list is empty', async () => {
    expect(await skillsOf({ skills: [] })).toEqual([])
    expect(await skillsOf({ config_dir: 'isolated' })).toEqual([])
  })

  it.each([
    ['uses the configuration of the user', {}],
    ['uses a configuration folder', { config_dir: 'other' }],
    ['loads plugins', { skills: [], args: ['--plugin-dir', 'plugins'] }],
    ['works in more folders', { skills: [], args: ['--add-dir=../other'] }],
  ])('are unknown if it %s', async (_, fields) => {
    expect(await skillsOf(fields)).toBeUndefined()
  })

  it('include those of the repository in which it works', async () => {
    const files = { '.claude/skills/here/SKILL.md': '', 'evals/.agents/skills/there/SKILL.md': '' }
    expect(await skillsOf({ skills: [] }, files)).toEqual(['there', 'here'])
  })

  it('include those of its workspace, but not of the folders above it', async () => {
    const files = { '.claude/skills/here/SKILL.md': '', 'app/.claude/skills/inside/SKILL.md': '' }
    expect(await skillsOf({ skills: [], workspace: 'app' }, files)).toEqual(['inside'])
  })

  it('include those of the user that an isolated configuration does not replace', async () => {
    const HOME = folderWith({ '.agents/skills/mine/SKILL.md': '', '.claude/skills/replaced/SKILL.md': '' })
    expect(await skillsOf({ skills: [] }, {}, { HOME })).toEqual(['mine'])
  })
})
