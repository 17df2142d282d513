// The licences of the packages that are built into dist/.
import { readdir, readFile } from 'node:fs/promises'

/** Packages that are published without their licence, and the package of the same authors whose licence they name. */
const SAME_AS = { '@ai-sdk/provider-utils': '@ai-sdk/provider' }

const RULE = `\n${'-'.repeat(80)}\n\n`

/** The text of dist/LICENSES: each licence, below the packages that have it. */
export async function licences(files) {
  const names = [...new Set(files.flatMap(file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))]
  const packages = new Map()
  for (const name of names.sort()) {
    const text = await licenceOf(SAME_AS[name] ?? name)
    packages.set(text, [...(packages.get(text) ?? []), name])
  }
  return Array.from(packages, ([text, group]) => `${group.join(', ')}\n\n${text.trim()}\n`).join(
    `\n${'-'.repeat(80)}\n\n`,
  )
}

/** The packages that a text of licences names. */
export function packagesIn(text) {
  return text.split(RULE).flatMap(part => part.slice(0, part.indexOf('\n')).split(', '))
}

async function licenceOf(name) {
  const folder = `node_modules/${name}`
  const file = (await readdir(folder)).find(each => /^licen[cs]e(\.\w+)?$/i.test(each))
  if (file === undefined) throw new Error(`${name} has no licence file: add it to SAME_AS in scripts/licences.mjs`)
  return readFile(`${folder}/${file}`, 'utf8')
}
