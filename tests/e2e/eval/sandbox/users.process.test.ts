import { spawn } from 'node:child_process'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { suiteWith } from '../../../support/evaluation.ts'
import { describeWithBubblewrap } from '../../../support/external/bubblewrap.ts'
import { assay, assayUnprivileged, folderWith, PROGRAM, run } from '../../../support/program.ts'
import { projectFolder, removeProjects } from '../../../support/sandboxes.ts'
import { resultsIn } from '../../../support/suite-run.ts'

const NOBODY = 65534

/** A project of a user, with a target that looks at it. */
function projectOf(user: number | undefined): string {
  const folder = projectFolder({ 'tmp/of-another-attempt': '' })
  // In a namespace of its own, an ordinary user may mount what he likes.
  const undo = `umount ${folder}; mkdir /tmp/m; mount --bind /var /tmp/m; mount -o remount,bind,rw /var; ls ${folder} /tmp/m`
  const command = `unshare -Urm sh -c '${undo}' 2>/dev/null | grep -c EVAL.yaml; echo ok; id -u; echo x > new.txt; cat new.txt; ls -A ${folder} ${join(folder, 'home')} 2>&1; touch /usr/x /etc/x ${folder}/x 2>&1; true`
  const targets = [{ name: 'default', provider: 'cli', command, workspace: 'app', sandbox: true, readable: ['/var'] }]
  folderWith(
    { 'EVAL.yaml': suiteWith([{ id: 'a', input: 'Hi' }]), '.assay/targets.yaml': JSON.stringify({ targets }) },
    folder,
  )
  chmodSync(folder, 0o755)
  if (user !== undefined)
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
      chownSync(join(folder, name), user, user)
  return folder
}

describeWithBubblewrap('a sandbox', () => {
  afterAll(removeProjects)
  const isRoot = process.getuid?.() === 0

  it.each([
    ['the user of the tests', false],
    ['an ordinary user', true],
  ])('works for %s', async (_, isOrdinary) => {
    const folder = projectOf(isOrdinary && isRoot ? NOBODY : undefined)
    const program = isOrdinary ? assayUnprivileged : assay
    // The workspace is a folder of the project.
    const env = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') }
    const { code, stdout, stderr } = await program(['eval'], { cwd: folder, env })
    expect({ code, stderr: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, stderr: '' })
    const user = isOrdinary && isRoot ? NOBODY : process.getuid?.()
    const [result] = resultsIn(folder)
    expect(result?.answer?.split('\n')).toEqual([
      ...['0', 'ok', String(user), 'x'],
      expect.stringContaining(`'${folder}/home': No such file or directory`),
      ...[`${folder}:`, 'tmp'],
      ...Array(3).fill(expect.stringContaining('Read-only file system')),
    ])
  })

  it('ends with Assay, even after kill -9', async () => {
    const folder = projectFolder()
    // Not what another run of this test on the machine sleeps.
    const sleep = `sleep ${700_000_000 + process.pid}`
    const command = `setsid ${sleep} & ${sleep}`
    const targets = [{ name: 'default', provider: 'cli', command, workspace: 'app', sandbox: true }]
    const suite = suiteWith([{ id: 'a', input: 'Hi' }])
    folderWith({ 'EVAL.yaml': suite, '.assay/targets.yaml': JSON.stringify({ targets }) }, folder)
    const program = spawn(process.execPath, [PROGRAM, 'eval'], { cwd: folder, stdio: 'ignore' })
    const sleeping = async () =>
      (await run('ps', ['-Ao', 'args='], { cwd: '/' })).stdout.split('\n').filter(line => line === sleep).length
    await expect.poll(sleeping, { timeout: 60_000 }).toBe(2)
    program.kill('SIGKILL')
    await expect.poll(sleeping, { timeout: 60_000 }).toBe(0)
  })
})
