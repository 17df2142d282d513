import { useEffect } from 'preact/hooks'
import { format } from '../../parts/format.ts'
import { addressOf, type Go, runRouteOf, type TestRoute } from '../../route.ts'
import type { Row } from '../../rows.ts'

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
  useNeighbourKeys(previous, next, to => go(routeTo(route, to)))
  return (
    <nav class="way" aria-label="Tests">
      <a class="button" href={addressOf(runRouteOf(route.run, route.filters))} aria-keyshortcuts="Escape">
        ← All tests
      </a>
      <span class="faint">{position >= 0 && `${format.count(position + 1)} of ${format.count(chosen.length)}`}</span>
      <Neighbour name="Previous" shortcut="k" to={previous} route={route} />
      <Neighbour name="Next" shortcut="j" to={next} route={route} />
    </nav>
  )
}

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

/** `k` shows the previous test, `j` the next one. */
function useNeighbourKeys(previous: Row | undefined, next: Row | undefined, show: (row: Row) => void): void {
  useEffect(() => {
    const press = ({ key, ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || defaultPrevented || isTyping(target)) return
      const to = key === 'k' ? previous : key === 'j' ? next : undefined
      if (to) show(to)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea')
}
