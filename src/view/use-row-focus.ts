import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useKeys } from './use-keys.ts'

interface Options {
  readonly count: number
  readonly body: RefObject<HTMLElement | null>
  readonly reveal: (index: number) => void
  /** Other items make the first one current. */
  readonly items: readonly unknown[]
}

/** Number of rows that Page Up and Page Down move by. */
const PAGE = 10

/** Moves the focus between the rows of a table with j and k anywhere, and with arrow keys in the table. */
export function useRowFocus({ count, body, reveal, items }: Options) {
  const [current, setCurrent] = useState(0)
  const [, redraw] = useState({})
  const wanted = useRef(-1)
  const known = useRef(items)
  if (known.current !== items) {
    known.current = items
    if (current !== 0) setCurrent(0)
  }
  const focusRow = useCallback(
    (index: number) => {
      wanted.current = index
      reveal(index)
      setCurrent(index)
      // Also if the row is the current one already.
      redraw({})
    },
    [reveal],
  )
  // The row may have to be drawn first.
  useLayoutEffect(() => {
    if (wanted.current < 0) return
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a[tabindex="0"]`)
    if (!link) return
    wanted.current = -1
    link.focus({ preventScroll: true })
  })
  const go = (index: number) => focusRow(Math.min(count - 1, Math.max(0, index)))
  const isInside = () => body.current?.contains(document.activeElement) ?? false
  useKeys({ j: () => go(isInside() ? current + 1 : current), k: () => go(isInside() ? current - 1 : current) })
  const pressed = (event: KeyboardEvent) => {
    const index = stepFrom(current, event.key, count)
    if (index === undefined) return
    event.preventDefault()
    go(index)
  }
  /** A click moves the focus too. */
  const focused = (event: FocusEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]')
    const index = Number(row?.dataset['index'] ?? -1)
    if (index >= 0 && index !== current) setCurrent(index)
  }
  return { current, focusRow, on: { onKeyDown: pressed, onFocusIn: focused } }
}

function stepFrom(current: number, key: string, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + PAGE,
    PageUp: current - PAGE,
    Home: 0,
    End: count - 1,
  }
  return Object.hasOwn(steps, key) ? steps[key] : undefined
}
