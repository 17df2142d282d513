/** Content of an `aggregate-result.json`, small enough to change in a test. */

interface RunOptions {
  readonly score?: number
  readonly error?: string | null
  readonly more?: Readonly<Record<string, unknown>>
}

const GRADER = { name: 'style', type: 'regex', weight: 1, config: { pattern: 'x' } }

/** A run with one grader; its score is 1 or 0. */
export function clientRun({ score = 1, error = null, more = {} }: RunOptions = {}) {
  return {
    score,
    passed: score >= 1,
    turns: 2,
    costUsd: 0.02,
    judgeCostUsd: 0,
    durationSeconds: 1,
    startedAt: '2026-11-16T03:37:56.139Z',
    error,
    tracePath: '/tmp/gone/trace.jsonl',
    skippedPaidGraders: false,
    graders: [graderResult(score)] as readonly object[],
    ...more,
  }
}

export function graderResult(score: number, more: Readonly<Record<string, unknown>> = {}) {
  const explanation = score === 1 ? 'matched x' : 'pattern not found in last_message'
  return { name: 'style', passed: score === 1, weight: 1, explanation, withOnly: false, scored: true, ...more }
}

type Run = ReturnType<typeof clientRun>

interface CaseOptions {
  readonly with: readonly Run[]
  readonly without?: readonly Run[]
  readonly more?: Readonly<Record<string, unknown>>
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

/** A case with the figures that the client computes: runs with an error count with their score. */
export function clientCase(name: string, { with: first, without, more = {} }: CaseOptions) {
  const figures = (runs: readonly Run[]) => ({
    score: meanOf(runs.map(({ score }) => score)),
    rate: meanOf(runs.map(({ score }) => Number(score >= 1))),
  })
  const [one, other] = [figures(first), without && figures(without)]
  return {
    name,
    dir: `evals/${name}`,
    source: 'prose',
    promptMarkdown: `Do ${name}.`,
    runsPerCase: first.length,
    timeoutSeconds: 300,
    maxTurns: 10,
    graders: [GRADER] as readonly object[],
    arms: { with: first, ...(without ? { without } : {}) },
    aggregates: {
      score: one.score,
      passRate: one.rate,
      ...(other ? { scoreWithout: other.score, passRateWithout: other.rate, delta: one.score - other.score } : {}),
    } as Record<string, number>,
    ...more,
  }
}

type Case = ReturnType<typeof clientCase>

/** The results of cases as the client writes them. */
export function clientFile(cases: readonly Case[], more: Readonly<Record<string, unknown>> = {}) {
  const numbers = (key: string) => cases.flatMap(({ aggregates }) => aggregates[key] ?? [])
  const deltas = numbers('delta')
  return {
    schemaVersion: 1,
    claudeVersion: '2.1.325',
    startedAt: '2026-11-16T03:37:56.098Z',
    durationSeconds: 14,
    costUsd: 0.1,
    partial: false,
    suite: {
      root: '/home/user/sample',
      ablation: cases.some(({ arms }) => 'without' in arms) ? 'with-without' : 'none',
      threshold: 1,
      concurrency: 1,
      plugins: [{ name: 'sample', version: '0.1.0', path: '/home/user/sample' }],
    },
    cases,
    aggregates: {
      casesTotal: cases.length,
      casesPassed: numbers('score').filter(score => score >= 1).length,
      overallScore: meanOf(numbers('score')),
      overallPassRate: meanOf(numbers('passRate')),
      ...(deltas.length > 0 ? { meanDelta: meanOf(deltas) } : {}),
    },
    ...more,
  }
}

/** Cases of equal runs: the scores with the plugin, and without it. */
export function equalCases(count: number, first: readonly number[], second?: readonly number[]) {
  const runs = (scores: readonly number[]) => scores.map(score => clientRun({ score }))
  return Array.from({ length: count }, (_, index) =>
    clientCase(`case-${index + 1}`, { with: runs(first), ...(second ? { without: runs(second) } : {}) }),
  )
}
