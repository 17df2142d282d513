import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { nodeHost } from '../../src/host/node.ts'
import { LogFolder } from '../../src/log/log-folder.ts'
import { folderWith } from '../support/program.ts'
import type { Server } from '../support/servers/server.ts'
import {
  type CommandResult,
  cycle,
  evalIn,
  expectConsistent,
  FaultedSuite,
  filesIn,
  lastRun,
  recordedResults,
  runCommand,
  useTemporaryFolder,
} from './faulted-runs.ts'
import { echoServer, faultedSuite } from './faulted-suite.ts'
import { type Fault, faultyHost, type HostCall } from './faulty-host.ts'

useTemporaryFolder()

let server: Server
let suite: FaultedSuite
beforeAll(async () => {
  server = await echoServer()
  suite = new FaultedSuite(faultedSuite(4, 1, server.url, ['mock'], { hasJudge: false }))
  await suite.runWithoutFaults()
})
afterAll(() => server.close())

/** Runs a command once for each of its host calls, with a fault at that call. */
async function eachFault(
  args: readonly string[],
  before: () => void,
  faultOf: (call: HostCall) => Fault | undefined,
  after: (end: CommandResult, faulted: HostCall) => void | Promise<void>,
): Promise<number> {
  before()
  const { host, calls } = faultyHost(suite.folder, () => undefined)
  await runCommand(args, host)
  let count = 0
  for (const { name, nth, ...call } of calls) {
    const fault = faultOf({ name, nth, ...call })
    if (fault === undefined) continue
    before()
    count++
    const world = faultyHost(suite.folder, now => (now.name === name && now.nth === nth ? fault : undefined))
    const end = await runCommand(args, world.host)
    expect(world.pending).toBe(0)
    const [faulted] = world.faulted
    if (faulted) await after(end, faulted)
  }
  return count
}

const isIn = (folder: string) => (call: HostCall) => call.path.includes(folder)

describe('a log', () => {
  const folder = () => join(suite.folder, '.co/evals')
  const logs = () => new LogFolder(folder(), nodeHost(), () => {})
  const EXPECTED = 'turns:\n- input: Say ok 0\n  run: 1\n  output: hi\n  expected: Hello!\n'

  it('changes neither the run nor existing logs if it cannot be written', async () => {
    const isLog = isIn('.co/evals')
    const next = cycle<Fault>('ENOSPC', { torn: 'ENOSPC' }, 'EACCES', 'EIO')
    const count = await eachFault(
      ['eval', '--workers', '4', '--log', '--quiet'],
      () => {
        suite.clean()
        folderWith({ 'say_ok_0.yaml': EXPECTED }, folder())
      },
      call => (isLog(call) && call.nth % 2 === 1 ? next() : undefined),
      async ({ code, output }, { name, nth }) => {
        const about = `${name} ${nth} ${output}`
        expect(Object.fromEntries(recordedResults(suite.folder)), about).toEqual(Object.fromEntries(suite.expected))
        // A failed read can succeed on a retry; every other fault is reported.
        if (code !== EXIT.failed) {
          expect(code, about).toBe(EXIT.userError)
          expect(output, about).toMatch(/^Cannot log: .*\bE[A-Z]{2,}\b/m)
          expect(output, about).toContain('`assay log import` logs them later')
        }
        expect(filesIn(suite.folder).filter(file => /\.lock|\.tmp$/.test(file))).toEqual([])
        for (const log of await logs().names()) expect((await logs().read(log))?.turns.length, about).toBe(1)
        expect((await logs().read('say_ok_0'))?.turns[0]?.expected, about).toBe('Hello!')
      },
    )
    expect(count).toBeGreaterThan(15)
    // A later run writes to the same logs.
    const { code, output } = await evalIn(suite.folder, undefined, ['--quiet', '--log'])
    expect(code, output).toBe(EXIT.failed)
    expect(await logs().names()).toEqual(['file_path_notes_txt_say_ok_2', 'say_ok_0', 'say_ok_1', 'say_ok_3'])
  })
})

