const SIGNS: Readonly<Record<string, string>> = { pass: '✓', borderline: '≈', fail: '✕', error: '!', flaky: '↯' }

/** A verdict as word, sign and colour, so that none of them has to be perceived. */
export function VerdictBadge({ verdict }: { readonly verdict: string }) {
  return (
    <span class={`badge ${verdictClass(verdict)}`}>
      <VerdictSign verdict={verdict} />
      {verdict}
    </span>
  )
}

export function VerdictSign({ verdict }: { readonly verdict: string }) {
  return (
    <span class="sign" aria-hidden="true">
      {SIGNS[verdict] ?? ''}
    </span>
  )
}

/** The class of a verdict, or of what a mark makes of it. */
export function verdictClass(verdict: string): string {
  return verdict.replaceAll(' ', '-')
}
