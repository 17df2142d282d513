// Whether the registry knows of a weakness in what users get: what they install, and what is built into dist/, which
// `npm run build` has listed with its licences. Where the registry does not answer that question, nothing is known.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { packagesIn } from './licences.mjs'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const given = new Set([...Object.keys(dependencies), ...packagesIn(readFileSync('dist/LICENSES', 'utf8'))])
const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' })
const report = parsed(stdout)
const found = Object.values(report?.vulnerabilities ?? {}).filter(({ name }) => given.has(name))

if (!report?.metadata) console.log('audit: the registry does not answer.')
else if (found.length === 0) console.log(`audit: nothing is known against the ${given.size} packages that users get.`)
for (const { name, severity, range } of found) console.log(`audit: ${severity}: ${name} ${range}`)
process.exitCode = found.length > 0 ? 1 : 0

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
