import type { Complaint } from '../api.js'

/** Everything that is wrong with what was sent, each with its place. */
export function ComplaintList({ of }: { readonly of: readonly Complaint[] }) {
  if (of.length === 0) return null
  return (
    <div class="problem" role="alert">
      <ul>
        {of.map((one, at) => (
          <li key={at}>
            <Place of={one} />
            <bdi>{one.message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Where it is, unless that is the whole. */
function Place({ of: { path, line, column } }: { readonly of: Complaint }) {
  if (line !== undefined) return <>{`Line ${line}, column ${column}: `}</>
  if (path === '') return null
  return (
    <>
      <code>{path}</code>:{' '}
    </>
  )
}
