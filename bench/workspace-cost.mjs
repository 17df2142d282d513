// `node bench/workspace-cost.mjs`, or `npm run bench -- workspace`: what it costs to tell which files an agent changed in a
// workspace of 10,000 files, compared with copying them. Both alternate in one process, and the median counts.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { printTable } from './rate-table.mjs'

const { nodeHost } = await tsImport('../src/host/node.ts', import.meta.url)
const { Workspaces } = await tsImport('../src/run/workspaces.ts', import.meta.url)
const { takeSnapshot } = await tsImport('../src/run/changes/snapshot.ts', import.meta.url)
const { findChanges } = await tsImport('../src/run/changes/find-changes.ts', import.meta.url)

const FILES = 10_000
const EDITED = 20
const ROUNDS = 3
const LIMIT = 1.3

const host = nodeHost()
const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const source = join(folder, 'app')
for (let n = 0; n < FILES; n++) {
  const below = join(source, `folder-${n % 100}`)
  if (n < 100) mkdirSync(below, { recursive: true })
  writeFileSync(join(below, `file-${n}.txt`), `line ${n}\n`.repeat(1 + (n % 400)))
}
try {
  const times = { plain: [], copied: [], compared: [] }
  // The first round only warms the caches.
  for (let round = 0; round <= ROUNDS; round++) {
    const taken = { plain: await plainCopy(round), ...(await comparedCopy()) }
    for (const [name, ms] of Object.entries(taken)) if (round > 0) times[name].push(ms)
  }
  const [plain, copied, compared] = [times.plain, times.copied, times.compared].map(median)
  const row = (name, before) => {
    const ratio = compared / before
    return [name, ms(before), ms(compared), `${ratio.toFixed(2)}${ratio > LIMIT ? ' !' : ''}`, LIMIT.toFixed(1)]
  }
  printTable([
    [`workspace of ${FILES} files`, 'copy', 'copy and changes', 'ratio', 'at most'],
    row('compared with the copy of a workspace', copied),
    row('compared with fs.cp', plain),
  ])
} finally {
  rmSync(folder, { recursive: true })
}

async function plainCopy(round) {
  const to = join(folder, `plain-${round}`)
  const took = await time(() => cp(source, to, { recursive: true }))
  rmSync(to, { recursive: true })
  return took
}

/** A copy with both snapshots, and the same copy without them. */
async function comparedCopy() {
  const workspaces = new Workspaces(host)
  let path
  const copied = await time(async () => {
    path = await workspaces.copyOf(source)
  })
  await host.files.remove(path)
  let snapshot
  const before = await time(async () => {
    const originals = workspaces.originalsOf(source)
    path = await workspaces.copyOf(source, undefined, originals)
    snapshot = await takeSnapshot(path, originals, host, { signal })
  })
  for (let n = 0; n < EDITED; n++) appendFileSync(join(path, `folder-${n}`, `file-${n}.txt`), 'edited\n')
  let changes
  const after = await time(async () => {
    ;({ changes } = await findChanges(snapshot, path, host, signal))
  })
  if (changes.length !== EDITED) throw new Error(`${changes.length} changes`)
  await host.files.remove(path)
  return { copied, compared: before + after }
}

async function time(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function ms(time) {
  return `${time.toFixed(0)} ms`
}
