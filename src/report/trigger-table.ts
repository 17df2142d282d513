import type { Outcome } from './outcome/run-outcome.ts'
import type { SkillTriggers, TriggerQuery } from './outcome/skill-triggers.ts'
import {
  expectationText,
  figuresText,
  missingText,
  passedText,
  queryName,
  rateText,
  shownQueries,
  skillTitle,
  suspicion,
  verdictText,
} from './trigger-text.ts'

/** The trigger rates of a skill on a target, as text in cells. */
export interface TriggerTable {
  /** `csv-analyzer on default`. */
  readonly title: string
  /** Precision, recall and F1, and how many queries passed. */
  readonly figures: readonly string[]
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What is not in the table, and what the figures cannot show. */
  readonly notes: readonly string[]
}

const HEADER = ['query', 'expected', 'trigger rate', 'verdict']

/** A table for each skill on each target. */
export function triggerTables({ triggers = [] }: Pick<Outcome, 'triggers'>): TriggerTable[] {
  return triggers.map(tableOf)
}

function tableOf(rates: SkillTriggers): TriggerTable {
  const { shown, more } = shownQueries(rates)
  const suspect = rates.harness_suspect ? [`harness suspect: ${suspicion(rates)}`] : []
  return {
    title: skillTitle(rates),
    figures: [figuresText(rates), passedText(rates)],
    header: HEADER,
    rows: shown.map(rowOf),
    notes: [...(more === undefined ? [] : [more]), ...suspect, ...rates.limits],
  }
}

function rowOf(query: TriggerQuery): string[] {
  const rate = [rateText(query), ...missingText(query)].join(', ')
  return [queryName(query), expectationText(query), rate, verdictText(query)]
}
