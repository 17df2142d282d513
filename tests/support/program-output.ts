import { NoAnswer } from '../../src/model/answer.ts'
import { type OutputOptions, readOutput } from '../../src/providers/shared/programs/program-output.ts'

/** Reads the output of a program: an answer and warnings, or the code and message of an error. */
export function readProgramOutput(output: string, fields: Partial<OutputOptions> = {}) {
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  try {
    const answer = readOutput(output, { output_format: undefined, unknown_keys: undefined, warn, ...fields })
    return { answer, warnings }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { code: error.code, message: error.message, warnings }
  }
}