describe('reports', () => {
  const NAMES = ['json', 'jsonl', 'html', 'xml', 'md', 'csv'].map(ending => `out.${ending}`)

  it('are written except the one that fails, whose old version stays', async () => {
    for (const broken of NAMES) {
      suite.clean()
      for (const name of NAMES) writeFileSync(join(suite.folder, name), 'old')
      const faultAt = ({ name, path }: HostCall): Fault | undefined =>
        name === 'write' && path.endsWith(broken) ? { torn: 'ENOSPC' } : undefined
      const end = await evalIn(
        suite.folder,
        faultAt,
        NAMES.flatMap(name => ['-o', name]),
      )
      expect([end.code, Object.fromEntries(recordedResults(suite.folder))]).toEqual([
        EXIT.userError,
        Object.fromEntries(suite.expected),
      ])
      expect(end.output).toContain(`Cannot write ${broken}: ENOSPC`)
      expect(end.output).toMatch(/recorded in .*\nDetails: assay explain/)
      const isOld = NAMES.filter(name => readFileSync(join(suite.folder, name), 'utf8') === 'old')
      expect(isOld).toEqual([broken])
      expectConsistent(suite.folder, suite.expected, { ...end, code: EXIT.failed })
    }
  })

  it('stop the run if the disk is full, with the command to resume', async () => {
    suite.clean()
    const faultAt = ({ name, nth, path }: HostCall): Fault | undefined =>
      (name === 'append' && nth > 2) || path.endsWith('out.md') ? { torn: 'ENOSPC' } : undefined
    const end = await evalIn(suite.folder, faultAt, ['--quiet', '-o', 'out.md'])
    expect(end.code).toBe(EXIT.incomplete)
    expect(end.output).toMatch(
      /\nCannot write the records: ENOSPC.*\nCannot write out\.md: ENOSPC.*\nResume with: assay eval --resume=\S+ -o out\.md\n$/,
    )
  })

  it('with many files are written completely or not at all', async () => {
    await evalIn(suite.folder)
    const reports = () => (existsSync(join(suite.folder, 'reports')) ? readdirSync(join(suite.folder, 'reports')) : [])
    const count = await eachFault(
      ['report', 'latest', '--format', 'skill-creator', '-o', 'reports', '--target', 'mock'],
      () => rmSync(join(suite.folder, 'reports'), { recursive: true, force: true }),
      ({ name }) =>
        name === 'write' ? { torn: 'ENOSPC' } : ['makeFolder', 'readAt'].includes(name) ? 'EIO' : undefined,
      ({ code, output }) => {
        expect(code, output).toBe(EXIT.userError)
        expect(output).toMatch(/^Cannot (write reports|read the results again): E/m)
        // A companion report may fail after the report is written.
        expect(reports()).toEqual(output.startsWith('wrote ') ? ['iteration-1'] : [])
      },
    )
    expect(count).toBeGreaterThan(5)
  })

  it('are not written if the records are unreadable', async () => {
    const count = await eachFault(
      ['report', 'latest', '-o', 'out.json'],
      () => writeFileSync(join(suite.folder, 'out.json'), 'old'),
      call => (isIn('/runs')(call) ? 'EIO' : undefined),
      ({ code, output }, { name }) => {
        const about = `${name} ${output}`
        // If the run is found in another way, the report is complete.
        const text = readFileSync(join(suite.folder, 'out.json'), 'utf8')
        expect([EXIT.ok, EXIT.userError], about).toContain(code)
        if (code === EXIT.ok) expect(JSON.parse(text).results.length, about).toBe(4)
        else
          expect([text, output], about).toEqual([
            'old',
            expect.stringMatching(/^(Cannot read .*: EIO|Run .* not found)/),
          ])
      },
    )
    expect(count).toBeGreaterThan(5)
  })
})

describe('the cache', () => {
  it('does not affect the run if it cannot be read or written', async () => {
    const isCache = isIn('.assay/cache')
    suite.clean()
    const { world } = await evalIn(suite.folder, undefined, ['--quiet', '--cache'])
    for (const { name, nth } of world.calls.filter(isCache)) {
      suite.clean()
      const { code, output } = await evalIn(
        suite.folder,
        call => (call.name === name && call.nth === nth && isCache(call) ? { torn: 'ENOSPC' } : undefined),
        ['--quiet', '--cache'],
      )
      expect([code, Object.fromEntries(recordedResults(suite.folder))], output).toEqual([
        EXIT.failed,
        Object.fromEntries(suite.expected),
      ])
      expect(filesIn(suite.folder).filter(file => file.endsWith('.tmp'))).toEqual([])
    }
  })

  it('is replaced by new requests if it is truncated or missing', async () => {
    suite.clean()
    await evalIn(suite.folder, undefined, ['--quiet', '--cache'])
    const files = filesIn(suite.folder).filter(file => /cache\/.*\.json$/.test(file))
    expect(files.length).toBe(4)
    for (const [index, file] of files.entries()) {
      const path = join(suite.folder, file)
      writeFileSync(path, readFileSync(path).subarray(0, index * 5))
    }
    const { code } = await evalIn(suite.folder, undefined, ['--quiet', '--cache'])
    expect([code, Object.fromEntries(recordedResults(suite.folder))]).toEqual([
      EXIT.failed,
      Object.fromEntries(suite.expected),
    ])
  })
})

