import type { ComparisonData } from '../../../report/html/view-data.ts'
import { Problem, Waiting } from '../../parts/notice.tsx'
import { addressOf, runRouteOf } from '../../route.ts'
import type { ScreenProps } from '../../screen.ts'
import { useLoaded } from '../../use-loaded.ts'
import { ChangedTests } from './changed-tests.tsx'
import { ComparedSides } from './compared-sides.tsx'

/** Two runs compared: what `assay compare` says about them, with plots, and the answers of tests that changed. */
export function CompareScreen({ route, source }: ScreenProps<'compare'>) {
  const { base, other } = route
  const { value, problem } = useLoaded(
    () => source.compare?.(base, other) ?? Promise.reject(new Error('This page has only one run.')),
    JSON.stringify([base, other]),
  )
  return (
    <article class="compare" aria-labelledby="compare-name">
      <header class="compare-head">
        <h1 id="compare-name" tabIndex={-1}>
          Comparison
        </h1>
        <p>
          <RunLink run={other} /> against <RunLink run={base} />
          <a class="button small" href={addressOf({ screen: 'compare', base: other, other: base })}>
            Swap
          </a>
        </p>
      </header>
      {problem !== undefined && <Problem text={problem} />}
      {problem === undefined && !value && <Waiting what="the comparison" />}
      {value && <Compared data={value} source={source} />}
    </article>
  )
}

function RunLink({ run }: { readonly run: string }) {
  return <a href={addressOf(runRouteOf(run))}>{run}</a>
}

interface ComparedProps extends Pick<ScreenProps<'compare'>, 'source'> {
  readonly data: ComparisonData
}

function Compared({ data, source }: ComparedProps) {
  const { comparison, sections, notes, changed } = data
  return (
    <>
      {notes.length > 0 && (
        <ul class="compare-notes" aria-label="Notes">
          {notes.map(note => (
            <li>{note}</li>
          ))}
        </ul>
      )}
      {sections.map((section, index) => (
        <ComparedSides key={section.title} comparison={comparison.comparisons[index]} section={section} />
      ))}
      {sections.length === 0 && <p class="notice">The runs have no target in common.</p>}
      <ChangedTests changed={changed} source={source} />
    </>
  )
}
