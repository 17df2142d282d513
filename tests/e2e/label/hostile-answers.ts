import type { Result } from '../../../src/model/result.ts'
import { judgedResult } from './judged-run.ts'

/** An answer that tries to control a terminal or a page. */
export const HOSTILE_ANSWER = [
  'start \u001b]52;c;ZXZpbA==\u0007 clipboard',
  '\u001b[2J\u001b[H\u001b[31mAnswer 9 of 9 · eve',
  '\u001b[201~p\u001b[?1049l left',
  '\u009b2J \u0090q \u001bc',
  'x\rOVERWRITTEN\b\b',
  '\u202etxt.exe\u202c \u2066isolate',
  '</script><img src=x onerror="window.ran=1"><script>window.ran=2</script>',
  'p pass   f fail   q quit',
].join('\n')

/** An answer of 200 KB, whose last line can be searched for. */
export const LONG_ANSWER = `${'A line of an answer that is long. '.repeat(3)}\n`
  .repeat(2000)
  .concat('The very last line.')

export function hostileResults(): Result[] {
  const hostile = judgedResult(0, { answer: HOSTILE_ANSWER, input: [{ role: 'user', content: HOSTILE_ANSWER }] })
  return [hostile]
}

export function longResults(): Result[] {
  return [judgedResult(0, { answer: LONG_ANSWER })]
}
