import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { NoAnswer } from '../../src/model/answer.ts'
import type { Result } from '../../src/model/result.ts'
import { NotRun } from '../../src/run/ask.ts'
import { type RecordStore, RunRecorder } from '../../src/run/run-recorder.ts'
import { RunStop } from '../../src/run/run-stop.ts'
import { WorkspaceCleanup } from '../../src/run/workspace-cleanup.ts'

const PROMPT = { attempt_id: 'a', request_id: 'r', test_id: 't', target: 'x', trial: 1 }
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

/** A recorder whose store fails with these errors, one after another, and the results that it stored and observed. */
function recorderWith(...errors: Error[]) {
  const stored: Result[] = []
  const observed: string[] = []
  const failing = () => {
    const error = errors.shift()
    if (error) throw error
  }
  const records: RecordStore = {
    answerTo: () => undefined,
    answersTo: () => 0,
    addAnswer: failing,
    addResults: results => {
      failing()
      stored.push(...results)
      return results.map(result => JSON.stringify(result))
    },
  }
  const host = nodeHost('/')
  const stop = new RunStop({}, host)
  const onResult = ({ attempt_id, verdict }: Result) => observed.push(`${attempt_id} ${verdict}`)
  const recorder = new RunRecorder(records, { stop, workspaces: new WorkspaceCleanup({}, host), onResult }, host)
  return { recorder, stop, stored, observed }
}

describe('an answer that cannot be written as JSON', () => {
  it('makes its attempt an error and does not stop the run', () => {
    const { recorder, stop } = recorderWith(OUT_OF_STACK)
    expect(() => recorder.add(PROMPT, { text: 'ok' })).toThrow(NoAnswer)
    expect(recorder.problem).toBeUndefined()
    expect(stop.stopping.aborted).toBe(false)
  })

  it('is distinguished from a full disk, which stops the run', () => {
    const { recorder, stop } = recorderWith(DISK_FULL)
    expect(() => recorder.add(PROMPT, { text: 'ok' })).toThrow(NotRun)
    expect(recorder.problem).toBe(DISK_FULL)
    expect(stop.reason).toBe('records')
  })
})

describe('a result that cannot be written as JSON', () => {
  it.each([OUT_OF_STACK, new TypeError('Converting circular structure to JSON')])(
    'is recorded as a bug without answer and grades: %s',
    error => {
      const { recorder, stored } = recorderWith(error)
      recorder.addResults([RESULT])
      const message = `the result cannot be recorded: ${error.message}`
      expect(stored).toMatchObject([
        { attempt_id: 'a', verdict: 'error', score: null, answer: null, hits: [], error: { code: 'bug', message } },
      ])
      expect(recorder.problem).toBeUndefined()
    },
  )

  it('is distinguished from a full disk, which stops the run', () => {
    const { recorder, stored } = recorderWith(DISK_FULL)
    recorder.addResults([RESULT])
    expect(stored).toEqual([])
    expect(recorder.problem).toBe(DISK_FULL)
  })

  it('stops the run if the bug cannot be recorded either', () => {
    const { recorder, stored } = recorderWith(OUT_OF_STACK, OUT_OF_STACK)
    recorder.addResults([RESULT])
    expect(stored).toEqual([])
    expect(recorder.problem).toBe(OUT_OF_STACK)
  })
})

describe('results that finish together', () => {
  const results = ['a', 'b', 'c'].map(attempt_id => ({ ...RESULT, attempt_id }))

  it('are recorded together, and then observed', () => {
    const { recorder, stored, observed } = recorderWith()
    recorder.addResults(results)
    expect(stored).toEqual(results)
    expect(observed).toEqual(['a pass', 'b pass', 'c pass'])
  })

  it('are recorded one by one if one of them cannot be written as JSON', () => {
    const { recorder, observed } = recorderWith(OUT_OF_STACK, OUT_OF_STACK)
    recorder.addResults(results)
    expect(observed).toEqual(['a error', 'b pass', 'c pass'])
    expect(recorder.problem).toBeUndefined()
  })

  it('are not observed if the disk is full, and nothing is written behind them', () => {
    const { recorder, stored, observed } = recorderWith(DISK_FULL)
    recorder.addResults(results)
    recorder.addResults([RESULT])
    expect(stored).toEqual([])
    expect(observed).toEqual([])
    expect(recorder.problem).toBe(DISK_FULL)
  })
})
