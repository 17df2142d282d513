import { basename, dirname } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import { type ContentWords, contentWords, wordOverlap } from '../../lib/text/word-overlap.ts'
import { Diagnostics } from '../diagnostics.ts'
import { Files } from '../files.ts'
import { neighboursOf } from './find-skills.ts'
import { readSkill, type SkillFile, type SkillReading } from './read-skill.ts'

/** From this share of common words on, two descriptions are reported. */
const SIMILAR = 0.6

/** Fewer common words say little. */
const FEWEST_SHARED = 4

/** Checks that descriptions say when to use a skill, and that they differ from those of its neighbours. */
export async function checkDescriptions(skills: readonly SkillFile[], reading: SkillReading): Promise<void> {
  for (const skill of skills) checkPurpose(skill, reading)
  const checked = new Set(skills.map(({ folder }) => folder))
  const groups = new Map<string, Described[]>()
  for (const parent of new Set(skills.map(({ folder }) => dirname(folder))))
    groups.set(parent, await neighbours(parent, skills, checked, reading))
  for (const group of groups.values()) reportSimilar(group, checked, reading.diagnostics)
}

/** A skill with the words that an agent chooses it by. */
interface Described {
  readonly skill: SkillFile
  readonly words: ContentWords
}

/** All skills of a folder that agents choose by their descriptions. Those that are not checked are read in silence. */
async function neighbours(
  parent: string,
  skills: readonly SkillFile[],
  checked: ReadonlySet<string>,
  { files }: SkillReading,
): Promise<Described[]> {
  const own = skills.filter(({ folder }) => dirname(folder) === parent)
  const [first] = own
  const silent = new Diagnostics()
  const others = first ? await neighboursOf(first.folder, files.host) : []
  const quiet = { files: new Files(files.host, silent), diagnostics: silent }
  const read = await Promise.all(others.filter(folder => !checked.has(folder)).map(folder => readSkill(folder, quiet)))
  return [...read.filter(skill => skill !== undefined), ...own].flatMap(skill => {
    const text = descriptionOf(skill)
    return text === undefined ? [] : [{ skill, words: contentWords(withoutExclusions(text)) }]
  })
}

/** What an agent reads before it chooses; undefined for a skill that only users start. */
function descriptionOf({ fields }: SkillFile): string | undefined {
  const { description, when_to_use, 'disable-model-invocation': isDisabled } = fields
  if (typeof description !== 'string' || isDisabled === true) return undefined
  return typeof when_to_use === 'string' ? `${description} ${when_to_use}` : description
}

/** Leaves out sentences that say what a skill is not for: they have the words of its neighbours. */
function withoutExclusions(text: string): string {
  return text
    .split(/(?<=[.;!?])\s+/)
    .filter(sentence => !/\b(do not|don't|not for|never|instead|rather than|not use)\b/i.test(sentence))
    .join(' ')
}

function reportSimilar(group: readonly Described[], checked: ReadonlySet<string>, diagnostics: Diagnostics): void {
  for (const [index, { skill, words }] of group.entries()) {
    if (!checked.has(skill.folder)) continue
    for (const other of group.slice(0, index)) {
      const overlap = wordOverlap(words, other.words)
      if (overlap.share < SIMILAR || overlap.words.length < FEWEST_SHARED) continue
      const shared = overlap.words.slice(0, MOST_SHOWN).join(', ')
      const more = overlap.words.length > MOST_SHOWN ? ', …' : ''
      const name = quoteCode(basename(other.skill.folder))
      const percent = Math.round(overlap.share * 100)
      const message = `the description is similar to that of ${name} (word overlap ${percent} %): ${shared}${more}`
      const hint = 'say what sets this skill apart, and what it is not for'
      diagnostics.add({ code: 'similar-skills', at: skill.at.child('description'), message, hint })
    }
  }
}

const MOST_SHOWN = 12

/** Words that say when something is used. */
const OCCASION =
  /\b(when|whenever|while|if|before|after|during|once|use (this|it|for|to|in|on|with|by)|used (for|to|by|in)|useful for|for (tasks|questions|requests|any|use)|trigger\w*|invoke\w*|activate\w*|asks?|asked|asking|mention\w*|wants?|needs?|working (with|on)|in case)\b/i

/** Whether a text is in English: other languages have other words for occasions. */
const ENGLISH = /\b(the|and|for|with|from|of|to|a)\b/i

function checkPurpose(skill: SkillFile, { diagnostics }: SkillReading): void {
  const text = descriptionOf(skill)?.trim()
  if (!text || typeof skill.fields['when_to_use'] === 'string') return
  if (OCCASION.test(text) || !ENGLISH.test(text)) return
  const message = 'the description does not say when to use the skill'
  const hint = 'agents choose skills by their descriptions: add "Use when …" with the tasks or words that call for it'
  diagnostics.add({ code: 'vague-description', at: skill.at.child('description'), message, hint })
}
