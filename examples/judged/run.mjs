import { evaluate } from 'assay'
import { startJudge } from './judge-server.mjs'

// Starts the fake model server, runs the suite with it as the judge, and stops it.
const server = await startJudge()
process.env.JUDGE_PORT = String(server.address().port)
const { diagnostics, run } = await evaluate({ paths: [import.meta.dirname] })
for (const { file, line, column, message } of diagnostics) console.error(`${file}:${line}:${column} ${message}`)
for (const { test_id, verdict, score, hits, judge_usage } of run?.results() ?? []) {
  console.log(`${test_id}: ${verdict}, score ${score}, judged in ${judge_usage.calls} call`)
  for (const hit of hits) console.log(`  + ${hit}`)
}
server.close()
