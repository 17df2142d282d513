import { checkDescriptions } from './check-descriptions.ts'
import { checkFrontmatter } from './check-frontmatter.ts'
import { checkLength, SKILL_LIMITS } from './check-length.ts'
import { checkReferences } from './check-references.ts'
import { EvalsFinder } from './find-evals.ts'
import type { SkillFile, SkillReading } from './read-skill.ts'
import { readSkill } from './read-skill.ts'

/** Checks skills, given by their folders: each on its own, then their descriptions side by side. */
export async function checkSkillFolders(folders: readonly string[], reading: SkillReading): Promise<void> {
  const evals = new EvalsFinder(reading.files.host)
  const skills: SkillFile[] = []
  for (const folder of folders) {
    const skill = await readSkill(folder, reading)
    if (!skill) continue
    skills.push(skill)
    await checkSkill(skill, evals, reading)
  }
  await checkDescriptions(skills, reading)
}

async function checkSkill(skill: SkillFile, evals: EvalsFinder, reading: SkillReading): Promise<void> {
  const { diagnostics } = reading
  checkFrontmatter(skill, diagnostics)
  checkLength(skill.source, skill.body_start, SKILL_LIMITS, diagnostics)
  await checkReferences(skill, reading)
  if (await evals.hasEvals(skill.folder)) return
  const hint = 'add `evals/evals.json` or a trigger set, `evals/trigger-evals.json`'
  diagnostics.add({ code: 'no-evals', at: skill.source.location(0, 3), message: 'this skill has no evals', hint })
}
