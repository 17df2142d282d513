import { basename, dirname, extname } from 'node:path'
import { isMapping, withoutNullish } from '../../lib/objects.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import type { ImportContext, ImportedSuite, ImportedTest } from '../format.ts'
import type { AssertionContext } from '../matrix/assertion-context.ts'
import { GraderTargets } from '../matrix/graders.ts'
import { Programs } from '../matrix/programs.ts'
import type { Written } from '../written.ts'
import { agentvCheck } from './checks.ts'
import { convertChecks, executionOf, metadataOf, noteKeys } from './march-settings.ts'
import { convertTest } from './march-test.ts'
import { namedTargets } from './targets.ts'

/** Converts a suite of AgentV with tests that have an `input`, as it was written until spring 2026. */
export async function convertInputs(config: Written, context: ImportContext): Promise<ImportedSuite> {
  noteKeys(config, SUITE_KEYS, 'the key', context)
  const programs = new Programs()
  const graders = new GraderTargets([])
  const checks: AssertionContext = {
    ...context,
    root: config,
    programs,
    graders,
    providers: [],
    transforms: [],
    vars: {},
    fill: text => text,
    isScored: true,
    convertOwn: agentvCheck,
  }
  const execution = config.get('execution')
  const shared = await convertChecks(config, checks)
  const tests: ImportedTest[] = []
  for (const test of await listTests(config.get('tests', 'eval_cases', 'evalcases'), context)) {
    const converted = await convertTest(test, config, shared.length > 0, checks)
    if (converted) tests.push({ ...converted, at: test.at })
  }
  const names = targetNames(config)
  const targets = await namedTargets(names, config.at.file, context)
  const suite = withoutNullish({
    name: suiteNameOf(config.get('name', 'dataset')?.text() ?? stemOf(config.at.file), 'imported'),
    description: config.get('description')?.text()?.slice(0, 2000),
    metadata: metadataOf(config),
    execution: executionOf(execution, names, context),
    assert: shared.length === 0 ? undefined : shared,
  })
  return { suite, tests, targets: [...targets, ...graders.targets], programs: programs.files }
}

const SUITE_KEYS = [
  ...[
    'name',
    'dataset',
    'description',
    'version',
    'tags',
    'author',
    'license',
    'metadata',
    'execution',
    'target',
    'targets',
  ],
  ...[
    'input',
    'tests',
    'eval_cases',
    'evalcases',
    'assert',
    'assertions',
    'evaluators',
    'evaluator',
    '$schema',
    'threshold',
  ],
]

function stemOf(file: string): string {
  const stem = basename(file, extname(file)).replace(/\.eval$/i, '')
  return /^(?:eval|evals|suite|dataset|cases)$/i.test(stem) ? basename(dirname(dirname(file))) : stem
}

function targetNames(config: Written): readonly Written[] {
  const execution = config.get('execution')
  const written = execution?.get('targets', 'target') ?? config.get('targets', 'target')
  return written?.list() ?? []
}

/** Tests that are written inline, or in files that the suite names. */
async function listTests(tests: Written | undefined, { files, notes }: ImportContext): Promise<Written[]> {
  const found: Written[] = []
  for (const item of tests?.list() ?? []) {
    if (typeof item.value !== 'string') {
      found.push(item)
      continue
    }
    for (const path of await files.matches(item.value, item.at.file)) {
      const parsed = await files.parse(path)
      if ('problem' in parsed) notes.leaveTestOut(item.at, `the file of the tests ${parsed.problem}`)
      else found.push(...(parsed.get('tests') ?? parsed).list())
    }
  }
  return found
}

/** Whether a value is a suite in which tests have an `input`. */
export function hasInputs(value: unknown): boolean {
  if (!isMapping(value)) return false
  const tests = value['tests'] ?? value['eval_cases'] ?? value['evalcases']
  if (typeof tests === 'string') return !('prompts' in value)
  return (
    Array.isArray(tests) &&
    tests.some(test => typeof test === 'string' || (isMapping(test) && ('input' in test || 'input_messages' in test)))
  )
}
