import { useLayoutEffect, useRef } from 'preact/hooks'

/** Calls the action of a key, except while a text is typed and with a modifier. */
export function useKeys(actions: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const current = useRef(actions)
  current.current = actions
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyped(event)) return
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (!action) return
      event.preventDefault()
      action(event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), select, textarea, dialog') !== null
}
