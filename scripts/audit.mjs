// Whether the registry knows of a weakness in what users install. Where it does not answer that question, nothing is known.
import { spawnSync } from 'node:child_process'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const report = parsed(stdout)
const found = Object.values(report?.vulnerabilities ?? {})

if (!report?.metadata) console.log('audit: the registry does not answer.')
else if (found.length === 0) console.log('audit: nothing is known against what users install.')
for (const { name, severity, range } of found) console.log(`audit: ${severity}: ${name} ${range}`)
process.exitCode = found.length > 0 ? 1 : 0

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
