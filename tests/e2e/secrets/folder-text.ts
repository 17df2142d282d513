import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The content of every file below a folder, as one text. */
export function folderText(folder: string): string {
  const files = (readdirSync(folder, { recursive: true }) as string[]).map(name => join(folder, name))
  return files
    .filter(file => statSync(file).isFile())
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
}
