import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'
import { endLeftovers, expectNoProcesses, linesOf, markerEnv, suiteFolder } from '../../support/suite-run.ts'

describe('assay targets --ping of a slow target', () => {
  afterEach(endLeftovers)
  const slow = { name: 'slow', provider: 'cli', command: 'echo asked >> asked.txt; sleep 300 & sleep 300' }
  const quick = { name: 'quick', provider: 'mock', response: 'ok' }

  it('stops on Ctrl-C with all its processes, and prints the results so far', async () => {
    const folder = suiteFolder({ tests: [] }, [quick, slow])
    const { FORCE_COLOR, NO_COLOR, ...env } = process.env
    const child = spawn(process.execPath, [PROGRAM, 'targets', '--ping'], {
      cwd: folder,
      env: { ...env, ...markerEnv(folder) },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
    const ended = new Promise(resolve => child.on('close', resolve))
    await expect.poll(() => linesOf(join(folder, 'asked.txt')), { timeout: 60_000 }).toHaveLength(1)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(output).toContain('Stopping. Press Ctrl-C again to stop at once.\n')
    expect(output).toMatch(/^ok {9}quick {2}mock {2}one answer\n {4}answered in (?:<1|\d+) ms$/m)
    expect(output).toMatch(/^no answer {2}slow {3}cli .*\n {4}interrupted: the ping was interrupted$/m)
    await expectNoProcesses(folder)
  })

  it.each([{}, { NO_COLOR: '1' }])('shows the pending targets on one line of a terminal, with %j', async env => {
    const late = { name: '遅い\u001b[2J', provider: 'cli', command: 'sleep 1; echo ok' }
    const cwd = folderWith({ 'targets.yaml': JSON.stringify({ targets: [quick, late] }) })
    const line = `stty cols 40; ${process.execPath} ${PROGRAM} targets --ping`
    const args = process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', line] : ['-qec', line, '/dev/null']
    const { code, stdout } = await run('script', args, { cwd, env: { CI: '', TERM: 'xterm', ...env } })
    const text = stdout.replaceAll('\u001b', 'ESC')
    expect(code).toBe(0)
    expect(text).toMatch(/\rESC\[K1 of 2, waiting for 遅い␛\[2J \d+ ms\rESC\[K/)
    expect(text).not.toContain('ESC[2J')
    expect(/ESC\[\d+mok/.test(text)).toBe(env.NO_COLOR === undefined)
    const [, afterLine = ''] = text.split(/ESC\[K(?![\s\S]*ESC\[K)/)
    expect(afterLine).not.toContain('waiting')
    expect(afterLine).toContain('2 targets in targets.yaml: 2 ok')
  })
})
