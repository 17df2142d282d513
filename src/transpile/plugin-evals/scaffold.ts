import { basename, dirname, join, posix, relative, sep } from 'node:path'
import { commandLines, SUITE_FOLDER_VARIABLE } from '../../model/commands.ts'
import { filePathsIn } from '../../model/message.ts'
import type { Test } from '../../model/test.ts'
import type { TranspiledFile } from '../transpiled-file.ts'
import type { CaseContext } from './case-context.ts'
import { markedFile } from './marked-text.ts'

/** A script that copies attached files into the workspace and runs `setup`; undefined if the test has neither. */
export function scaffoldFile(
  test: Test,
  name: string,
  { suite, folder, mark }: CaseContext,
): TranspiledFile | undefined {
  const setup = test.execution.setup ?? suite.execution.setup
  const home = dirname(suite.file)
  const copies = [...new Set(filePathsIn(test.input))].flatMap(path => {
    const source = slashed(relative(join(folder, name), path))
    const target = targetOf(slashed(relative(home, path)))
    const into = posix.dirname(target)
    return [...(into === '.' ? [] : [`mkdir -p ${quote(into)}`]), `cp "$here/"${quote(source)} ${quote(target)}`]
  })
  // Each line runs in a shell of its own, as in Assay.
  const lines = setup === undefined ? [] : commandLines(setup).lines.map(line => `(\n${line}\n)`)
  if (copies.length + lines.length === 0) return undefined
  const usesHome = lines.some(line => line.includes(SUITE_FOLDER_VARIABLE))
  const here = [
    ...(copies.length > 0 || usesHome ? ['here=$(cd "$(dirname "$0")" && pwd)'] : []),
    ...(usesHome
      ? [`export ${SUITE_FOLDER_VARIABLE}="$here/"${quote(slashed(relative(join(folder, name), home)))}`]
      : []),
  ]
  const text = ['#!/usr/bin/env bash', `# ${mark}`, 'set -eu', ...here, ...copies, ...lines, ''].join('\n')
  return markedFile('', mark, text)
}

/** Where a file is in the workspace: as in the folder of the suite, or by its name. */
function targetOf(path: string): string {
  return path.startsWith('..') || posix.isAbsolute(path) ? basename(path) : path
}

function slashed(path: string): string {
  return path.split(sep).join('/')
}

/** Quotes a word for the shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
