import { formatRate } from '../../../report/estimates-text.ts'
import type { GroupStatistics } from '../../../report/html/page-data.ts'
import type { BaselineVerdict, ListedRunData } from '../../../report/html/view-data.ts'
import { format, formatTimestamp } from '../../parts/format.ts'
import { IntervalBar } from '../../parts/interval-bar.tsx'
import { TargetName, targetColour } from '../../parts/target-name.tsx'
import { addressOf, runRouteOf } from '../../route.ts'

interface Props {
  readonly run: ListedRunData
  readonly index: number
  readonly isCurrent: boolean
  readonly targets: readonly string[]
  readonly isSelected: boolean
  readonly toggle: (id: string) => void
}

/** A run in the table of runs. */
export function RunRow({ run, index, isCurrent, targets, isSelected, toggle }: Props) {
  const { id, facts, problem, elapsed_ms } = run
  return (
    <tr data-index={index} aria-selected={isSelected}>
      <td class="select">
        <input
          type="checkbox"
          aria-label={`Select run ${facts?.label ?? id}`}
          checked={isSelected}
          tabIndex={isCurrent ? 0 : -1}
          onChange={() => toggle(id)}
        />
      </td>
      <th scope="row">
        <RunName run={run} isCurrent={isCurrent} />
      </th>
      <td class="wide">
        <Commit run={run} />
      </td>
      <td class="rates">
        {problem === undefined ? (
          run.targets.map(group => <TargetRate key={group.name} group={group} targets={targets} />)
        ) : (
          <span class="bad">{problem}</span>
        )}
      </td>
      <td>{run.baseline && <Baseline baseline={run.baseline} />}</td>
      <td class="number wide">{format.cost(costOf(run))}</td>
      <td class="number wide">{format.time(elapsed_ms)}</td>
    </tr>
  )
}

function RunName({ run, isCurrent }: Pick<Props, 'run' | 'isCurrent'>) {
  const { id, facts, started, is_live, partial, tests } = run
  const suites = facts?.suites.join(', ')
  return (
    <>
      <a class="run-name" href={addressOf(runRouteOf(id))} tabIndex={isCurrent ? 0 : -1}>
        {facts?.label ?? id}
      </a>
      {is_live && (
        <a class="badge live" href={addressOf({ screen: 'live', run: id })}>
          live
        </a>
      )}
      <span class="under faint">
        {[started && formatTimestamp(started), facts?.label !== undefined && id].filter(Boolean).join(' · ')}
      </span>
      <span class="under faint">{[suites, testsText(tests), partial].filter(Boolean).join(' · ')}</span>
    </>
  )
}

function testsText(tests: number): string {
  return `${format.count(tests)} ${tests === 1 ? 'test' : 'tests'}`
}

function Commit({ run: { facts } }: Pick<Props, 'run'>) {
  if (facts?.commit === undefined) return <span class="faint">–</span>
  const commit = <code>{facts.commit.slice(0, 7)}</code>
  return (
    <>
      {facts.commit_url === undefined ? (
        commit
      ) : (
        <a href={facts.commit_url} rel="noreferrer">
          {commit}
        </a>
      )}
      {facts.is_dirty && <span class="faint"> changed</span>}
      <span class="under faint">{facts.branch}</span>
    </>
  )
}

function TargetRate({ group, targets }: { readonly group: GroupStatistics; readonly targets: readonly string[] }) {
  const { name, pass_rate, is_control } = group
  return (
    <div class="target-rate">
      <TargetName name={name} targets={targets} is_control={is_control} />
      <span class="rate-text">{formatRate(pass_rate)}</span>
      {pass_rate && <IntervalBar rate={pass_rate} colour={targetColour(targets, name)} />}
    </div>
  )
}

const SIGNS: Readonly<Record<BaselineVerdict['verdict'], string>> = {
  better: '↑',
  worse: '↓',
  equivalent: '=',
  inconclusive: '?',
  stale: '…',
}

function Baseline({ baseline: { verdict, text } }: { readonly baseline: BaselineVerdict }) {
  return (
    <>
      <span class={`badge baseline-${verdict}`}>
        <span class="sign" aria-hidden="true">
          {SIGNS[verdict]}
        </span>
        {verdict}
      </span>
      <span class="under faint">{text}</span>
    </>
  )
}

/** Undefined if no target reports one. */
function costOf({ targets }: ListedRunData): number | undefined {
  const known = targets.flatMap(({ cost_usd }) => cost_usd ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0)
}
