import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Props {
  /** What is folded, for the name of the button. */
  readonly name: string
  /** The part that is not rendered while it is folded: `200,000 characters`. */
  readonly all?: string | undefined
  readonly children: (isOpen: boolean) => ComponentChildren
}

/** Cuts tall content at a height, with a button that shows all of it. */
export function Folded({ name, all, children }: Props) {
  const [isTall, setTall] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = content.current
    if (element && !isOpen) setTall(element.scrollHeight > element.clientHeight + 1)
  })
  const canOpen = isTall || all !== undefined
  return (
    <div class={`folded ${isOpen ? 'open' : isTall ? 'tall' : ''}`}>
      <div class="folded-content" ref={content}>
        {children(isOpen)}
      </div>
      {canOpen && (
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all${all === undefined ? '' : ` ${all}`}`}
          <span class="for-readers"> of {name}</span>
        </button>
      )}
    </div>
  )
}
