import { hasErrors } from '../../../src/diagnostics/diagnostic.ts'
import { evaluators } from '../../../src/evaluators/index.ts'
import { findCheckable } from '../../../src/parse/find-files.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { providers } from '../../../src/providers/index.ts'
import { targetTypes } from '../../../src/spec/targets.ts'
import { type Fuzzer, type Input, must } from '../fuzzer.ts'
import { generatedSuite } from '../generated-suite.ts'
import { makeCase } from '../make-case.ts'
import { mustHaveLocations } from '../oracles/diagnostics.ts'
import { useSuites } from '../oracles/use-suite.ts'
import { overlayHost } from '../overlay-host.ts'
import { seedSuites } from '../seeds.ts'

const TYPES = targetTypes(providers)

/** Suites with all files that they refer to. */
export const suites: Fuzzer = {
  name: 'suites',
  summary: 'EVAL.yaml: loaded, planned, transpiled and graded',
  deep: { outcome: 'planned', share: 0.1 },
  make: random => {
    const seeds = seedSuites().filter(({ files }) => files.some(({ path }) => isSuiteFile(path)))
    return random.chance(0.3) ? generatedSuite(seeds, random) : makeCase(seeds, isSuiteFile, random)
  },
  run: input => loadCase(input),
}

/** Loads the folder of a case, and plans and grades its suites. */
export async function loadCase({ from, files, salt }: Input, args: readonly string[] = ['.']): Promise<string> {
  const seed = seedSuites().find(({ name }) => name === from)
  must(seed !== undefined, () => `unknown seed ${from}`)
  const host = overlayHost(
    seed.folder,
    seed.files.some(({ path }) => isTargets(path)) ? files : { ...TARGETS, ...files },
    salt,
  )
  const found = await findCheckable(args, host)
  const { suites, diagnostics } = await loadFiles(found.files, { host, evaluators, targetTypes: TYPES })
  await mustHaveLocations(diagnostics, host)
  if (found.files.length === 0) return 'nothing found'
  const isInvalid = hasErrors(diagnostics)
  if (suites.length === 0) {
    must(isInvalid || args.every(arg => !arg.includes('EVAL')), () => 'no suite and no diagnostic')
    return 'diagnostics'
  }
  const used = await useSuites(suites, host, salt)
  return isInvalid ? 'other diagnostics' : used
}

/** The targets of cases without a targets file. */
const TARGETS = {
  '.assay/targets.yaml': new TextEncoder().encode(
    JSON.stringify({ targets: ['default', 'judge'].map(name => ({ name, provider: 'mock', response: 'Hello' })) }),
  ),
}

function isTargets(path: string): boolean {
  return /targets\.ya?ml$/.test(path)
}

function isSuiteFile(path: string): boolean {
  return /\.ya?ml$/.test(path) && !path.includes('.assay/')
}
