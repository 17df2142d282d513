import { shownUrl } from '../http/shown-url.ts'

/** A model in a few words: its name, and where it is when not at its usual place. */
export function aboutModel(model: string, url: string | undefined): string {
  return url === undefined ? model : `${model} at ${shownUrl(url)}`
}
