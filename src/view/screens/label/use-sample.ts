import { useCallback, useRef, useState } from 'preact/hooks'
import type { GivenLabel, LabelPage } from '../../../model/shown-answer.ts'
import type { LabelSource, SampleEnd } from '../../label-source.ts'

/** A position in the sample, and what can be done there. */
export interface Sample {
  /** The answer, or the end of the sample; undefined until the first one is there. */
  readonly place: LabelPage | SampleEnd | undefined
  /** The answer that is shown; undefined after the last one. */
  readonly page: LabelPage | undefined
  /** Why the last request failed. */
  readonly problem: string | undefined
  readonly can_go_back: boolean
  /** When the answer was shown, in milliseconds on the clock of events. */
  readonly shown_at: number
  start(): void
  label(label: GivenLabel, note: string): void
  skip(): void
  back(): void
}

/** Shows the answers of a sample, one after another. Does one thing at a time: during a request no key counts. */
export function useSample(source: LabelSource): Sample {
  const [place, setPlace] = useState<Sample['place']>()
  const [problem, setProblem] = useState<string>()
  const isBusy = useRef(false)
  const shownAt = useRef(0)
  const request = useCallback(async (work: () => Promise<LabelPage | SampleEnd>) => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      const next = await work()
      shownAt.current = Number(document.timeline.currentTime ?? 0)
      setPlace(next)
      setProblem(undefined)
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      isBusy.current = false
    }
  }, [])
  const start = useCallback(() => void request(() => source.next(0)), [request, source])
  const page = place?.number === undefined ? undefined : place
  const position = page?.number ?? (place ? place.of + 1 : 0)
  return {
    place,
    page,
    problem,
    can_go_back: position > 1,
    get shown_at() {
      return shownAt.current
    },
    start,
    label: (label, note) => {
      if (page)
        request(async () => {
          await source.send(page.number, label, note)
          return source.next(page.number)
        })
    },
    skip: () => {
      if (page) request(() => source.next(page.number))
    },
    back: () => {
      if (position > 1) request(() => source.answer(position - 1))
    },
  }
}

export function endText({ of, labelled }: Pick<SampleEnd, 'of' | 'labelled'>): string {
  return of > labelled ? '. Load the page again for those that you skipped.' : '. You can close this page.'
}
