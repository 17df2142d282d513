import { JAVASCRIPT_RUNNER, PYTHON_RUNNER } from '../programs/runner-texts.ts'

const RUNNERS = {
  javascript: { file: 'judges/javascript-assertion.mjs', program: 'node', text: JAVASCRIPT_RUNNER },
  python: { file: 'judges/python-assertion.py', program: 'python3', text: PYTHON_RUNNER },
} as const

export type Language = keyof typeof RUNNERS

/** Collects the programs that the checks of a suite need beside it. */
export class Programs {
  readonly #files = new Map<string, string>()

  get files(): ReadonlyMap<string, string> {
    return this.#files
  }

  /** The command of the program that runs assertions in a language, which is written with the suite. */
  runner(language: Language): readonly string[] {
    const { file, text } = RUNNERS[language]
    this.#files.set(file, text)
    return runnerCommand(language)
  }
}

export function runnerCommand(language: Language): readonly string[] {
  const { file, program } = RUNNERS[language]
  return [program, `./${file}`]
}
