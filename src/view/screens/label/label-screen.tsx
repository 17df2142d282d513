import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { LabelSource } from '../../label-source.ts'
import { Problem } from '../../parts/notice.tsx'
import type { ScreenProps } from '../../screen.ts'
import { LabelActions } from './label-actions.tsx'
import { ShownAnswer } from './shown-answer.tsx'
import { useLabelKeys } from './use-label-keys.ts'
import { endText, useSample } from './use-sample.ts'

/** One answer at a time, to be labelled without knowing who gave it or what the judge says. */
export function LabelScreen({ source }: ScreenProps<'label'>) {
  if (!source.label) return <Problem text="This page has no answers to label. Start `assay label --browser`." />
  return <Sample source={source.label} />
}

function Sample({ source }: { readonly source: LabelSource }) {
  const sample = useSample(source)
  const { place, page, problem } = sample
  const heading = useRef<HTMLHeadingElement>(null)
  const note = useRef<HTMLInputElement>(null)
  const help = useRef<HTMLDetailsElement>(null)
  useLabelKeys(sample, { note, help })
  useLayoutEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus()
  }, [place])
  useEffect(() => sample.start(), [sample.start])
  return (
    <article class="labelling" aria-labelledby="label-name">
      <header>
        <h1 id="label-name" tabIndex={-1} ref={heading}>
          {place && (page ? `Answer ${page.number} of ${page.of}` : 'End of the sample')}
        </h1>
        <p class="faint" role="status">
          {place && `${place.labelled} of ${place.of} labelled${page ? ` by ${page.by}` : endText(place)}`}
        </p>
      </header>
      {problem !== undefined && <Problem text={problem} />}
      {page && <ShownAnswer key={page.number} shown={page.shown} />}
      {place && <LabelActions sample={sample} note={note} help={help} heading={heading} />}
    </article>
  )
}
