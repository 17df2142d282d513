import { addressOf } from '../../route.ts'
import type { RunScreenProps } from '../../screen.ts'

export function RunScreen({ run, route }: RunScreenProps<'run'>) {
  return (
    <table class="rows">
      <tbody>
        {run.selector.choose(route.filters).map(row => (
          <tr key={row.key}>
            <th scope="row">
              <a href={addressOf({ ...route, screen: 'test', test: row.key, trial: 0 })}>{row.test_id}</a>
            </th>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
