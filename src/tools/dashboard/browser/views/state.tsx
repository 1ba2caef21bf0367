import { useRef } from 'preact/hooks'
import type { CollectionName } from '../../../../api/records.js'
import { linkTo } from '../address.js'
import { useAdminQuery } from '../admin-query.js'
import { callAdmin } from '../api.js'
import { confirm, Problem, useAct } from '../parts/controls.js'
import { sandboxHere } from '../sandbox.js'
import { Collection } from './state/collection.js'

export function State({ address: [open, record] }: { readonly address: readonly string[] }) {
  const { data, failure } = useAdminQuery<{ counts: Readonly<Record<string, number>> }>('state?counts', ['state'])
  const counts = Object.entries(data?.counts ?? {})
  const collection = (open || counts[0]?.[0]) as CollectionName | undefined
  return (
    <div class="page state">
      <header>
        <h1 tabIndex={-1}>State</h1>
        <Transfer />
      </header>
      <Problem failure={failure} />
      <nav class="collections" aria-label="Collections">
        {counts.map(([name, count]) => (
          <a key={name} href={linkTo('state', name)} aria-current={name === collection ? 'true' : undefined}>
            {name} <span class="quiet">{count.toLocaleString()}</span>
          </a>
        ))}
      </nav>
      {collection !== undefined && <Collection key={collection} name={collection} open={record} />}
    </div>
  )
}

function Transfer() {
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useAct()
  const upload = async (chosen: HTMLInputElement) => {
    const file = chosen.files?.[0]
    if (file === undefined) return
    if (await confirm(`Replace the whole state by ${file.name}?`, 'Replace'))
      await run(async () => callAdmin('PUT', 'state', await file.text()))
    // The same file can be chosen again after it is fixed.
    chosen.value = ''
  }
  return (
    <>
      <a class="button" href="state" download={`fixtures${sandboxHere === undefined ? '' : `-${sandboxHere}`}.json`}>
        Download
      </a>
      <button type="button" aria-busy={busy} onClick={() => input.current?.click()}>
        Upload
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Upload"
        accept=".json,.yaml,.yml,application/json,application/yaml"
        onChange={({ currentTarget }) => upload(currentTarget)}
      />
      <Problem failure={failure} />
    </>
  )
}
