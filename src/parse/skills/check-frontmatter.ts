import { basename } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { closestMatch } from '../../lib/text/suggestion.ts'
import { LONGEST_SKILL_TEXT, skillFrontmatterSchema, skillKeys } from '../../spec/skill-frontmatter.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SkillFile } from './read-skill.ts'

/** Checks the frontmatter of a skill: types, limits, its name, and its keys. */
export function checkFrontmatter(skill: SkillFile, diagnostics: Diagnostics): void {
  const { fields, at } = skill
  checkShape(skillFrontmatterSchema(), fields, at, diagnostics)
  if (typeof fields['name'] === 'string') checkName(fields['name'], skill, diagnostics)
  for (const key of ['description', 'compatibility'] as const) checkLength(key, skill, diagnostics)
  checkTags(skill, diagnostics)
  checkMetadata(skill, diagnostics)
  checkKeys(skill, diagnostics)
}

function checkName(written: string, { folder, at }: SkillFile, diagnostics: Diagnostics): void {
  // As the reference implementation compares names.
  const name = written.trim().normalize('NFKC')
  const problem = nameProblem(name)
  const node = at.child('name')
  if (problem) diagnostics.add({ code: 'skill-name', at: node, message: `${quoteCode(written)} ${problem}` })
  const home = basename(folder)
  if (name !== home.normalize('NFKC')) {
    const hint = `rename the folder, or write \`name: ${home}\``
    const message = `the name ${quoteCode(written)} is not that of its folder, ${quoteCode(home)}`
    diagnostics.add({ code: 'skill-name', at: node, message, hint: problem ? undefined : hint })
  }
  const [reserved] = /anthropic|claude/i.exec(name) ?? []
  if (reserved) {
    const message = `the name contains the reserved word \`${reserved}\`, which the API of Claude refuses`
    diagnostics.add({ code: 'not-portable', at: node, message, hint: 'name the skill after its task' })
  }
  if (!problem && /[^a-z0-9-]/.test(name)) {
    const hint = 'use the letters a to z, digits and hyphens'
    diagnostics.add({ code: 'not-portable', at: node, message: 'some agents accept only ASCII in a name', hint })
  }
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'is empty'
  const { length } = [...name]
  if (length > LONGEST_SKILL_TEXT.name)
    return `has ${length} characters, and may have ${LONGEST_SKILL_TEXT.name} at most`
  if (name !== name.toLowerCase()) return `must be lowercase, such as ${quoteCode(name.toLowerCase())}`
  if (!/^[\p{L}\p{N}-]+$/u.test(name)) return 'may contain only lowercase letters, digits and hyphens'
  if (/^-|-$/.test(name)) return 'must not begin or end with a hyphen'
  return name.includes('--') ? 'must not contain two hyphens in a row' : undefined
}

function checkLength(key: 'description' | 'compatibility', { fields, at }: SkillFile, diagnostics: Diagnostics): void {
  const text = fields[key]
  if (typeof text !== 'string') return
  const { length } = [...text.trim()]
  const most = LONGEST_SKILL_TEXT[key]
  if (length > 0 && length <= most) return
  const limit = most.toLocaleString('en')
  const isEmpty = length === 0
  const message = isEmpty
    ? `\`${key}\` is empty`
    : `\`${key}\` has ${length.toLocaleString('en')} characters, and may have ${limit} at most`
  const hint = isEmpty
    ? `write 1 to ${limit} characters${key === 'compatibility' ? ', or remove the key' : ''}`
    : SHORTEN[key]
  diagnostics.add({ code: 'out-of-range', at: at.child(key), message, hint })
}

const SHORTEN = {
  description: 'keep what the skill does and when to use it, and move the rest below the frontmatter',
  compatibility: 'keep what the skill needs to run, and move the rest below the frontmatter',
} as const

/** Some tools refuse descriptions with tags, since agents see descriptions within XML. */
function checkTags({ fields, at }: SkillFile, diagnostics: Diagnostics): void {
  const { description } = fields
  const [tag] = (typeof description === 'string' && /<\/?[A-Za-z][^<>]{0,100}>/.exec(description)) || []
  if (tag === undefined) return
  const message = `the description contains the tag ${quoteCode(tag)}, which some tools refuse`
  diagnostics.add({ code: 'not-portable', at: at.child('description'), message, hint: 'write it without `<` and `>`' })
}

function checkMetadata({ fields, at }: SkillFile, diagnostics: Diagnostics): void {
  const { metadata } = fields
  if (!isMapping(metadata)) return
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value === 'string') continue
    const message = `${quoteCode(key)} is not a string, as the specification has all metadata`
    const isBare = typeof value === 'number' || typeof value === 'boolean'
    const hint = isBare ? 'put it in quotes' : 'write it as a string, for agents that read only strings'
    diagnostics.add({ code: 'not-portable', at: at.child('metadata', key), message, hint })
  }
}

function checkKeys({ fields, at }: SkillFile, diagnostics: Diagnostics): void {
  for (const key of Object.keys(fields)) {
    if (skillKeys().includes(key)) continue
    const suggested = closestMatch(key, skillKeys())
    const hint = suggested ? `did you mean \`${suggested}\`?` : 'move it into `metadata`'
    const message = `agents do not read the key ${quoteCode(key)}`
    diagnostics.add({ code: 'unknown-skill-key', at: at.child(key), part: 'key', message, hint })
  }
}
