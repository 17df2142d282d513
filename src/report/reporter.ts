import type { RunReader } from '../model/run-reader.ts'

/** One kind of report: records in, text out. The same records give the same bytes. */
export interface Reporter {
  /** The ending of the files that it writes. */
  readonly type: string
  readonly summary: string
  render(run: RunReader): Iterable<string>
}
