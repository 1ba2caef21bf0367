import type { Complaint } from '../api.js'

interface Props {
  readonly of: readonly Complaint[]
  /** Leads to a line of the text that was sent. */
  readonly select?: (line: number) => void
}

/** Everything that is wrong with what was sent, each with its place. */
export function ComplaintList({ of, select }: Props) {
  if (of.length === 0) return null
  return (
    <div class="problem" role="alert">
      <ul>
        {of.map(({ path, line, column, message }, at) => (
          <li key={at}>
            {line === undefined ? (
              path !== '' && <code>{path}</code>
            ) : select === undefined ? (
              `Line ${line}, column ${column}:`
            ) : (
              <button type="button" class="link" onClick={() => select(line)}>
                {`Line ${line}, column ${column}:`}
              </button>
            )}{' '}
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
