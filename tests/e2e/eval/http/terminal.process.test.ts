import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evalFolder } from '../../../support/evaluation.ts'
import { PROGRAM, run } from '../../../support/program.ts'
import { serve } from '../../../support/servers/server.ts'

const KEY = 'sk-0123456789abcdef'
const SCRIPT = '/usr/bin/script'

describe.runIf(process.platform === 'linux' && existsSync(SCRIPT))('eval on a terminal', () => {
  it('shows no key, neither in the progress nor with -v', async () => {
    const busy = await serve(({ nth, headers }, response) => {
      const key = headers.authorization
      return nth === 1
        ? response.writeHead(429, { 'retry-after': '1' }).end(`wrong: ${key}`)
        : response.end(`ok, you sent ${key}`)
    })
    const headers = { Authorization: 'Bearer ${{ MY_KEY }}' }
    const target = { name: 'default', provider: 'http', url: busy.url, headers }
    const folder = evalFolder([{ id: 'a', input: 'hi' }], [target])
    const command = `stty cols 200; '${process.execPath}' '${PROGRAM}' eval -v`
    const { CI, ...clean } = { ...process.env, MY_KEY: KEY, TERM: 'xterm' } as NodeJS.ProcessEnv
    const shown = await run('env', ['-u', 'CI', SCRIPT, '-qec', command, '/dev/null'], { cwd: folder, env: clean })
    await busy.close()
    expect(shown.stdout).toContain('answer: ok, you sent')
    expect(shown.stdout).toContain('default waits 1 s')
    expect(shown.stdout).not.toContain(KEY)
  })
})
