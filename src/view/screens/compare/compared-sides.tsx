import type { ComparedData, ComparisonData } from '../../../report/html/view-data.ts'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { VerdictText } from './comparison-verdict.tsx'
import { ForestPlot } from './forest-plot.tsx'
import { forestRows } from './forest-rows.ts'

/** The words of a comparison. */
type ComparedWords = ComparisonData['sections'][number]

interface Props {
  readonly comparison: ComparedData | undefined
  readonly section: ComparedWords
}

/** One target of both runs: the verdict as `assay compare` words it, the differences as a plot, and all figures. */
export function ComparedSides({ comparison, section }: Props) {
  const { title, verdict, verdict_text, notes, lists } = section
  const rows = comparison ? forestRows(comparison) : []
  return (
    <section class="compared panel" aria-label={title}>
      <h2>{title}</h2>
      <p class="compared-verdict">
        <VerdictText verdict={verdict} text={verdict_text} />
      </p>
      {rows.length > 0 && <ForestPlot rows={rows} margin={comparison?.margin ?? 0} />}
      <Metrics section={section} />
      <ul class="compared-notes" aria-label="Notes">
        {notes.map(note => (
          <li>{note}</li>
        ))}
      </ul>
      {lists.map(list => (
        <TestList key={list.label} {...list} />
      ))}
    </section>
  )
}

function Metrics({ section: { metrics, before, after } }: Pick<Props, 'section'>) {
  if (metrics.length === 0) return null
  return (
    <ScrollRegion name="Figures of both sides">
      <table class="metrics">
        <thead>
          <tr>
            {['Figure', before, after, 'Difference'].map(name => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {metrics.map(metric => (
            <tr key={metric.name}>
              <th scope="row">{metric.name}</th>
              <td>{metric.before}</td>
              <td>{metric.after}</td>
              <td>{metric.difference}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** Tests that a list shows; `assay compare --format json` has all of them. */
const MAX_LISTED = 200

function TestList({ label, tone, lines }: ComparedWords['lists'][number]) {
  const more = lines.length - MAX_LISTED
  return (
    <details class="compared-list">
      <summary class={tone}>{`${label}: ${lines.length}`}</summary>
      <ul>
        {lines.slice(0, MAX_LISTED).map(line => (
          <li>{line}</li>
        ))}
        {more > 0 && <li class="faint">{`and ${more} more`}</li>}
      </ul>
    </details>
  )
}
