import { join } from 'node:path'
import { completeSelection } from '../../../src/operations/run/run-request.ts'
import { defaultTargets, loadConfig } from '../../../src/parse/config.ts'
import { findSuites } from '../../../src/parse/find-files.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { mutateFile } from '../mutate/mutate-file.ts'
import { mustHaveLocations } from '../oracles/diagnostics.ts'
import { overlayHost } from '../overlay-host.ts'
import { seedSuites } from '../seeds.ts'

/** A configuration with every key. */
const WHOLE = `target: [default, other]
judge: judge
eval_patterns: ["**/*.eval.yaml", "evals/*.yaml"]
workers: 4
timeout_seconds: 30
log: true
`

const PATH = '.assay/config.yaml'

export const config: Fuzzer = {
  name: 'config',
  summary: '.assay/config.yaml and the resulting selection',
  deep: { outcome: 'read', share: 0.1 },
  make: random => {
    const written = seedSuites().flatMap(({ files }) => files.filter(({ path }) => path.includes('.assay/config')))
    const texts = [WHOLE, ...written.map(({ bytes }) => new TextDecoder().decode(bytes))]
    const bytes = new TextEncoder().encode(random.chance(0.6) ? WHOLE : random.pick(texts))
    const files = { [PATH]: mutateFile(bytes, 'yaml', random, texts) }
    return { from: 'tests/corpus/valid/hello', files, salt: random.below(2 ** 31) }
  },
  run: async ({ from, files, salt }) => {
    const folder = seedSuites().find(({ name }) => name === from)?.folder
    must(folder !== undefined, () => `unknown seed ${from}`)
    const host = overlayHost(folder, files, salt)
    const loaded = await loadConfig(join(folder, '.assay'), host)
    await mustHaveLocations(loaded.diagnostics, host)
    if (loaded.diagnostics.length > 0) {
      must(Object.keys(loaded.config).length === 0, () => 'a configuration with diagnostics is used')
      return 'diagnostics'
    }
    const { paths, eval_patterns } = completeSelection({}, undefined, loaded)
    const { targets = [], judge } = defaultTargets(loaded.config) ?? {}
    must(
      [...targets, judge ?? ''].every(name => typeof name === 'string'),
      () => 'target names are not strings',
    )
    await findSuites(paths, host, eval_patterns)
    return 'read'
  },
}
