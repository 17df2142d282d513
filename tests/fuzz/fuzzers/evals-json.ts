import { join } from 'node:path'
import { hasErrors } from '../../../src/diagnostics/diagnostic.ts'
import { evaluators } from '../../../src/evaluators/index.ts'
import type { Host } from '../../../src/model/host.ts'
import { Diagnostics } from '../../../src/parse/diagnostics.ts'
import { Files } from '../../../src/parse/files.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { readEvals } from '../../../src/parse/suite/evals-file.ts'
import { evalsToYaml } from '../../../src/transpile/evals-json/evals-to-yaml.ts'
import { isEarlierEvals, isEarlierTriggerSet } from '../../../src/transpile/evals-json/ownership.ts'
import { transpile } from '../../../src/transpile/transpile.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { mutateFile } from '../mutate/mutate-file.ts'
import { mustHaveLocations } from '../oracles/diagnostics.ts'
import { useSuites } from '../oracles/use-suite.ts'
import { overlayHost } from '../overlay-host.ts'
import { seedSuites } from '../seeds.ts'

/** Evals and trigger sets: loaded as a suite, converted to EVAL.yaml and back. */
export const evalsJson: Fuzzer = {
  name: 'evals-json',
  summary: 'evals.json and trigger sets: loaded, transpiled and back',
  deep: { outcome: 'round trip', share: 0.15 },
  make: async random => {
    const seeds = await seedEvals()
    const { from, content } = random.pick(seeds)
    const others = [random.pick(seeds).content]
    const bytes = mutateFile(new TextEncoder().encode(content), 'json', random, others)
    return { from, files: { 'evals.json': bytes }, salt: random.below(2 ** 31) }
  },
  run: async ({ from, files, salt }) => {
    const folder = seedSuites().find(({ name }) => name === from)?.folder
    must(folder !== undefined, () => `unknown seed ${from}`)
    const host = overlayHost(folder, files, salt)
    const file = join(folder, 'evals.json')
    const text = new TextDecoder().decode(files['evals.json'])
    isEarlierTriggerSet(text)
    isEarlierEvals(text, 'x')
    const { suites, diagnostics } = await loadFiles([file], { host, evaluators })
    await mustHaveLocations(diagnostics, host)
    if (hasErrors(diagnostics)) return 'diagnostics'
    await useSuites(suites, host, salt)
    const parseDiagnostics = new Diagnostics()
    const read = await readEvals(file, { files: new Files(host, parseDiagnostics), diagnostics: parseDiagnostics })
    must(read !== undefined, () => 'readable as a suite, but not as evals')
    const once = await evalsOf(evalsToYaml(read.evals, evaluators), folder, host)
    for (const evals of once) {
      const again = await evalsOf(await yamlOf(evals, folder, host), folder, host)
      must(again.includes(evals), () => `changed by the round trip:\n${evals}\n${again.join('\n')}`)
    }
    return 'round trip'
  },
}

async function yamlOf(evals: string, folder: string, host: Host): Promise<string> {
  const parseDiagnostics = new Diagnostics()
  const files = new Files(host, parseDiagnostics)
  const path = join(folder, 'again.json')
  files.provide(path, new TextEncoder().encode(evals))
  const read = await readEvals(path, { files, diagnostics: parseDiagnostics })
  must(read !== undefined, () => `our own evals cannot be read: ${JSON.stringify(parseDiagnostics.sorted())}\n${evals}`)
  return evalsToYaml(read.evals, evaluators)
}

/** Transpiles the text of a suite to evals, without trigger sets. */
async function evalsOf(yaml: string, folder: string, host: Host): Promise<string[]> {
  const path = join(folder, 'AGAIN.yaml')
  const texts = new Map([[path, new TextEncoder().encode(yaml)]])
  const { suites, diagnostics } = await loadFiles([path], { host, evaluators, texts })
  const [suite] = suites
  must(suite !== undefined, () => `our own suite cannot be read: ${JSON.stringify(diagnostics)}\n${yaml}`)
  return transpile(suite).files.flatMap(({ file, content }) => (file.endsWith('trigger-evals.json') ? [] : [content]))
}

interface SeedEvals {
  readonly from: string
  readonly content: string
}

let known: Promise<readonly SeedEvals[]> | undefined

/** The transpiled suites of the corpus and the examples. */
function seedEvals(): Promise<readonly SeedEvals[]> {
  known ??= makeSeeds()
  return known
}

async function makeSeeds(): Promise<SeedEvals[]> {
  const seeds: SeedEvals[] = []
  const names = new Set<string>()
  for (const { name: from, folder, files } of seedSuites()) {
    if (names.has(from)) continue
    names.add(from)
    const host = overlayHost(folder, {}, 0)
    const paths = files.filter(({ path }) => /EVAL\.ya?ml$/.test(path)).map(({ path }) => join(folder, path))
    const { suites } = await loadFiles(paths, { host, evaluators })
    seeds.push(...suites.flatMap(suite => transpile(suite).files.map(({ content }) => ({ from, content }))))
  }
  return seeds
}
