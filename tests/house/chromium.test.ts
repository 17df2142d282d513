import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findChromium } from '../support/external/chromium.ts'
import { folderWith } from '../support/program.ts'

const HOW = 'To get it: apt install chromium-headless-shell'
const empty = folderWith({ chromium: 'not a program' })
const full = folderWith({ chromium: '#!/bin/sh\n' })
chmodSync(join(full, 'chromium'), 0o755)
const shell = folderWith({ 'chromium-headless-shell': '#!/bin/sh\n' })
chmodSync(join(shell, 'chromium-headless-shell'), 0o755)

describe('tests that need Chromium', () => {
  it('are skipped if it is missing, with a message how to install it', () => {
    expect(findChromium({ PATH: empty })).toEqual({
      path: undefined,
      isSkipped: true,
      problem: expect.stringContaining(HOW),
    })
  })

  it('fail in CI if it is missing', () => {
    expect(findChromium({ PATH: empty, CI: 'true' })).toMatchObject({ isSkipped: false, problem: expect.any(String) })
  })

  it.each([{}, { CI: 'true' }])('run if it is installed: %j', env => {
    const path = join(full, 'chromium')
    expect(findChromium({ PATH: `${empty}:${full}`, ...env })).toEqual({ path, isSkipped: false, problem: undefined })
  })

  it('prefer the one without windows', () => {
    const path = join(shell, 'chromium-headless-shell')
    expect(findChromium({ PATH: `${full}:${shell}` }).path).toBe(path)
  })
})
