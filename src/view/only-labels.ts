import type { DataSource } from './data-source.ts'
import { labelSource } from './label-source.ts'

/** The page of `assay label --browser`: it labels, and has nothing else, which could tell who gave an answer. */
export function onlyLabels(): DataSource {
  const nothing = () => Promise.reject(new Error('This page has no runs.'))
  return { only_run: undefined, run: nothing, results: nothing, label: labelSource() }
}
