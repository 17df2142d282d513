import { dirname, join, relative, sep } from 'node:path'
import { type EvalsFile, evalsSchema } from '../spec/evals-json.ts'
import { suiteOfEvals, type TestOfEval, testsOfEvals } from '../spec/test-of-eval.ts'
import type { Files } from './files.ts'
import type { LoadContext } from './loading.ts'
import { readDocument } from './read-document.ts'
import { checkShape } from './shape.ts'
import type { SourceNode } from './source-node.ts'
import type { SuiteFile } from './written-suite.ts'
import type { WrittenTest } from './written-test.ts'

const GRADED_BY = '`expectations` (also called `assertions`) or an `expected_output`'

/** Reads an `evals.json` as a suite: its evals are the tests. */
export async function readEvalsFile(file: string, context: LoadContext): Promise<SuiteFile | undefined> {
  const read = await readEvals(file, context)
  if (!read) return undefined
  const { evals, at } = read
  const tests = testsOfEvals(evals, new Set(context.lookup.values()))
  const lines = await Promise.all(tests.map((test, index) => writtenTest(test, at.child('evals', index), context)))
  return {
    file,
    raw: suiteOfEvals(evals),
    at: at.with({ name: at.child('skill_name') }),
    lines,
    needsCriteria: false,
    gradedBy: GRADED_BY,
  }
}

/** What stands in an `evals.json`, and where; undefined after a mistake. */
export async function readEvals(
  file: string,
  { files, mistakes }: Pick<LoadContext, 'files' | 'mistakes'>,
): Promise<{ readonly evals: EvalsFile; readonly at: SourceNode } | undefined> {
  const source = await files.read(file)
  const document = source && readDocument(source, mistakes)
  if (!document) return undefined
  const { at } = document
  if (document.value === undefined) {
    mistakes.add({ code: 'wrong-type', at, message: 'this file is empty', hint: 'evals stand in a list `evals`' })
    return undefined
  }
  if (Array.isArray(document.value)) {
    const hint = 'a trigger set is a list; `evals.json` is a mapping with `skill_name` and `evals`'
    mistakes.add({ code: 'wrong-type', at, message: 'evals must be a mapping, found a list', hint })
    return undefined
  }
  const evals = checkShape(evalsSchema, document.value, at, mistakes)
  if (!evals) return undefined
  const isAboutSkill = evals.evals.some(({ should_trigger }) => should_trigger !== undefined)
  if (evals.skill_name !== undefined || !isAboutSkill) return { evals, at }
  const hint = 'name the skill that should be used, or left alone'
  mistakes.add({ code: 'missing-key', at, message: '`skill_name` is missing', hint })
  return undefined
}

/** The evals with the paths of their files as they are right in another file. */
export async function evalsFor(to: string, evals: EvalsFile, from: string, files: Files): Promise<EvalsFile> {
  const pathFor = async (path: string, written: string) => {
    const place = await files.resolve(path, from)
    const isRight = (await files.resolve(written, to)) === place
    return isRight ? written : relative(dirname(to), place).replaceAll(sep, '/') || '.'
  }
  const items = evals.evals.map(async item => {
    if (item.files === undefined) return item
    const { files: written } = item
    const found = await foundPaths(written, from, files)
    return { ...item, files: await Promise.all(found.map((path, nth) => pathFor(path, written[nth] ?? path))) }
  })
  return { ...evals, evals: await Promise.all(items) }
}

async function writtenTest(
  { item, fields, checks }: TestOfEval,
  at: SourceNode,
  context: LoadContext,
): Promise<WrittenTest> {
  const paths = await foundPaths(item.files, at.file, context.files)
  const places = checks.map(path => at.child(...path))
  return {
    raw: { ...fields, ...(paths.length > 0 ? { input_files: paths } : {}) },
    at: at.with({
      id: at.child(item.source_id === undefined ? 'id' : 'source_id'),
      criteria: at.child('expected_output'),
      input: at.child('prompt'),
      input_files: at.child('files'),
      assert: at.with(Object.fromEntries(places.map((place, nth) => [nth, place]))),
    }),
  }
}

/** Paths of an eval as they are right in its folder: they start there, or in the folder above, that of the skill. */
async function foundPaths(paths: readonly string[] = [], file: string, files: Files): Promise<readonly string[]> {
  return Promise.all(
    paths.map(async path => {
      if (await files.stat(await files.resolve(path, file)).catch(() => undefined)) return path
      const above = join('..', path)
      return (await files.stat(await files.resolve(above, file)).catch(() => undefined)) ? above : path
    }),
  )
}
