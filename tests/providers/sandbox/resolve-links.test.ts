import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { resolveLinks } from '../../../src/providers/shared/sandbox/resolve-links.ts'
import { folderWith } from '../../support/program.ts'

describe('resolving links', () => {
  const folder = folderWith({ 'real/bin/agent': '' })
  const at = (path: string) => join(folder, path)
  symlinkSync('real', at('first'))
  symlinkSync(at('first/bin'), at('second'))
  symlinkSync('../bin/agent', at('real/bin/name'))
  symlinkSync('circle', at('circle'))
  const resolved = (path: string) => resolveLinks(path, nodeHost())

  it('finds every link on the way, as it is written', async () => {
    expect(await resolved(at('second/name'))).toEqual({
      real: at('real/bin/agent'),
      links: [
        { path: at('second'), target: at('first/bin') },
        { path: at('first'), target: 'real' },
        { path: at('real/bin/name'), target: '../bin/agent' },
      ],
    })
  })

  it('keeps a path without links, and one that does not exist', async () => {
    expect(await resolved(at('real/bin/agent'))).toEqual({ real: at('real/bin/agent'), links: [] })
    expect((await resolved(at('first/none/./x/../y'))).real).toBe(at('real/none/y'))
    expect(await resolved('/')).toEqual({ real: '/', links: [] })
  })

  it('ends with links in a circle', async () => {
    expect((await resolved(at('circle/x'))).links).toHaveLength(40)
  })
})
