import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Problem, Waiting } from '../../parts/notice.tsx'
import type { RunScreenProps } from '../../screen.ts'
import { useLoaded } from '../../use-loaded.ts'
import { openTest } from './open-test.ts'

/** A test on a target: all its trials, and the selected one in detail. */
export function TestScreen({ route, source, run }: RunScreenProps<'test'>) {
  const row = run.rows_by_key.get(route.test)
  const chosen = useMemo(() => run.selector.choose(route.filters), [run, route.filters])
  const results = useLoaded(() => (row ? source.results(run.id, row.index) : []), `${run.id} ${row?.index}`)
  const article = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (row && results.value) article.current?.replaceChildren(...openTest(row, results.value, chosen, route))
  }, [row, results.value, chosen, route])
  if (results.problem !== undefined) return <Problem text={results.problem} />
  if (!results.value) return <Waiting what="the test" />
  return <article class="test" aria-labelledby="test-name" ref={article} />
}
