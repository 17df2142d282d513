import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { NoAnswer } from '../../src/model/answer.ts'
import type { Result } from '../../src/model/result.ts'
import { NotRun } from '../../src/run/ask.ts'
import { type RecordStore, RunRecorder } from '../../src/run/run-recorder.ts'

const ASKED = { attempt_id: 'a', request_id: 'r', test_id: 't', target: 'x', trial: 1 }
const RESULT = {
  attempt_id: 'a',
  score: 1,
  verdict: 'pass',
  answer: 'ok',
  hits: ['h'],
  misses: [],
} as unknown as Result
const OUT_OF_STACK = new RangeError('Maximum call stack size exceeded')
const DISK_FULL = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
  syscall: 'write',
})

/** A keeper whose records fail with these errors, one after another, and what they took. */
function keeperWith(...errors: Error[]) {
  const taken: Result[] = []
  const failing = () => {
    const error = errors.shift()
    if (error) throw error
  }
  const records: RecordStore = {
    answerTo: () => undefined,
    answersTo: () => 0,
    addAnswer: failing,
    addResult: result => {
      failing()
      taken.push(result)
      return JSON.stringify(result)
    },
  }
  return { keeper: new RunRecorder(records, {}, nodeHost('/')), taken }
}

describe('an answer that cannot be made JSON', () => {
  it('is an error of its attempt, and the run goes on', () => {
    const { keeper } = keeperWith(OUT_OF_STACK)
    expect(() => keeper.add(ASKED, { text: 'ok' })).toThrow(NoAnswer)
    expect(keeper.problem).toBeUndefined()
    expect(keeper.stopping.aborted).toBe(false)
  })

  it('differs from a full disk, which stops the run', () => {
    const { keeper } = keeperWith(DISK_FULL)
    expect(() => keeper.add(ASKED, { text: 'ok' })).toThrow(NotRun)
    expect(keeper.problem).toBe(DISK_FULL)
    expect(keeper.stopped).toBe('records')
  })
})

describe('a result that cannot be made JSON', () => {
  it.each([OUT_OF_STACK, new TypeError('Converting circular structure to JSON')])(
    'is recorded as a bug, without what target and checks gave: %s',
    error => {
      const { keeper, taken } = keeperWith(error)
      keeper.addResult(RESULT)
      const message = `the result cannot be recorded: ${error.message}`
      expect(taken).toMatchObject([
        { attempt_id: 'a', verdict: 'error', score: null, answer: null, hits: [], error: { code: 'bug', message } },
      ])
      expect(keeper.problem).toBeUndefined()
    },
  )

  it('differs from a full disk, which stops the run', () => {
    const { keeper, taken } = keeperWith(DISK_FULL)
    keeper.addResult(RESULT)
    expect(taken).toEqual([])
    expect(keeper.problem).toBe(DISK_FULL)
  })

  it('stops the run where it cannot be recorded as a bug either', () => {
    const { keeper, taken } = keeperWith(OUT_OF_STACK, OUT_OF_STACK)
    keeper.addResult(RESULT)
    expect(taken).toEqual([])
    expect(keeper.problem).toBe(OUT_OF_STACK)
  })
})
