import type { Result } from '../../model/result.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { inputText } from '../result-texts.ts'

type Query = Pick<ResultFacts, 'test_id' | 'attempt_id'>

/** The inputs of queries, read from the record of one of their attempts. */
export class QueryInputs {
  readonly #run: RunReader
  #last: Result | undefined

  constructor(run: RunReader) {
    this.#run = run
  }

  /** The input of a query whose test id is only a number, as in trigger sets. */
  textOf(query: Query): string | undefined {
    const result = /^\d+$/.test(query.test_id) ? this.#resultOf(query) : undefined
    return result && inputText(result)
  }

  /** Equal for queries with the same input. */
  keyOf(query: Query): string {
    const result = this.#resultOf(query)
    return result ? `input ${result.input_hash ?? JSON.stringify(result.input)}` : `attempt ${query.attempt_id}`
  }

  #resultOf({ attempt_id }: Query): Result | undefined {
    if (this.#last?.attempt_id !== attempt_id) this.#last = this.#run.result(attempt_id)
    return this.#last
  }
}
