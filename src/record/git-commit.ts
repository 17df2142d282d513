import { join, resolve } from 'node:path'
import type { Host } from '../model/host.ts'

/** The commit that is checked out, read from git's own files; undefined outside a repository. */
export async function gitCommit(root: string, host: Host): Promise<string | undefined> {
  const text = (path: string) =>
    host.files.read(path).then(
      bytes => new TextDecoder().decode(bytes).trim(),
      () => undefined,
    )
  const pointer = await text(join(root, '.git'))
  const folder = pointer?.startsWith('gitdir:') ? resolve(root, pointer.slice(7).trim()) : join(root, '.git')
  const common = (await text(join(folder, 'commondir'))) ?? '.'
  const head = await text(join(folder, 'HEAD'))
  if (!head?.startsWith('ref:')) return commitIn(head)
  const ref = head.slice(4).trim()
  for (const home of [folder, resolve(folder, common)]) {
    const found = commitIn(await text(join(home, ref)))
    if (found) return found
  }
  const packed = await text(join(resolve(folder, common), 'packed-refs'))
  return commitIn(
    packed
      ?.split('\n')
      .find(line => line.endsWith(` ${ref}`))
      ?.split(' ')[0],
  )
}

function commitIn(text: string | undefined): string | undefined {
  return text && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined
}
