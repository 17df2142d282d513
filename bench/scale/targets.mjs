import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the targets file of a folder. */
export function writeTargets(home, targets) {
  writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets }))
}

/** A target that answers immediately. */
export function writeMock(home) {
  const responses = [{ pattern: 'What is', response: 'The sum is 42, if you please.' }]
  writeTargets(home, [{ name: 'default', provider: 'mock', responses }])
}
