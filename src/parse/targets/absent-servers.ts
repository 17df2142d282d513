import { dirname } from 'node:path'
import type { Host } from '../../model/host.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'

/** Adds to each target the MCP servers that only plugins of other targets declare, if tests have mocks. */
export async function withAbsentServers(
  targets: ReadonlyMap<string, Target>,
  suite: Suite,
  host: Host,
): Promise<ReadonlyMap<string, Target>> {
  if (!suite.tests.some(({ mocks }) => mocks)) return targets
  const servers = new Map<Target, readonly string[]>()
  for (const target of targets.values()) servers.set(target, await serversOf(target, suite, host))
  const all = [...new Set([...servers.values()].flat())].sort()
  const entries = [...targets].map(([name, target]) => {
    const absent_servers = all.filter(server => !servers.get(target)?.includes(server))
    return [name, absent_servers.length === 0 ? target : { ...target, absent_servers }] as const
  })
  return new Map(entries)
}

async function serversOf({ provider, config, home }: Target, suite: Suite, host: Host): Promise<readonly string[]> {
  const prompt = { folder: dirname(suite.file) }
  return Object.keys((await provider.serverAliases?.(config, prompt, { home, host })) ?? {})
}
