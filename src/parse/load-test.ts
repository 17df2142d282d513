import { z } from 'zod'
import { walkChecks } from '../evaluators/check.ts'
import type { Check } from '../evaluators/evaluator.ts'
import { isMapping } from '../lib/is-mapping.ts'
import { looksLikeMessages, type Message } from '../model/message.ts'
import { FOREIGN_TEST_KEYS } from '../spec/foreign-keys.ts'
import { messagesSchema, type Test, testSchema } from '../spec/test.ts'
import { reportIssuesIn } from './check-issues.ts'
import { uniqueNames } from './check-names.ts'
import { executionOf } from './execution.ts'
import { expandInput } from './expand-input.ts'
import { withGoodInputFiles } from './input-files.ts'
import { type Fields, knownFields } from './keys.ts'
import { loadCheck, loadListedChecks } from './load-checks.ts'
import type { Loading } from './loading.ts'
import { findBlockFiles, findMessageFiles } from './message-files.ts'
import { checkShape } from './shape.ts'
import type { SourceNode } from './source-node.ts'
import { withVerbatim } from './verbatim.ts'

// The rubrics are looked at as the check that they are.
const SCHEMA = testSchema(z.any()).extend({ rubrics: z.any().optional() })
const KEYS = { known: new Set(Object.keys(SCHEMA.shape)), foreign: FOREIGN_TEST_KEYS }

/** What a test takes over from its suite. */
export interface Defaults {
  readonly checks: readonly Check[]
  readonly tags: readonly string[]
}

/** One test with every shorthand expanded; undefined after at least one mistake in its shape. */
export function loadTest(raw: unknown, written: SourceNode, defaults: Defaults, loading: Loading): Test | undefined {
  const { mistakes } = loading
  if (!isMapping(raw)) {
    checkShape(SCHEMA, raw, written, mistakes)
    return undefined
  }
  const { fields, at } = knownFields(raw, written, KEYS, mistakes)
  const own = loadOwnChecks(fields, at, loading)
  const good = withGoodInputFiles(withVerbatim(fields, ['id'], at), at, mistakes)
  const shape = checkShape(SCHEMA, good, at, mistakes)
  const expected = expectedOutput(fields, at, loading)
  if (!shape) return undefined

  const { criteria, description, conversation_id, note, metadata = {} } = shape
  const input = loadInput(shape, at, loading)
  const inherited = shape.execution?.skip_defaults ? [] : defaults.checks
  const checks = gradingChecks(own, inherited, { criteria, at }, loading)
  const tags = metadata.tags ? [...new Set([...defaults.tags, ...metadata.tags])] : defaults.tags
  const execution = executionOf(shape.execution, at.child('execution'), mistakes)
  const id = String(shape.id)
  const test = {
    id,
    criteria,
    input,
    expected_output: expected,
    checks,
    execution,
    description,
    conversation_id,
    note,
    metadata,
    tags,
    at,
  }
  for (const check of own.flatMap(walkChecks)) reportIssuesIn(check, test, 'check', mistakes)
  for (const check of inherited.flatMap(walkChecks)) reportIssuesIn(check, test, 'test', mistakes)
  return test
}

/** The checks of a test itself: its list, the list in `execution`, then its rubrics as one check. */
function loadOwnChecks(fields: Fields, at: SourceNode, loading: Loading): readonly Check[] {
  const checks = loadListedChecks(fields, at, loading)
  if (fields['rubrics'] === undefined) return checks
  const rubrics = loadCheck({ name: 'rubrics', type: 'rubrics', rubrics: fields['rubrics'] }, at, loading)
  return rubrics ? [...checks, rubrics] : checks
}

/** What grades a test: its own checks, then the suite's; without any, its criteria. */
function gradingChecks(
  own: readonly Check[],
  inherited: readonly Check[],
  { criteria, at }: { criteria: string | undefined; at: SourceNode },
  loading: Loading,
): readonly Check[] {
  const checks = uniqueNames([...own, ...inherited])
  if (checks.length === 0 && criteria !== undefined) {
    const check = loadCheck({ name: 'criteria', type: 'rubrics', criteria }, at, loading)
    return check ? [check] : []
  }
  if (checks.length > 0 && checks.every(({ weight }) => weight === 0)) {
    loading.mistakes.add({ code: 'zero-weights', at, message: 'all checks of this test have the weight 0' })
  }
  return checks
}

function loadInput(shape: z.output<typeof SCHEMA>, at: SourceNode, loading: Loading): Message[] {
  const { input, input_files: files = [] } = shape
  const messages = expandInput(input, files)
  if (typeof input === 'string')
    findBlockFiles(messages[0]?.content?.slice(0, files.length) ?? [], index => at.child('input_files', index), loading)
  else findMessageFiles(messages, at.child('input'), loading)
  return messages
}

/** A list in which every item has a role is messages, and read as such. */
function expectedOutput(fields: Fields, at: SourceNode, loading: Loading): unknown {
  const expected = fields['expected_output']
  if (!looksLikeMessages(expected)) return expected
  const messages = checkShape(messagesSchema, expected, at.child('expected_output'), loading.mistakes)
  if (messages) findMessageFiles(messages, at.child('expected_output'), loading)
  return messages
}
