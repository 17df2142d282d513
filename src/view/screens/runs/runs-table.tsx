import { useRef } from 'preact/hooks'
import type { ListedRunData } from '../../../report/html/view-data.ts'
import { useKeys } from '../../use-keys.ts'
import { useRowFocus } from '../../use-row-focus.ts'
import { RunRow } from './run-row.tsx'

interface Props {
  readonly runs: readonly ListedRunData[]
  /** All targets, in the order of their colours. */
  readonly targets: readonly string[]
  readonly selected: readonly string[]
  readonly toggle: (id: string) => void
}

const HEADS: readonly (readonly [name: string, style: string])[] = [
  ['Run', ''],
  ['Commit', 'wide'],
  ['Pass rate of each target, with its 95 % interval', ''],
  ['Against baseline', ''],
  ['Cost', 'number wide'],
  ['Time', 'number wide'],
]

/** The table of runs. */
export function RunsTable({ runs, targets, selected, toggle }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const reveal = (index: number) => body.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  const focus = useRowFocus({ count: runs.length, body, reveal, items: runs })
  useKeys({
    x: () => {
      const run = runs[focus.current]
      if (run) toggle(run.id)
    },
  })
  return (
    <div class="card runs-card">
      <table class="runs-table" aria-labelledby="runs-name">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Select</span>
            </th>
            {HEADS.map(([name, style]) => (
              <th key={name} scope="col" class={style}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} {...focus.on}>
          {runs.map((run, index) => (
            <RunRow
              key={run.id}
              run={run}
              index={index}
              isCurrent={index === focus.current}
              targets={targets}
              isSelected={selected.includes(run.id)}
              toggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
