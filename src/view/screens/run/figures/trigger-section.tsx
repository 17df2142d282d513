import type { TriggerTable } from '../../../../report/trigger-table.ts'

interface Props {
  readonly table: TriggerTable
  readonly id: string
}

/** The trigger rates of a skill on a target: its figures, a row for each query, and notes. */
export function TriggerSection({ table: { title, figures, header, rows, notes }, id }: Props) {
  return (
    <section class="groups triggers" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {figures.map(text => (
        <p key={text}>{text}</p>
      ))}
      <table aria-labelledby={id}>
        <thead>
          <tr>
            {header.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([query = '', ...cells], index) => (
            <tr key={index}>
              <th scope="row">{query}</th>
              {cells.map((text, column) => (
                <td key={header[column]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {notes.map(text => (
        <p key={text} class="faint">
          {text}
        </p>
      ))}
    </section>
  )
}
