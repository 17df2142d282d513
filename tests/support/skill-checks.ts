import { assay } from './in-process.ts'
import { folderWith } from './program.ts'

/** The text of a SKILL.md. */
export const skillFile = (
  name: string,
  description = `Does ${name}. Use when the user asks for ${name}.`,
  body = 'Do it.',
) => `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`
const EVALS = '{"skill_name": "a", "evals": [{"prompt": "Hi", "expectations": ["Is kind"]}]}\n'
/** The files of a skill with evals. */
export const withEvals = (name: string, text = skillFile(name)) => ({
  [`${name}/SKILL.md`]: text,
  [`${name}/evals/evals.json`]: EVALS,
})

/** Runs `assay skill check` in a folder with these files, by default on the folder itself. */
export const check = (files: Record<string, string>, ...args: string[]) => {
  const cwd = folderWith(files)
  return assay(['skill', 'check', ...(args.length > 0 ? args : ['.'])], { cwd })
}

export interface Found {
  readonly file: string
  readonly line: number
  readonly severity: string
  readonly code: string
}

/** Codes by file, without their messages. */
export async function codesOf(files: Record<string, string>, ...args: string[]): Promise<string[]> {
  const { stdout } = await check(files, ...(args.length > 0 ? args : ['.']), '--json')
  const { diagnostics: found } = JSON.parse(stdout) as { diagnostics: Found[] }
  return found.map(({ file, line, severity, code }) => `${file}:${line} ${severity} ${code}`)
}
