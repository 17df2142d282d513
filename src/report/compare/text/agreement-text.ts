import { plural } from '../../../lib/plural.ts'
import { percent } from '../../rate-text.ts'
import type { Agreement } from '../agreement.ts'

/** `the same answers, judged twice: 67 % of 3 tests have the same verdict, κ 0.40`. */
export function agreementText({ tests, errors, share, kappa }: Agreement): string {
  const beyond = kappa === undefined ? 'κ undefined (every verdict is the same)' : `κ ${kappa.toFixed(2)}`
  const agreed =
    share === undefined
      ? 'no test can be compared'
      : `${percent(share)} of ${plural(tests, 'test')} have the same verdict, ${beyond}`
  const left = errors === 0 ? '' : `; ${plural(errors, 'test')} with errors not comparable`
  return `the same answers, judged twice: ${agreed}${left}\n`
}
