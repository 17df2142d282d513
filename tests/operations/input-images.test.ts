import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import type { RunInfo } from '../../src/model/run-info.ts'
import { findInputImages } from '../../src/operations/input-images.ts'
import { html } from '../../src/report/html.ts'
import { folderWith } from '../support/program.ts'
import { renderReport, runOf } from '../support/recorded-run.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const large = (first: number) => Buffer.concat([PNG, Buffer.from([first]), Buffer.alloc(1_900_000)])

function runWith(root: string, files: Record<string, string>) {
  const test_files = Object.entries(files).map(([file, sha256]) => ({ file, sha256 }))
  return runOf([{}], { run_id: 'r', started: '', assay_version: '0', root, test_files } as Partial<RunInfo>)
}

describe('images of the input', () => {
  it('are found by their recorded hash, and others are named with the reason', async () => {
    const root = folderWith()
    const outside = join(folderWith(), 'secret.png')
    for (const path of [join(root, 'cat.png'), join(root, 'changed.jpg'), outside]) writeFileSync(path, PNG)
    writeFileSync(join(root, 'text.gif'), 'no image')
    writeFileSync(join(root, 'large.webp'), Buffer.alloc(3_000_000))
    mkdirSync(join(root, 'folder.png'))
    symlinkSync(outside, join(root, 'link.png'))
    const [same, other] = [hashOf(PNG), (digit: string) => digit.repeat(64)]
    const files = {
      'cat.png': same,
      'changed.jpg': other('1'),
      'text.gif': hashOf(Buffer.from('no image')),
      'large.webp': other('2'),
      'folder.png': other('3'),
      'link.png': other('4'),
      'gone.png': other('5'),
      'notes.txt': other('6'),
    }
    const images = await findInputImages(runWith(root, files), nodeHost(root))
    const problems = [...images.values()].map(image => ('problem' in image ? image.problem : image.type))
    expect(problems).toEqual([
      'image/png',
      'the file has changed since the run',
      'it is not an image of a known type',
      'it is larger than 2.1 MB',
      'it is not a regular file',
      'the file is outside of the project',
      'the file is no longer there',
    ])
  })

  it('take at most 20 MB of a report', async () => {
    const root = folderWith()
    const files: Record<string, string> = {}
    for (let index = 0; index < 12; index++) {
      const bytes = large(index)
      writeFileSync(join(root, `${index}.png`), bytes)
      files[`${index}.png`] = hashOf(bytes)
    }
    const images = [...(await findInputImages(runWith(root, files), nodeHost(root))).values()]
    expect(images.filter(image => 'bytes' in image)).toHaveLength(11)
    expect(images.at(-1)).toEqual({ problem: 'the images are larger than 21 MB' })
  })

  it('are part of the page, except under an invalid hash', () => {
    const images = new Map([
      [hashOf(PNG), { type: 'image/png', bytes: PNG }],
      ['"><script>', { problem: 'x' }],
    ])
    const text = renderReport(html, runOf([{}]), { images })
    expect(text).toContain(`id="image-${hashOf(PNG)}">{"src":"data:image/png;base64,${PNG.toString('base64')}"}<`)
    expect(text).not.toContain('image-"><script>')
  })
})
