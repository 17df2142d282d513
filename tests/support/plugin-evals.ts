import { join } from 'node:path'
import { folderWith } from './program.ts'

const AGENT = join(import.meta.dirname, 'plugin-agent.mjs')

/** A case: the steps of the agent, the frontmatter of its prompt, and its graders by name. */
export interface PluginCase {
  readonly script?: unknown
  readonly settings?: object
  readonly graders: Readonly<Record<string, object | string>>
}

/** The files of a case in a folder. */
function caseFiles(folder: string, { script = [], settings, graders }: PluginCase): Record<string, string> {
  const files: Record<string, string> = {
    [`${folder}/prompt.md`]: `${settings ? frontmatter(settings) : ''}Do it.\nSCRIPT: ${JSON.stringify(script)}\n`,
  }
  for (const [name, grader] of Object.entries(graders))
    files[`${folder}/graders/${name}.md`] = typeof grader === 'string' ? grader : frontmatter(grader)
  return files
}

/** Settings at the beginning of a Markdown file; JSON is YAML. */
function frontmatter(settings: object): string {
  return `---\n${Object.entries(settings)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')}---\n`
}

const MANIFEST = '.claude-plugin/plugin.json'

/** Targets that replace the agent of both arms with a program that plays the script in its prompt. */
export const PLUGIN_TARGETS = JSON.stringify({
  targets: [
    {
      name: 'with-plugin',
      provider: 'claude_cli',
      command: AGENT,
      plugins: ['.'],
      workspace: 'empty',
      max_turns: 10,
      retries: 0,
    },
  ],
})

/** A folder with a plugin whose evals are these cases. */
export function pluginWith(cases: Readonly<Record<string, PluginCase>>, more: Record<string, string> = {}): string {
  const files = Object.entries(cases).map(([name, each]) => caseFiles(`evals/${name}`, each))
  return folderWith({
    [MANIFEST]: JSON.stringify({ name: 'sample', version: '0.1.0' }),
    'skills/commit-style/SKILL.md': '---\nname: commit-style\ndescription: Commits.\n---\nWrite one line.\n',
    '.assay/targets.yaml': PLUGIN_TARGETS,
    ...Object.assign({}, ...files),
    ...more,
  })
}
