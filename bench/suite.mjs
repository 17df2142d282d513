/** A suite of many tests, each with messages, an expected output, three checks and metadata. */
export function suiteOf(count) {
  const tests = Array.from({ length: count }, (_, index) => testOf(index)).join('')
  return `name: many-tests\nversion: "1.0"\nassert:\n  - name: short\n    type: regex\n    value: "^.{0,400}$"\ntests:\n${tests}`
}

function testOf(index) {
  return `  - id: addition-${index}
    criteria: The agent adds ${index} and ${index} and says the sum politely
    input:
      - role: system
        content: You are a patient teacher of arithmetic.
      - role: user
        content: |
          What is ${index} + ${index}?
          Answer with the number first.
    expected_output: "${2 * index}"
    assert:
      - type: contains
        value: "${2 * index}"
        required: true
      - type: regex
        value: \\d+
      - name: polite
        type: icontains
        value: please
        weight: 0.5
    metadata:
      tags: [arithmetic, small]
`
}

const CHECKS = [
  { type: 'contains', value: 'sum' },
  { type: 'regex', value: '\\d+' },
  { type: 'icontains', value: 'PLEASE', weight: 0.5 },
]

function shortTest(index) {
  const input = `What is ${index} + ${index}? Answer with the number first.`
  return { id: `addition-${index}`, criteria: `Adds ${index} and ${index} politely`, input, assert: CHECKS }
}

/** A suite of many short tests with three text checks each, as JSON, one test per line. */
export function runSuiteOf(count) {
  const tests = Array.from({ length: count }, (_, index) => yamlTest(shortTest(index))).join('')
  return `name: many-tests\nversion: "1.0"\ntests:\n${tests}`
}

function yamlTest({ id, criteria, input, assert }) {
  const checks = assert.map(check => {
    const [first, ...rest] = Object.entries(check).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    return `      - ${first}${rest.map(line => `        ${line}`).join('')}`
  })
  return `  - id: ${id}\n    criteria: ${criteria}\n    input: "${input}"\n    assert:\n${checks.join('')}`
}

/** The same tests as JSONL. */
export function linesOf(count) {
  return Array.from({ length: count }, (_, index) => `${JSON.stringify(shortTest(index))}\n`).join('')
}
