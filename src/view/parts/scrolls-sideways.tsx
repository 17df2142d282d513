import type { ComponentChildren } from 'preact'

/** Browsers scroll by keyboard only what has the focus. */
const FOCUSABLE = { tabIndex: 0 }

interface Props {
  /** Id of the heading. */
  readonly label: string
  readonly children: ComponentChildren
}

/** A wide table on a small screen. */
export function ScrollsSideways({ label, children }: Props) {
  return (
    <section class="scrolls-sideways" aria-labelledby={label} {...FOCUSABLE}>
      {children}
    </section>
  )
}
