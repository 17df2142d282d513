/** A suite with an attached file, and queries that should and should not trigger a skill. */
export const CSV_SUITE = `tests:
  - id: csv-top-months
    criteria: Agent finds the top 3 months by revenue
    input:
      - role: user
        content:
          - type: file
            value: evals/files/sales.csv
          - type: text
            value: "I have a CSV of monthly sales data. Find the top 3 months by revenue."
    expected_output: "The top 3 months by revenue are November ($22,500), September ($20,100), and December ($19,400)."
    assert:
      - type: trigger-judge
        skill: csv-analyzer
        should_trigger: true
      - type: rubrics
        criteria: "Output identifies November as the highest revenue month"
      - type: contains
        value: "$22,500"

  - id: irrelevant-query
    criteria: Agent does not invoke csv-analyzer for an unrelated query
    input: "What time is it?"
    assert:
      - type: trigger-judge
        skill: csv-analyzer
        should_trigger: false
`

/** Adds the statements about an answer under the other name too. */
function withExpectations<Item extends { assertions: readonly string[] }>(item: Item) {
  return { ...item, expectations: item.assertions }
}

/** The evals.json of the suite above, for every reader. */
export const CSV_EVALS = {
  skill_name: 'csv-analyzer',
  evals: [
    {
      id: 1,
      prompt: 'I have a CSV of monthly sales data. Find the top 3 months by revenue.',
      expected_output:
        'The top 3 months by revenue are November ($22,500), September ($20,100), and December ($19,400).',
      files: ['evals/files/sales.csv'],
      should_trigger: true,
      assertions: [
        'Agent finds the top 3 months by revenue',
        'Output identifies November as the highest revenue month',
        "Output contains '$22,500'",
      ],
      source_id: 'csv-top-months',
    },
    {
      id: 2,
      prompt: 'What time is it?',
      should_trigger: false,
      assertions: ['Agent does not invoke csv-analyzer for an unrelated query'],
      source_id: 'irrelevant-query',
    },
  ].map(withExpectations),
}
