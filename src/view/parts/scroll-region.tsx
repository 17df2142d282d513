import type { ComponentChildren } from 'preact'

interface Props {
  /** What is inside, for screen readers. */
  readonly name: string
  readonly children: ComponentChildren
}

/** A part of the page that scrolls sideways by itself, also by keyboard. */
export function ScrollRegion({ name, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard
    <section class="scrolls" tabIndex={0} aria-label={name}>
      {children}
    </section>
  )
}
