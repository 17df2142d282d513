import { dirname } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { SkillCopy } from '../../../model/provider.ts'
import type { Suite } from '../../../model/suite.ts'
import type { Target } from '../../../model/target.ts'
import { UserError } from '../../../model/user-error.ts'

/** A target whose agent has a copy of a skill, under another name. Throws if that is not possible. */
export async function tunedTarget(
  target: Target,
  name: string,
  copy: SkillCopy,
  suite: Suite,
  host: Host,
): Promise<Target> {
  const { provider, home } = target
  const fields = (await provider.tuning?.fieldsFor(target.config, copy, home, host)) ?? {}
  const config = { ...(target.config as object), ...fields }
  const issues = [
    ...(provider.validate?.target?.(config) ?? []),
    ...((await provider.validate?.surroundings?.(config, home, host)) ?? []),
  ]
  const [issue] = issues
  if (issue)
    throw new UserError(
      `The target ${target.name} cannot be used with a copy of the skill: ${issue.message}.`,
      issue.hint && `hint: ${issue.hint}`,
    )
  const skills = await provider.skills?.(config, { home, suite: dirname(suite.file) }, host)
  return { ...target, name, config, skills, written: { ...target.written, ...fields, name } }
}

/** Throws if a target is not a coding agent whose skills can be tuned. */
export function requireAgent({ name, provider }: Target): void {
  if (provider.tuning) return
  throw new UserError(
    `The target ${name} (${provider.type}) is not a coding agent with skills.`,
    'Name one with `--target`, such as a target with `provider: claude_cli`.',
  )
}
