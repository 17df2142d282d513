import { describe, expect, it } from 'vitest'
import { folderWith, PROGRAM, type Result, run } from '../../support/program.ts'

/** Many concurrent tests, each with a program as agent and as judge. */
function concurrentSuite(): string {
  const judge = ['node', '-e', 'console.log(JSON.stringify({ score: 1 }))']
  const assert = [{ type: 'code_judge', name: 'judge', script: judge }]
  const tests = Array.from({ length: 30 }, (_, index) => ({ id: `t${index}`, criteria: 'c', input: 'Hi', assert }))
  const targets = [{ name: 'default', provider: 'cli', command: ['cat'], workers: 30 }]
  return folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'busy', tests }),
    '.assay/targets.yaml': JSON.stringify({ targets }),
  })
}

/** Runs the program with few file descriptors and a time limit. */
function assayWith(limit: number, args: string, cwd: string): Promise<Result> {
  const command = `ulimit -n ${limit}; exec timeout -s KILL 40 ${process.execPath} ${PROGRAM} ${args}`
  return run('bash', ['-c', command], { cwd })
}

/** Tests that a run with few file descriptors ends with a message. */
export function testLimits(limits: readonly number[]): void {
  describe('a low limit of open files', () => {
    it.each(limits)('of %i ends a run with a message', async limit => {
      const { code, stderr } = await assayWith(limit, 'eval --workers 30', concurrentSuite())
      // A program that could not be started is started again, and each of them may have been in the end.
      if (stderr.includes('30 tests: 30 passed')) expect(code, stderr).toBe(0)
      else expect([2, 3], stderr).toContain(code)
      expect(stderr).toMatch(/EMFILE: too many open files|spawn \S+ EMFILE/)
      expect(stderr).not.toContain('This is a bug')
    })
  })
}
