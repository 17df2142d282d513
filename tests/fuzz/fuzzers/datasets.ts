import { type Fuzzer, must } from '../fuzzer.ts'
import { makeCase } from '../make-case.ts'
import { seedSuites } from '../seeds.ts'
import { loadCase } from './suites.ts'

/** JSONL datasets, passed by path; their sidecars are found beside them. */
export const datasets: Fuzzer = {
  name: 'datasets',
  summary: 'JSONL datasets with their sidecars',
  deep: { outcome: 'planned', share: 0.1 },
  make: random => makeCase(seeds(), path => /\.(jsonl|ya?ml)$/.test(path) && !path.includes('.assay/'), random),
  run: input => {
    const lines = seeds()
      .find(({ name }) => name === input.from)
      ?.files.filter(({ path }) => path.endsWith('.jsonl'))
    must(lines !== undefined && lines.length > 0, () => `no JSONL files in ${input.from}`)
    return loadCase(
      input,
      lines.map(({ path }) => path),
    )
  },
}

function seeds() {
  return seedSuites().filter(({ files }) => files.some(({ path }) => path.endsWith('.jsonl')))
}
