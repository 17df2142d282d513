import { expect, it } from 'vitest'
import { describeCrash } from '../../src/cli/crash.ts'

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: too many open files, open 'EVAL.yaml'`), { code, syscall: 'open' })
}

it.each(['EMFILE', 'ENFILE'])('says how to allow more open files after %s', code => {
  const { code: exitCode, text } = describeCrash(systemError(code))
  expect(exitCode).toBe(2)
  expect(text).toBe(
    `Aborted: ${code}: too many open files, open 'EVAL.yaml'\nhint: allow more open files (ulimit -n 1024), or run fewer attempts at once (--workers)\n`,
  )
})

it('has no such hint for other errors of the operating system', () => {
  expect(describeCrash(systemError('EACCES')).text).not.toContain('hint')
})
