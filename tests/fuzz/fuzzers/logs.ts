import { join } from 'node:path'
import { hasErrors } from '../../../src/diagnostics/diagnostic.ts'
import { evaluators } from '../../../src/evaluators/index.ts'
import { nodeHost } from '../../../src/host/node.ts'
import { LogFolder } from '../../../src/log/log-folder.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { VARIANTS } from '../../support/logs/connectonion-logs.ts'
import { logCommand } from '../../support/logs/log-command.ts'
import { runOf } from '../../support/logs/log-files.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { mutateFile } from '../mutate/mutate-file.ts'
import { inFolder } from '../work-folder.ts'

const SEEDS = Object.entries(
  VARIANTS as Readonly<Record<string, { files: Record<string, string>; inputs: readonly string[] }>>,
)

/** Mutated files of `.co/evals`: shown, compared, extended and converted to a suite. */
export const logs: Fuzzer = {
  name: 'logs',
  summary: 'files of .co/evals: list, show, diff, expect, another run, to-eval',
  slowness: 3,
  deep: { outcome: 'a suite', share: 0.2 },
  make: random => {
    const [from, { files }] = random.pick(SEEDS)
    const others = Object.values(random.pick(SEEDS)[1].files)
    const changed = random.pick(Object.keys(files))
    const bytes = Object.entries(files).map(([path, text]) => {
      const whole = new TextEncoder().encode(text)
      return [path, path === changed ? mutateFile(whole, 'yaml', random, others) : whole]
    })
    return { from, files: Object.fromEntries(bytes), salt: 0 }
  },
  run: ({ from, files }) => inFolder(files, folder => useLogs(folder, VARIANTS[from as keyof typeof VARIANTS].inputs)),
}

async function useLogs(logDir: string, inputs: readonly string[]): Promise<string> {
  const name = 'greet'
  await logCommand(logDir, 'list')
  JSON.parse((await logCommand(logDir, 'list', '--json')).stdout)
  const shown = await logCommand(logDir, 'show', name)
  const diffed = await logCommand(logDir, 'diff', name)
  for (const command of ['show', 'diff']) {
    const { stdout } = await logCommand(logDir, command, name, '--json')
    if (stdout !== '') JSON.parse(stdout)
  }
  const suite = await logCommand(logDir, 'to-eval')
  if (suite.stdout !== '') await mustLoad(suite.stdout, logDir)
  await mustAddRun(logDir, inputs)
  await logCommand(logDir, 'expect', name, '--text', 'Hello')
  if (shown.code !== 0) return 'not a log'
  return suite.stdout === '' ? 'shown' : diffed.code === 0 ? 'a suite' : 'one run'
}

/** Throws unless a suite from logs loads without errors. */
async function mustLoad(yaml: string, folder: string): Promise<void> {
  const path = join(folder, 'EVAL.yaml')
  const texts = new Map([[path, new TextEncoder().encode(yaml)]])
  const { suites, diagnostics } = await loadFiles([path], { host: nodeHost(folder), evaluators, texts })
  must(suites.length === 1 && !hasErrors(diagnostics), () => `${JSON.stringify(diagnostics)}\n${yaml}`)
}

/** Throws unless an added run is in the log under a new number. */
async function mustAddRun(path: string, inputs: readonly string[]): Promise<void> {
  const folder = new LogFolder(path, nodeHost(path), () => {})
  const before = await folder.read('greet').catch(() => undefined)
  const { name, run } = await folder.add(runOf(inputs))
  const after = await folder.read(name)
  must(after?.runs === run && after.turns.every(turn => turn.run === run), () => `run ${run} is not in ${name}`)
  must(name !== 'greet' || run > (before?.runs ?? 0), () => `run ${run} after ${before?.runs}`)
  const again = await folder.add(runOf(inputs))
  must(again.name === name && again.run === run + 1, () => `${JSON.stringify(again)} after run ${run} of ${name}`)
}
