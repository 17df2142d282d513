import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { readHunks } from '../../../src/lib/text/unified-diff.ts'
import { type FileChange, textAfter } from '../../../src/model/changes.ts'
import { findChanges } from '../../../src/run/changes/find-changes.ts'
import { takeSnapshot } from '../../../src/run/changes/snapshot.ts'
import { Workspaces } from '../../../src/run/workspaces.ts'
import { folderWith } from '../../support/program.ts'

const host = nodeHost()
const { signal } = new AbortController()

/** A content or link target by path, read in full. */
type Contents = ReadonlyMap<string, { readonly bytes?: Buffer; readonly link?: string }>

function readEverything(
  folder: string,
  below = '',
  found = new Map<string, { bytes?: Buffer; link?: string }>(),
): Contents {
  for (const { name } of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? name : `${below}/${name}`
    const stats = lstatSync(join(folder, path))
    if (stats.isSymbolicLink()) found.set(path, { link: readlinkSync(join(folder, path)) })
    else if (stats.isFile()) found.set(path, { bytes: readFileSync(join(folder, path)) })
    else if (name !== '.git') readEverything(folder, path, found)
  }
  return found
}

/** What changed between two trees, by comparing all contents. */
function naiveDifference(before: Contents, after: Contents) {
  const print = (entry: { bytes?: Buffer; link?: string } | undefined) => {
    const content = entry?.bytes ?? entry?.link
    if (content === undefined) return {}
    const hash = createHash('sha256').update(content).digest('hex')
    return { size: Buffer.byteLength(content), hash, ...(entry?.link === undefined ? {} : { link: entry.link }) }
  }
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap(path => {
    const sides = { before: print(before.get(path)), after: print(after.get(path)) }
    if (JSON.stringify(sides.before) === JSON.stringify(sides.after)) return []
    const state = !before.has(path) ? 'created' : after.has(path) ? 'modified' : 'deleted'
    return [{ path, state, ...sides }]
  })
}

/** The text that a whole diff makes of another text. */
function patched(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const after: string[] = []
  let next = 0
  for (const hunk of readHunks(diff)) {
    after.push(...lines.slice(next, hunk.start))
    next = hunk.start
    for (const { mark, text } of hunk.lines) {
      if (mark !== '+') expect(lines[next++]).toBe(text)
      if (mark !== '-') after.push(text)
    }
  }
  return [...after, ...lines.slice(next)].join('')
}

const text = fc.array(
  fc.constantFrom('a', 'b', 'line', '', ' x\r', 'é</script>', '\u001b[31m', '+plus', '-minus', '@@ -1 +1 @@'),
  { maxLength: 40 },
)
const content = fc.oneof(
  fc.tuple(text, fc.boolean()).map(([lines, ends]) => Buffer.from(`${lines.join('\n')}${ends ? '\n' : ''}`)),
  fc.uint8Array({ maxLength: 50 }).map(bytes => Buffer.from(bytes)),
  fc.integer({ min: 4_000_000, max: 6_000_000 }).map(size => Buffer.alloc(size, 'x')),
  fc.integer({ min: 20_000, max: 60_000 }).map(count => Buffer.from('many lines\n'.repeat(count))),
)
const small = fc.oneof({ weight: 8, arbitrary: content }, { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) })
const path = fc.constantFrom(
  'a',
  'b',
  'dir',
  'dir/a',
  'dir/b',
  'dir/in/a',
  '.env',
  'node_modules/p/i.js',
  '.git/index',
  'sub/.git/HEAD',
  'ü ñ',
)

const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, content: small }),
  fc.record({ kind: fc.constant('flip' as const), path }),
  fc.record({ kind: fc.constant('rewrite' as const), path }),
  fc.record({ kind: fc.constant('touch' as const), path }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('link' as const), path, to: fc.oneof(path, fc.constant('/no/such/folder/file')) }),
  fc.record({ kind: fc.constant('empty-folder' as const), path }),
)

/** Does a step as far as it is possible. */
function take(folder: string, each: typeof step extends fc.Arbitrary<infer Step> ? Step : never): void {
  const place = join(folder, each.path)
  try {
    switch (each.kind) {
      case 'write':
        rmSync(place, { recursive: true, force: true })
        mkdirSync(dirname(place), { recursive: true })
        writeFileSync(place, each.content)
        break
      case 'flip': {
        // Another content of the same size, in the same file.
        const bytes = readFileSync(place)
        if (bytes.length > 0) bytes[0] = (bytes[0] ?? 0) ^ 1
        writeFileSync(place, bytes, { flag: 'r+' })
        utimesSync(place, 1000, 1000)
        break
      }
      case 'rewrite':
        writeFileSync(place, readFileSync(place))
        break
      case 'touch':
        utimesSync(place, 5, 5)
        break
      case 'rename':
        renameSync(place, join(folder, each.to))
        break
      case 'remove':
        rmSync(place, { recursive: true, force: true })
        break
      case 'link':
        rmSync(place, { recursive: true, force: true })
        mkdirSync(dirname(place), { recursive: true })
        symlinkSync(each.to, place)
        break
      case 'empty-folder':
        mkdirSync(place, { recursive: true })
    }
  } catch {
    // The path is not what the step needs.
  }
}

describe('the changes of a workspace', () => {
  it('are exactly the difference of the two trees', { timeout: 300_000 }, async () => {
    const steps = fc.array(step, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, steps, steps, async (made, prepared, done) => {
        const source = folderWith({ keep: 'kept\n' })
        for (const each of made) take(source, each)
        const workspaces = new Workspaces(host)
        const originals = workspaces.originalsOf(source)
        const copy = await workspaces.create(source, undefined, originals)
        const tree = await host.files.readTree(copy)
        await tree.settle()
        for (const each of prepared) take(copy, each)
        const before = readEverything(copy)
        const snapshot = await takeSnapshot(copy, originals, host, { untouched: tree.files, signal })
        for (const each of done) take(copy, each)
        const { changes } = await findChanges(snapshot, copy, host, signal)
        const after = readEverything(copy)
        const bare = changes.map(({ path, state, before = {}, after = {} }) => ({ path, state, before, after }))
        expect(bare).toEqual(naiveDifference(before, after))
        for (const change of changes) expectDiff(change, before, after)
        await host.files.remove(copy)
        rmSync(source, { recursive: true })
      }),
      { numRuns: Number(process.env['ASSAY_PROPERTY_RUNS'] ?? 60) },
    )
  })
})

function expectDiff(change: FileChange, before: Contents, after: Contents): void {
  const { path, diff, diff_cut } = change
  if (diff === undefined || diff_cut !== undefined) return
  const [was, is] = [before, after].map(tree => tree.get(path)?.bytes?.toString('utf8') ?? '')
  expect(patched(was ?? '', diff)).toBe(is)
  const read = textAfter(change)
  if (change.state === 'created') expect(read).toBe(is)
  if (read !== undefined) expect(read).toBe(is)
}
