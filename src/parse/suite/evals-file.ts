import { join } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import { type EvalsFile, evalsSchema, triggerSetSchema } from '../../spec/evals-json.ts'
import { type EvalTest, evalsToSuite, evalsToTests } from '../../spec/evals-to-suite.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import { checkShape } from '../shape/check-shape.ts'
import { readDocument } from '../yaml/read-document.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import type { LoadContext } from './load-context.ts'
import type { RawSuite, RawTest } from './raw-suite.ts'
import { rebasePath } from './rebase-paths.ts'
import { findTriggerSetSkill } from './trigger-set-skill.ts'

/** Reads an `evals.json` or a trigger set as a suite: its evals are the tests. */
export async function readEvalsFile(file: string, context: LoadContext): Promise<RawSuite | undefined> {
  const read = await readEvals(file, context)
  if (!read) return undefined
  const { evals, at, items, gradedBy } = read
  const tests = evalsToTests(evals, new Set(context.lookup.values()))
  const nodes = items.items()
  const lines = await Promise.all(
    tests.map((test, index) => rawTest(test, nodes[index] ?? items.child(index), read.promptKey, context)),
  )
  const raw = { ...evalsToSuite(evals), ...(read.name === undefined ? {} : { name: read.name }) }
  return { file, raw, at: at.with({ name: at.child('skill_name') }), lines, needsCriteria: false, gradedBy }
}

/** The content of an `evals.json` or a trigger set. */
interface ReadEvals {
  readonly evals: EvalsFile
  readonly at: SourceNode
  /** Node of the list of evals. */
  readonly items: SourceNode
  /** Name of the suite, if it differs from that of the skill. */
  readonly name?: string
  /** Key of the prompt of an eval. */
  readonly promptKey: string
  /** Keys that grade an eval, for a hint. */
  readonly gradedBy: string
}

type Reading = Pick<LoadContext, 'files' | 'diagnostics'>

/** Reads a file of evals; a list is a trigger set. */
export async function readEvals(file: string, reading: Reading): Promise<ReadEvals | undefined> {
  const { files, diagnostics } = reading
  const source = await files.read(file)
  const document = source && readDocument(source, diagnostics)
  if (!document) return undefined
  const { value, at } = document
  if (value === undefined) {
    diagnostics.add({
      code: 'wrong-type',
      at,
      message: 'this file is empty',
      hint: 'write the evals as a list under `evals:`',
    })
    return undefined
  }
  return Array.isArray(value) ? readTriggerSet(value, at, reading) : readMapping(value, at, diagnostics)
}

function readMapping(value: unknown, at: SourceNode, diagnostics: Diagnostics): ReadEvals | undefined {
  const evals = checkShape(evalsSchema(), value, at, diagnostics)
  if (!evals) return undefined
  const gradedBy = '`expectations` (also called `assertions`) or an `expected_output`'
  const isAboutSkill = evals.evals.some(({ should_trigger }) => should_trigger !== undefined)
  if (evals.skill_name !== undefined || !isAboutSkill)
    return { evals, at, items: at.child('evals'), promptKey: 'prompt', gradedBy }
  const hint = 'name the skill that the prompts should or should not trigger'
  diagnostics.add({ code: 'missing-key', at, message: '`skill_name` is missing', hint })
  return undefined
}

async function readTriggerSet(
  value: unknown,
  at: SourceNode,
  { files, diagnostics }: Reading,
): Promise<ReadEvals | undefined> {
  const set = checkShape(triggerSetSchema(), value, at, diagnostics)
  if (!set) return undefined
  const skill_name = await findTriggerSetSkill(at.file, files)
  if (skill_name === undefined) {
    const hint =
      'name the file after the skill, `NAME.trigger-evals.json`, put it beside an evals.json with a `skill_name`, or keep it in the folder of the SKILL.md or one level below'
    diagnostics.add({ code: 'unknown-skill', at, message: 'the skill of this trigger set is unknown', hint })
    return undefined
  }
  const evals = set.map(({ query, should_trigger, id, source_id }) => ({
    prompt: query,
    ...withoutNullish({ should_trigger, id, source_id }),
  }))
  const name = suiteNameOf(`${skill_name} triggers`, 'triggers')
  return { evals: { skill_name, evals }, at, items: at, name, promptKey: 'query', gradedBy: '`should_trigger`' }
}

/** Rewrites the file paths of evals for another location. */
export async function rebaseEvals(to: string, evals: EvalsFile, from: string, files: Files): Promise<EvalsFile> {
  const rewritten = async (path: string, written: string) =>
    rebasePath(to, await files.resolve(path, from), written, files)
  const items = evals.evals.map(async item => {
    if (item.files === undefined) return item
    const { files: written } = item
    const found = await foundPaths(written, from, files)
    return { ...item, files: await Promise.all(found.map((path, nth) => rewritten(path, written[nth] ?? path))) }
  })
  return { ...evals, evals: await Promise.all(items) }
}

async function rawTest(
  { item, fields, checks }: EvalTest,
  at: SourceNode,
  promptKey: string,
  context: LoadContext,
): Promise<RawTest> {
  const paths = await foundPaths(item.files, at.file, context.files)
  const nodes = checks.map(path => at.child(...path))
  return {
    raw: { ...fields, ...(paths.length > 0 ? { input_files: paths } : {}) },
    at: at.with({
      id: at.child(item.source_id === undefined ? 'id' : 'source_id'),
      criteria: at.child('expected_output'),
      input: at.child(promptKey),
      input_files: at.child('files'),
      assert: at.with(Object.fromEntries(nodes.map((node, nth) => [nth, node]))),
    }),
  }
}

/** Resolves the paths of an eval, which start in its folder or in the folder of the skill above it. */
async function foundPaths(paths: readonly string[] = [], file: string, files: Files): Promise<readonly string[]> {
  return Promise.all(
    paths.map(async path => {
      if (await files.stat(await files.resolve(path, file)).catch(() => undefined)) return path
      const above = join('..', path)
      return (await files.stat(await files.resolve(above, file)).catch(() => undefined)) ? above : path
    }),
  )
}
