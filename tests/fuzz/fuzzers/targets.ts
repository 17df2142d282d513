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
import { mustBeWellPlaced } from '../oracles/diagnostics.ts'
import { overlayHost } from '../overlay-host.ts'
import { seedSuites } from '../seeds.ts'

const TYPES = targetTypes(providers)
const isTargets = (path: string) => /targets\.ya?ml$/.test(path)

/** Targets files: each target on its own, and all of them as `assay validate` looks at them. */
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
    must(folder !== undefined, () => `there is no seed ${from}`)
    const host = overlayHost(folder, files, salt)
    const file = join(folder, Object.keys(files)[0] ?? '')
    const { diagnostics, secrets } = await loadFiles([file], { host, evaluators, targetTypes: TYPES })
    await mustBeWellPlaced(diagnostics, host)
    const list = await listTargets(file, { host, types: TYPES })
    await mustBeWellPlaced([...list.diagnostics, ...list.targets.flatMap(each => each.diagnostics)], host)
    const text = targetsText(list.targets, file, path => path, PLAIN)
    const data = JSON.stringify(targetsData(list.targets, list.diagnostics, file, path => path))
    const hidden = createRedactor(new Map([...secrets, ...list.secrets]))
    must(typeof hidden.text(text) === 'string' && hidden.text(data) !== '', () => 'nothing is left of it')
    if (hasErrors([...diagnostics, ...list.diagnostics])) return 'mistakes'
    return list.targets.length > 0 && list.targets.every(({ target }) => target) ? 'all ready' : 'some not ready'
  },
}
