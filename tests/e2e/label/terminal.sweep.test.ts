import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { LEAVE_SCREEN } from '../../../src/cli/terminal/label-screen.ts'
import { itWithTerminal, runOnTerminal } from '../../support/external/terminal.ts'
import { itInTmux, TmuxShell } from '../../support/external/tmux.ts'
import { folderWith, PROGRAM } from '../../support/program.ts'
import { hostileResults, longResults } from './hostile-answers.ts'
import { judgedResults, judgedRun, labelsIn, labelText, SECRETS } from './judged-run.ts'

const KEYS = { p: 'pass', f: 'fail', u: 'unsure' } as const

/** Starts to label in a folder. Everything that reaches the terminal is also in `typescript`. */
async function startIn(cwd: string, args = '--by ada', columns = 80): Promise<{ shell: TmuxShell; file: string }> {
  const own = folderWith()
  const file = join(own, 'typescript')
  const shell = await TmuxShell.start(own)
  await shell.resize(columns, 24)
  await shell.type(`cd ${cwd}; clear`, 'Enter')
  const command = `${process.execPath} ${PROGRAM} label ${args}`
  await shell.type(`script -qfec "${command}" ${file} > /dev/tty; echo "exit $?"`, 'Enter')
  return { shell, file }
}

/** Waits for an answer, and until a key counts. */
async function ready(shell: TmuxShell, title: string): Promise<string> {
  const screen = await shell.until(title)
  await new Promise(resolve => setTimeout(resolve, 300))
  return screen
}

const hasScript = (() => {
  try {
    execFileSync('script', ['--version'])
    return true
  } catch {
    return false
  }
})()

/** The folder of a process; undefined if it has ended, as `pgrep` itself may have. */
function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

