import { basename, dirname, join } from 'node:path'
import { groupBy } from '../../lib/collections.ts'
import { canonicalJson } from '../../lib/json/stringify.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Host } from '../../model/host.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { Files } from '../../parse/files.ts'
import { findTargetsFile } from '../../parse/targets/targets-file.ts'
import { UniqueNames } from '../../transpile/safe-name.ts'
import { suiteYaml, targetsYaml } from '../../transpile/suite-yaml.ts'
import type { TranspiledFile } from '../../transpile/transpiled-file.ts'
import { type PlacedSuite, stemOf } from './placed-suite.ts'

type Fields = Readonly<Record<string, unknown>>

/** The files of imported suites by their folder, and the targets for files that exist already. */
export interface SuiteFiles {
  readonly groups: ReadonlyMap<string, readonly TranspiledFile[]>
  readonly missing_targets: readonly { readonly file: string; readonly text: string }[]
}

const TARGETS = '.assay/targets.yaml'

/** Makes the files of suites: EVAL.yaml, the programs of its checks, and one targets file for each folder. */
export async function suiteFiles(suites: readonly PlacedSuite[], host: Host): Promise<SuiteFiles> {
  const groups = new Map<string, TranspiledFile[]>()
  const missing: { file: string; text: string }[] = []
  for (const [folder, group] of groupBy(suites, ({ output }) => output)) {
    const { texts, targets } = folderTexts(group)
    const found = targets && (await findTargetsFile(folder, new Files(host, new Diagnostics())))
    const existing = found && isForeign(found) ? undefined : found
    if (targets && existing === undefined) texts.set(TARGETS, targets)
    else if (targets && existing && !(await holds(existing, targets, host)))
      missing.push({ file: existing, text: targets })
    if (texts.size > 0)
      groups.set(
        folder,
        Array.from(texts, ([file, content]) => ({ file, content, isEarlier: () => false })),
      )
  }
  return { groups, missing_targets: missing }
}

/** The texts of the suites of a folder and of their programs by file, and their targets. */
function folderTexts(group: readonly PlacedSuite[]): { texts: Map<string, string>; targets: string | undefined } {
  const names = fileNames(group)
  const { targets, renamed } = mergeTargets(group)
  const texts = new Map<string, string>()
  for (const [index, each] of group.entries()) {
    if (each.tests.length === 0) continue
    const newNames = renamed[index] ?? new Map<string, string>()
    const renamedPart = (part: Fields) => withGraders(withTargets(part, newNames), newNames)
    const text = suiteYaml(
      renamedPart(each.suite),
      each.tests.map(({ fields }) => renamedPart(fields)),
    )
    texts.set(names[index] ?? '', heading(each, text))
    for (const [file, text] of each.programs) texts.set(file, text)
  }
  return { texts, targets: targets.length === 0 ? undefined : targetsYaml(targets) }
}

/** Whether targets are in the folder of another tool, whose targets were converted: that file may have keys of its own. */
function isForeign(file: string): boolean {
  return basename(dirname(file)) !== dirname(TARGETS)
}

/** Whether a file has exactly this text, from an earlier import. */
async function holds(file: string, text: string, host: Host): Promise<boolean> {
  const bytes = await host.files.read(file).catch(() => undefined)
  return bytes !== undefined && new TextDecoder().decode(bytes) === text
}

/** One suite in a folder is its EVAL.yaml. Several, and one whose source has that name, are named after their sources. */
function fileNames(group: readonly PlacedSuite[]): string[] {
  const sources = new Set(group.map(({ source }) => source))
  const [first] = group
  if (first && group.length === 1 && !sources.has(join(first.output, 'EVAL.yaml'))) return ['EVAL.yaml']
  const names = new UniqueNames()
  return group.map(({ output, source, stem = stemOf(source) }) => {
    const name = names.take(stem, 'suite')
    return sources.has(join(output, `${name}.eval.yaml`)) || name === 'EVAL'
      ? `${name}.imported.eval.yaml`
      : `${name}.eval.yaml`
  })
}

function heading({ source }: PlacedSuite, text: string): string {
  return `# Imported from ${basename(source).replace(/\p{Cc}/gu, ' ')}.\n${text}`
}

/** The targets of several suites in one file. Of two different ones with one name, the second gets a number. */
function mergeTargets(group: readonly PlacedSuite[]): { targets: Fields[]; renamed: Map<string, string>[] } {
  const targets = new Map<string, Fields>()
  const renamed = group.map(({ targets: own }) => {
    const names = new Map<string, string>()
    for (const target of own) {
      const wanted = String(target['name'])
      let name = wanted
      const isOther = (found: Fields | undefined) =>
        found && canonicalJson({ ...found, name: wanted }) !== canonicalJson(target)
      for (let next = 2; isOther(targets.get(name)); next++) name = `${wanted}-${next}`
      targets.set(name, { ...target, name })
      if (name !== wanted) names.set(wanted, name)
    }
    return names
  })
  return { targets: [...targets.values()], renamed }
}

function withTargets(suite: Fields, renamed: ReadonlyMap<string, string>): Fields {
  const { execution } = suite
  if (renamed.size === 0 || !isMapping(execution)) return suite
  const { target, targets } = execution
  return {
    ...suite,
    execution: {
      ...execution,
      ...(target === undefined ? {} : { target: renamedArm(target, renamed) }),
      ...(Array.isArray(targets) ? { targets: targets.map(name => renamedArm(name, renamed)) } : {}),
    },
  }
}

/** The new name of a target, or of a variant on it. */
function renamedArm(name: unknown, renamed: ReadonlyMap<string, string>): unknown {
  const text = String(name)
  const whole = renamed.get(text)
  if (whole !== undefined) return whole
  const [base] = [...renamed.keys()].filter(target => text.startsWith(`${target}/`)).sort((a, b) => b.length - a.length)
  return base === undefined ? name : `${renamed.get(base)}${text.slice(base.length)}`
}

/** The checks of a suite or test, with the new names of the targets that grade. */
function withGraders<Owner extends Fields>(owner: Owner, renamed: ReadonlyMap<string, string>): Owner {
  if (renamed.size === 0) return owner
  const rename = (check: unknown): unknown => {
    if (!isMapping(check)) return check
    const { target, evaluators } = check
    const name = renamed.get(String(target))
    return {
      ...check,
      ...(name === undefined ? {} : { target: name }),
      ...(Array.isArray(evaluators) ? { evaluators: evaluators.map(rename) } : {}),
    }
  }
  const { assert } = owner
  return Array.isArray(assert) ? { ...owner, assert: assert.map(rename) } : owner
}
