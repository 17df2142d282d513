// Writes the JSON Schemas and the reference pages. Pages whose subject is gone are removed.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { generatedFiles } from './generated-files.ts'

// An error here must leave the pages in place.
const files = generatedFiles()
await rm('docs/reference', { recursive: true, force: true })
for (const [path, text] of files) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
