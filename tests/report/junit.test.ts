import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import type { RunReader } from '../../src/model/run-reader.ts'
import { junit } from '../../src/report/junit.ts'
import { itWithPlainPython, readPython } from '../support/external/python.ts'
import { anyText } from '../support/hostile-texts.ts'
import { folderWith } from '../support/program.ts'
import { examples } from '../support/random-examples.ts'
import { checkResult, renderReport, runOf, trialsOf } from '../support/recorded-run.ts'
import { casesIn, type JunitDocument, junitSchema, wrongCounts } from './junit-schema.ts'
import { type Element, readXml } from './xml.ts'

/** Renders a run and checks that the document is well-formed, matches the schema and has correct counts. */
function documentOf(run: RunReader): JunitDocument {
  const document = junitSchema.parse(readXml(renderReport(junit, run)))
  expect(wrongCounts(document)).toEqual([])
  return document
}

const casesOf = (run: RunReader) => documentOf(run).children.flatMap(casesIn)
const onlyCase = (result: Partial<Result>) => casesOf(runOf([result]))[0]

const failed = (test_id: string, more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  score: 0,
  verdict: 'fail',
  misses: ["does not contain 'yes'", 'is not brief'],
  answer: 'no',
  ...more,
})

const MADE = runOf(
  [
    ...trialsOf('greets', [1, 1], { target: 'one', duration_ms: 1500, line: 12 }),
    ...trialsOf('greets', [1, 0], { target: 'two', misses: ["does not contain 'Alice'"] }),
    failed('adds', { target: 'one', line: 30 }),
    { test_id: 'middling', target: 'one', score: 0.7, verdict: 'borderline', misses: ['not quite'] },
    ...trialsOf('waits', [null], { suite: 'other', file: 'b/EVAL.yaml', target: 'one', line: 3 }),
  ],
  {
    started: '2026-11-15T09:30:00.000Z',
    attempts: [
      ...Array.from({ length: 7 }, (_, index): [number, string] => [index, `attempt-${index}`]),
      [7, 'left-1'],
    ],
  },
)
const SEVERAL: RunReader = { ...MADE, planned: 8 }

