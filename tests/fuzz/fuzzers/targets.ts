import { join } from 'node:path'
import { targetsData, targetsText } from '../../../src/cli/terminal/targets-text.ts'
import { hasErrors } from '../../../src/diagnostics/diagnostic.ts'
import { evaluators } from '../../../src/evaluators/index.ts'
import { PLAIN } from '../../../src/lib/palette.ts'
import { createRedactor } from '../../../src/lib/redaction/redactor.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { listTargets } from '../../../src/parse/targets/list-targets.ts'
import { providers } from '../../../src/providers/index.ts'
import { targetTypes } from '../../../src/spec/targets.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { makeCase } from '../make-case.ts'
import { mustHaveLocations } from '../oracles/diagnostics.ts'
import { overlayHost } from '../overlay-host.ts'
import { seedSuites } from '../seeds.ts'

const TYPES = targetTypes(providers)
const isTargets = (path: string) => /targets\.ya?ml$/.test(path)

/** Targets files: validated as a whole, and listed target by target. */
export const targets: Fuzzer = {
  name: 'targets',
  summary: 'targets files: validated and listed',
  deep: { outcome: 'all ready', share: 0.05 },
  make: random =>
    makeCase(
      seedSuites().filter(({ files }) => files.some(({ path }) => isTargets(path))),
      isTargets,
      random,
    ),
  run: async ({ from, files, salt }) => {
    const folder = seedSuites().find(({ name }) => name === from)?.folder
    must(folder !== undefined, () => `unknown seed ${from}`)
    const host = overlayHost(folder, files, salt)
    const file = join(folder, Object.keys(files)[0] ?? '')
    const { diagnostics, secrets } = await loadFiles([file], { host, evaluators, targetTypes: TYPES })
    await mustHaveLocations(diagnostics, host)
    const list = await listTargets(file, { host, types: TYPES })
    await mustHaveLocations([...list.diagnostics, ...list.targets.flatMap(each => each.diagnostics)], host)
    const text = targetsText(list.targets, file, path => path, PLAIN)
    const data = JSON.stringify(targetsData(list.targets, list.diagnostics, file, path => path))
    const redactor = createRedactor(new Map([...secrets, ...list.secrets]))
    must(typeof redactor.text(text) === 'string' && redactor.text(data) !== '', () => 'the redacted text is empty')
    if (hasErrors([...diagnostics, ...list.diagnostics])) return 'diagnostics'
    return list.targets.length > 0 && list.targets.every(({ target }) => target) ? 'all ready' : 'some not ready'
  },
}
