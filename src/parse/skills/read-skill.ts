import { basename, join } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { frontmatterOf } from '../../lib/text/frontmatter.ts'
import { SKILL_FILE } from '../../model/skill-name.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import { readDocument } from '../yaml/read-document.ts'
import { Source } from '../yaml/source.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** A SKILL.md whose frontmatter is a mapping. */
export interface SkillFile {
  readonly folder: string
  readonly source: Source
  readonly fields: Readonly<Record<string, unknown>>
  readonly at: SourceNode
  /** Offset of the instructions. */
  readonly body_start: number
}

/** What skills are read with. */
export interface SkillReading {
  readonly files: Files
  readonly diagnostics: Diagnostics
}

/** Reads the SKILL.md of a folder. Reports why it cannot be read, and returns undefined. */
export async function readSkill(folder: string, { files, diagnostics }: SkillReading): Promise<SkillFile | undefined> {
  const path = join(folder, SKILL_FILE)
  const stat = await files.stat(path)
  if (!stat && (await reportOtherCase(folder, { files, diagnostics }))) return undefined
  const source = await files.read(path)
  if (!source) return undefined
  const frontmatter = frontmatterOf(source.text)
  if (!frontmatter) {
    diagnostics.add({ code: 'no-frontmatter', at: source.location(0, 3), ...noFrontmatter(source.text) })
    return undefined
  }
  const document = readDocument(new Source(path, frontmatter.yaml), diagnostics)
  if (!document) return undefined
  const { value = {}, at } = document
  if (isMapping(value)) return { folder, source, fields: value, at, body_start: frontmatter.end }
  const hint = 'write `name: …` and `description: …` on lines of their own'
  diagnostics.add({ code: 'wrong-type', at, message: 'the frontmatter must be a mapping', hint })
  return undefined
}

function noFrontmatter(text: string): { message: string; hint: string } {
  if (text.trim() === '')
    return { message: 'this file is empty', hint: 'begin it with `name` and `description` between two lines `---`' }
  if (/^---[ \t]*\r?\n/.test(text))
    return { message: 'the frontmatter does not end', hint: 'add a line `---` after its last key' }
  const hint = 'begin the file with `name` and `description` between two lines `---`'
  return { message: 'the file does not begin with frontmatter', hint }
}

/** Reports a file like `skill.md`, which agents do not find on every system. */
async function reportOtherCase(folder: string, { files, diagnostics }: SkillReading): Promise<boolean> {
  const names = await files.host.files.listNames(folder).catch(() => [])
  const other = names.find(name => name !== SKILL_FILE && name.toUpperCase() === SKILL_FILE.toUpperCase())
  if (other === undefined) return false
  const at = { file: join(folder, other), line: 1, column: 1, length: 1 }
  const hint = `rename it to \`${SKILL_FILE}\``
  diagnostics.add({ code: 'file-missing', at, message: `\`${basename(other)}\` is not named \`${SKILL_FILE}\``, hint })
  return true
}
