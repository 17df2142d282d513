import { imageType } from '../lib/image-type.ts'
import { sha256 } from '../lib/sha256.ts'
import { formatBytes } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { ReportImage, ReportImages } from '../report/reporter.ts'

/** Most bytes of one image, and of all images of a report. */
const LARGEST_IMAGE = 2 * 1024 * 1024
const LARGEST_REPORT = 20 * 1024 * 1024

/** Finds the images that tests name, as far as their files still have the content that was recorded. */
export async function findInputImages({ info }: RunReader, host: Host): Promise<ReportImages> {
  const images = new Map<string, ReportImage>()
  let total = 0
  for (const { file, sha256: hash } of imageFiles(info)) {
    if (images.has(hash)) continue
    const image = await readImage(info, file, hash, host)
    const size = 'bytes' in image ? image.bytes.length : 0
    const isTooMuch = total + size > LARGEST_REPORT
    images.set(hash, isTooMuch ? { problem: `the images are larger than ${formatBytes(LARGEST_REPORT)}` } : image)
    if (!isTooMuch) total += size
  }
  return images
}

function imageFiles(info: RunInfo | undefined): readonly { readonly file: string; readonly sha256: string }[] {
  return (info?.test_files ?? []).filter(({ file }) => IMAGE_FILE.test(file))
}

const IMAGE_FILE = /\.(?:png|jpe?g|gif|webp)$/i

const PROBLEMS = {
  missing: 'the file is no longer there',
  outside: 'the file is outside of the project',
  'not-a-file': 'it is not a regular file',
  'too-large': `it is larger than ${formatBytes(LARGEST_IMAGE)}`,
}

async function readImage(info: RunInfo | undefined, file: string, hash: string, host: Host): Promise<ReportImage> {
  const read = await host.files.readContained(info?.root ?? '', file, LARGEST_IMAGE).catch(() => undefined)
  if (!read) return { problem: 'the file cannot be read' }
  if ('problem' in read) return { problem: PROBLEMS[read.problem] }
  if (sha256(read.bytes) !== hash) return { problem: 'the file has changed since the run' }
  const type = imageType(read.bytes)
  return type === undefined ? { problem: 'it is not an image of a known type' } : { type, bytes: read.bytes }
}