describe('shards', () => {
  it('are merged completely or not at all, and stay unchanged', async () => {
    suite.clean()
    const shards: string[] = []
    for (const index of [1, 2]) {
      await evalIn(suite.folder, undefined, ['--quiet', '--shard', `${index}/2`])
      shards.push(lastRun(suite.folder) ?? '')
    }
    const runs = join(suite.folder, '.assay/runs')
    const texts = () => Object.fromEntries(filesIn(runs).map(file => [file, readFileSync(join(runs, file), 'utf8')]))
    const before = texts()
    const next = cycle<Fault>('ENOSPC', { torn: 'ENOSPC' }, 'EIO')
    const restore = () => {
      for (const name of readdirSync(runs))
        if (name !== 'latest' && !shards.includes(join(runs, name))) rmSync(join(runs, name), { recursive: true })
      writeFileSync(join(runs, 'latest'), before['latest'] ?? '')
    }
    const count = await eachFault(
      ['merge', ...shards],
      restore,
      ({ path, name }) => (isIn('/runs')({ path } as HostCall) && name !== 'stat' ? next() : undefined),
      ({ code, output }, { name, nth }) => {
        const about = `${name} ${nth} ${output}`
        expect([EXIT.failed, EXIT.userError], about).toContain(code)
        expect(
          filesIn(suite.folder).filter(file => /\/lock$|\.tmp$/.test(file)),
          about,
        ).toEqual([])
        if (code !== EXIT.failed) expect(output, about).toMatch(/^Cannot .*E[A-Z]{2,}/m)
        // No incomplete run is left; a complete one may be unreadable now.
        if (shards.includes(lastRun(suite.folder) ?? '')) expect(texts(), about).toEqual(before)
        else
          expect(Object.fromEntries(recordedResults(suite.folder)), about).toEqual(Object.fromEntries(suite.expected))
      },
    )
    expect(count).toBeGreaterThan(15)
    restore()
    const merged = await runCommand(['merge', ...shards], nodeHost(suite.folder))
    expect(merged.code, merged.output).toBe(EXIT.failed)
    expect(Object.fromEntries(recordedResults(suite.folder))).toEqual(Object.fromEntries(suite.expected))
  })
})

describe('grading again', () => {
  it('does not change the graded run, and records the grades or reports why not', async () => {
    suite.clean()
    await evalIn(suite.folder)
    const run = lastRun(suite.folder) ?? ''
    const id = run.split('/').at(-1) ?? ''
    const files = () => readdirSync(run).map(name => readFileSync(join(run, name), 'utf8'))
    const before = files()
    const next = cycle<Fault>('ENOSPC', 'EIO', 'EMFILE')
    const count = await eachFault(
      ['grade', id, '--quiet'],
      () => {},
      ({ name, nth }) => (name === 'stat' && nth % 4 > 0 ? undefined : next()),
      ({ code, output }, { name, nth }) => {
        const about = `${name} ${nth} ${output}`
        expect([EXIT.failed, EXIT.userError, EXIT.incomplete, EXIT.nothing], about).toContain(code)
        expect(files(), about).toEqual(before)
        expect(
          filesIn(suite.folder).filter(file => /\/lock$|\.tmp$/.test(file)),
          about,
        ).toEqual([])
        if (code === EXIT.failed)
          expect(Object.fromEntries(recordedResults(suite.folder)), about).toEqual(Object.fromEntries(suite.expected))
        else expect(output, about).toMatch(/\bE[A-Z]{2,}\b|error file-/)
      },
    )
    expect(count).toBeGreaterThan(20)
  })
})
