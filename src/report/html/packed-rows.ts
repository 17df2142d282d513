import { truncate } from '../../lib/text/quote.ts'
import { totalTokens } from '../../model/answer.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { Result } from '../../model/result.ts'
import { counts } from '../../model/verdict.ts'
import { standingOf } from '../outcome/marked-tests.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { mainReason } from '../reasons.ts'
import type { PackedRow, PackedRows } from './page-data.ts'

/** Packs rows of the table. Rows stay valid while others are packed. */
export class RowPacker {
  readonly #suites = new TextTable()
  readonly #targets = new TextTable()
  readonly #files = new TextTable()
  readonly #tags = new TextTable()
  readonly #checks = new TextTable()

  rowOf(outcome: TestOutcome, results: readonly Result[]): PackedRow {
    const [first] = results
    const checks = results.flatMap(({ evaluator_results }) => withInside(evaluator_results)).filter(counts)
    const missed = checks.filter(({ passed, not_run }) => !passed && !not_run)
    return [
      outcome.test_id,
      this.#suites.indexOf(outcome.suite),
      this.#targets.indexOf(outcome.target),
      this.#files.indexOf(outcome.file),
      first?.line ?? 1,
      outcome.verdict,
      outcome.score,
      outcome.attempts,
      outcome.passed,
      outcome.is_flaky ? 1 : 0,
      meanOf(results.map(({ duration_ms }) => duration_ms)),
      sumOf(results.map(({ cost_usd }) => cost_usd)),
      sumOf(results.map(({ token_usage }) => totalTokens(token_usage))),
      this.#tags.indexesOf(first?.tags ?? []),
      this.#checks.indexesOf(checks.map(({ name }) => name)),
      this.#checks.indexesOf(missed.map(({ name }) => name)),
      truncate(first?.description ?? first?.criteria ?? '', 200),
      truncate(
        mainReason(
          outcome.verdict,
          results.filter(({ verdict }) => verdict !== 'pass'),
        ) ?? '',
        LONGEST_REASON,
      ),
      standingOf(outcome) ?? null,
    ]
  }

  /** The texts that rows share. */
  get tables(): Omit<PackedRows, 'rows'> {
    return {
      suites_of_rows: this.#suites.all,
      targets_of_rows: this.#targets.all,
      files: this.#files.all,
      tags: this.#tags.all,
      checks: this.#checks.all,
    }
  }
}

/** The reason is what a reader looks for: it is cut only where it would fill the screen. */
const LONGEST_REASON = 400

/** Stores each text once. */
class TextTable {
  readonly #indexes = new Map<string, number>()

  indexOf(text: string): number {
    const known = this.#indexes.get(text)
    if (known !== undefined) return known
    this.#indexes.set(text, this.#indexes.size)
    return this.#indexes.size - 1
  }

  indexesOf(texts: readonly string[]): number[] {
    return [...new Set(texts)].map(text => this.indexOf(text))
  }

  get all(): string[] {
    return [...this.#indexes.keys()]
  }
}

function withInside(checks: readonly EvaluatorResult[]): EvaluatorResult[] {
  return checks.flatMap(check => [check, ...withInside(check.evaluator_results ?? [])])
}

function sumOf(numbers: readonly (number | undefined)[]): number | null {
  const known = numbers.filter(number => number !== undefined)
  return known.length === 0 ? null : known.reduce((sum, number) => sum + number, 0)
}

function meanOf(numbers: readonly (number | undefined)[]): number | null {
  const sum = sumOf(numbers)
  return sum === null ? null : sum / numbers.filter(number => number !== undefined).length
}
