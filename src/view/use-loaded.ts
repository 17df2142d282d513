import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Loading } from './data-source.ts'

/** A value, or why it could not be loaded; neither while it is loaded. */
export interface Loaded<Value> {
  readonly value?: Value
  readonly problem?: string
}

/** Loads a value again if `key` changes. A value that is part of the page is there at once. */
export function useLoaded<Value>(load: () => Loading<Value>, key: string): Loaded<Value> {
  const loading = useMemo(load, [key])
  const [later, setLater] = useState<{ readonly of: unknown; readonly loaded: Loaded<Value> }>()
  // At once: a screen that is left before the next frame would leave an error that is not handled.
  useLayoutEffect(() => {
    if (!(loading instanceof Promise)) return
    loading.then(
      value => setLater({ of: loading, loaded: { value } }),
      (error: unknown) => setLater({ of: loading, loaded: { problem: (error as Error).message } }),
    )
  }, [loading])
  if (!(loading instanceof Promise)) return { value: loading }
  return later?.of === loading ? later.loaded : {}
}
