import type { Fields } from '../fields.ts'
import type { Written } from '../written.ts'
import type { Assertion, AssertionContext, ConvertAssertion, ConvertedCheck } from './assertion-context.ts'
import { literal } from './fill-variables.ts'

/** Assertions that a model judges, by type. */
export const MODEL_ASSERTIONS: Readonly<Record<string, ConvertAssertion>> = {
  'llm-rubric': convertRubric,
  'agent-rubric': convertRubric,
  'model-graded-closedqa': rubric('model-graded-closedqa', text => text),
  'model-graded-factuality': rubric('factuality', factuality),
  factuality: rubric('factuality', factuality),
  similar: convertSimilar,
  'similar:cosine': convertSimilar,
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
  return text === undefined ? undefined : rubrics({ criteria: context.fill(text) }, assertion, context)
}

/** Rubrics, with the judge that the configuration names for them. */
function rubrics(fields: Fields, { written }: Assertion, context: AssertionContext): ConvertedCheck {
  const target = context.graders.judge([written.get('provider'), ...context.providers], context)
  return { type: 'rubrics', ...fields, ...(target === undefined ? {} : { target }) }
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
  return (assertion, context) => {
    const text = rubricText(assertion.value)
    if (text === undefined) return undefined
    context.notes.approximated(assertion.written.at, `\`${type}\` → \`rubrics\`: another prompt judges`)
    return rubrics({ criteria: context.fill(wording(text)) }, assertion, context)
  }
}

function question(type: string, criteria: string): ConvertAssertion {
  return (assertion, context) => {
    noteSentence(type, assertion, context)
    return rubrics({ criteria }, assertion, context)
  }
}

/** Each step of the criteria is an item. */
function convertSteps(assertion: Assertion, context: AssertionContext): ConvertedCheck {
  const { value, written, threshold } = assertion
  const { notes, fill } = context
  const texts = value?.list().flatMap(item => item.text() ?? []) ?? []
  if (texts.length === 0) return undefined
  notes.approximated(written.at, '`g-eval` → `rubrics`: the judge does not make its own steps')
  const mark = threshold ?? 0.7
  return texts.length === 1
    ? rubrics({ criteria: fill(texts[0] ?? '') }, assertion, context)
    : rubrics({ rubrics: texts.map(fill), mark }, assertion, context)
}

/** Judges of retrieval compare with a context, which a variable of the test holds. */
function withContext(type: string, wording: string): ConvertAssertion {
  return (assertion, context) => {
    const { context: retrieved } = context.vars
    if (typeof retrieved !== 'string') return undefined
    noteSentence(type, assertion, context)
    return rubrics({ criteria: literal(`${wording}:\n${retrieved}`) }, assertion, context)
  }
}

function noteSentence(type: string, { written }: Assertion, { notes }: AssertionContext): void {
  notes.approximated(written.at, `\`${type}\` → \`rubrics\`: a judge decides by a sentence, and there is no score`)
}

/** The answer means the same as a text. Only the cosine of two embeddings is measured. */
function convertSimilar(assertion: Assertion, context: AssertionContext): ConvertedCheck {
  const { value, threshold, written } = assertion
  const texts = value?.list().flatMap(item => item.text() ?? []) ?? []
  if (texts.length === 0 || texts.includes('')) return undefined
  const providers = [written.get('provider'), ...context.providers]
  const target = context.graders.embeddings(providers, written.at, context)
  if (target === undefined) return { problem: 'whose provider Assay does not have' }
  const [only] = texts
  return {
    type: 'similar',
    target,
    value: texts.length === 1 && only !== undefined ? context.fill(only) : texts.map(context.fill),
    ...(context.isScored ? {} : { threshold: Math.min(1, Math.max(0.001, threshold ?? 0.75)) }),
  }
}
