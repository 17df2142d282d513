import type { TestOutcome } from './test-outcome.ts'

/** How the judges of panels compare on the same answers, without those that reruns added. */
export interface PanelFigures {
  /** Number of answers that a panel has judged. */
  readonly answers: number
  /** On how many of them its judges differ. */
  readonly disputed: number
  readonly judges: readonly PanelJudge[]
}

/** A judge by its own votes alone. */
export interface PanelJudge {
  readonly judge: string
  readonly answers: number
  readonly passed: number
}

/** Returns undefined if no panel has judged. */
export function panelFigures(tests: readonly TestOutcome[]): PanelFigures | undefined {
  const judged = tests.flatMap(({ results }) => results.flatMap(({ panel, added }) => (panel && !added ? [panel] : [])))
  if (judged.length === 0) return undefined
  const judges = new Map<string, { answers: number; passed: number }>()
  for (const { judge, passes } of judged.flatMap(({ judges }) => judges)) {
    const { answers, passed } = judges.get(judge) ?? { answers: 0, passed: 0 }
    judges.set(judge, { answers: answers + 1, passed: passed + Number(passes) })
  }
  return {
    answers: judged.length,
    disputed: judged.filter(({ is_disputed }) => is_disputed).length,
    judges: Array.from(judges, ([judge, counts]) => ({ judge, ...counts })),
  }
}
