import type { Written } from '../written.ts'
import type { Assertion, AssertionContext, ConvertAssertion, ConvertedCheck } from './assertion-context.ts'

/** Assertions that a model judges, by type. */
export const MODEL_ASSERTIONS: Readonly<Record<string, ConvertAssertion>> = {
  'llm-rubric': convertRubric,
  'agent-rubric': convertRubric,
  'model-graded-closedqa': rubric('model-graded-closedqa', text => text),
  'model-graded-factuality': rubric('factuality', factuality),
  factuality: rubric('factuality', factuality),
  'g-eval': convertSteps,
  'answer-relevance': question('answer-relevance', 'The answer is relevant to the question, and answers it.'),
  'conversation-relevance': question('conversation-relevance', 'The answer is relevant to the conversation.'),
  'search-rubric': rubric('search-rubric', text => text),
  'is-refusal': question('is-refusal', 'The answer refuses to do what was asked.'),
  'context-faithfulness': withContext('context-faithfulness', 'Every claim of the answer is supported by this context'),
  'context-recall': withContext('context-recall', 'The facts of the expected answer are in this context'),
  'context-relevance': withContext('context-relevance', 'This context is relevant to the question'),
}

/** A rubric passes or fails; a threshold for a score has no meaning for it. */
function convertRubric(assertion: Assertion, context: AssertionContext): ConvertedCheck {
  const text = rubricText(assertion.value)
  const prompt = assertion.written.get('rubricPrompt', 'rubric_prompt')
  if (prompt) context.notes.leftOut(prompt.at, '`rubricPrompt`: the prompt of Assay is used', 'key')
  if (assertion.threshold !== undefined)
    context.notes.approximated(
      assertion.written.at.child('threshold'),
      '`threshold` of a rubric: the judge decides whether the rubric is satisfied',
      'key',
    )
  return text === undefined ? undefined : { type: 'rubrics', criteria: context.fill(text) }
}

/** A rubric is a text; a structured one is written as JSON. */
function rubricText(value: Written | undefined): string | undefined {
  const text = value?.text()
  if (text !== undefined) return text.trim() === '' ? undefined : text
  return value?.isMapping() || Array.isArray(value?.value) ? JSON.stringify(value?.value) : undefined
}

function factuality(text: string): string {
  return `The answer agrees with the facts of this reference, and contradicts none of them:\n${text}`
}

/** A judge with a prompt of its own, which a rubric replaces. */
function rubric(type: string, wording: (text: string) => string): ConvertAssertion {
  return ({ value, written }, { notes, fill }) => {
    const text = rubricText(value)
    if (text === undefined) return undefined
    notes.approximated(written.at, `\`${type}\` → \`rubrics\`: another prompt judges`)
    return { type: 'rubrics', criteria: fill(wording(text)) }
  }
}

function question(type: string, criteria: string): ConvertAssertion {
  return ({ written }, { notes }) => {
    notes.approximated(written.at, `\`${type}\` → \`rubrics\`: a judge decides by a sentence, and there is no score`)
    return { type: 'rubrics', criteria }
  }
}

/** Each step of the criteria is an item. */
function convertSteps({ value, written, threshold }: Assertion, { notes, fill }: AssertionContext): ConvertedCheck {
  const texts = value?.list().flatMap(item => item.text() ?? []) ?? []
  if (texts.length === 0) return undefined
  notes.approximated(written.at, '`g-eval` → `rubrics`: the judge does not make its own steps')
  const mark = threshold ?? 0.7
  return texts.length === 1
    ? { type: 'rubrics', criteria: fill(texts[0] ?? '') }
    : { type: 'rubrics', rubrics: texts.map(fill), mark }
}

/** Judges of retrieval compare with a context, which a variable of the test holds. */
function withContext(type: string, wording: string): ConvertAssertion {
  return ({ written }, { notes, vars }) => {
    const { context } = vars
    if (typeof context !== 'string') return undefined
    notes.approximated(written.at, `\`${type}\` → \`rubrics\`: a judge decides by a sentence, and there is no score`)
    return { type: 'rubrics', criteria: `${wording}:\n${context}` }
  }
}
