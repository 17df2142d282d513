import { basename } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { mayBeNotUtf8 } from '../../lib/paths.ts'
import type { Host } from '../../model/host.ts'
import { CHECK_LIST_KEYS } from '../../spec/check.ts'
import { FOREIGN_SUITE_KEYS } from '../../spec/foreign-keys.ts'
import { sidecarPaths } from '../file-names.ts'
import { readYaml } from '../yaml/read-yaml.ts'

/** Number of bytes read to inspect the first line of a dataset. */
const BEGINNING = 65_536

/** Maximum size of a sidecar in bytes. A larger file is truncated and no longer valid YAML. */
const LARGEST_SIDECAR = 1_000_000

/** Filters datasets: `.jsonl` files with a sidecar. */
export async function filterDatasets(files: readonly string[], host: Host): Promise<string[]> {
  const candidates = files.filter(file => file.endsWith('.jsonl'))
  const found = await Promise.all(candidates.map(file => isDataset(file, host)))
  return candidates.filter((_, index) => found[index])
}

/** A YAML file of the same stem is a sidecar if it looks like a suite without tests, or if the lines look like tests. */
async function isDataset(file: string, host: Host): Promise<boolean> {
  const sidecar = await firstFile(sidecarPaths(file).flat(), host)
  // The sidecar of a file whose name is not UTF-8 cannot be found; context the file reports it.
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

const CONFIGURING = ['execution', 'vars', ...CHECK_LIST_KEYS]
const DESCRIBING = ['name', 'version', 'description', 'metadata', '$schema']

/** Whether a YAML file may be the sidecar of a dataset with the same stem. */
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

/** Reads a YAML file; undefined if it is empty, too large or invalid. */
async function yamlOf(file: string, host: Host): Promise<unknown> {
  const { document, problems } = readYaml(await textOf(file, host, LARGEST_SIDECAR))
  return problems.length > 0 ? undefined : document?.value
}

/** Returns the tests of a suite under any of their keys. */
export function testsOf(suite: Record<string, unknown>): unknown {
  const names = [...FOREIGN_SUITE_KEYS].filter(([, key]) => key.kind === 'renamed').map(([name]) => name)
  return ['tests', ...names].map(name => suite[name]).find(tests => tests !== undefined)
}

function namesFile(tests: unknown, file: string): boolean {
  return [tests].flat().some(entry => typeof entry === 'string' && basename(entry) === basename(file))
}

/** Whether the first line has the keys of a test. It may be truncated or invalid JSON. */
async function beginsWithTest(file: string, host: Host): Promise<boolean> {
  const [line = ''] = (await textOf(file, host, BEGINNING)).trimStart().split('\n', 1)
  return /"id"\s*:/.test(line) && /"(input|input_messages|criteria|expected_outcome)"\s*:/.test(line)
}

/** Reads the beginning of a file; empty if it cannot be read, which context it reports. */
async function textOf(file: string, host: Host, most: number): Promise<string> {
  if ((await firstFile([file], host)) === undefined) return ''
  const bytes = await host.files.read(file, most).catch(() => new Uint8Array())
  return new TextDecoder().decode(bytes)
}
