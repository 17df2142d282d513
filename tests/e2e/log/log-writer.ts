import { createInterface } from 'node:readline'
import { nodeHost } from '../../../src/host/node.ts'
import { LogFolder } from '../../../src/log/log-folder.ts'
import { runOf } from '../../support/logs/log-files.ts'

/** The task of a writer: a number of runs per input, each with a different output. */
export interface WriterOrder {
  readonly path: string
  readonly label: string
  readonly inputs: readonly string[]
  /** Unlimited if absent: it runs until it is killed. */
  readonly runs?: number
}

// A process that writes logs: it reports when it is ready, and begins on request.
const order: WriterOrder = JSON.parse(process.argv[2] ?? '')
const folder = new LogFolder(order.path, nodeHost(), message => process.stderr.write(`${message}\n`))
process.stdout.write('ready\n')
createInterface(process.stdin).once('line', async () => {
  for (const input of order.inputs) {
    for (let run = 1; run <= (order.runs ?? Number.POSITIVE_INFINITY); run++)
      await folder.add(runOf(input, `${order.label}-${run}`))
  }
  process.exit()
})
