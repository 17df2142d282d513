import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { logNames } from '../../support/logs/written-logs.ts'
import { PROGRAM } from '../../support/program.ts'
import { endLeftovers, markerEnv } from '../../support/suite-run.ts'
import { oneLogSuite } from './one-log-suite.ts'

afterEach(endLeftovers)

describe('a signal during eval --log', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends a run that waits for its log; the rest is logged later',
    async name => {
      const cwd = oneLogSuite()
      mkdirSync(join(cwd, '.co/evals'), { recursive: true })
      const lock = join(cwd, '.co/evals/.say_hello.lock')
      writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname(), nonce: 0.5 }))
      const child = spawn(process.execPath, [PROGRAM, 'eval', '--log', '--trials', '50'], {
        cwd,
        env: { ...process.env, ...markerEnv(cwd) },
      })
      let said = ''
      child.stderr.on('data', data => {
        said += data
      })
      while (!said.includes('recorded in')) await sleep(20)
      child.kill(name)
      const [code] = await new Promise<[number]>(resolve => child.on('exit', code => resolve([code ?? -1])))
      expect([code, logNames(cwd)]).toEqual([name === 'SIGINT' ? 130 : 143, []])
      expect(said).toMatch(
        /0 attempts logged in \.co\/evals\nInterrupted: 150 attempts not logged\. `assay log import \S+` logs the rest\.\n$/,
      )
      expect(readFileSync(lock, 'utf8')).toContain(String(process.pid))
      rmSync(lock)
      expect((await assay(['log', 'import', 'latest'], { cwd })).stdout).toMatch(/^logged 150 attempts in 1 log /)
    },
  )
})
