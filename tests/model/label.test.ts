import { expect, test } from 'vitest'
import type { FileChange } from '../../src/model/changes.ts'
import { isLabelOf, labelledAnswer } from '../../src/model/label.ts'

const ATTEMPT = { test_id: 'greets', input: ['Add a greeting.'], criteria: 'Adds a greeting', answer: 'Done.' }

function changed(text: string): FileChange[] {
  return [{ path: 'out.txt', state: 'created', after: { size: text.length, hash: text } }]
}

test('a label of an answer with changed files is only about answers with the same changes', () => {
  const label = labelledAnswer({ ...ATTEMPT, changes: changed('hello') })
  const isLabelFor = (changes: FileChange[] | undefined) => {
    const answer = labelledAnswer({ ...ATTEMPT, changes })
    return label && answer && isLabelOf(label, answer)
  }
  expect(isLabelFor(changed('hello'))).toBe(true)
  expect(isLabelFor(changed('rubbish'))).toBe(false)
  expect(isLabelFor([])).toBe(false)
})

test('an agent that changed no file has the same labels with a workspace and without', () => {
  expect(labelledAnswer({ ...ATTEMPT, changes: [] })).toEqual(labelledAnswer({ ...ATTEMPT, changes: undefined }))
})

test('a label is about what the person saw: also the expected output and the note of the test', () => {
  const seen = { ...ATTEMPT, expected_output: 'Hello', note: 'Be lenient.' }
  const hashOf = (attempt: typeof seen) => labelledAnswer(attempt)?.task_hash
  expect(hashOf({ ...seen })).toBe(hashOf(seen))
  expect(hashOf({ ...seen, expected_output: 'Goodbye' })).not.toBe(hashOf(seen))
  expect(hashOf({ ...seen, note: 'Be strict.' })).not.toBe(hashOf(seen))
  expect(labelledAnswer(ATTEMPT)?.task_hash).not.toBe(hashOf(seen))
})
