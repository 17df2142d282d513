import { useEffect, useState } from 'preact/hooks'
import type { LiveData } from '../../../report/html/view-data.ts'

/** Time between two requests. */
const POLL_MS = 1000

/** The state of a run that may go on. */
export interface Live {
  /** Undefined until the first answer of the server. */
  readonly data: LiveData | undefined
  /** Why the data are not up to date. */
  readonly problem: string | undefined
}

/** Asks for the state of a run once a second while the page is visible, until the run ends. */
export function useLive(load: () => Promise<LiveData>, run: string): Live {
  const [live, setLive] = useState<Live>({ data: undefined, problem: undefined })
  useEffect(() => {
    setLive({ data: undefined, problem: undefined })
    return poll(
      load,
      data => setLive({ data, problem: undefined }),
      problem => setLive(({ data }) => ({ data, problem })),
    )
  }, [run])
  return live
}

/** Returns what ends the polling. */
function poll(
  load: () => Promise<LiveData>,
  onData: (data: LiveData) => void,
  onProblem: (problem: string) => void,
): () => void {
  let isOver = false
  let timer = 0
  const next = async () => {
    if (isOver || document.hidden) return
    try {
      const data = await load()
      if (isOver) return
      onData(data)
      isOver = !data.is_live
    } catch (error) {
      if (!isOver) onProblem((error as Error).message)
    }
    if (!isOver) timer = window.setTimeout(next, POLL_MS)
  }
  const show = () => {
    window.clearTimeout(timer)
    next()
  }
  document.addEventListener('visibilitychange', show)
  next()
  return () => {
    isOver = true
    window.clearTimeout(timer)
    document.removeEventListener('visibilitychange', show)
  }
}
