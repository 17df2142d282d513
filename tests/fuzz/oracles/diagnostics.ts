import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts'
import { renderGithub } from '../../../src/diagnostics/render/github.ts'
import { renderJson } from '../../../src/diagnostics/render/json.ts'
import { renderSarif } from '../../../src/diagnostics/render/sarif.ts'
import { renderText } from '../../../src/diagnostics/render/text.ts'
import { LINE_FEED, LineIndex, YAML_BREAK } from '../../../src/lib/text/line-index.ts'
import { decodeUtf8 } from '../../../src/lib/text/unicode.ts'
import type { Host } from '../../../src/model/host.ts'
import { must } from '../fuzzer.ts'

/** Throws unless every diagnostic has a message and a location in its file, and all formats can be rendered. */
export async function mustHaveLocations(diagnostics: readonly Diagnostic[], host: Host): Promise<void> {
  const texts = new Map<string, LineIndex | undefined>()
  for (const diagnostic of diagnostics) {
    const { file, line, column, length, message, code } = diagnostic
    renderText(diagnostic, 'f')
    const what = () => `${code} at ${file}:${line}:${column}+${length}: ${message}`
    if (!texts.has(file)) texts.set(file, await linesOf(file, host))
    const lines = texts.get(file)
    must(message.trim() !== '', () => `no message: ${what()}`)
    must(
      [line, column, length].every(each => Number.isInteger(each) && each >= 1),
      () => `invalid location: ${what()}`,
    )
    must(lines !== undefined || (line === 1 && column === 1), () => `location in a missing file: ${what()}`)
    must(!lines || isInside(lines, line, column, length), () => `location outside its file: ${what()}`)
  }
  const shown = (file: string) => file
  must(JSON.parse(renderJson(diagnostics, shown)) !== null, () => 'no JSON')
  must(JSON.parse(renderSarif(diagnostics, shown, '0')) !== null, () => 'no SARIF')
  const commands = renderGithub(diagnostics, shown).split('\n').filter(Boolean)
  must(commands.length === diagnostics.length, () => `${commands.length} lines for ${diagnostics.length} diagnostics`)
}

async function linesOf(file: string, host: Host): Promise<LineIndex | undefined> {
  const bytes = await host.files.read(file).catch(() => undefined)
  return bytes && new LineIndex(decodeUtf8(bytes).text, file.endsWith('.jsonl') ? LINE_FEED : YAML_BREAK)
}

/** Whether a location is in the text; the end of a line is one column after its last character. */
function isInside(lines: LineIndex, line: number, column: number, length: number): boolean {
  const text = lines.line(line)
  return lines.position(Number.MAX_SAFE_INTEGER).line >= line && column + length - 1 <= Math.max(1, text.length + 1)
}
