// `npm run release -- VERSION [--dry-run]`: checks the tree, writes the version and the heading of the changelog, commits
// and tags. Pushing the tag publishes the package (.github/workflows/release.yml).
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const USAGE = 'usage: npm run release -- VERSION [--dry-run]'

class Refused extends Error {}

try {
  release()
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}

function release() {
  const { version, isDryRun } = readArguments()
  const tag = `v${version}`
  requireReleasableTree(tag)
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const { text, notes } = changelogOf(version, changelog)
  const say = message => console.log(isDryRun ? `would ${message}` : message)

  say('run `npm run check`')
  if (!isDryRun) runCheck()
  say(`write ${version} to package.json, package-lock.json and CHANGELOG.md`)
  say(`commit "Release ${version}" and tag it ${tag}:\n\n${notes}\n`)
  if (isDryRun) return
  writeFileSync('CHANGELOG.md', text)
  writeVersion(version)
  git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json')
  // The version and the changelog may be as they should be already: a first release.
  if (git('diff', '--cached', '--name-only') !== '') git('commit', '--quiet', '-m', `Release ${version}`)
  git('tag', '-a', tag, '--cleanup=verbatim', '-m', `${tag}\n\n${notes}`)
  console.log(`To publish it: git push --follow-tags origin main`)
}

function readArguments() {
  const { values, positionals } = parse()
  const [version, ...others] = positionals
  if (version === undefined || others.length > 0) throw new Refused(USAGE)
  const current = JSON.parse(readFileSync('package.json', 'utf8')).version
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) throw new Refused(`${version} is not a version such as 1.2.3`)
  if (compareVersions(version, current) < 0) throw new Refused(`${version} is older than ${current} in package.json`)
  return { version, isDryRun: values['dry-run'] === true }
}

function parse() {
  try {
    return parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true })
  } catch (error) {
    throw new Refused(`${error.message}\n${USAGE}`)
  }
}

function compareVersions(one, other) {
  const [numbers, others] = [one, other].map(version => version.split('.').map(Number))
  return numbers.map((number, index) => number - others[index]).find(difference => difference !== 0) ?? 0
}

function requireReleasableTree(tag) {
  const branch = git('branch', '--show-current')
  if (branch !== 'main') throw new Refused(`releases are made from main, not from ${branch || 'a detached HEAD'}`)
  const changes = git('status', '--porcelain')
  if (changes !== '') throw new Refused(`commit or remove these changes first:\n${changes}`)
  if (git('tag', '--list', tag) !== '') throw new Refused(`the tag ${tag} exists already`)
}

/** Returns the changelog with what is unreleased under the heading of this version, and the notes of this version. */
function changelogOf(version, text) {
  const unreleased = sectionOf(text, 'Unreleased')
  const earlier = sectionOf(text, version)
  if (unreleased === undefined) throw new Refused('CHANGELOG.md has no heading "## Unreleased"')
  // A first release is written under its own heading from the beginning.
  if (earlier && unreleased.body === '') return { text, notes: earlier.body }
  if (earlier) throw new Refused(`CHANGELOG.md has a section ${version} and entries under Unreleased`)
  if (unreleased.body === '') throw new Refused('CHANGELOG.md has no entries under Unreleased')
  const heading = `\n\n## ${version} - ${new Date().toISOString().slice(0, 10)}`
  const end = unreleased.start + unreleased.heading.length
  return { text: text.slice(0, end) + heading + text.slice(end), notes: unreleased.body }
}

/** Returns the heading of a section, where it starts, and the text up to the next heading. */
function sectionOf(text, name) {
  const heading = new RegExp(`^## \\[?${name.replaceAll('.', '\\.')}\\]?(?: .*)?$`, 'm').exec(text)
  if (!heading) return undefined
  const rest = text.slice(heading.index + heading[0].length)
  const next = rest.search(/^## /m)
  return { heading: heading[0], start: heading.index, body: (next === -1 ? rest : rest.slice(0, next)).trim() }
}

function writeVersion(version) {
  for (const file of ['package.json', 'package-lock.json']) {
    // As text, so that the files keep their layout. The root of a lock file names the version twice.
    const text = readFileSync(file, 'utf8')
    const current = JSON.parse(text).version
    let left = file === 'package.json' ? 1 : 2
    writeFileSync(
      file,
      text.replaceAll(`"version": "${current}"`, found => (left-- > 0 ? `"version": "${version}"` : found)),
    )
  }
}

function runCheck() {
  try {
    execFileSync('npm', ['run', 'check'], { stdio: 'inherit', shell: process.platform === 'win32' })
  } catch {
    throw new Refused('`npm run check` failed')
  }
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
