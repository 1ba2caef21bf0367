import { useRef } from 'preact/hooks'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { ComplaintList } from '../../parts/complaint-list.js'
import { confirm } from '../../parts/confirm.js'
import { Problem } from '../../parts/problem.js'
import { sandboxHere } from '../../world.js'

/** The whole state as a fixtures file, and a file in its place. */
export function Transfer() {
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useAct()
  const upload = async (file: File | undefined) => {
    if (file === undefined) return
    if (await confirm(`Replace the whole state by ${file.name}?`, 'Replace'))
      await run(async () => call('state', { method: 'PUT', text: await file.text() }))
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
