import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillShellLine, shellIssues } from '../../src/providers/shared/programs/shell-line.ts'
import { folderWith } from '../support/program.ts'

const TRICKS = `it's "quoted" $(touch hacked) \`touch hacked\` ; touch hacked & $HOME \\ # EOF
EOF
'; touch hacked; ' "; touch hacked; " {TEST_ID}`

/** The output of a shell line for a prompt. */
function printed(line: string, prompt = TRICKS): string {
  const cwd = folderWith()
  const { command, env } = fillShellLine(line, { PROMPT: prompt, TEST_ID: 'id' })
  const { PATH } = process.env
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd, env: { PATH, ...env }, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(existsSync(join(cwd, 'hacked'))).toBe(false)
  return stdout
}

const PRINT = "printf '<%s>'"

describe('a placeholder in a shell command', () => {
  it.each<[what: string, line: string, output?: string]>([
    ['without quotes', `${PRINT} {PROMPT}`],
    ['in double quotes', `${PRINT} "{PROMPT}"`],
    ['in single quotes', `${PRINT} '{PROMPT}'`],
    ['after a comment with a quote', `# don't ask\n${PRINT} {PROMPT}`],
    ['after a comment at the end of a line', `true # it's "\n${PRINT} {PROMPT}`],
    ['after a comment in a substitution', `${PRINT} "$(# it's\n${PRINT} {PROMPT})"`, `<<${TRICKS}>>`],
    ['after a # that is not a comment', `x='a'#'b'; ${PRINT} {PROMPT}`],
    ['after an escaped blank and a #', `: a\\ #'b'; ${PRINT} {PROMPT}`],
    ['after $#', `: $#'a'; ${PRINT} {PROMPT}`],
    ['after a parameter expansion with #', `x=ab; : \${x#'a'}; ${PRINT} {PROMPT}`],
    ['in a comment', `${PRINT} a # {PROMPT}`, '<a>'],
    ['after a comment that has one', `# it's {PROMPT}\n${PRINT} {PROMPT}`],
    ['in a heredoc', 'cat <<EOF\nit\'s "{PROMPT}"\nEOF\n', `it's "${TRICKS}"\n`],
    ['in an indented heredoc', 'cat <<-EOF\n\t{PROMPT}\n\tEOF\n', `${TRICKS}\n`],
    ['after a heredoc with a quote', `cat <<EOF\nit's\nEOF\n${PRINT} {PROMPT}`, `it's\n<${TRICKS}>`],
    ['after a quoted heredoc', `cat <<'E F'\nit's $x\nE F\n${PRINT} {PROMPT}`, `it's $x\n<${TRICKS}>`],
    ['after two heredocs', `cat <<A - <<B\n'\nA\n"\nB\n${PRINT} {PROMPT}`, `"\n<${TRICKS}>`],
    ['on the line of a heredoc', `${PRINT} {PROMPT} <<EOF\n'\nEOF\n`],
    ['in a substitution in a heredoc', `cat <<EOF\n$(${PRINT} '{PROMPT}')\nEOF\n`, `<${TRICKS}>\n`],
    ['in a heredoc in a substitution', `${PRINT} "$(cat <<EOF\n{PROMPT}\nEOF\n)"`],
    ['after a shift, which is not a heredoc', `: $((1 << 2))\n${PRINT} {PROMPT}`],
    ['after an arithmetic expansion in a substitution', `${PRINT} "$(: $((1)); ${PRINT} '{PROMPT}')"`, `<<${TRICKS}>>`],
    ['after a subshell in a substitution', `: "$( (echo ')') )"; ${PRINT} {PROMPT}`],
    ['in backticks in quotes', `${PRINT} "\`${PRINT} {PROMPT}\`"`, `<<${TRICKS}>>`],
  ])('expands to its value: %s', (_, line, output = `<${TRICKS}>`) => {
    expect(printed(line)).toBe(output)
    expect(shellIssues(line)).toEqual([])
  })

  it.each<[what: string, line: string, words: string]>([
    ['a heredoc with quotes', "cat <<'EOF'\n{PROMPT}\nEOF", 'quoted delimiter'],
    ['a heredoc with a backslash', 'cat <<\\EOF\n{PROMPT}\nEOF', 'quoted delimiter'],
    ['an arithmetic expansion', 'echo $((1 + {PROMPT}))', 'arithmetic'],
    ['parentheses in one', 'echo "$(( (1) + ({PROMPT}) ))"', 'arithmetic'],
  ])('is an error in %s', (_, line, words) => {
    expect(shellIssues(line)).toMatchObject([{ code: 'bad-target', path: ['command'] }])
    expect(shellIssues(line)[0]?.message).toContain(words)
  })

  it('never inserts the value into the command, whatever surrounds it', () => {
    const parts = ["'", '"', '`', '$(', '$((', ')', '#', ' ', '\n', '<<A', "<<'A'", 'A', '\\', '{PROMPT}']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), line => {
        const { command } = fillShellLine(line.join(''), { PROMPT: 'the value' })
        expect(command).not.toContain('the value')
      }),
    )
  })
})
