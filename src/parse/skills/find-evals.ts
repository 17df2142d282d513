import { basename, dirname, join, sep } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Host } from '../../model/host.ts'
import { isSuiteName } from '../file-names.ts'

/** Where the manifest of a plugin is. */
const MANIFESTS = ['.claude-plugin/plugin.json', 'plugin.json']

/** Largest manifest that is read. */
const LARGEST = 1_000_000

/** Finds out whether skills have evals: suites, trigger sets or cases of plugin evals, their own or those of their plugin. */
export class EvalsFinder {
  readonly #host: Host
  readonly #plugins = new Map<string, Promise<boolean>>()

  constructor(host: Host) {
    this.#host = host
  }

  async hasEvals(folder: string): Promise<boolean> {
    return (await this.#hasEvalsBelow(folder)) || this.#pluginHasEvals(folder)
  }

  async #hasEvalsBelow(folder: string): Promise<boolean> {
    const { files } = await this.#host.files.findBelow(folder, name => isSuiteName(name) || isPart(name))
    return files.some(file => isSuiteName(file) || file.slice(folder.length).split(sep).includes('evals'))
  }

  /** The skills of a plugin are in its `skills` folder. */
  async #pluginHasEvals(folder: string): Promise<boolean> {
    if (basename(dirname(folder)) !== 'skills') return false
    const plugin = dirname(dirname(folder))
    let known = this.#plugins.get(plugin)
    if (!known) {
      known = this.#hasEvalsOf(plugin)
      this.#plugins.set(plugin, known)
    }
    return known
  }

  /** Suites beside the `skills` folder, or evals in the folder for them. */
  async #hasEvalsOf(plugin: string): Promise<boolean> {
    const names: readonly string[] = await this.#host.files.listNames(plugin).catch(() => [])
    return names.some(isSuiteName) || this.#hasCasesIn(await this.#evalsFolder(plugin))
  }

  async #hasCasesIn(folder: string): Promise<boolean> {
    const stat = await this.#host.files.stat(folder).catch(() => undefined)
    if (stat?.kind !== 'folder') return false
    const { files } = await this.#host.files.findBelow(folder, name => isSuiteName(name) || isPart(name))
    return files.length > 0
  }

  /** The folder of the evals of a plugin, which its manifest may name. */
  async #evalsFolder(plugin: string): Promise<string> {
    for (const manifest of MANIFESTS) {
      const bytes = await this.#host.files.read(join(plugin, manifest), LARGEST).catch(() => undefined)
      const fields = bytes && parseJson(new TextDecoder().decode(bytes))
      const experimental = isMapping(fields) ? fields['experimental'] : undefined
      const evals = isMapping(experimental) ? experimental['evals'] : undefined
      if (typeof evals === 'string') return join(plugin, evals)
    }
    return join(plugin, 'evals')
  }
}

/** Whether a file makes a folder a case of plugin evals, or is a dataset. */
function isPart(name: string): boolean {
  return name === 'prompt.md' || name === 'case.yaml' || name.endsWith('.jsonl')
}
