import { basename, dirname, join, relative, sep } from 'node:path'
import { lazily } from '../../lib/lazily.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import { armExecution, armTargets, WITHOUT_PLUGIN } from '../../spec/plugin-evals/arms.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { LoadContext } from '../suite/load-context.ts'
import type { RawSuite, RawTest } from '../suite/raw-suite.ts'
import { readFrontmatter } from '../yaml/frontmatter.ts'
import { readDocument } from '../yaml/read-document.ts'
import { Source } from '../yaml/source.ts'
import { SourceNode } from '../yaml/source-node.ts'
import { findCases } from './find-cases.ts'
import { findPluginFolder, type PluginFolder } from './plugin-folder.ts'
import { readCase } from './read-case.ts'

/** Reads the evals folder of a plugin as a suite: its cases are the tests. */
export async function readPluginEvals(evals: string, context: LoadContext): Promise<RawSuite> {
  const plugin = await findPluginFolder(dirname(evals), context.files.host)
  const about = plugin && (await readAbout(plugin, context))
  const hasArms = plugin !== undefined && !context.is_single_arm
  const cases = await findCases(evals, context)
  const tests: RawTest[] = []
  for (const found of cases) {
    const test = await readCase(found, { base: dirname(evals), hasControl: hasArms }, context)
    if (test) tests.push(test)
  }
  const lines = withoutSameNames(tests, context)
  const at = about?.at ?? tests[0]?.at ?? SourceNode.ofText(new Source(join(evals, 'CASE', 'prompt.md'), ''), 0, 0)
  if (cases.length === 0) reportNoCases(evals, context)
  const hasControl = hasArms && lines.some(runsWithoutPlugin)
  const mocks = (await context.files.stat(join(evals, 'mocks'))) && relative(dirname(at.file), join(evals, 'mocks'))
  const name = about?.name ?? basename(evals)
  return {
    file: evals,
    raw: {
      name: suiteNameOf(name, 'evals'),
      ...(plugin ? { metadata: { [plugin.is_skill ? 'skill' : 'plugin']: name } } : {}),
      execution: armExecution(hasControl),
      ...(mocks === undefined ? {} : { mocks: mocks.replaceAll(sep, '/') }),
    },
    at,
    lines,
    targets: armTargets(plugin !== undefined),
    needsCriteria: false,
  }
}

const manifestSchema = lazily(() => z.looseObject({ name: z.string().min(1) }))
const skillSchema = lazily(() => z.looseObject({ name: z.string().min(1).optional() }))

/** Reads the name of a plugin or skill. */
async function readAbout({ file, folder, is_skill }: PluginFolder, { files, diagnostics }: LoadContext) {
  const source = await files.read(file)
  const document = source && (is_skill ? readFrontmatter(source, diagnostics) : readDocument(source, diagnostics))
  if (!document) return undefined
  const { value = {}, at } = document
  const about = checkShape(is_skill ? skillSchema() : manifestSchema(), value, at, diagnostics)
  return { name: about?.name ?? basename(folder), at }
}

/** Whether a grader of a case applies to the arm without the plugin. */
function runsWithoutPlugin({ raw }: RawTest): boolean {
  const { assert } = raw as { readonly assert: readonly { readonly applies_to?: readonly string[] }[] }
  return assert.some(({ applies_to }) => applies_to?.includes(WITHOUT_PLUGIN) ?? true)
}

/** Reports cases with the name of an earlier one, and leaves them out. */
function withoutSameNames(tests: readonly RawTest[], { diagnostics, files }: LoadContext): readonly RawTest[] {
  const first = new Map<unknown, SourceNode>()
  return tests.filter(({ raw, at }) => {
    const { id } = raw as { readonly id: string }
    const earlier = first.get(id)?.child('id').location()
    if (!earlier) {
      first.set(id, at)
      return true
    }
    const place = `${relative(files.host.cwd, earlier.file)}:${earlier.line}:${earlier.column}`
    const message = `a case named ${quoteCode(id)} is already defined at ${place}`
    const hint = 'set `name`, or rename the folder'
    diagnostics.add({ code: 'duplicate-id', at: at.child('id'), message, hint })
    return false
  })
}

/** A folder is read as a suite only where it has cases, unless it could not be looked at before. */
function reportNoCases(evals: string, { diagnostics }: LoadContext): void {
  const at = { file: evals, line: 1, column: 1, length: 1 }
  const hint = 'name a suite, or add a folder for each case, with a `prompt.md` and graders in `graders/`'
  diagnostics.add({ code: 'file-unreadable', at, message: 'this is a folder without cases', hint })
}
