import type { CompareGateResult } from '../report/compare/compare-gate.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** The exit code of a comparison with quality gates. */
export const COMPARE_CODES: Readonly<Record<CompareGateResult['result'], ExitCode>> = {
  passed: EXIT.ok,
  failed: EXIT.failed,
  'same run': EXIT.userError,
  incomplete: EXIT.incomplete,
  inconclusive: EXIT.inconclusive,
  'nothing to compare': EXIT.nothing,
}
