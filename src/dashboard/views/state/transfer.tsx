import { useRef } from 'preact/hooks'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { ComplaintList } from '../../parts/complaint-list.js'
import { Problem } from '../../parts/problem.js'
import { undoable } from '../../undo.js'
import { sandboxHere } from '../../world.js'

/** The whole state as a fixtures file, and a file in its place. */
export function Transfer() {
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useAct()
  const upload = (file: File | undefined) => {
    if (file === undefined) return
    void run(async () => {
      const text = await file.text()
      await undoable(`State replaced by ${file.name}`, () => call('state', { method: 'PUT', text }), { of: ['state'] })
    })
    // The same file can be chosen again, once it is mended.
    if (input.current !== null) input.current.value = ''
  }
  return (
    <>
      <a class="button" href="state" download={`fixtures${sandboxHere === undefined ? '' : `-${sandboxHere}`}.json`}>
        Download
      </a>
      <label class="button upload" aria-busy={busy}>
        Upload
        <input
          ref={input}
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={({ currentTarget }) => upload(currentTarget.files?.[0])}
        />
      </label>
      <ComplaintList of={failure?.complaints ?? []} />
      {failure?.complaints.length === 0 && <Problem failure={failure} />}
    </>
  )
}
