import type { Complaint } from '../api.js'

/** Everything that is wrong with what was sent, each with its place. */
export function ComplaintList({ of }: { readonly of: readonly Complaint[] }) {
  if (of.length === 0) return null
  return (
    <div class="problem" role="alert">
      <ul>
        {of.map(({ path, line, column, message }, at) => (
          <li key={at}>
            {line === undefined ? <code>{path}</code> : `Line ${line}, column ${column}`}: <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
