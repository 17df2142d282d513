import type { Result } from '../../../model/result.ts'
import { expectedText } from '../../../report/result-texts.ts'
import { Folded } from '../../parts/folded.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { looksLikeMarkdown } from '../../parts/markdown/read-markdown.ts'
import { FormToggle, type TextForm, WrittenText } from '../../parts/written-text.tsx'
import { comparableAnswer, type TextPart, textDifferences } from './text-differences.ts'

interface Props {
  readonly result: Result
  /** Undefined until it is chosen. */
  readonly form: TextForm | undefined
  readonly onForm: (form: TextForm) => void
}

/** The answer beside the expected output, with differences marked. */
export function AnswerTexts({ result, form: chosen, onForm }: Props) {
  const { answer } = result
  const expected = expectedText(result)
  const form = chosen ?? defaultForm(answer, expected)
  return (
    <section class="answer-texts" aria-labelledby="answer-name">
      <div class="section-head">
        <h2 id="answer-name">{expected === undefined ? 'Answer' : 'Expected and answer'}</h2>
        {answer !== null && <FormToggle form={form} onChange={onForm} />}
      </div>
      <div class={`texts ${expected === undefined ? 'one' : 'two'}`}>
        <Sides result={result} expected={expected} form={form} />
      </div>
    </section>
  )
}

/** Differences can be seen in texts only. */
function defaultForm(answer: string | null, expected: string | undefined): TextForm {
  return expected === undefined && answer !== null && looksLikeMarkdown(answer) ? 'markdown' : 'text'
}

interface SidesProps {
  readonly result: Result
  readonly expected: string | undefined
  readonly form: TextForm
}

function Sides({ result: { answer, expected_output }, expected, form }: SidesProps) {
  const answered = answer === null ? undefined : comparableAnswer(answer, expected_output)
  const isMarked = form === 'text' && expected !== undefined && answered !== undefined
  const marked = isMarked ? textDifferences(expected, answered) : undefined
  return (
    <>
      {expected !== undefined && (
        <section class="panel" aria-label="Expected">
          <h3 class="label">Expected</h3>
          {marked ? (
            <Marked parts={marked.from} tag="del" name="the expected output" />
          ) : (
            <WrittenText text={expected} form={form} name="the expected output" />
          )}
        </section>
      )}
      <section class="panel" aria-label="Answer">
        {expected !== undefined && <h3 class="label">Answer</h3>}
        {answered === undefined ? (
          <p class="faint">No answer.</p>
        ) : answered === '' ? (
          <p class="faint">The answer is empty.</p>
        ) : marked ? (
          <Marked parts={marked.to} tag="ins" name="the answer" />
        ) : (
          <WrittenText text={form === 'markdown' ? (answer ?? '') : answered} form={form} name="the answer" />
        )}
        {isMarked && !marked && <p class="faint">Too long to mark the differences.</p>}
      </section>
    </>
  )
}

interface MarkedProps {
  readonly parts: readonly TextPart[]
  readonly tag: 'ins' | 'del'
  readonly name: string
}

function Marked({ parts, tag: Tag, name }: MarkedProps) {
  const [only] = parts
  if (parts.length <= 1 && (only?.isSame ?? true))
    return <WrittenText text={only?.text ?? ''} form="text" name={name} />
  return (
    <Folded name={name}>
      {() => <pre>{parts.map(({ text, isSame }) => (isSame ? text : <Tag>{text}</Tag>))}</pre>}
    </Folded>
  )
}

/** Why there is no answer, or no score. */
export function ErrorPanel({ error }: { readonly error: NonNullable<Result['error']> }) {
  const { code, stage, message } = error
  return (
    <section class="panel error-panel" aria-label="Error">
      <h2>{`Error in the ${stage}: ${code}`}</h2>
      <LongText text={message} />
    </section>
  )
}