describe('the document', () => {
  it('has a suite per suite and target, a case per test, and skipped cases for attempts that did not run', () => {
    expect(renderReport(junit, SEVERAL)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay" failures="2" errors="1" tests="6" skipped="1" time="3.000">
  <testsuite name="suite/one" tests="3" failures="1" errors="0" skipped="0" time="3.000" timestamp="2026-11-15T09:30:00.000Z">
    <properties>
      <property name="assay" value="partial run: not finished, 7 of 8 attempts made"/>
    </properties>
    <testcase name="greets" classname="suite/one" file="EVAL.yaml" line="12" time="3.000"></testcase>
    <testcase name="adds" classname="suite/one" file="EVAL.yaml" line="30" time="0.000"><failure message="does not contain &apos;yes&apos;" type="fail">trial 1: fail, score 0.00&#10;- does not contain &apos;yes&apos;&#10;- is not brief&#10;answer: no</failure></testcase>
    <testcase name="middling" classname="suite/one" file="EVAL.yaml" line="1" time="0.000"></testcase>
  </testsuite>
  <testsuite name="suite/two" tests="1" failures="1" errors="0" skipped="0" time="0.000" timestamp="2026-11-15T09:30:00.000Z">
    <properties>
      <property name="assay" value="partial run: not finished, 7 of 8 attempts made"/>
    </properties>
    <testcase name="greets" classname="suite/two" file="EVAL.yaml" line="1" time="0.000"><failure message="does not contain &apos;Alice&apos;" type="fail">trial 2: fail, score 0.00&#10;- does not contain &apos;Alice&apos;&#10;answer: Hello</failure></testcase>
  </testsuite>
  <testsuite name="other/one" tests="1" failures="0" errors="1" skipped="0" time="0.000" timestamp="2026-11-15T09:30:00.000Z">
    <properties>
      <property name="assay" value="partial run: not finished, 7 of 8 attempts made"/>
    </properties>
    <testcase name="waits" classname="other/one" file="b/EVAL.yaml" line="3" time="0.000"><error message="timeout: took too long" type="timeout">trial 1: error&#10;- timeout: took too long</error></testcase>
  </testsuite>
  <testsuite name="not run" tests="1" failures="0" errors="0" skipped="1">
    <testcase name="attempt left-1" classname="not run"><skipped/></testcase>
  </testsuite>
</testsuites>
`)
    documentOf(SEVERAL)
  })

  it('has the notes on the run as properties of each suite', () => {
    const results = [
      { test_id: 'a', rerun: 1 },
      { test_id: 'b', cached: true as const },
    ]
    const [suite] = documentOf(runOf(results, { attempts: [], shard: { index: 2, of: 3 } })).children
    expect(suite?.children[0]?.children.map(({ attributes }) => attributes)).toEqual([
      { name: 'assay', value: 'partial run: shard 2 of 3' },
      { name: 'assay', value: '1 attempt repeated in 1 rerun' },
      { name: 'assay', value: '1 of 2 answers cached' },
    ])
  })

  it('has no suites if the run has no results', () => {
    expect(documentOf(runOf([]))).toMatchObject({ attributes: { tests: '0', skipped: '0' }, children: [] })
  })

  it('is the same for the same records', () => {
    expect(renderReport(junit, SEVERAL)).toBe(renderReport(junit, SEVERAL))
  })
})

describe('the schema of these tests', () => {
  const spoiled: [what: string, from: string | RegExp, to: string][] = [
    ['a wrong count', 'errors="1"', 'errors="2"'],
    ['a count that is not a number', 'failures="2"', 'failures="two"'],
    ['a case without a name', 'name="adds" ', ''],
    ['an unknown attribute', 'line="30"', 'place="30"'],
    ['an unknown element', /<(\/?)failure/g, '<$1flaw'],
    ['two problems in a case', '<skipped/>', '<skipped/><skipped/>'],
    ['text between cases', '  <testcase', 'x<testcase'],
    ['a bare ampersand', '&apos;yes', '&yes'],
    ['a forbidden character', 'trial 1', 'trial \u0001'],
    ['a forbidden character by its number', 'trial 1', 'trial &#1;'],
    [']]> in text', '- is not brief', ']]>'],
    ['properties after a case', /(<properties>.*?<\/properties>)(.*?<\/testcase>)/s, '$2$1'],
    ['a property without a value', / value="[^"]*"/, ''],
    ['a tag that is not closed', '</testcase>', ''],
    ['no declaration', /^.*\n/, ''],
  ]

  it.each(spoiled)('finds %s', (_, from, to) => {
    const text = renderReport(junit, SEVERAL).replace(from, to)
    expect(() => expect(wrongCounts(junitSchema.parse(readXml(text)))).toEqual([])).toThrow()
  })
})

describe('texts', () => {
  it.each<[what: string, text: string, read: string]>([
    ['markup', '</failure><script>&amp;"\'', '</failure><script>&amp;"\''],
    ['the end of CDATA', 'a]]>b', 'a]]>b'],
    ['tabs', 'a\tb', 'a\tb'],
    ['characters that XML forbids', 'a\0b\x01c\x1bd\ufffee\uffff', 'abcde'],
    ['lone surrogates', 'a\ud800b\udfffc', 'abc'],
    ['characters of two units', '😀\u{10ffff}', '😀\u{10ffff}'],
    ['terminal control characters, which XML allows', 'a\x7f\x9b\u202e', 'a\x7f\x9b\u202e'],
  ])('%s in ids, messages and answers', (_, text, read) => {
    const found = onlyCase(failed(`x${text}`, { misses: [text], answer: text, target: `t${text}`, suite: `s${text}` }))
    expect(found?.attributes.name).toBe(`x${read}`)
    expect(found?.attributes.classname).toBe(`s${read}/t${read}`)
    const [failure] = found?.children ?? []
    expect(failure?.attributes).toMatchObject({ message: read })
    expect(failure?.text).toBe(`trial 1: fail, score 0.00\n- ${read}\nanswer: ${read}`)
  })

  it('with several lines give a one-line message and a complete body', () => {
    const text = 'differs:\n- yes\n+ no'
    const [failure] = onlyCase(failed('x', { misses: [text], answer: 'a\nb' }))?.children ?? []
    expect(failure?.attributes).toMatchObject({ message: 'differs: - yes' })
    expect(failure?.text).toBe('trial 1: fail, score 0.00\n- differs:\n  - yes\n  + no\nanswer: a\nb')
  })

  it('are safe to print on a terminal, and parse to the same values', () => {
    const text = renderReport(junit, runOf([failed('a\x7fb\x9b31m\u202ec', { answer: '\u2066' })]))
    const safe = junit.terminalSafe?.(text) ?? ''
    expect(safe).toContain('name="a&#127;b&#155;31m&#8238;c"')
    expect(safe).not.toMatch(/[\x7f-\x9f\u202e\u2066]/)
    expect(readXml(safe)).toEqual(readXml(text))
  })

  it('never make the document unreadable', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText, anyText), { maxLength: 4 }), texts => {
        const results = texts.map(([id, miss, answer], index) => failed(`${index}${id}`, { misses: [miss], answer }))
        expect(casesOf(runOf(results))).toHaveLength(texts.length)
      }),
    )
  })
})

describe('a case', () => {
  it('lists every trial that did not pass', () => {
    const [found] = casesOf(runOf(trialsOf('a', [1, 0.25, null], { misses: ['too short'] })))
    expect(found?.children).toEqual([
      {
        tag: 'error',
        attributes: { message: 'timeout: took too long', type: 'timeout' },
        text: 'trial 2: fail, score 0.25\n- too short\nanswer: Hello\n\ntrial 3: error\n- timeout: took too long',
        children: [],
      },
    ])
  })

  it('has the time of answering and grading, like its suite and the document', () => {
    const check = checkResult({ duration_ms: 300 })
    const timed = (test_id: string, duration_ms: number) => ({ test_id, duration_ms, evaluator_results: [check] })
    const document = documentOf(runOf([timed('a', 1200), timed('b', 500), { test_id: 'c', duration_ms: 0.4 }]))
    expect(document.attributes).toMatchObject({ time: '2.300' })
    expect(document.children[0]?.attributes).toMatchObject({ time: '2.300' })
    expect(document.children.flatMap(casesIn).map(({ attributes }) => attributes.time)).toEqual([
      '1.500',
      '0.800',
      '0.000400',
    ])
  })

  it('uses the verdict as message if there is no reason', () => {
    expect(onlyCase(failed('a', { misses: [] }))?.children[0]?.attributes).toEqual({ message: 'fail', type: 'fail' })
  })
})

const READ_XML = `import json, sys, xml.etree.ElementTree as tree
def read(element):
    text = (element.text or '') + ''.join(child.tail or '' for child in element)
    return {'tag': element.tag, 'attributes': element.attrib, 'text': text, 'children': [read(child) for child in element]}
print(json.dumps([read(tree.fromstring(each.encode())) for each in json.load(sys.stdin)]))`

itWithPlainPython('a second parser reads the same', async () => {
  const hostile = fc.sample(fc.tuple(anyText, anyText, anyText), { numRuns: examples(200) })
  const runs = [
    SEVERAL,
    runOf(hostile.map(([id, miss, answer], index) => failed(`${index}${id}`, { misses: [miss], answer }))),
  ]
  const documents = runs.map(run => renderReport(junit, run))
  const read = await readPython<Element[]>(READ_XML, JSON.stringify(documents), folderWith())
  expect(read).toEqual(documents.map(readXml))
})
