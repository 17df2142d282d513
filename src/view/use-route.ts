import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import { addressOf, type Go, type Route, routeOf } from './route.ts'

/** The route of the address, and how to change it. Every change goes through the address. */
export function useRoute(): readonly [route: Route, go: Go] {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useLayoutEffect(() => {
    let shown = location.hash
    const show = () => {
      if (location.hash === shown) return
      shown = location.hash
      setRoute(routeOf(shown))
    }
    const events = ['popstate', 'hashchange', ROUTE_CHANGE]
    for (const event of events) addEventListener(event, show)
    return () => {
      for (const event of events) removeEventListener(event, show)
    }
  }, [])
  const go: Go = useCallback((to, how = 'push') => {
    if (how === 'push') history.pushState(null, '', addressOf(to))
    else history.replaceState(null, '', addressOf(to))
    dispatchEvent(new Event(ROUTE_CHANGE))
  }, [])
  return [route, go]
}

/** The history has no event for its own methods. */
const ROUTE_CHANGE = 'assay-route'
