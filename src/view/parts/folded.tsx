import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface FoldedProps {
  readonly children: ComponentChildren
  /** What is folded, for the name of the button. */
  readonly name: string
}

/** Cuts tall content at a height, with a button that shows all of it. */
export function Folded({ children, name }: FoldedProps) {
  const [isTall, setTall] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = content.current
    if (element && !isOpen) setTall(element.scrollHeight > element.clientHeight + 1)
  })
  return (
    <div class={`folded ${isOpen ? 'open' : isTall ? 'tall' : ''}`}>
      <div class="folded-content" ref={content}>
        {children}
      </div>
      {(isTall || isOpen) && (
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
          <span class="for-readers"> of {name}</span>
        </button>
      )}
    </div>
  )
}
