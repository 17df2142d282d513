import { slug } from '../../lib/slug.ts'
import { textKey } from '../../lib/text-key.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'

/** A folder's name has this many letters of the test's id at most. */
const LONGEST_SLUG = 50

type Named = Pick<ResultFacts, 'suite' | 'file' | 'test_id'>

export interface EvalFolder {
  /** From 1, by the place of the test in the plan. */
  readonly id: number
  /** Since the number is in it, no other has it, whatever the ids of tests are. */
  readonly name: string
}

/** The folder of each test, whichever target answers. */
export class EvalFolders {
  readonly #folders = new Map<string, EvalFolder>()

  constructor(run: RunReader) {
    for (const facts of run.facts()) {
      const id = this.#folders.size + 1
      if (!this.#folders.has(keyOf(facts)))
        this.#folders.set(keyOf(facts), { id, name: `eval-${id}-${slug(facts.test_id, LONGEST_SLUG) || 'test'}` })
    }
  }

  of(test: Named): EvalFolder {
    const folder = this.#folders.get(keyOf(test))
    if (!folder) throw new Error(`no result of ${test.test_id} was counted`)
    return folder
  }
}

function keyOf({ suite, file, test_id }: Named): string {
  return textKey(suite, file, test_id)
}
