import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { RowHeights } from './row-heights.ts'

/** Rows that are drawn outside of the visible part, so that scrolling never shows a gap. */
const MORE_ROWS = 8

/** The least height of a scrolling element; see `tests.css`. */
const MIN_HEIGHT = 420

export interface VirtualRows {
  /** The rows to draw: `first` to before `end`. */
  readonly first: number
  readonly end: number
  /** The space of the rows that are not drawn. */
  readonly space: { readonly paddingTop: string; readonly paddingBottom: string }
  readonly scrolled: () => void
  /** Scrolls as far as needed to see a row. */
  readonly reveal: (index: number) => void
}

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  /** Contains one element for each drawn row. */
  readonly body: RefObject<HTMLElement | null>
  /** Other items make all heights unknown. */
  readonly items: readonly unknown[]
  readonly estimate: (index: number) => number
}

/** Draws only the rows in the visible part of a scrolling element. */
export function useVirtualRows({ scroller, body, items, estimate }: Options): VirtualRows {
  const width = useWidth(scroller)
  const heights = useMemo(() => new RowHeights(items.length, estimate), [items, width])
  const isPrinted = useIsPrinted()
  const [, redraw] = useState({})
  const top = scroller.current?.scrollTop ?? 0
  // At least as high as the scrolling element, whose height depends on its rows.
  const height = Math.max(innerHeight, MIN_HEIGHT)
  const { first, end } = isPrinted
    ? { first: 0, end: Math.min(items.length, MAX_PRINTED) }
    : heights.between(top, top + height, MORE_ROWS)
  useLayoutEffect(() => {
    const change = measureRows(heights, first, body.current, top)
    if (!change.isChanged) return
    if (scroller.current && change.above !== 0) scroller.current.scrollTop += change.above
    redraw({})
  })
  const reveal = useReveal(heights, scroller, body)
  return {
    first,
    end,
    space: {
      paddingTop: `${isPrinted ? 0 : heights.top(first)}px`,
      paddingBottom: `${isPrinted ? 0 : heights.total - heights.top(end)}px`,
    },
    scrolled: useCallback(() => redraw({}), []),
    reveal,
  }
}

/** Measures the drawn rows; `above` is what the change moves the visible part by. */
function measureRows(heights: RowHeights, first: number, body: HTMLElement | null, top: number) {
  let [above, isChanged] = [0, false]
  const firstVisible = heights.indexAt(top)
  for (const [offset, row] of [...(body?.children ?? [])].entries()) {
    const difference = heights.measure(first + offset, (row as HTMLElement).getBoundingClientRect().height)
    if (difference === 0) continue
    isChanged = true
    if (first + offset < firstVisible) above += difference
  }
  return { above, isChanged }
}

function useReveal(heights: RowHeights, scroller: RefObject<HTMLElement | null>, body: RefObject<HTMLElement | null>) {
  return useCallback(
    (index: number) => {
      const element = scroller.current
      if (!element) return
      // The sticky header covers the beginning.
      const header = (body.current?.previousElementSibling as HTMLElement | null)?.offsetHeight ?? 0
      const [start, finish] = [heights.top(index), heights.top(index + 1)]
      if (start < element.scrollTop) element.scrollTop = start
      else if (finish + header > element.scrollTop + element.clientHeight)
        element.scrollTop = finish + header - element.clientHeight
    },
    [heights, scroller, body],
  )
}

/** The width, which is known after the first drawing. Another height redraws too. */
function useWidth(scroller: RefObject<HTMLElement | null>): number {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let width = element.clientWidth
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== width) setSize({ width: element.clientWidth, height: innerHeight })
      width = element.clientWidth
    })
    const resize = () => setSize(now => ({ ...now, height: innerHeight }))
    observer.observe(element)
    addEventListener('resize', resize)
    return () => {
      observer.disconnect()
      removeEventListener('resize', resize)
    }
  }, [scroller])
  return size.width
}

/** Maximum number of rows on paper. */
const MAX_PRINTED = 2_000

/** Paper does not scroll, so all rows are drawn. */
function useIsPrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false)
  useEffect(() => {
    const print = matchMedia('print')
    const change = () => setPrinted(print.matches)
    print.addEventListener('change', change)
    return () => print.removeEventListener('change', change)
  }, [])
  return isPrinted
}
