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
