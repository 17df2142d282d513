import { basename } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { mayBeNotUtf8 } from '../../lib/paths.ts'
import type { Host } from '../../model/host.ts'
import { CHECK_LIST_KEYS } from '../../spec/check.ts'
import { FOREIGN_SUITE_KEYS } from '../../spec/foreign-keys.ts'
import { sidecarPaths } from '../file-names.ts'
import { readYaml } from '../yaml/read-yaml.ts'

/** How much of a dataset is read to see what its first line is. */
const BEGINNING = 65_536

/** No sidecar is larger; of a larger file, what is cut off is not YAML any more. */
const LARGEST_SIDECAR = 1_000_000

/** The datasets among files: each `.jsonl` that has a sidecar beside it. */
export async function filterDatasets(files: readonly string[], host: Host): Promise<string[]> {
  const candidates = files.filter(file => file.endsWith('.jsonl'))
  const found = await Promise.all(candidates.map(file => isDataset(file, host)))
  return candidates.filter((_, index) => found[index])
}

/** A YAML file of the same stem is a sidecar where it reads like a suite without tests, or the lines read like tests. */
async function isDataset(file: string, host: Host): Promise<boolean> {
  const sidecar = await firstFile(sidecarPaths(file).flat(), host)
  // What lies beside a file whose name cannot be written is unknown: loading it reports that.
  if (sidecar === undefined) return mayBeNotUtf8(file) && (await firstFile([file], host)) === undefined
  const value = await yamlOf(sidecar, host)
  if (isMapping(value) && namesFile(testsOf(value), file)) return true
  const kind = sidecarKind(value)
  return kind === 'suite' || (kind === 'unclear' && (await beginsWithTest(file, host)))
}

async function firstFile(paths: readonly string[], host: Host): Promise<string | undefined> {
  const stats = await Promise.all(paths.map(path => host.files.stat(path).catch(() => undefined)))
  return paths.find((_, index) => stats[index]?.kind === 'file')
}

const CONFIGURING = ['execution', ...CHECK_LIST_KEYS]
const DESCRIBING = ['name', 'version', 'description', 'metadata', '$schema']

/** Whether a YAML file could be the sidecar of a dataset of its stem. */
export async function couldBeSidecar(file: string, host: Host): Promise<boolean> {
  return sidecarKind(await yamlOf(file, host)) !== 'other'
}

function sidecarKind(value: unknown): 'suite' | 'other' | 'unclear' {
  if (value === undefined) return 'unclear'
  if (!isMapping(value) || testsOf(value) !== undefined) return 'other'
  const keys = Object.keys(value)
  if (keys.some(key => CONFIGURING.includes(key))) return 'suite'
  return keys.every(key => DESCRIBING.includes(key) || key.startsWith('x-')) ? 'suite' : 'unclear'
}

/** The value of a YAML file; undefined where it is empty, too large, or not YAML. */
async function yamlOf(file: string, host: Host): Promise<unknown> {
  const { document, problems } = readYaml(await textOf(file, host, LARGEST_SIDECAR))
  return problems.length > 0 ? undefined : document?.value
}

/** The tests of a suite, under whichever name they have. */
export function testsOf(suite: Record<string, unknown>): unknown {
  const names = [...FOREIGN_SUITE_KEYS].filter(([, key]) => key.kind === 'renamed').map(([name]) => name)
  return ['tests', ...names].map(name => suite[name]).find(tests => tests !== undefined)
}

function namesFile(tests: unknown, file: string): boolean {
  return [tests].flat().some(entry => typeof entry === 'string' && basename(entry) === basename(file))
}

/** Whether the first line has the keys of a test. It may be cut off, or not be JSON. */
async function beginsWithTest(file: string, host: Host): Promise<boolean> {
  const [line = ''] = (await textOf(file, host, BEGINNING)).trimStart().split('\n', 1)
  return /"id"\s*:/.test(line) && /"(input|input_messages|criteria|expected_outcome)"\s*:/.test(line)
}

/** Empty where the path cannot be read, or is not a regular file: loading it reports that. */
async function textOf(file: string, host: Host, most: number): Promise<string> {
  if ((await firstFile([file], host)) === undefined) return ''
  const bytes = await host.files.read(file, most).catch(() => new Uint8Array())
  return new TextDecoder().decode(bytes)
}
