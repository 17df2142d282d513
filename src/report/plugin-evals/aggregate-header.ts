import { basename } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import { AGGREGATE_VERSION, type AggregateResult } from '../../model/aggregate-result.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { PASS_MARK } from '../../model/verdict.ts'
import { partialRunText } from '../outcome/partial-run.ts'
import type { ComparedCase, ComparedCases } from './compared-cases.ts'
import { figuresOf } from './run-figures.ts'

/** What an `aggregate-result.json` has before its cases. */
export function aggregateHeader(
  run: RunReader,
  compared: ComparedCases,
): Omit<AggregateResult, 'cases' | 'aggregates'> {
  const { info } = run
  const { cases, targets, left_out } = compared
  const facts = cases.flatMap(attemptsOf)
  const [first] = facts
  const recorded = [...run.facts()].length
  const not_made = run.planned > recorded ? run.planned - recorded : undefined
  const isPartial =
    not_made !== undefined || left_out > 0 || (run.damaged ?? 0) > 0 || facts.some(({ verdict }) => verdict === 'error')
  const reason = PARTIAL_REASONS[info?.stopped ?? '']
  const figures = figuresOf(run, facts)
  return {
    schemaVersion: AGGREGATE_VERSION,
    // Records do not have the version of the client.
    claudeVersion: `assay ${info?.assay_version ?? '(version not recorded)'}`,
    startedAt: figures.startedAt,
    durationSeconds: figures.durationSeconds ?? 0,
    costUsd: figures.costUsd,
    partial: isPartial,
    ...(isPartial && reason ? { partialReason: reason } : {}),
    suite: {
      root: info?.root ?? '',
      ablation: cases.some(each => each.without) ? 'with-without' : 'none',
      threshold: first?.threshold ?? PASS_MARK,
      ...withoutNullish({ judgeModel: judgeModel(run), tagFilters: optionTexts(run, 'tags') }),
      plugins: pluginsOf(run, targets.with),
    },
    assay: {
      version: info?.assay_version ?? '',
      run_id: info?.run_id ?? (first && run.result(first.attempt_id)?.run_id) ?? '',
      targets,
      ...withoutNullish({
        provider: first && run.result(first.attempt_id)?.provider,
        default_marks: first?.threshold === undefined ? (true as const) : undefined,
        partial: partialRunText(run, recorded),
        not_made,
        unknown: figures.unknown.length === 0 ? undefined : figures.unknown,
      }),
    },
  }
}

const PARTIAL_REASONS: Readonly<Record<string, AggregateResult['partialReason']>> = {
  signal: 'interrupted',
  budget: 'cost_ceiling',
}

function attemptsOf({ with: first, without }: ComparedCase): readonly ResultFacts[] {
  return [...first.outcome.results, ...(without?.outcome.results ?? [])]
}

/** The model of the judge, if there is one judge. */
function judgeModel({ info }: RunReader): string | undefined {
  const [judge, ...others] = info?.judges ?? []
  const model = others.length === 0 ? judge?.['model'] : undefined
  return typeof model === 'string' ? model : undefined
}

function optionTexts({ info }: RunReader, key: string): string[] | undefined {
  const texts = info?.options?.[key]
  return Array.isArray(texts) && texts.length > 0 ? texts.map(String) : undefined
}

function pluginsOf({ info }: RunReader, target: string): AggregateResult['suite']['plugins'] {
  const plugins = info?.targets.find(({ name }) => name === target)?.['plugins']
  const paths = Array.isArray(plugins) ? plugins.filter(path => typeof path === 'string') : []
  return paths.map(path => ({ name: basename(path), path }))
}
