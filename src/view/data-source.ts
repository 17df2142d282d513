import type { Result } from '../model/result.ts'
import type { PageData } from '../report/html/page-data.ts'
import type {
  ComparisonData,
  LiveData,
  ProjectData,
  RunsData,
  TestHistory,
  ViewImage,
} from '../report/html/view-data.ts'
import type { LabelSource } from './label-source.ts'

/** A value that is part of the page, or comes from a server. */
export type Loading<Value> = Value | Promise<Value>

/**
 * Where the screens get their data. What a source does not have is undefined, and its screens and sections are hidden:
 * a report has one run and nothing else.
 */
export interface DataSource {
  /** The only run; undefined if there may be others. */
  readonly only_run: string | undefined
  run(id: string): Loading<PageData>
  /** The attempts of a row. */
  results(id: string, index: number): Loading<readonly Result[]>
  readonly project?: () => Promise<ProjectData>
  readonly runs?: () => Promise<RunsData>
  /** The same test on the same target in other runs. */
  readonly history?: (id: string, index: number) => Promise<TestHistory>
  /** An image of a row, by the hash of its file. */
  readonly image?: (id: string, index: number, hash: string) => ViewImage
  readonly live?: (id: string) => Promise<LiveData>
  /** Asks the process of the run to stop. */
  readonly stop?: (id: string) => Promise<void>
  /** Answers to label. */
  readonly label?: LabelSource
  readonly compare?: (base: string, other: string) => Promise<ComparisonData>
}
