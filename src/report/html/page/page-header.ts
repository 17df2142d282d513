import type { PageData } from '../page-data.ts'
import { el } from './element.ts'
import { timeText } from './number-text.ts'
import { themeSwitch } from './theme.ts'

/** Which run this is. */
export function pageHeader({ run }: PageData): HTMLElement {
  const facts = run
    ? [
        `Run ${run.run_id}`,
        timeText(run.started),
        ...(run.git_commit === undefined ? [] : [`commit ${run.git_commit.slice(0, 8)}`]),
        ...(run.source === undefined ? [] : [`answers of ${run.source}, judged again`]),
        ...(run.shard === undefined ? [] : [`shard ${run.shard.index} of ${run.shard.of}`]),
        `assay ${run.assay_version}`,
      ]
    : []
  return el(
    'header',
    { class: 'top' },
    el('p', { class: 'brand' }, 'Assay', el('span', { class: 'faint' }, ' report')),
    el('p', { class: 'facts' }, ...facts.map(fact => el('span', {}, fact))),
    themeSwitch(),
  )
}
