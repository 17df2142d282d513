import { wellFormed } from '../lib/text/unicode.ts'
import { DEFAULT_FILTERS, type Filters, filtersIn, filterTexts } from './filters.ts'

/** What the page shows. It is in the fragment of the address, so that it can be shared. */
export type Route =
  /** The page was opened without an address. */
  | { readonly screen: 'home' }
  | { readonly screen: 'runs' }
  | { readonly screen: 'run'; readonly run: string; readonly filters: Filters }
  | { readonly screen: 'matrix'; readonly run: string; readonly filters: Filters }
  | TestRoute
  | { readonly screen: 'live'; readonly run: string }
  | { readonly screen: 'compare'; readonly base: string; readonly other: string }
  | { readonly screen: 'label' }

/** A test on a target, among the tests that the filters choose. */
export interface TestRoute {
  readonly screen: 'test'
  readonly run: string
  /** Key of the row; see `rows.ts`. */
  readonly test: string
  /** 0 for the trial that tells most. */
  readonly trial: number
  readonly filters: Filters
}

/** The route of a screen. */
export type RouteOf<Screen extends Route['screen']> = Extract<Route, { readonly screen: Screen }>

/** Shows another route, with a new history entry or in place of the current one. */
export type Go = (to: Route, how?: 'push' | 'replace') => void

/** Returns the fragment of a route, without default values. */
export function addressOf(route: Route): string {
  switch (route.screen) {
    case 'home':
      return '#'
    case 'runs':
    case 'label':
      return `#/${route.screen}`
    case 'compare':
      return `#/compare/${encoded(route.base)}/${encoded(route.other)}`
    case 'live':
      return `#/run/${encoded(route.run)}/live`
    case 'run':
      return `#/run/${encoded(route.run)}${queryOf(filterTexts(route.filters))}`
    case 'matrix':
      return `#/run/${encoded(route.run)}/matrix${queryOf(filterTexts(route.filters))}`
    case 'test': {
      const texts = [
        ...filterTexts(route.filters),
        ...(route.trial > 0 ? [['trial', String(route.trial)] as const] : []),
      ]
      return `#/run/${encoded(route.run)}/test/${encoded(route.test)}${queryOf(texts)}`
    }
  }
}

/** Reads an address. Never throws: unknown values fall back to defaults. */
export function routeOf(address: string): Route {
  const text = address.replace(/^#/, '')
  if (text === '' || text === '/') return { screen: 'home' }
  if (!text.startsWith('/')) return earlierRoute(new URLSearchParams(text))
  const [path = '', query = ''] = text.split(/\?(.*)/s)
  const [screen, ...parts] = path.slice(1).split('/').map(decoded)
  return READERS.get(screen ?? '')?.(parts, new URLSearchParams(query)) ?? { screen: 'home' }
}

const READERS = new Map<string, (parts: readonly string[], query: URLSearchParams) => Route | undefined>([
  ['runs', () => ({ screen: 'runs' })],
  ['label', () => ({ screen: 'label' })],
  ['compare', ([base = '', other = '']) => (base && other ? { screen: 'compare', base, other } : { screen: 'runs' })],
  ['run', runRoute],
])

function runRoute([run = '', view = '', test = '']: readonly string[], query: URLSearchParams): Route | undefined {
  const filters = filtersIn(query)
  if (view === 'live') return { screen: 'live', run }
  if (view === 'matrix') return { screen: 'matrix', run, filters }
  if (view === 'test' && test !== '') return { screen: 'test', run, test, trial: trialIn(query), filters }
  return { screen: 'run', run, filters }
}

/** Addresses of reports of earlier versions: `#verdict=fail&test=KEY`. */
function earlierRoute(query: URLSearchParams): Route {
  const filters = filtersIn(query)
  const test = query.get('test') ?? ''
  return test === ''
    ? { screen: 'run', run: '', filters }
    : { screen: 'test', run: '', test, trial: trialIn(query), filters }
}

/** The list of tests of a run, without filters. */
export function runRouteOf(run: string, filters: Partial<Filters> = {}): RouteOf<'run'> {
  return { screen: 'run', run, filters: { ...DEFAULT_FILTERS, ...filters } }
}

function trialIn(query: URLSearchParams): number {
  const text = query.get('trial') ?? ''
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0
}

function queryOf(texts: readonly (readonly [string, string])[]): string {
  return texts.length === 0
    ? ''
    : `?${new URLSearchParams(texts.map(([name, text]) => [name, text] as [string, string]))}`
}

/** `@` is allowed in a fragment, and is in the key of every test. */
function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll('%40', '@')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
