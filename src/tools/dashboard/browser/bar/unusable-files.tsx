import type { FileComplaint } from '../../../../engine/files/invalid-files.js'
import { useAdminQuery } from '../admin-query.js'

/** In every view: what the developer's editor has saved is not in use. */
export function UnusableFiles() {
  const { data } = useAdminQuery<{ complaints: readonly FileComplaint[] }>('files', ['files'])
  if (data === undefined || data.complaints.length === 0) return null
  const files = new Set(data.complaints.map(({ file }) => file)).size
  return (
    <div class="unusable" role="alert">
      <strong>
        {files === 1
          ? 'A file cannot be used; its last good version serves, if there is one.'
          : `${files} files cannot be used; their last good versions serve, if there are any.`}
      </strong>
      <ul>
        {data.complaints.map(({ file, line, column, message }, at) => (
          <li key={at}>
            <code>
              <bdi>{line === undefined ? file : `${file}:${line}:${column}`}</bdi>
            </code>{' '}
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
