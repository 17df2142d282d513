import { Written } from '../written.ts'

/** Columns of a table of tests that are not variables. */
const OWN_COLUMN = /^__/

/** A row of a table as a test: columns are variables, but for those with `__` in front, such as `__expected`. */
export function rowTest(row: Written): Written {
  const columns = row.entries()
  const vars = columns.filter(([name]) => !OWN_COLUMN.test(name) && name !== '')
  const expected = columns.filter(([name, { value }]) => /^__expected\d*$/.test(name) && String(value).trim() !== '')
  const assertions = expected.map(([, cell]) => Written.listOf([], cell.at).with(expectedAssertion(String(cell.value))))
  const cell = (name: string) => String(row.get(name)?.value ?? '').trim()
  const metric = cell('__metric')
  const threshold = Number(cell('__threshold'))
  const metadata = columns.filter(([name]) => name.startsWith('__metadata:'))
  return row.with({
    ...(cell('__description') === '' ? {} : { description: cell('__description') }),
    ...(cell('__threshold') !== '' && Number.isFinite(threshold) ? { threshold } : {}),
    vars: Object.fromEntries(vars.map(([name, { value }]) => [name, value])),
    ...(metadata.length === 0
      ? {}
      : {
          metadata: Object.fromEntries(
            metadata.map(([name, { value }]) => [name.slice('__metadata:'.length).replace(/\[\]$/, ''), value]),
          ),
        }),
    options: { prefix: row.get('__prefix')?.value, suffix: row.get('__suffix')?.value },
    assert: assertions.map(({ value }) => (metric === '' ? value : { ...(value as object), metric })),
  })
}

/** Types that a cell may name before a colon, with a threshold in parentheses. */
const TYPED = /^(not-)?([a-z][a-z-]*)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/

/** Types that are written without a colon. */
const BARE = ['is-json', 'contains-json', 'is-xml', 'is-sql', 'is-html', 'cost', 'latency', 'is-refusal']

const SHORT: Readonly<Record<string, string>> = { grade: 'llm-rubric', fn: 'javascript', eval: 'javascript' }

/** The assertion of a cell such as `contains: blue`, `similar(0.9): hello` or just the expected text. */
function expectedAssertion(text: string): Readonly<Record<string, unknown>> {
  if (/^file:\/\/.*\.py(?::\w+)?$/.test(text)) return { type: 'python', value: text }
  if (/^file:\/\/.*\.[cm]?[jt]s(?::\w+)?$/.test(text)) return { type: 'javascript', value: text }
  const [, not = '', type = '', threshold, value] = TYPED.exec(text.trim()) ?? []
  const isTyped = value === undefined ? BARE.includes(type) : KNOWN.test(type) || Object.hasOwn(SHORT, type)
  if (!isTyped) return { type: 'equals', value: text }
  const name = `${not}${SHORT[type] ?? type}`
  const trimmed = value?.trim()
  return {
    type: name,
    ...(trimmed === undefined || trimmed === '' ? {} : { value: trimmed }),
    ...(threshold === undefined ? {} : { threshold: Number(threshold) }),
  }
}

/** The words before a colon that are types of assertions, and not the beginning of an expected text. */
const KNOWN =
  /^(?:i?contains(?:-(?:all|any))?|contains-(?:json|xml|sql|html)|equals|regex|starts-with|ends-with|is-(?:json|xml|sql|html|refusal)|javascript|python|ruby|llm-rubric|similar|cost|latency|levenshtein|rouge-n|bleu|gleu|meteor|perplexity(?:-score)?|classifier|moderation|factuality|model-graded-(?:closedqa|factuality)|answer-relevance|context-(?:faithfulness|recall|relevance)|g-eval|webhook|word-count|finish-reason|pi|select-best)$/
