import type { Palette } from '../../lib/palette.ts'
import type { Interval } from '../../lib/statistics/intervals.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { formatPercent, formatShare, plural } from '../../lib/text/format.ts'
import { renderTable } from '../../lib/text/table.ts'
import type { CalibratedJudges, CalibratedSuite } from '../../operations/calibrate/calibrate.ts'
import { HALF_WIDTH, type JudgeSetFigures } from '../../operations/calibrate/judge-figures.ts'

type ShowPath = (file: string) => string

/** Formats the calibration of a suite: a section for each set of judges, then the labels that do not count. */
export function calibrationText(suite: CalibratedSuite, path: ShowPath, palette: Palette): string {
  const sections = suite.judge_sets.map(judges => judgesText(suite, judges, path, palette))
  return [...sections, notCountedText(suite)].filter(text => text !== '').join('\n')
}

function judgesText(suite: CalibratedSuite, judges: CalibratedJudges, path: ShowPath, palette: Palette): string {
  const { figures } = judges
  const title = `${printableLine(suite.suite)}, judged by ${judgeNames(judges)}`
  const parts = [
    `${palette.strong(title)}\n${labelsText(figures)}\n`,
    figures.labels === 0 ? '' : agreementText(figures),
    peopleText(figures),
    figures.labels === 0 ? '' : targetsText(figures),
    scoresText(figures),
    limitsText(figures)
      .map(line => `${palette.warning('note:')} ${line}\n`)
      .join(''),
    fileText(judges, path) + staleText(judges),
  ]
  return parts.filter(part => part !== '').join('\n')
}

function judgeNames({ judges, judges_hash }: CalibratedJudges): string {
  return judges.length === 0 ? `judges ${judges_hash}` : judges.map(printableLine).join(' and ')
}

/** `60 labels by 2 people on 58 answers to 58 tests; 942 of 1000 judged attempts have no label`. */
function labelsText(figures: JudgeSetFigures): string {
  const { labels, people, labelled_answers, labelled_tests, labelled_attempts, attempts } = figures
  if (labels === 0) return `no labels that say pass or fail; ${plural(attempts, 'judged attempt')}`
  const by = `${plural(labels, 'label')} by ${people === 1 ? '1 person' : `${people} people`}`
  const left = `${attempts - labelled_attempts} of ${plural(attempts, 'judged attempt')} have no label`
  return `${by} on ${plural(labelled_answers, 'answer')} to ${plural(labelled_tests, 'test')}; ${left}`
}

function agreementText({ sensitivity, specificity, agreement, kappa, ac1 }: JudgeSetFigures): string {
  const rows = [
    ['sensitivity', rateText(sensitivity), 'of the answers that people pass, the judge passes'],
    ['specificity', rateText(specificity), 'of the answers that people fail, the judge fails'],
    ['agreement', rateText(agreement), 'of all answers, both give the same verdict'],
    ['κ', numberText(kappa), 'agreement beyond chance (Cohen)'],
    ['AC1', numberText(ac1), 'the same where nearly all answers pass (Gwet)'],
  ]
  return renderTable(
    rows.map(cells => ['', ...cells]),
    4,
  )
}

/** The agreement between people, which is the ceiling of any judge. */
function peopleText({ between_people }: JudgeSetFigures): string {
  if (!between_people) return ''
  const { answers, agreement, kappa, ac1 } = between_people
  const figures = `agreement ${rateText(agreement)}, κ ${numberText(kappa)}, AC1 ${numberText(ac1)}`
  return `between people, on ${plural(answers, 'answer')}: ${figures}\n`
}

function targetsText({ targets }: JudgeSetFigures): string {
  const head = [
    'pass rate of judged attempts',
    'judge alone',
    'labels alone',
    'corrected',
    'labelled',
    `for ±${HALF_WIDTH * 100} points`,
  ]
  const rows = targets.map(({ target, ...figures }) => [
    printableLine(target),
    rateText(figures.judge_alone),
    rateText(figures.labels_alone),
    rateText(figures.corrected),
    String(figures.labelled_attempts),
    figures.labelled_attempts === 0 ? '-' : neededText(figures.labels_for_half_width),
  ])
  return renderTable([head, ...rows], 1)
}

function neededText(labels: number | undefined): string {
  return labels === undefined ? 'more answers' : `${labels} labels`
}

function scoresText({ targets }: JudgeSetFigures): string {
  return targets
    .flatMap(({ target, mean_score: mean }) => {
      if (!mean) return []
      const value = mean.value === undefined ? 'takes at least 2 labels of different tests' : numberText(mean)
      return [`mean score on ${printableLine(target)} by ${plural(mean.labels, 'label')} (PPI++): ${value}\n`]
    })
    .join('')
}

/** Labels below this number say little. */
const FEW_LABELS = 20

/** Scores below this number of labels have too narrow an interval. */
const FEW_SCORES = 50

/** Answers that two people should label. */
const FEW_TWICE = 20

