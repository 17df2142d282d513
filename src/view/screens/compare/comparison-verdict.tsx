import type { ComparisonVerdict } from '../../../report/compare/analysis.ts'

const SIGNS: Readonly<Record<ComparisonVerdict, string>> = {
  better: '▲',
  worse: '▼',
  equivalent: '=',
  inconclusive: '?',
}

/** The verdict of a comparison as word, sign and colour. */
export function ComparisonBadge({ verdict }: { readonly verdict: ComparisonVerdict }) {
  return (
    <span class={`badge ${verdict}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[verdict]}
      </span>
      {verdict}
    </span>
  )
}

interface TextProps {
  readonly verdict: ComparisonVerdict
  /** It begins with the verdict. */
  readonly text: string
}

/** The verdict with its reasons. */
export function VerdictText({ verdict, text }: TextProps) {
  return (
    <>
      <ComparisonBadge verdict={verdict} />
      <span>{text.slice(verdict.length).replace(/^: /, '')}</span>
    </>
  )
}
