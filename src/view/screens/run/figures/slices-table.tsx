import type { SliceTable } from '../../../../report/slices/slices-table.ts'

/** The slices that `--by` asked for. */
export function SlicesTable({ table: { header, rows, more } }: { readonly table: SliceTable }) {
  // Names, and on every screen the pass rate, which is the last but one.
  const style = (column: number) => (column < 2 ? '' : column === header.length - 2 ? 'number' : 'number wide')
  return (
    <section class="groups" aria-labelledby="slices">
      <h2 id="slices">By {header[0] ?? ''}</h2>
      <table aria-labelledby="slices">
        <thead>
          <tr>
            {header.map((head, column) => (
              <th key={head} scope="col" class={style(column)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={`${name} ${cells[0]}`}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={header[index + 1]} class={style(index + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p>and {more} more</p>}
    </section>
  )
}