/** What the labels cannot say, one line each. */
function limitsText(figures: JudgeSetFigures): string[] {
  const { labels, confusion, between_people, labelled_answers, labelled_attempts, labelled_tests, targets } = figures
  const { true_pass, false_pass, false_fail, true_fail } = confusion
  const limits: [boolean, string][] = [
    [
      labels > 0 && labelled_answers < FEW_LABELS,
      `fewer than ${FEW_LABELS} labelled answers: the intervals are wide, and a single label moves every figure.`,
    ],
    [
      true_pass + false_pass > 0 && false_fail + true_fail === 0,
      'no label is of an answer that the judge fails: what it wrongly fails is unknown. Label some of these.',
    ],
    [
      true_pass + false_pass === 0 && false_fail + true_fail > 0,
      'no label is of an answer that the judge passes: what it wrongly passes is unknown. Label some of these.',
    ],
    [labels > 0 && false_pass + true_fail === 0, 'people pass every labelled answer: the specificity is unknown.'],
    [labels > 0 && true_pass + false_fail === 0, 'people fail every labelled answer: the sensitivity is unknown.'],
    [
      labelled_tests < labelled_attempts,
      `attempts of the same test are not independent: the intervals count ${plural(labelled_tests, 'test')}, not ${plural(labelled_attempts, 'attempt')}.`,
    ],
    [
      labels > 0 && (between_people?.answers ?? 0) < FEW_TWICE,
      `${twiceText(between_people?.answers)} labelled by two people: how far people agree, the ceiling of every judge, takes at least ${FEW_TWICE}.`,
    ],
    [
      labels > 0,
      'labels alone is the rate of the labelled answers. It is that of the target only if they were drawn at random, not by verdict.',
    ],
    [
      targets.some(({ labelled_attempts: own }) => labels > 0 && own === 0),
      'a target without labels has no corrected rate: rates of different targets are never pooled.',
    ],
    [targets.some(({ mean_score }) => mean_score), 'PPI++ needs labels that were drawn by simple random sampling.'],
    [
      targets.some(({ mean_score }) => mean_score && mean_score.labels < FEW_SCORES),
      `PPI++ needs at least ${FEW_SCORES} labels: its interval is too narrow below that.`,
    ],
  ]
  return limits.filter(([holds]) => holds).map(([, text]) => text)
}

function twiceText(answers = 0): string {
  return answers === 0 ? 'no answer is' : `only ${plural(answers, 'answer')} ${answers === 1 ? 'is' : 'are'}`
}

function fileText({ file }: CalibratedJudges, path: ShowPath): string {
  if (!file) return ''
  const shown = printableLine(path(file.path))
  if (file.status === 'kept')
    return `kept ${shown}: it has more labelled answers, of run ${printableLine(file.run_id)}\n`
  return file.status === 'written' ? `wrote ${shown}\n` : `${shown} is up to date\n`
}

function staleText({ stale }: CalibratedJudges): string {
  const reasons = { judges: 'another judge, or its model or settings changed', checks: 'checks changed or were added' }
  return stale
    .map(
      ({ run_id, reason }) =>
        `stale: the calibration of run ${printableLine(run_id)} does not hold here (${reasons[reason]})\n`,
    )
    .join('')
}

/** `not counted: 3 labels of answers that are not in this run, 1 unsure label`. */
function notCountedText({ not_counted }: CalibratedSuite): string {
  const { other_answers, changed_tasks, not_judged, drawn_otherwise, unsure, ties, replaced } = not_counted
  const parts = [
    [other_answers, 'label', ' of answers that are not in this run'],
    [changed_tasks, 'label', ' of tests that were changed or removed'],
    [not_judged, 'label', ' of answers without a verdict of a judge'],
    [drawn_otherwise, 'label', ' drawn by the verdicts of other judges or checks (label again with `assay label`)'],
    [unsure, 'unsure label', ''],
    [ties, 'label', ' of answers that as many people pass as fail'],
    [replaced, 'label', ' replaced by a later one of the same person'],
  ] as const
  const counted = parts.filter(([count]) => count > 0).map(([count, word, rest]) => plural(count, word) + rest)
  return counted.length === 0 ? '' : `not counted: ${counted.join(', ')}\n`
}

interface Figure {
  readonly value?: number | undefined
  readonly interval?: Interval | undefined
}

/** `91 % [84–95]`, or `unknown`. */
function rateText(figure: Figure | undefined): string {
  if (figure?.value === undefined) return 'unknown'
  return formatPercent(figure.value) + intervalText(figure.interval, formatShare)
}

/** `0.65 [0.45–0.85]`, or `unknown`. */
function numberText(figure: Figure | undefined): string {
  if (figure?.value === undefined) return 'unknown'
  return figure.value.toFixed(2) + intervalText(figure.interval, value => value.toFixed(2))
}

/** An interval without a width is left out: it would claim certainty. */
function intervalText(interval: Interval | undefined, format: (value: number) => string): string {
  return interval && interval.low < interval.high ? ` [${format(interval.low)}–${format(interval.high)}]` : ''
}
