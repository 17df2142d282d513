import type { TitledSection } from '../../../../report/compare/text/comparison-section.ts'
import type { TestList } from '../../../../report/compare/text/test-lists.ts'

interface Props {
  readonly section: TitledSection
  readonly id: string
}

/** Shows a comparison with its control arm, or with saved results. */
export function ArmSection({ section, id }: Props) {
  const { title, before, after, metrics, notes, lists, verdict_text } = section
  const heads = ['Figure', before, after, 'Difference']
  return (
    <section class="groups arm" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>
        <strong>{verdict_text}</strong>
      </p>
      <table aria-labelledby={id}>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={index} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {metrics.map(metric => (
            <tr key={metric.name}>
              <th scope="row">{metric.name}</th>
              {[metric.before, metric.after, metric.difference].map((text, column) => (
                <td key={column} data-label={heads[column + 1]}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="lines">
        {notes.map(note => (
          <p key={note}>{note}</p>
        ))}
      </div>
      {lists.map(list => (
        <Tests key={list.label} list={list} />
      ))}
    </section>
  )
}

/** Tests of one kind, shown on request. */
function Tests({ list: { label, lines } }: { readonly list: TestList }) {
  return (
    <details>
      <summary>
        {label}: {lines.length}
      </summary>
      <ul>
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  )
}
