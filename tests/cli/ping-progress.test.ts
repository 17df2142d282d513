import { describe, expect, it } from 'vitest'
import { pingProgress } from '../../src/cli/terminal/ping-progress.ts'
import { nodeHost } from '../../src/host/node.ts'
import { displayWidth } from '../../src/lib/text/unicode.ts'

function screenOf(isLive: boolean, width: number) {
  const screen = {
    text: '',
    isLive,
    clock: nodeHost().clock,
    columns: () => width,
    write(text: string) {
      screen.text += text
    },
  }
  return screen
}

describe('pingProgress', () => {
  it('prints the pending targets at intervals if the screen is not live', async () => {
    const screen = screenOf(false, 20)
    const progress = pingProgress(3, screen, 20)
    const end = progress.begin('first')
    progress.begin('second\n\u001b[2J')
    await expect.poll(() => screen.text).toMatch(/^0 of 3, waiting for first \d+ ms, second↵␛\[2J \d+ ms\n/)
    end()
    await expect.poll(() => screen.text).toMatch(/\n1 of 3, waiting for second/)
    progress.end()
    expect(screen.text).not.toContain('\u001b')
  })

  it.each([20, 80])('fits on a line of %i columns on a live screen', async width => {
    const screen = screenOf(true, width)
    const progress = pingProgress(50, screen)
    for (let count = 0; count < 50; count++) progress.begin(`目標-${count}`)
    await expect.poll(() => screen.text).toContain('waiting')
    progress.say('Stopping')
    progress.end()
    const lines = screen.text.split('\r\u001b[K')
    for (const line of lines) expect(displayWidth(line.trimEnd())).toBeLessThan(width)
    expect(lines.at(-2)).toBe('Stopping\n')
    expect(lines.at(-1)).toBe('')
  })

  it('names eight pending targets and counts the rest', async () => {
    const screen = screenOf(false, 20)
    const progress = pingProgress(10, screen, 20)
    for (let count = 0; count < 10; count++) progress.begin(`t${count}`)
    await expect.poll(() => screen.text).toMatch(/^0 of 10, waiting for (t\d \d+ ms, ){7}t7 \d+ ms and 2 more\n/)
    progress.end()
  })

  it('prints nothing if all targets have answered', async () => {
    const screen = screenOf(false, 80)
    const progress = pingProgress(1, screen, 1)
    progress.begin('quick')()
    await new Promise(resolve => setTimeout(resolve, 20))
    progress.end()
    expect(screen.text).toBe('')
  })
})
