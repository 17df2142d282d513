import { UserError } from '../../model/user-error.ts'
import type { GateOptions } from '../../report/outcome/gate.ts'
import type { RunRequest } from './run-request.ts'

/** Throws where a gate is given that a run cannot be judged by. */
export function checkGate(request: GateOptions & Pick<RunRequest, 'deciding' | 'until_decided' | 'affected'>): void {
  const { gate, min_pass_rate, deciding, until_decided, affected } = request
  if (gate === undefined) return
  if (min_pass_rate === undefined)
    throw new UserError(
      `--gate ${gate} needs a pass rate that is required.`,
      'Name it with --min-pass-rate, such as --min-pass-rate 0.9.',
    )
  if (gate === 'raw') return
  if (deciding || until_decided)
    throw new UserError(
      '--gate corrected cannot be used with --until-decided.',
      'It stops by the verdicts of the judge: make a fixed number of --trials instead.',
    )
  if (affected)
    throw new UserError(
      '--gate corrected cannot be used with --affected.',
      'Results that are carried over have no answers to correct: run all tests.',
    )
}
