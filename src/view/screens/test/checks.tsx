import { formatNumber } from '../../../lib/text/format.ts'
import type { EvaluatorResult } from '../../../model/evaluator-result.ts'
import { asText } from '../../../model/messages/content-text.ts'
import type { Result } from '../../../model/result.ts'
import { counts } from '../../../model/verdict.ts'
import { ownMisses } from '../../../report/reasons.ts'
import { inapplicableTo } from '../../../report/result-texts.ts'
import { withoutItems } from '../../../report/score-breakdown.ts'
import { format } from '../../parts/format.ts'
import { LongText } from '../../parts/long-text.tsx'
import { SourceLocation } from '../../parts/source-location.tsx'
import { VerdictSign } from '../../parts/verdict-badge.tsx'
import { JudgeVotes, PairOrders, RubricItems } from './judgements.tsx'

interface Props {
  readonly result: Result
  /** The number of the trial, if there are several. */
  readonly trial?: number | undefined
  /** Whether source locations may be links. */
  readonly has_links: boolean
}

/** The results of the checks. */
export function Checks({ result, trial, has_links }: Props) {
  const { evaluator_results: checks, file, target } = result
  return (
    <section class="checks" aria-labelledby="checks-name">
      <div class="section-head">
        <h2 id="checks-name">Checks</h2>
        {trial !== undefined && <span class="faint">{`Trial ${trial}, as everything below`}</span>}
      </div>
      {checks.length === 0 ? (
        <p class="faint">No checks were run.</p>
      ) : (
        <ul>
          {checks.map(check => (
            <Check key={check.name} check={check} around={{ file, target, has_links }} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The file of the check around, and the target that answered. */
type Around = Pick<Result, 'file' | 'target'> & Pick<Props, 'has_links'>

interface CheckProps {
  readonly check: EvaluatorResult
  readonly around: Around
}

function Check({ check, around }: CheckProps) {
  const { file = around.file, evaluator_results: inside = [], reasoning, error, details, text, name } = check
  const isLeaf = inside.length === 0
  return (
    <li class={`check ${styleOf(check)}`}>
      <CheckHead check={check} around={{ ...around, file }} />
      {text !== name && <p class="check-text">{text}</p>}
      {!counts(check) && <p class="faint">{inapplicableTo(around.target)}</p>}
      {/* Nested checks show their own findings. */}
      <Notes sign="+" name="hits" texts={isLeaf ? withoutItems(check.hits, check) : []} />
      <Notes sign="−" name="misses" texts={isLeaf ? ownMisses(check) : []} />
      <PairOrders pair={check.pair} />
      <RubricItems check={check} />
      {reasoning !== undefined && reasoning.trim() !== '' && (
        <div class="reasoning">
          <LongText text={reasoning} />
        </div>
      )}
      <JudgeVotes votes={check.votes} />
      {error && (
        <div class="bad">
          <LongText text={`${error.code}: ${error.message}`} />
        </div>
      )}
      {details !== undefined && (
        <details>
          <summary>Details</summary>
          <LongText text={asText(details)} />
        </details>
      )}
      {!isLeaf && (
        <ul>
          {inside.map(child => (
            <Check key={child.name} check={child} around={{ ...around, file }} />
          ))}
        </ul>
      )}
    </li>
  )
}

function CheckHead({ check, around }: CheckProps) {
  const { name, score, weight, line } = check
  const finding = findingOf(check)
  return (
    <div class="check-head">
      <span class="check-sign" role="img" aria-label={finding}>
        <VerdictSign verdict={styleOf(check)} />
      </span>
      <h3>{name}</h3>
      {factsOf(check).map(fact => (
        <span key={fact} class="fact">
          {fact}
        </span>
      ))}
      <SourceLocation file={around.file} line={line} has_link={around.has_links} />
      <span class="check-score">
        {score === null ? finding : `${formatNumber(score)} × ${formatNumber(weight)}`}
        {score !== null && <ScoreBar score={score} />}
      </span>
    </div>
  )
}

function factsOf(check: EvaluatorResult): string[] {
  const { name, type, required, passed, negate, duration_ms } = check
  return [
    ...(name === type ? [] : [type]),
    ...(negate ? ['negated'] : []),
    ...(required === null || !counts(check) ? [] : [`required ${formatNumber(required)}${passed ? '' : ': missed'}`]),
    ...(duration_ms >= 1 ? [format.time(duration_ms)] : []),
  ]
}

/** The class of a check, which is also the verdict whose sign it has. */
function styleOf(check: EvaluatorResult): string {
  const { passed, error, not_run } = check
  return error ? 'error' : not_run || !counts(check) ? 'off' : passed ? 'pass' : 'fail'
}

/** What was found, in a word. */
function findingOf(check: EvaluatorResult): string {
  if (!counts(check)) return 'n/a'
  return check.not_run ? 'not run' : check.passed ? 'passed' : check.error ? 'could not be judged' : 'missed'
}

function ScoreBar({ score }: { readonly score: number }) {
  return (
    <svg class="score-bar" height={6} width={64} aria-hidden="true">
      <rect class="track" width="100%" height={6} rx={3} />
      <rect class="full" width={`${score * 100}%`} height={6} rx={3} />
    </svg>
  )
}

/** Maximum number of lines in a list; the others are counted. */
const MAX_NOTES = 200

interface NotesProps {
  readonly sign: string
  readonly name: 'hits' | 'misses'
  readonly texts: readonly string[]
}

function Notes({ sign, name, texts }: NotesProps) {
  if (texts.length === 0) return null
  const more = texts.length - MAX_NOTES
  return (
    <ul class={`notes ${name}`} aria-label={name}>
      {texts.slice(0, MAX_NOTES).map(text => (
        <li>
          <span class="note-sign" aria-hidden="true">
            {sign}
          </span>
          <LongText text={text} />
        </li>
      ))}
      {more > 0 && <li>{`and ${more} more`}</li>}
    </ul>
  )
}
