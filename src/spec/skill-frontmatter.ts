import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** The longest texts in the frontmatter of a skill, in characters. */
export const LONGEST_SKILL_TEXT = { name: 64, description: 1024, compatibility: 500 } as const

/** The frontmatter of a SKILL.md, as the Agent Skills specification has it. Agents add keys of their own. */
export const skillFrontmatterSchema = lazily(() =>
  z.looseObject({
    name: z.string(),
    description: z.string(),
    license: z.string().optional(),
    compatibility: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    'allowed-tools': z.union([z.string(), z.array(z.string())]).optional(),
  }),
)

/** Keys of agents, besides those of the specification. */
const AGENT_KEYS = [
  ...['agent', 'argument-hint', 'arguments', 'context', 'disable-model-invocation', 'disallowed-tools', 'effort'],
  ...['hooks', 'model', 'paths', 'shell', 'user-invocable', 'when_to_use'],
]

/** Every key that an agent reads. */
export const skillKeys: () => readonly string[] = lazily(() => [
  ...Object.keys(skillFrontmatterSchema().shape),
  ...AGENT_KEYS,
])
