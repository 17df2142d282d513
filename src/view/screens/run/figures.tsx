import type { OpenRun } from '../../open-run.ts'
import { ArmSection } from './figures/arm-section.tsx'
import { Charts } from './figures/charts.tsx'
import { ReliabilityTable } from './figures/reliability-table.tsx'
import { SlicesTable } from './figures/slices-table.tsx'
import { SuitesTable } from './figures/suites-table.tsx'
import { TagsTable } from './figures/tags-table.tsx'
import { TriggerSection } from './figures/trigger-section.tsx'

/** Everything about the run as a whole, below its tests. */
export function Figures({ run }: { readonly run: OpenRun }) {
  const { data } = run
  if (data.all.tests === 0) return null
  return (
    <div class="figures">
      {data.arms.map((section, index) => (
        <ArmSection key={section.title} section={section} id={`arm-${index}`} />
      ))}
      <Charts run={run} />
      <div class="pair">
        <ReliabilityTable run={run} />
        <TagsTable run={run} />
      </div>
      {data.triggers.map((table, index) => (
        <TriggerSection key={table.title} table={table} id={`triggers-${index}`} />
      ))}
      {data.slices && <SlicesTable table={data.slices} />}
      {data.pairs.length > 0 && (
        <section class="groups" aria-labelledby="pairs-name">
          <h2 id="pairs-name">Compared answers</h2>
          {data.pairs.map(text => (
            <p key={text}>{text}</p>
          ))}
        </section>
      )}
      <SuitesTable run={run} />
    </div>
  )
}
