import { outcomeOf } from './outcome.ts'
import type { Reporter } from './reporter.ts'

export const json: Reporter = {
  type: 'json',
  summary: 'One document: what was run, the summary, all results.',
  *render(run) {
    const { notable, more, ...summary } = outcomeOf(run)
    const { attempts, ...info } = run.info ?? { attempts: [] }
    yield `{\n"run": ${JSON.stringify(info)},\n"summary": ${JSON.stringify(summary)},\n"results": [`
    let comma = '\n'
    for (const result of run.results()) {
      yield `${comma}${JSON.stringify(result)}`
      comma = ',\n'
    }
    yield '\n]\n}\n'
  },
}
