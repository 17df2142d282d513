import { useEffect, useState } from 'preact/hooks'

/** What a server said last. */
export interface Polled<Data> {
  /** Undefined until the first answer. */
  readonly data: Data | undefined
  /** Why the data are not up to date. */
  readonly problem: string | undefined
}

interface PollOptions<Data> {
  readonly load: () => Promise<Data>
  /** Time until the next request; undefined if there is nothing more to ask. */
  readonly pause: (data: Data | undefined) => number | undefined
}

/** Asks a server again and again while the page is visible, and from the beginning if `key` changes. */
export function usePolled<Data>(options: PollOptions<Data>, key: string): Polled<Data> {
  const [polled, setPolled] = useState<Polled<Data>>({ data: undefined, problem: undefined })
  useEffect(() => {
    setPolled({ data: undefined, problem: undefined })
    return poll(
      options,
      data => setPolled({ data, problem: undefined }),
      problem => setPolled(({ data }) => ({ data, problem })),
    )
  }, [key])
  return polled
}

/** Returns what ends the polling. */
function poll<Data>(
  { load, pause }: PollOptions<Data>,
  onData: (data: Data) => void,
  onProblem: (problem: string) => void,
): () => void {
  let isOver = false
  let timer = 0
  const next = async () => {
    if (isOver || document.hidden) return
    let data: Data | undefined
    try {
      data = await load()
      if (isOver) return
      onData(data)
    } catch (error) {
      if (isOver) return
      onProblem((error as Error).message)
    }
    const ms = pause(data)
    isOver = ms === undefined
    if (!isOver) timer = window.setTimeout(next, ms)
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
