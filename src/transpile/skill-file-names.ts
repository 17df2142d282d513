import { isReservedName } from '../lib/paths.ts'
import type { Suite } from '../model/suite.ts'
import type { SkillTests } from './tests-by-skill.ts'
import type { TranspileIssue } from './transpile-issues.ts'

/** Returns the file names of each skill, and issues about them. */
export function skillFileNames(skills: readonly SkillTests[], suite: Suite) {
  const isOnly = skills.length === 1
  const names = (skill: string | undefined) => {
    if (skill === undefined) return { evals: '_no-skill.json', triggers: '_no-skill.trigger-evals.json' }
    const start = isOnly ? '' : `${safeName(skill)}.`
    return { evals: `${start}evals.json`, triggers: `${start}trigger-evals.json` }
  }
  return { names, issues: collisions(skills, suite) }
}

/** Finds skills with the same file name on case-insensitive file systems. */
function collisions(skills: readonly SkillTests[], suite: Suite): TranspileIssue[] {
  const seen = new Map<string, string>()
  return skills.flatMap(({ skill = '', tests }): TranspileIssue[] => {
    const name = safeName(skill).toLowerCase()
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

const LONGEST = 50

/** Makes a file name that is valid on every file system, not hidden, and not an option. */
function safeName(skill: string): string {
  const plain = skill.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '')
  const short = [...plain].slice(0, LONGEST).join('') || 'skill'
  return isReservedName(short) ? `_${short}` : short
}
