import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AligningProject, aligningProject, GOOD, proposing } from '../../support/aligning.ts'
import { itWithTerminal, runOnTerminal } from '../../support/external/terminal.ts'
import { PROGRAM } from '../../support/program.ts'
import { linesOf } from '../../support/suite-run.ts'

const ALIGN = ['calibrate', '--align', '--proposals', '1', '--workers', '2']

/** A project whose judges and proposer reply while `isOpen` allows it, and hang otherwise. */
async function gatedProject() {
  const gate = { isOpen: (_asked: string): boolean => true }
  const project = await aligningProject({
    tests: 24,
    proposes: () => proposing(GOOD),
    waits: asked => (gate.isOpen(asked) ? undefined : new Promise(() => {})),
  })
  return { project, gate }
}

interface Session {
  readonly child: ChildProcess
  printed(): string
}

function start({ folder }: AligningProject): Session {
  const child = spawn(process.execPath, [PROGRAM, ...ALIGN], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      printed += chunk
    })
  return { child, printed: () => printed }
}

/** The folder of the only session. */
function sessionIn({ folder }: AligningProject): string {
  const sessions = readdirSync(join(folder, '.assay/align')).filter(name => name.startsWith('quality-'))
  expect(sessions).toHaveLength(1)
  return join(folder, '.assay/align', `${sessions[0]}`)
}

/** Number of recorded judgements. */
function recorded({ folder }: AligningProject): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const results = files.filter(name => name.includes('/align/') && name.endsWith('results.jsonl'))
  return results.reduce((sum, name) => sum + linesOf(join(folder, name)).length, 0)
}

/** The result of the session, without the time. */
function resultIn(project: AligningProject): object {
  const { finished, ...result } = JSON.parse(readFileSync(join(sessionIn(project), 'result.json'), 'utf8'))
  return result
}

/** Lets some judgements through, then waits until they are recorded and the next ones hang. */
async function hangAfter(judgements: number, { project, gate }: Awaited<ReturnType<typeof gatedProject>>) {
  let left = judgements
  gate.isOpen = asked => asked.includes('You write instructions') || left-- > 0
  const before = recorded(project)
  const session = start(project)
  await expect.poll(() => recorded(project), { timeout: 60_000 }).toBe(before + judgements)
  await expect.poll(() => left, { timeout: 60_000 }).toBe(-2)
  return session
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what the program prints
const ERASED = /(?:\u001b\[1A\u001b\[2K)+/

const PARTS = [
  ['training with the current text', 5],
  ['training with a proposal', 17],
  ['the decision', 29],
] as const

describe('an interrupted session of assay calibrate --align', () => {
  it.each(PARTS)('goes on after kill -9 in %s, and asks nothing again that is recorded', async (_, judgements) => {
    const gated = await gatedProject()
    const { project, gate } = gated
    const { child } = await hangAfter(judgements, gated)
    child.kill('SIGKILL')
    await once(child, 'close')
    const asked = project.asked('judge').length
    gate.isOpen = () => true
    const { child: resumed, printed } = start(project)
    const [code] = await once(resumed, 'close')
    expect(code, printed()).toBe(0)
    expect(printed()).toContain('Resuming the session: what is recorded is not asked again')
    expect(project.asked('judge')).toHaveLength(asked + 48 - judgements)
    expect(project.asked('proposer')).toHaveLength(1)
    expect(resultIn(project)).toMatchObject({ status: 'offered', held_out: { compared: 12, better: 6, worse: 0 } })
  })

  it('asks for proposals again after kill -9 while the proposer writes them', async () => {
    const { project, gate } = await gatedProject()
    gate.isOpen = asked => !asked.includes('You write instructions')
    const { child } = start(project)
    await expect.poll(() => project.asked('proposer').length, { timeout: 60_000 }).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'close')
    gate.isOpen = () => true
    const { child: resumed, printed } = start(project)
    const [code] = await once(resumed, 'close')
    expect(code, printed()).toBe(0)
    expect([project.asked('judge').length, project.asked('proposer').length]).toEqual([48, 2])
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('keeps what is recorded on %s, and goes on with the same command', async (signal, exit) => {
    const gated = await gatedProject()
    const { project, gate } = gated
    const session = await hangAfter(17, gated)
    session.child.kill(signal)
    const [code] = await once(session.child, 'close')
    expect(code).toBe(exit)
    expect(session.printed()).toContain('Stopping: finished judgements are kept.')
    expect(session.printed()).toContain('not finished: Interrupted.')
    expect(session.printed()).toContain('Resume with the same command.')
    expect(readdirSync(sessionIn(project))).not.toContain('lock')
    const asked = project.asked('judge').length
    gate.isOpen = () => true
    const { child: resumed, printed } = start(project)
    expect((await once(resumed, 'close'))[0], printed()).toBe(0)
    expect(project.asked('judge')).toHaveLength(asked + 48 - 17)
    expect(project.asked('proposer')).toHaveLength(1)
  })

  it('stops while the proposer writes', async () => {
    const { project, gate } = await gatedProject()
    gate.isOpen = asked => !asked.includes('You write instructions')
    const { child, printed } = start(project)
    await expect.poll(() => project.asked('proposer').length, { timeout: 60_000 }).toBe(1)
    child.kill('SIGINT')
    expect((await once(child, 'close'))[0], printed()).toBe(130)
    expect(printed()).toContain('not finished: Interrupted.')
  })

  itWithTerminal('leaves the terminal in order on Ctrl-C', async () => {
    const { project, gate } = await gatedProject()
    let left = 5
    gate.isOpen = () => left-- > 0
    const end = await runOnTerminal({
      command: [process.execPath, PROGRAM, ...ALIGN],
      cwd: project.folder,
      env: { TERM: 'xterm-256color' },
      steps: [{ expect: '5/12', send: '\u0003' }],
      seconds: 60,
    })
    expect(end).toMatchObject({ code: 130, isRestored: true, problem: null })
    expect(end.output).toMatch(/not finished:.* Interrupted\.[\s\S]*Resume with the same command\.\n$/)
    // The last frame of the progress is erased.
    expect(end.output.slice(end.output.lastIndexOf('5/12'))).toMatch(ERASED)
  })
})
