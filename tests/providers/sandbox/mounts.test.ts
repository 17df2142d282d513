import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Mount, mountArguments } from '../../../src/providers/shared/sandbox/mounts.ts'

const readable = (path: string): Mount => ({ kind: 'readable', path })
const writable = (path: string): Mount => ({ kind: 'writable', path })
const hidden = (path: string): Mount => ({ kind: 'hidden', path })
const empty = (path: string): Mount => ({ kind: 'empty', path })

/** The arguments as one line for each, without those that close folders. */
function lines(...mounts: Mount[]): string[] {
  return mountArguments(mounts)
    .join(' ')
    .split(/ (?=--)/)
    .filter(line => !line.startsWith('--remount-ro'))
}

describe('mounts of a sandbox', () => {
  it('are made from the outside to the inside', () => {
    expect(lines(writable('/tmp/a'), readable('/usr'), empty('/tmp'))).toEqual([
      '--tmpfs /tmp',
      '--ro-bind /usr /usr',
      '--bind /tmp/a /tmp/a',
    ])
  })

  it('hide a folder only where it would be visible', () => {
    expect(lines(readable('/opt'), hidden('/opt/project'), hidden('/root'), hidden('/'))).toEqual([
      '--ro-bind /opt /opt',
      '--tmpfs /opt/project',
    ])
  })

  it('show a path in a hidden folder', () => {
    expect(lines(readable('/opt'), hidden('/opt/project'), readable('/opt/project/agent.mjs'))).toEqual([
      '--ro-bind /opt /opt',
      '--tmpfs /opt/project',
      '--ro-bind /opt/project/agent.mjs /opt/project/agent.mjs',
    ])
  })

  it('keep a readable file in a writable folder writable', () => {
    expect(lines(writable('/w'), readable('/w/a.txt'))).toEqual(['--bind /w /w'])
    expect(lines(readable('/w'), writable('/w/a'), readable('/w'))).toEqual(['--ro-bind /w /w', '--bind /w/a /w/a'])
  })

  it('do not take a name for a folder that begins with it', () => {
    expect(lines(readable('/a/b'), readable('/a/bc'))).toEqual(['--ro-bind /a/b /a/b', '--ro-bind /a/bc /a/bc'])
  })

  it('make links only where the folder around them is not visible', () => {
    const link = (path: string): Mount => ({ kind: 'link', path, target: 'usr/bin' })
    expect(lines(link('/bin'), readable('/usr'), link('/usr/x'), link('/bin'))).toEqual([
      '--symlink usr/bin /bin',
      '--ro-bind /usr /usr',
    ])
  })

  it('close the root and hidden folders at last', () => {
    const args = mountArguments([readable('/opt'), hidden('/opt/a'), writable('/opt/a/w')])
    expect(args.slice(-4)).toEqual(['--remount-ro', '/', '--remount-ro', '/opt/a'])
  })

  it('give every path what its most specific mount says', () => {
    const names = fc
      .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 })
      .map(parts => `/${parts.join('/')}`)
    const kinds = fc.constantFrom('readable', 'writable', 'empty', 'hidden')
    const mount = fc.record({ kind: kinds, path: names }) as fc.Arbitrary<Mount>
    fc.assert(
      fc.property(fc.uniqueArray(mount, { selector: ({ path }) => path, maxLength: 8 }), names, (mounts, path) => {
        const made = lines(...mounts)
        const effect = nearest(
          made.map(line => line.split(' ')).map(([kind = '', where = '']) => ({ kind, path: where })),
          path,
        )
        const wanted = nearest(mounts, path)
        const shown: Record<string, string> = { '--bind': 'writable', '--ro-bind': 'readable' }
        const isVisible = (kind: string | undefined) => kind === 'readable' || kind === 'writable'
        const actual = shown[effect ?? '']
        // A readable path may be writable, if the folder around it is.
        if (wanted === 'readable') expect(isVisible(actual)).toBe(true)
        else if (wanted === 'writable') expect(actual).toBe('writable')
        else expect(actual).toBeUndefined()
      }),
    )
  })
})

/** The kind of the longest path around a path. */
function nearest(mounts: readonly { kind: string; path: string }[], path: string): string | undefined {
  const around = mounts.filter(mount => `${path}/`.startsWith(`${mount.path}/`))
  return around.sort((a, b) => b.path.length - a.path.length)[0]?.kind
}
