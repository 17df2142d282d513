import { resolve } from 'node:path'
import type { Prompt } from '../../../model/prompt.ts'
import type { PluginContext } from '../../../model/provider.ts'
import type { AgentConfig } from '../programs/program-fields.ts'
import type { PluginConfig } from './agent-plugins.ts'

/** Applies the settings of a test to the fields of its target. Paths of plugins and of other folders become absolute. */
export function withSettings<Fields extends AgentConfig & PluginConfig>(
  target: Fields,
  { agent = {}, folder }: Pick<Prompt, 'agent' | 'folder'>,
  { home }: Pick<PluginContext, 'home'>,
): { readonly config: Fields; readonly add_dirs: readonly string[] } {
  const { plugins: added = [], add_dirs = [], env, ...settings } = agent
  const isWithout = target.plugins?.length === 0
  const plugins = [
    ...(target.plugins ?? []).map(path => resolve(home, path)),
    ...(isWithout ? [] : added.map(path => resolve(folder, path))),
  ]
  const config = {
    ...target,
    ...settings,
    ...(env ? { env: { ...target.env, ...env } } : {}),
    ...(plugins.length > 0 ? { plugins: [...new Set(plugins)] } : {}),
  }
  return { config, add_dirs: add_dirs.map(path => resolve(folder, path)) }
}
