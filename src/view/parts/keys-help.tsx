import { useRef } from 'preact/hooks'
import { useKeys } from '../use-keys.ts'

/** A key and what it does. */
export type KeyMeaning = readonly [key: string, meaning: string]

/** A button, and the key `?`, that show the keys of a screen. */
export function KeysHelp({ keys }: { readonly keys: readonly KeyMeaning[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const toggle = () => (dialog.current?.open ? dialog.current.close() : dialog.current?.showModal())
  useKeys({ '?': toggle })
  return (
    <>
      <button type="button" class="quiet keys-button" aria-keyshortcuts="?" onClick={toggle}>
        Keys
      </button>
      <dialog class="keys" ref={dialog} aria-label="Keys">
        <dl>
          {[...keys, ['?', 'show the keys'] as const].map(([key, meaning]) => (
            <div key={key}>
              <dt>
                {key.split(' ').map(each => (
                  <kbd key={each}>{each}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={toggle}>
          Close
        </button>
      </dialog>
    </>
  )
}
