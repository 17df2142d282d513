import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_FILTERS } from '../../src/view/filters.ts'
import { addressOf, type Route, routeOf, runRouteOf } from '../../src/view/route.ts'

const texts = fc.string({ unit: 'grapheme', minLength: 1 })
const filters = fc.record({
  search: texts,
  verdicts: fc.uniqueArray(fc.constantFrom('fail', 'error', 'unexpected pass')),
  suite: texts,
  target: texts,
  tag: texts,
  check: texts,
  missed: texts,
  differs: fc.boolean(),
  sort: fc.constantFrom('', 'score', 'test'),
  descending: fc.boolean(),
})

describe('addresses of the view', () => {
  it.each<[string, Route]>([
    ['#/runs', { screen: 'runs' }],
    ['#/run/a', runRouteOf('a')],
    ['#/run/a?verdict=fail', runRouteOf('a', { verdicts: ['fail'] })],
    ['#/run/a/matrix?differs=1', { screen: 'matrix', run: 'a', filters: { ...DEFAULT_FILTERS, differs: true } }],
    ['#/run/a/test/t@x?trial=2', { screen: 'test', run: 'a', test: 't@x', trial: 2, filters: DEFAULT_FILTERS }],
    ['#/run/a/live', { screen: 'live', run: 'a' }],
    ['#/compare/a/b', { screen: 'compare', base: 'a', other: 'b' }],
    ['#/label', { screen: 'label' }],
  ])('%s is read and written', (address, route) => {
    expect(routeOf(address)).toEqual(route)
    expect(addressOf(route)).toBe(address)
  })

  it('keep every name and filter', () => {
    fc.assert(
      fc.property(texts, texts, filters, fc.nat({ max: 999 }), (run, test, chosen, trial) => {
        const routes: Route[] = [
          { screen: 'test', run, test, trial, filters: chosen },
          { screen: 'matrix', run, filters: chosen },
          { screen: 'compare', base: run, other: test },
        ]
        expect(routes.map(addressOf).map(routeOf)).toEqual(routes)
      }),
    )
  })

  it('never throw, and fall back to the beginning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(routeOf(`#${text}`).screen).toBeTypeOf('string')
      }),
    )
    for (const address of ['', '#', '#/', '#/none', '#/constructor', '#/%ff'])
      expect(routeOf(address)).toEqual({ screen: 'home' })
    expect(routeOf('#/compare/a')).toEqual({ screen: 'runs' })
    expect(routeOf('#/run/%ff/test/')).toEqual(runRouteOf('%ff'))
  })

  it('of earlier reports are still read', () => {
    expect(routeOf('#verdict=fail&target=small')).toEqual(runRouteOf('', { verdicts: ['fail'], target: 'small' }))
    expect(routeOf('#test=t%40x&trial=3')).toMatchObject({ screen: 'test', run: '', test: 't@x', trial: 3 })
  })
})