describe.skipIf(!hasScript && !process.env['CI'])('assay label in a terminal', () => {
  itInTmux('is blind, and writes each label at once', async () => {
    const cwd = judgedRun(judgedResults(6))
    const { shell, file } = await startIn(cwd)
    const keys = ['p', 'f', 'u', 'p', 'f', 'u'] as const
    for (const [index, key] of keys.entries()) {
      await ready(shell, `Answer ${index + 1} of 6`)
      expect(await shell.screen()).toMatch(/Question\n {2}What is (\d) plus 0\?[\s\S]*Answer\n {2}It is \1\./)
      await shell.type(key)
      await expect.poll(() => labelsIn(cwd).length, { timeout: 60_000 }).toBe(index + 1)
    }
    await shell.until('End of the sample')
    await shell.type('q')
    await shell.until(/6 of 6 answers labelled by ada[\s\S]*exit 0/)
    expect(labelsIn(cwd).map(({ label }) => label)).toEqual(keys.map(key => KEYS[key]))
    for (const text of [readFileSync(file, 'utf8').replaceAll(file, ''), labelText(cwd)])
      for (const secret of SECRETS) expect(text).not.toContain(secret)
  })

  itInTmux('keeps labels after kill -9, starts again behind them, and shows others nothing of them', async () => {
    const cwd = judgedRun(judgedResults(6))
    const { shell } = await startIn(cwd)
    await ready(shell, 'Answer 1 of 6')
    await shell.type('p')
    await ready(shell, 'Answer 2 of 6')
    await shell.type('s')
    await ready(shell, 'Answer 3 of 6')
    await shell.type('f')
    await ready(shell, 'Answer 4 of 6')
    const pids = execFileSync('pgrep', ['-f', `${PROGRAM} label --by ada`], { encoding: 'utf8' })
      .trim()
      .split('\n')
    for (const pid of pids) if (folderOf(pid) === cwd) process.kill(Number(pid), 'SIGKILL')
    expect(labelsIn(cwd)).toHaveLength(2)
    const again = (await startIn(cwd)).shell
    expect(await ready(again, 'Answer 2 of 6')).not.toContain('labelled')
    const other = (await startIn(cwd, '--by ben')).shell
    const first = await ready(other, 'Answer 1 of 6 · ben')
    expect(first).not.toMatch(/ada|labelled/)
    await again.type('q')
    await again.until('2 of 6 answers labelled by ada')
    await other.type('q')
    await other.until('0 of 6 answers labelled by ben')
  })

  itInTmux('goes back to change a label, and adds notes with letters as typed and pasted', async () => {
    const cwd = judgedRun(judgedResults(4))
    const { shell } = await startIn(cwd)
    await ready(shell, 'Answer 1 of 4')
    await shell.type('n')
    await shell.until('Return keeps the note')
    await shell.type('Wrong: P f U', 'BSpace')
    await shell.paste('two\nlines')
    await shell.until('note: Wrong: P f two lines')
    await shell.type('', 'Enter')
    await shell.until(/note: Wrong[\s\S]*p pass/)
    await shell.paste('ppp\nq')
    await shell.type('f')
    await ready(shell, 'Answer 2 of 4')
    await shell.type('b')
    expect(await ready(shell, 'Answer 1 of 4')).toContain('labelled fail: Wrong: P f two lines')
    await shell.type('u')
    await ready(shell, 'Answer 2 of 4')
    await shell.type('?')
    await shell.until('the answer passes')
    await shell.type('?')
    await shell.until('It is')
    await shell.type('q')
    await shell.until('1 of 4 answers labelled')
    const note = 'Wrong: P f two lines'
    expect(labelsIn(cwd)).toMatchObject([
      { label: 'fail', note },
      { label: 'unsure', note },
    ])
  })

  itInTmux('does not count keys that are typed before an answer can be read', async () => {
    const cwd = judgedRun(judgedResults(6))
    const { shell } = await startIn(cwd)
    await ready(shell, 'Answer 1 of 6')
    await shell.type('pppppp')
    await ready(shell, 'Answer 2 of 6')
    expect(labelsIn(cwd)).toHaveLength(1)
    // `script` would outlive its terminal.
    await shell.type('q')
    await shell.until('exit 0')
  })

  itInTmux('scrolls an answer of 200 KB without delay, at every width', async () => {
    const cwd = judgedRun(longResults())
    const { shell } = await startIn(cwd)
    expect(await ready(shell, 'Answer 1 of 1')).toMatch(/↓ \d,\d{3} more lines/)
    for (const [columns, rows] of [
      [60, 20],
      [140, 50],
      [80, 24],
      [20, 14],
      [80, 24],
    ] as const) {
      const before = await shell.screen()
      await shell.resize(columns, rows)
      await shell.until('q quit', screen => screen !== before)
      await new Promise(resolve => setTimeout(resolve, 500))
      await shell.type('', 'End')
      const screen = await shell.until(/^Answer 1 of 1[\s\S]*last[\s]+line\./)
      expect(screen).toContain('q quit')
      for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
      await shell.type('', 'Home')
      await shell.until('What is 0')
      await shell.type('', 'Space', 'Down', 'PageUp')
    }
    await shell.type('f')
    await shell.until('End of the sample')
    await shell.type('q')
    await shell.until('exit 0')
  })

  itInTmux('an answer cannot control the terminal, or look like our lines', async () => {
    const { shell, file } = await startIn(judgedRun(hostileResults()))
    const screen = await ready(shell, 'Answer 1 of 1 · ada')
    expect(screen.split('\n')[0]).toBe('Answer 1 of 1 · ada')
    expect(screen).toContain('  start ␛]52;c;ZXZpbA==␇ clipboard')
    await shell.type('', 'End')
    expect(await shell.until(/^ {2}p pass {3}f fail {3}q quit$/m)).toContain('</script>')
    await shell.type('q')
    await shell.until('exit 0')
    const raw = readFileSync(file, 'utf8')
    expect(raw).not.toContain('\u001b]')
    expect(raw.replaceAll('\u001b', '')).not.toMatch(/[^\P{Cc}\r\n]|[\u202e\u2066]/u)
    const sequences = new Set(raw.split('\u001b').slice(1))
    const others = [...sequences].filter(each => !/^\[(\?(1049|25|7|2004)[hl]|[HKJ]|\d*m)/.test(each))
    expect(others).toEqual([])
  })

  const session = (cwd: string, send: string) =>
    runOnTerminal({
      command: [process.execPath, PROGRAM, 'label', '--by', 'ada'],
      cwd,
      env: { TERM: 'xterm' },
      steps: [{ expect: 'q quit', send }],
      seconds: 60,
    })

  itWithTerminal('q, Ctrl-C and Ctrl-\\ restore the terminal and its screen', async () => {
    const cwd = judgedRun(judgedResults(4))
    for (const [key, code] of [
      ['q', 0],
      ['\u0003', 130],
      ['\u001c', 131],
    ] as const) {
      const end = await session(cwd, key)
      expect(end).toMatchObject({ code, isRestored: true, problem: null })
      expect(end.output).toContain(`${LEAVE_SCREEN}0 of 4 answers labelled by ada`)
    }
  })

  itInTmux('an error restores the terminal, and says what could not be written', async () => {
    const cwd = judgedRun(judgedResults(4))
    const { shell } = await startIn(cwd)
    await ready(shell, 'Answer 1 of 4')
    symlinkSync('nowhere', join(cwd, '.assay/labels'))
    await shell.type('p')
    expect(await shell.until(/exit 2/)).toContain('Cannot write labels to ')
    await shell.type('echo us"a"ble', 'Enter')
    await shell.until(/^usable$/m)
  })
})
