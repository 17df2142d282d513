import { format } from '../../parts/format.ts'
import { type KeyMeaning, KeysHelp } from '../../parts/keys-help.tsx'
import { addressOf, type Go, runRouteOf, type TestRoute } from '../../route.ts'
import type { Row } from '../../rows.ts'
import { useKeys } from '../../use-keys.ts'

interface Props {
  readonly row: Row
  /** The tests that the filters choose, in their order. */
  readonly chosen: readonly Row[]
  readonly route: TestRoute
  readonly go: Go
}

/** Links to the list and to the neighbouring tests, also by key. */
export function WayAround({ row, chosen, route, go }: Props) {
  const position = chosen.indexOf(row)
  const [previous, next] = position < 0 ? [] : [chosen[position - 1], chosen[position + 1]]
  const show = (to: Row | undefined) => to && go(routeTo(route, to))
  useKeys({ k: () => show(previous), j: () => show(next) })
  return (
    <nav class="way" aria-label="Tests">
      <a class="button" href={addressOf(runRouteOf(route.run, route.filters))} aria-keyshortcuts="Escape">
        ← All tests
      </a>
      <span class="faint">{position >= 0 && `${format.count(position + 1)} of ${format.count(chosen.length)}`}</span>
      <Neighbour name="Previous" shortcut="k" to={previous} route={route} />
      <Neighbour name="Next" shortcut="j" to={next} route={route} />
      <KeysHelp keys={KEYS} />
    </nav>
  )
}

const KEYS: readonly KeyMeaning[] = [
  ['j', 'next test'],
  ['k', 'previous test'],
  ['Esc', 'back to the list'],
]

interface NeighbourProps {
  readonly name: string
  readonly shortcut: string
  readonly to: Row | undefined
  readonly route: TestRoute
}

function Neighbour({ name, shortcut, to, route }: NeighbourProps) {
  const key = <kbd class="wide">{shortcut}</kbd>
  if (!to)
    return (
      <span class="button off" aria-hidden="true">
        {name}
        {key}
      </span>
    )
  return (
    <a class="button" href={addressOf(routeTo(route, to))} aria-keyshortcuts={shortcut}>
      {name}
      {key}
    </a>
  )
}

function routeTo(route: TestRoute, { key }: Row): TestRoute {
  return { ...route, test: key, trial: 0 }
}
