import { useState } from 'preact/hooks'

type State = 'ready' | 'asked' | 'sent'

/** Stops the run after a confirmation, as Ctrl-C does. */
export function StopButton({ stop }: { readonly stop: () => Promise<void> }) {
  const [state, setState] = useState<State>('ready')
  const [problem, setProblem] = useState<string>()
  const send = () => {
    setState('sent')
    stop().then(
      () => setProblem(undefined),
      (error: unknown) => {
        setProblem((error as Error).message)
        setState('ready')
      },
    )
  }
  return (
    <div class="stop">
      {state === 'ready' && (
        <button type="button" onClick={() => setState('asked')}>
          Stop
        </button>
      )}
      {state === 'asked' && (
        <>
          <span>Stop the run? Attempts that run are lost; finished ones are kept.</span>
          <button type="button" class="danger" onClick={send}>
            Stop the run
          </button>
          <button type="button" class="quiet" onClick={() => setState('ready')}>
            Continue
          </button>
        </>
      )}
      <span role="status" class={problem === undefined ? 'faint' : 'bad'}>
        {state === 'sent' ? 'Stopping…' : problem}
      </span>
    </div>
  )
}
