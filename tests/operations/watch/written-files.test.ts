import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { sha256 } from '../../../src/lib/sha256.ts'
import type { TargetContents } from '../../../src/model/plan.ts'
import type { Target } from '../../../src/model/target.ts'
import { WrittenFiles } from '../../../src/operations/watch/written-files.ts'
import { folderWith } from '../../support/program.ts'

/** The written files of a session, and a run of an agent that depends on a data file and on a program. */
function running() {
  const folder = folderWith({ 'memory.json': 'a', 'agent.sh': 'a' })
  const [memory, agent] = [join(folder, 'memory.json'), join(folder, 'agent.sh')]
  const files = [memory, agent].map(path => ({ path, hash: sha256('a') }))
  const contents: TargetContents = new Map([[{} as Target, files]])
  return { written: new WrittenFiles(nodeHost(folder, {})), contents, memory, agent }
}

describe('during a run', () => {
  it('counts a data file as before the run, also before the agent writes to it', async () => {
    const { written, contents, memory } = running()
    const before = await written.beforeDuring(contents)
    expect(before.get(memory)).toBe(sha256('a'))
    writeFileSync(memory, 'b')
    expect((await written.beforeDuring(contents)).get(memory)).toBe(sha256('a'))
  })

  it('counts an edited program as it is', async () => {
    const { written, contents, agent } = running()
    writeFileSync(agent, 'b')
    expect((await written.beforeDuring(contents)).has(agent)).toBe(false)
  })

  it('counts a data file that an earlier run left alone as it is', async () => {
    const { written, contents, memory } = running()
    await written.afterRun(contents, { countsEdits: true })
    writeFileSync(memory, 'b')
    expect((await written.beforeDuring(contents)).has(memory)).toBe(false)
  })
})
