import { dirname, resolve } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import type { AgentSettings } from '../../model/agent-settings.ts'
import type { Host } from '../../model/host.ts'
import type { Issue } from '../../model/issue.ts'
import type { Origin } from '../../model/location.ts'
import { pluginIssues } from '../../model/plugin-issues.ts'
import type { Diagnostics } from '../diagnostics.ts'

interface WithSettings {
  readonly execution: { readonly agent?: AgentSettings | undefined }
  readonly at: Origin
}

/** Reports folders in `execution.agent` of a suite and its tests that do not exist, or are not plugins. */
export async function reportAgentFolders(
  owners: readonly WithSettings[],
  file: string,
  { host, diagnostics }: { readonly host: Host; readonly diagnostics: Diagnostics },
): Promise<void> {
  const home = dirname(file)
  for (const { execution, at } of owners) {
    if (!execution.agent) continue
    const { plugins = [], add_dirs = [] } = execution.agent
    const issues = [...(await pluginIssues(plugins, home, host)), ...(await folderIssues(add_dirs, home, host))]
    for (const { path, ...issue } of issues) diagnostics.add({ ...issue, at: at.child('execution', 'agent', ...path) })
  }
}

async function folderIssues(written: readonly string[], home: string, host: Host): Promise<Issue[]> {
  const found = await Promise.all(written.map(path => host.files.stat(resolve(home, path)).catch(() => undefined)))
  return written.flatMap((path, index): Issue[] => {
    if (found[index]?.kind === 'folder') return []
    const message = `the folder ${quoteCode(path)} does not exist`
    return [{ code: 'file-missing', path: ['add_dirs', index], message, hint: `relative paths start at ${home}` }]
  })
}
