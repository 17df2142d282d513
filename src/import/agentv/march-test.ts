import { withoutNullish } from '../../lib/objects.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext, ImportedTest } from '../format.ts'
import type { AssertionContext } from '../matrix/assertion-context.ts'
import { convertChat, looksLikeChat } from '../messages.ts'
import type { Written } from '../written.ts'
import { rebased } from './checks.ts'
import { convertChecks, executionOf, metadataOf, noteKeys } from './march-settings.ts'

const TEST_KEYS = [
  ...[
    'id',
    'criteria',
    'expected_outcome',
    'outcome',
    'input',
    'input_messages',
    'expected_output',
    'expected_messages',
  ],
  ...['reference_answer', 'input_files', 'assert', 'assertions', 'evaluators', 'evaluator', 'rubrics', 'execution'],
  ...['conversation_id', 'description', 'note', 'metadata', 'tags'],
]

/** Converts a test. Returns undefined, with a note, if it cannot be one of ours. */
export async function convertTest(
  written: Written,
  suite: Written,
  hasShared: boolean,
  context: AssertionContext,
): Promise<Omit<ImportedTest, 'at'> | undefined> {
  const { notes } = context
  const mark = notes.mark()
  const id = written.get('id')?.text()
  const skips = written.get('execution')?.get('skip_defaults')?.value === true
  const input = convertInput(written.get('input', 'input_messages'), skips ? undefined : suite.get('input'), context)
  if (id === undefined || input === undefined) {
    notes.leaveTestOut(written.at, id === undefined ? 'a test without an id' : 'a test whose input Assay cannot have')
    return undefined
  }
  noteKeys(written, TEST_KEYS, 'the key', context)
  const checks = await convertChecks(written, context)
  const criteria = written.get('criteria', 'expected_outcome', 'outcome')?.text()
  const rubrics = written.get('rubrics')?.value
  const isGraded = checks.length > 0 || criteria !== undefined || rubrics !== undefined || (hasShared && !skips)
  const lost = notes.notes
    .slice(mark)
    .filter(({ loss }) => loss === 'left out')
    .map(({ message }) => message)
  if (!isGraded) {
    notes.leaveTestOut(written.at, 'a test of which no check could be imported')
    return undefined
  }
  const counted = notes.countTests(mark)
  const files = written
    .get('input_files')
    ?.list()
    .flatMap(item => item.text() ?? [])
  const fields = withoutNullish({
    id,
    description: written.get('description')?.text(),
    criteria,
    input,
    input_files:
      files && typeof input === 'string' ? files.map(file => rebasedFile(file, written, context)) : undefined,
    expected_output: convertExpected(written, context),
    rubrics,
    assert: checks.length === 0 ? undefined : checks,
    execution: testExecution(written, context),
    conversation_id: written.get('conversation_id')?.text(),
    note: written.get('note')?.text(),
    metadata: metadataOf(written),
    'x-not-imported': lost.length === 0 ? undefined : lost,
  })
  return { fields, counted }
}

function testExecution(written: Written, context: ImportContext): Fields | undefined {
  const execution = written.get('execution')
  const names = execution?.get('targets', 'target')?.list() ?? []
  const fields = executionOf(execution, names, context)
  const skips = execution?.get('skip_defaults')?.value === true
  return skips ? { ...fields, skip_defaults: true } : fields
}

/** The messages of a suite come before those of each test. */
function convertInput(input: Written | undefined, before: Written | undefined, context: ImportContext): unknown {
  const own = input && messagesOf(input, context)
  const first = before && messagesOf(before, context)
  if (own === undefined || (before && first === undefined)) return undefined
  if (!first) return own
  return [...asMessages(first), ...asMessages(own)]
}

function asMessages(input: unknown): readonly unknown[] {
  return Array.isArray(input) ? input : [{ role: 'user', content: input }]
}

function messagesOf(input: Written, context: ImportContext): string | Fields[] | undefined {
  const text = input.text()
  if (text !== undefined) return text
  if (input.isMapping()) return [{ role: 'user', content: [{ type: 'json', value: input.value }] }]
  if (!looksLikeChat(input.value)) return undefined
  return convertChat(input.value, file => rebasedFile(file, input, context))
}

function convertExpected(written: Written, context: ImportContext): unknown {
  const expected = written.get('expected_output', 'expected_messages') ?? written.get('reference_answer')
  if (!expected) return undefined
  return looksLikeChat(expected.value)
    ? (convertChat(expected.value, file => rebasedFile(file, expected, context)) ?? expected.value)
    : expected.value
}

/** A file of a message, from the new place of the suite. */
export function rebasedFile(file: string, written: Written, context: ImportContext): string {
  if (file.startsWith('/')) return file
  return rebased(/^\.{1,2}\//.test(file) ? file : `./${file}`, written, context)
}
