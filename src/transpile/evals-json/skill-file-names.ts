import type { Suite } from '../../model/suite.ts'
import { safeName } from '../safe-name.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import type { SkillTests } from './tests-by-skill.ts'

/** Returns the file names of each skill, and issues about them. `triggers`: the name of a trigger set. */
export function skillFileNames(skills: readonly SkillTests[], suite: Suite, triggers: string) {
  const isOnly = skills.length === 1
  const names = (skill: string | undefined) => {
    if (skill === undefined) return { evals: '_no-skill.json', triggers: `_no-skill.${triggers}` }
    const start = isOnly ? '' : `${safeName(skill, 'skill')}.`
    return { evals: `${start}evals.json`, triggers: `${start}${triggers}` }
  }
  return { names, issues: collisions(skills, suite) }
}

/** Finds skills with the same file name on case-insensitive file systems. */
function collisions(skills: readonly SkillTests[], suite: Suite): TranspileIssue[] {
  const seen = new Map<string, string>()
  return skills.flatMap(({ skill = '', tests }): TranspileIssue[] => {
    const name = safeName(skill, 'skill').toLowerCase()
    const other = seen.get(name)
    seen.set(name, skill)
    if (other === undefined) return []
    const at = tests[0]?.labels[0]?.at.child('skill') ?? suite.at
    return [
      {
        code: 'same-file-name',
        at,
        message: `\`${skill}\` and \`${other}\` result in the same file name`,
        hint: 'rename one of the skills',
      },
    ]
  })
}
